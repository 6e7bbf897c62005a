//! Settings with which editors start the language server.

/// The settings of an editor.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Name for `lode lsp --setup`.
    pub editor: &'static str,
    /// File in the project.
    pub file: &'static str,
    /// Text of the file.
    pub text: &'static str,
    /// A sentence on what the editor needs besides.
    pub needs: &'static str,
}

/// The settings of all known editors.
pub const EDITORS: [Settings; 4] = [
    Settings {
        editor: "vscode",
        file: ".vscode/settings.json",
        text: r#"{
    "glspc.server.command": "lode",
    "glspc.server.commandArguments": ["lsp"],
    "glspc.server.languageId": ["toml", "luau"]
}
"#,
        needs: "Visual Studio Code needs an extension for any server: install `zsol.vscode-glspc`",
    },
    Settings {
        editor: "neovim",
        file: ".nvim.lua",
        text: r#"vim.lsp.config("lode", {
    cmd = { "lode", "lsp" },
    filetypes = { "toml", "luau" },
    root_markers = { "content", "mod.toml" },
})
vim.lsp.enable("lode")
"#,
        needs: "Neovim 0.11 or later reads it if `vim.o.exrc` is true",
    },
    Settings {
        editor: "helix",
        file: ".helix/languages.toml",
        text: r#"[language-server.lode]
command = "lode"
args = ["lsp"]

[[language]]
name = "toml"
language-servers = ["lode"]

[[language]]
name = "luau"
scope = "source.luau"
file-types = ["luau"]
comment-token = "--"
language-servers = ["lode"]
"#,
        needs: "Helix reads it in a workspace that it trusts",
    },
    Settings {
        editor: "zed",
        file: ".zed/settings.json",
        text: r#"{
    "lsp": {
        "taplo": { "binary": { "path": "lode", "arguments": ["lsp"] } },
        "luau-lsp": { "binary": { "path": "lode", "arguments": ["lsp"] } }
    }
}
"#,
        needs: "Zed starts servers of extensions only: with its extensions TOML and Luau, lode takes the place of their servers",
    },
];
