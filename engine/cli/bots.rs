//! `lode bots`: lists the bots.

use std::io::Write;

use comfy_table::Cell;
use motherlode_play::{BotForm, bot_forms};
use serde_json::{Value, json};

use crate::fault::Fault;
use crate::format::Format;
use crate::project::GlobalArgs;
use crate::{balance, paint};

/// List the bots and how they play
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Prints every form of a bot, for `--bots`, `--seats` and `--against`.
pub fn run(args: &Args, _: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let plan = ("plan:NAME".to_owned(), format!("a plan in {}", balance::FILE), String::new());
    let plain = |text: &str| text.replace('`', "");
    let of = |form: BotForm| (form.form, plain(form.plays), form.budget);
    let bots = bot_forms().into_iter().map(of).chain([plan]);
    match args.format {
        Format::Text => {
            let mut table = paint::plain_table();
            table.set_header(["bot", "how it plays", "its number"]);
            table.add_rows(bots.map(|(form, plays, budget)| [form, plays, budget].map(Cell::new)));
            writeln!(out, "{}", table.trim_fmt())?;
        }
        Format::Json => {
            let row = |(form, plays, budget)| json!({ "bot": form, "plays": plays, "number": budget });
            writeln!(out, "{:#}", bots.map(row).collect::<Value>())?;
        }
    }
    Ok(())
}
