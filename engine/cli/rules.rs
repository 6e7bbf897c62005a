//! `lode rules`: prints the numbered rules of a game.

use std::io::{IsTerminal, Write};

use motherlode::declare::Rule;

use crate::fault::Fault;
use crate::project::GlobalArgs;
use crate::{paint, project};

/// Print the numbered rules of a game
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Id of a game or its folder
    game: String,
    /// Rule to print, such as P-12, or 12 if only one rule has that number [default: all rules]
    number: Option<String>,
}

/// Prints one rule, or all rules by section.
pub fn run(args: &Args, global: &GlobalArgs, out: &mut dyn Write) -> Result<(), Fault> {
    let game = project::game(global, &args.game)?;
    let rules = &game.declarations().rules;
    if rules.is_empty() {
        return Err(Fault::failed(format!(
            "`{}` has no rules.md: write one in its folder in content/",
            game.declarations().id
        )));
    }
    let chosen = match &args.number {
        Some(number) => find(rules, number, &args.game)?,
        None => rules.iter().collect(),
    };
    let strong = paint::strong();
    let mut section = None;
    for rule in chosen {
        if section.replace(&rule.section) != Some(&rule.section) {
            let gap = if args.number.is_none() && section != Some(&rules[0].section) { "\n" } else { "" };
            writeln!(out, "{gap}{strong}{}{strong:#}", rule.section)?;
        }
        show(out, rule)?;
    }
    Ok(())
}

/// Prints a rule on one line; on a terminal, wraps its text with an indent.
fn show(out: &mut dyn Write, rule: &Rule) -> Result<(), Fault> {
    if std::io::stdout().is_terminal() {
        let mut table = paint::plain_table();
        table.add_row([format!(" {:<6}", rule.number), rule.text.clone()]);
        writeln!(out, "{}", table.trim_fmt())?;
    } else {
        writeln!(out, "  {:<6} {}", rule.number, rule.text)?;
    }
    Ok(())
}

/// Finds a rule by its number, with or without the letters.
fn find<'a>(rules: &'a [Rule], number: &str, game: &str) -> Result<Vec<&'a Rule>, Fault> {
    if let Some(rule) = rules.iter().find(|rule| rule.number.eq_ignore_ascii_case(number)) {
        return Ok(vec![rule]);
    }
    let digits = |rule: &&Rule| rule.number.trim_start_matches(|c: char| !c.is_ascii_digit()) == number;
    match rules.iter().filter(digits).collect::<Vec<_>>().as_slice() {
        [rule] => return Ok(vec![rule]),
        [] => {}
        several => {
            let numbers: Vec<&str> = several.iter().map(|rule| rule.number.as_str()).collect();
            return Err(Fault::usage(format!("`{number}` is ambiguous: use {}", numbers.join(" or "))));
        }
    }
    let upper = number.to_ascii_uppercase();
    if let Some(near) = project::nearest(&upper, rules.iter().map(|rule| rule.number.as_str())) {
        return Err(Fault::usage(format!("there is no rule `{number}`; did you mean `{near}`?")));
    }
    let fault = match number.contains(|c: char| c.is_ascii_digit()) {
        true => format!("there is no rule `{number}`"),
        false => format!("`{number}` is not a rule number"),
    };
    let (first, last) = (&rules[0].number, &rules[rules.len() - 1].number);
    Err(Fault::usage(format!("{fault}: use one from {first} to {last}, or print all rules with `lode rules {game}`")))
}
