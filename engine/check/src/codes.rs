//! Explanations of diagnostic codes, for `lode check --explain`.
//!
//! Each lint holds its own explanation ([`crate::lints`]). This file explains the codes that reading and loading report.

use std::collections::BTreeSet;

use crate::lints::LINTS;

/// An explanation of a diagnostic code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Explanation {
    /// The code: `unused-field`.
    pub code: &'static str,
    /// Reason why this is a mistake.
    pub why: &'static str,
    /// Example with the mistake; empty if no line of a file contains it.
    pub bad: &'static str,
    /// The example without the mistake.
    pub good: &'static str,
}

/// Finds the explanation of a code; `None`: unknown code.
#[must_use]
pub fn explanation(code: &str) -> Option<Explanation> {
    let lint = LINTS.iter().find(|lint| lint.name == code);
    let of_lint = lint.map(|lint| Explanation { code: lint.name, why: lint.why, bad: lint.bad, good: lint.good });
    let found = || CONTENT_CODES.iter().find(|(known, ..)| *known == code);
    of_lint.or_else(|| found().map(|&(code, why, bad, good)| Explanation { code, why, bad, good }))
}

/// Returns all codes, sorted by name.
#[must_use]
pub fn codes() -> BTreeSet<&'static str> {
    LINTS.iter().map(|lint| lint.name).chain(CONTENT_CODES.iter().map(|(code, ..)| *code)).collect()
}

/// Codes of reading and loading: code, explanation, bad example, good example.
const CONTENT_CODES: [(&str, &str, &str, &str); 55] = [
    (
        "bad-drawing",
        "An icon is one path of SVG: commands and numbers alone, which every page may draw.",
        "path = \"<svg>\"",
        "path = \"M4 20 L12 4 L20 20 Z\"",
    ),
    (
        "bad-formula",
        "A formula is a sum of numbers and values, each with an optional factor. This one is not.",
        "x = \"2 * attack\"",
        "x = \"2 * this.attack\"",
    ),
    (
        "bad-image",
        "The content of an image is not what its extension says, or draws nothing. Only shapes of an SVG are drawn.",
        "<svg ...><text>Lamp</text></svg>",
        "<svg ...><path d=\"M4 4h16v16H4z\"/></svg>",
    ),
    (
        "bad-name",
        "Declared names are in snake_case, so that scripts can use them unchanged.",
        "[counters.Gold]",
        "[counters.gold]",
    ),
    (
        "bad-placeholder",
        "Placeholders in a text have the form `{1}` or `{2:player}`. This one does not.",
        "raid = \"{player} raids.\"",
        "raid = \"{1:player} raids.\"",
    ),
    (
        "bad-version",
        "A version has three numbers. Version ranges are written as in Cargo.",
        "version = \"1\"",
        "version = \"1.0.0\"",
    ),
    (
        "conflict",
        "Two settings exclude each other, or one repeats another.",
        "[zones.deck]\nper = \"game\"\nreshuffle = \"deck\"",
        "[zones.deck]\nper = \"game\"\nreshuffle = \"discard\"",
    ),
    (
        "cycle",
        "Each of these mods must load after another one of them, so no load order exists.",
        "# alpha/mod.toml\nload_after = [\"beta\"]\n# beta/mod.toml\nload_after = [\"alpha\"]",
        "# alpha/mod.toml\nload_after = [\"beta\"]\n# beta/mod.toml\nload_after = []",
    ),
    (
        "damaged-value",
        "The learned value function cannot be used: the file is truncated or edited, or belongs to another game or another version of lode. \
         Train it again; do not edit it by hand.",
        "",
        "lode train checkers --out content/checkers/learned.value --force",
    ),
    ("duplicate", "A name is listed or declared twice.", "holds = [\"cards\", \"cards\"]", "holds = [\"cards\"]"),
    (
        "duplicate-file",
        "Two files have the same stem, so they declare the same names.",
        "content/demo/cards.toml and content/demo/CARDS.toml",
        "content/demo/cards.toml",
    ),
    ("duplicate-mod", "Two active mods have the same id.", "--mod mods/alpha --mod copies/alpha", "--mod mods/alpha"),
    ("empty", "A list or a text must not be empty here.", "holds = []", "holds = [\"cards\"]"),
    (
        "fails-in-play",
        "A random game fails here. `lode check` begins a few games for each number of players and each value of an option, and plays one to its \
         end; the command below the message plays the first game that fails.",
        "act = function(player, answer)\n    gain(\"gold\", player, 1)\nend",
        "act = function(player, answer)\n    gain(player, \"gold\", 1)\nend",
    ),
    (
        "free-purchase",
        "A definition costs nothing in a phase with repeated purchases, so a player can buy it forever.",
        "[air]\nname = \"Air\"\ncost = {}",
        "[air]\nname = \"Air\"\ncost = { gold = 1 }",
    ),
    (
        "hidden-character",
        "Control characters and direction marks are invisible. They can change the terminal or reorder the text that is shown.",
        "name = \"Mine\\u001b[2J\"",
        "name = \"Mine\"",
    ),
    ("host", "The engine itself failed to start. This is not a mistake in the game: please report it.", "", ""),
    (
        "missing-file",
        "A file that every game needs is missing.",
        "content/demo/ without game.toml",
        "content/demo/game.toml",
    ),
    (
        "missing-image",
        "The definition names an image that is not in the folder `images` beside game.toml.",
        "image = \"lamp.gif\"",
        "image = \"lamp.png\"",
    ),
    (
        "missing-key",
        "A table lacks a required key.",
        "[counters.gold]\nvisible = \"all\"",
        "[counters.gold]\nper = \"player\"\nvisible = \"all\"",
    ),
    (
        "missing-mod",
        "A mod requires another mod that is not active.",
        "requires = { beta = \"^1.0\" }",
        "requires = {}",
    ),
    (
        "missing-number",
        "The line looks like a rule, but has no number, so neither `lode rules` nor a test can name it.",
        "- G-1 Take a coin.\n- Or turn up a card.",
        "- G-1 Take a coin.\n- G-2 Or turn up a card.",
    ),
    (
        "missing-prompt",
        "A phase whose script offers choices must name the prompt that the player sees.",
        "[play]\nname = \"Play\"",
        "[play]\nname = \"Play\"\nprompt = \"pick\"",
    ),
    (
        "missing-script",
        "A declaration needs a function in a script, but no script returns it.",
        "# phases.toml\n[play]\nname = \"Play\"\n-- phases.luau\nreturn { play = {} }",
        "# phases.toml\n[play]\nname = \"Play\"\n-- phases.luau\nreturn { play = { turn = function(player) end } }",
    ),
    (
        "misspelt-folder",
        "The name of this folder below `scripts` or `tests` is nearly that of a game, but not the same, so nothing reads its files.",
        "content/checkers/game.toml\nscripts/chekcers/phases.luau",
        "content/checkers/game.toml\nscripts/checkers/phases.luau",
    ),
    (
        "mod-conflict",
        "A mod declares a conflict with another active mod.",
        "--mod mods/alpha --mod mods/beta",
        "--mod mods/alpha",
    ),
    (
        "no-decision",
        "Random games of all numbers of players and options end, or go on, without a question to a player.",
        "offer = function(player)\n    return { \"take\", \"pass\" }\nend",
        "offer = function(player)\n    choice(\"take\")\n    choice(\"pass\")\nend",
    ),
    (
        "not-a-file",
        "A folder or another entry has the name of a file.",
        "content/demo/cards.toml/",
        "content/demo/cards.toml",
    ),
    ("not-utf8", "All files must be UTF-8 text.", "", ""),
    (
        "nothing-beneath",
        "A script replaces or wraps a function that neither the game nor a mod below defines.",
        "return { play = { trun = wrap(function(original, player) end) } }",
        "return { play = { turn = wrap(function(original, player) end) } }",
    ),
    (
        "open-set",
        "A value of a label is of a set that cannot be listed: tokens, which may be hidden, or any number.",
        "values = { swap = [\"token\"] }",
        "values = { swap = [\"cards\"] }",
    ),
    (
        "orphan-script",
        "No kind has the name of this script, so the engine never calls it.",
        "scripts/demo/crads.luau",
        "scripts/demo/cards.luau",
    ),
    ("out-of-range", "A number is too small or too large.", "size = 0", "size = 5"),
    (
        "outside",
        "A mod reads only files in its own folder. Links and paths that lead out of it are not followed.",
        "mods/alpha/content/../../secret.toml",
        "mods/alpha/content/demo/cards.toml",
    ),
    (
        "stray-file",
        "The engine does not read this file, so its content has no effect.",
        "scripts/demo/cards.lua",
        "scripts/demo/cards.luau",
    ),
    ("syntax", "The file is not valid TOML.", "name = \"Gold", "name = \"Gold\""),
    ("too-large", "A file or a folder exceeds the size limit.", "", ""),
    (
        "two-functions",
        "A mod defines a function that the game already has. Use `replace` or `wrap` to say which is meant.",
        "return { play = { turn = function(player) end } }",
        "return { play = { turn = replace(function(player) end) } }",
    ),
    (
        "two-hooks",
        "A definition has the same hook as verbs in its TOML file and as a function in its script.",
        "# cards.toml\n[pump]\noperate = [{ gain = { gold = 1 } }]\n-- cards.luau\nreturn { pump = { operate = function() end } }",
        "# cards.toml\n[pump]\noperate = [{ gain = { gold = 1 } }]",
    ),
    (
        "two-mods",
        "Two mods change the same setting and neither declares an order, so the result depends on the load order.",
        "# beta/mod.toml\nid = \"beta\"",
        "# beta/mod.toml\nid = \"beta\"\nload_after = [\"alpha\"]",
    ),
    (
        "unknown-cell",
        "The grid has no cell of this name.",
        "columns = 3\nrows = 3\nholes = [\"d4\"]",
        "columns = 3\nrows = 3\nholes = [\"c3\"]",
    ),
    (
        "unknown-file",
        "No kind has the name of this file, so the engine does not read it.",
        "content/demo/crads.toml",
        "content/demo/cards.toml",
    ),
    ("unknown-game", "A mod is for a game that does not exist.", "game = \"chekers\"", "game = \"checkers\""),
    (
        "unknown-key",
        "The engine does not read this key here, so it has no effect.",
        "visibel = \"all\"",
        "visible = \"all\"",
    ),
    ("unknown-pack", "No game has this id.", "lode check chekers", "lode check checkers"),
    (
        "unknown-path",
        "A mod removes a path that does not exist.",
        "remove = [\"cards.pmup\"]",
        "remove = [\"cards.pump\"]",
    ),
    (
        "unknown-rule",
        "The name of a rule test names the rules that it tests. No rule of rules.md has this number.",
        "[\"G-9 a player takes a coin\"] = function(t)",
        "[\"G-1 a player takes a coin\"] = function(t)",
    ),
    (
        "unknown-type",
        "This is not a type of attributes and arguments.",
        "cost = { type = \"number\" }",
        "cost = { type = \"integer\" }",
    ),
    ("unreadable", "The file or folder cannot be read: it does not exist, or its permissions forbid it.", "", ""),
    (
        "unwritten-hook",
        "The script has a hook of a definition that its table does not name. The table of a card says what the card does.",
        "# cards.toml\n[lamp]\nname = \"Lamp\"\n-- cards.luau\nreturn { lamp = { play = function(token, player) end } }",
        "# cards.toml\n[lamp]\nname = \"Lamp\"\nplay = \"script\"\n-- cards.luau\nreturn { lamp = { play = function(token, player) end } }",
    ),
    (
        "wrong-cell",
        "A cell of a spreadsheet does not fit its column. `lode cards import` writes nothing.",
        "cost: three",
        "cost: 3",
    ),
    (
        "wrong-game",
        "A mod is for another game.",
        "lode check checkers --mod mods/for_chess",
        "lode check chess --mod mods/for_chess",
    ),
    (
        "wrong-length",
        "A list has too many or too few entries.",
        "operate = [{ gain = { gold = 1 }, rest = {} }]",
        "operate = [{ gain = { gold = 1 } }, { rest = {} }]",
    ),
    ("wrong-type", "The key takes a value of another type.", "size = \"5\"", "size = 5"),
    (
        "wrong-version",
        "A mod requires another version of the game or of a mod.",
        "requires = { checkers = \"^2.0\" }",
        "requires = { checkers = \"^1.0\" }",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_explained_once() {
        assert_eq!(codes().len(), LINTS.len() + CONTENT_CODES.len());
        assert!(CONTENT_CODES.iter().map(|(code, ..)| code).is_sorted());
        for code in codes() {
            let found = explanation(code).unwrap();
            assert!(found.code == code && found.why.ends_with('.'), "{found:?}");
        }
        assert_eq!(explanation("unused-feild"), None);
    }
}
