//! `lode rules`: prints the numbered rules of a game.

use std::io::{IsTerminal, Write};

use motherlode::declare::Rule;
use motherlode::tools::nearest;
use motherlode_content::sentence::list;

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
    let (series, wanted) = split(number);
    let Some(wanted) = wanted else {
        let near = nearest(&number.to_ascii_uppercase(), rules.iter().map(|rule| rule.number.as_str()));
        let hint = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the rules are {}; print them with `lode rules {game}`", ranges(rules)),
        };
        return Err(Fault::usage(format!("`{number}` is no rule number; {hint}")));
    };
    let of_series = |rule: &'a Rule| {
        let (of, value) = split(&rule.number);
        Some((value?, rule)).filter(|_| of == series)
    };
    let alike: Vec<(u32, &Rule)> = rules.iter().filter_map(of_series).collect();
    if let Some((_, rule)) = alike.iter().find(|(value, _)| *value == wanted) {
        return Ok(vec![rule]);
    }
    let below = alike.iter().filter(|(value, _)| *value < wanted).max_by_key(|(value, _)| value);
    let above = alike.iter().filter(|(value, _)| *value > wanted).min_by_key(|(value, _)| value);
    let hint = match (below, above) {
        (Some((_, below)), Some((_, above))) => format!("the nearest are {} and {}", below.number, above.number),
        _ => format!("the rules are {}", ranges(rules)),
    };
    Err(Fault::usage(format!("there is no rule `{number}`; {hint}")))
}

/// The series of a rule number without hyphens, and its value: `T-P12` is 12 in `TP`. `None`: it is not a whole number.
fn split(number: &str) -> (String, Option<u32>) {
    let (series, value) = number.split_at(number.find(|c: char| c.is_ascii_digit()).unwrap_or(number.len()));
    (series.replace('-', "").to_ascii_uppercase(), value.parse().ok())
}

/// The first and the last number of each series: `P-1 to P-55 and Q1 to Q19`.
fn ranges(rules: &[Rule]) -> String {
    let mut series: Vec<(String, &str, &str)> = Vec::new();
    for rule in rules {
        let name = split(&rule.number).0;
        match series.iter_mut().find(|(known, ..)| *known == name) {
            Some((.., last)) => *last = &rule.number,
            None => series.push((name, &rule.number, &rule.number)),
        }
    }
    let range = |(_, first, last): &(String, &str, &str)| {
        if first == last { (*first).to_owned() } else { format!("{first} to {last}") }
    };
    list(&series.iter().map(range).collect::<Vec<_>>())
}
