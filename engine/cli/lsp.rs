//! `lode lsp`: the language server, and the settings of editors for it.

use std::io::Write;
use std::path::Path;

use motherlode::tools::{hidden, nearest};
use motherlode_lsp::editors::{EDITORS, Settings};

use crate::fault::Fault;
use crate::output::Output;
use crate::project::{GlobalArgs, Project};

/// Serve an editor over standard streams: checks, completion, hover, navigation and rename
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Write the settings of an editor instead: vscode, neovim, helix or zed
    #[arg(long, value_name = "EDITOR")]
    setup: Option<String>,
}

/// Serves the editor until it exits, or writes its settings.
pub fn run(args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    if let Some(editor) = &args.setup {
        return set_up(editor, global, out);
    }
    motherlode_lsp::serve_stdio().map_err(Fault::failed)
}

/// Writes the settings of an editor into the project. An existing file is not changed: the text is printed.
fn set_up(editor: &str, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let Some(settings) = EDITORS.iter().find(|one| one.editor == editor) else {
        let names: Vec<&str> = EDITORS.iter().map(|one| one.editor).collect();
        let hint = match nearest(editor, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the editors are {}", names.join(", ")),
        };
        return Err(Fault::usage(format!("there are no settings for `{editor}`; {hint}")));
    };
    let Settings { file, text, needs, .. } = settings;
    let path = Project::find(global)?.folder("lsp --setup")?.join(file);
    if path.exists() {
        writeln!(out, "`{}` exists; add this to it:\n", hidden::path(&path))?;
        write!(out, "{text}")?;
    } else {
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))
            .map_err(|error| Fault::unwritten(&path, &error))?;
        Output::new(&path, false)?.write(|file| file.write_all(text.as_bytes()))?;
        writeln!(out, "wrote {}", hidden::path(&path))?;
    }
    writeln!(out, "{needs}")?;
    Ok(())
}
