//! Explains wrong arguments in the words of the other errors.

use std::error::Error as _;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use motherlode::tools::{hidden, nearest};

/// Options of other subcommands, each with the options that do the same elsewhere.
const RELATED: [(&str, &[&str]); 5] = [
    ("bot", &["against", "seats"]),
    ("bots", &["against", "seats"]),
    ("seats", &["bots"]),
    ("games", &["blocks"]),
    ("blocks", &["games"]),
];

/// Lets every option take a negative number as its value. Its own parser refuses the number with a better message than clap.
pub fn accept_negative_numbers(command: Command) -> Command {
    let takes_value = |arg: &clap::Arg| arg.get_long().is_some() && arg.get_action().takes_values();
    command.mut_subcommands(|one| {
        one.mut_args(|arg| if takes_value(&arg) { arg.allow_negative_numbers(true) } else { arg })
    })
}

/// The message for an error of clap; `None` if clap's own message is good enough.
pub fn explain(command: &mut Command, error: &clap::Error) -> Option<String> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(hidden::name(text)),
        _ => None,
    };
    let command = subcommand(command, error);
    match error.kind() {
        ErrorKind::MissingRequiredArgument => return missing(command, error),
        ErrorKind::InvalidSubcommand => return Some(unknown_command(command, &text(ContextKind::InvalidSubcommand)?)),
        _ => {}
    }
    let shown = text(ContextKind::InvalidArg)?;
    let (option, form) = shown.split_once(' ').unwrap_or((&shown, ""));
    match (error.kind(), text(ContextKind::InvalidValue)) {
        (ErrorKind::InvalidValue, Some(value)) => {
            let wrong = if value.is_empty() { "has no value".to_owned() } else { format!("is `{value}`") };
            let fix = match error.get(ContextKind::ValidValue) {
                Some(ContextValue::Strings(valid)) if !valid.is_empty() => format!("use {}", valid.join(" or ")),
                _ => format!("write `{option} {}`", form.trim_matches(['<', '>'])),
            };
            Some(format!("`{option}` {wrong}: {fix}"))
        }
        (ErrorKind::ValueValidation, Some(value)) => {
            let value = match value.as_str() {
                "" => "empty".to_owned(),
                number if number.parse::<f64>().is_ok() => value,
                _ => format!("`{value}`"),
            };
            Some(format!("`{option}` is {value}: {}", error.source()?))
        }
        (ErrorKind::ArgumentConflict, _) => conflict(option, error),
        (ErrorKind::UnknownArgument, _) => Some(unknown(command, option)),
        _ => None,
    }
}

/// The subcommand with the wrong argument, from the usage in the error: `Usage: lode new game <ID>`.
fn subcommand<'c>(mut command: &'c mut Command, error: &clap::Error) -> &'c mut Command {
    let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) else { return command };
    for word in usage.to_string().split_whitespace().skip(2) {
        if command.find_subcommand(word).is_none() {
            break;
        }
        command = command.find_subcommand_mut(word).expect("found above");
    }
    command
}

/// The full usage of a subcommand: `lode new game [OPTIONS] <ID>`.
fn usage(command: &mut Command) -> String {
    command.render_usage().to_string().trim_start_matches("Usage: ").to_owned()
}

/// The name of a subcommand with all names before it: `lode new game`.
fn full_name(command: &Command) -> &str {
    command.get_bin_name().unwrap_or("lode")
}

/// The message for missing arguments.
fn missing(command: &mut Command, error: &clap::Error) -> Option<String> {
    let Some(ContextValue::Strings(all)) = error.get(ContextKind::InvalidArg) else { return None };
    let [first, ..] = all.as_slice() else { return None };
    Some(match first.strip_prefix('<') {
        Some(name) => format!("{} is missing: use `{}`", name.trim_end_matches('>'), usage(command)),
        None => format!("`{}` is missing: add it", first.replace(['<', '>'], "")),
    })
}

/// The message for a subcommand that does not exist.
fn unknown_command(command: &Command, name: &str) -> String {
    let names = command.get_subcommands().map(Command::get_name);
    let hint = match nearest(name, names) {
        Some(near) => format!("; did you mean `{near}`?"),
        None => format!(": see `{} --help`", full_name(command)),
    };
    format!("`{}` has no command `{name}`{hint}", full_name(command))
}

/// The message for an option that is given twice, or with another that excludes it.
fn conflict(option: &str, error: &clap::Error) -> Option<String> {
    let prior = match error.get(ContextKind::PriorArg)? {
        ContextValue::String(prior) => prior,
        ContextValue::Strings(all) => all.first()?,
        _ => return None,
    };
    let prior = prior.split(' ').next().unwrap_or_default();
    Some(if prior == option {
        format!("`{option}` is given twice: give it once")
    } else {
        format!("`{option}` and `{prior}` exclude each other: leave one out")
    })
}

/// The message for an argument that a subcommand does not take.
fn unknown(command: &mut Command, argument: &str) -> String {
    if !argument.starts_with('-') {
        return format!("`{argument}` is one argument too many: use `{}`", usage(command));
    }
    let name = full_name(command);
    let options: Vec<&str> = command.get_arguments().filter_map(|arg| arg.get_long()).collect();
    let misspelt = argument.trim_start_matches('-');
    let related = RELATED.iter().find(|(other, _)| *other == misspelt).map_or(&[][..], |(_, same)| same);
    let hint = match (nearest(misspelt, options.iter().copied()), related.iter().find(|one| options.contains(one))) {
        (Some(near), _) => format!("; did you mean `--{near}`?"),
        (None, Some(same)) => format!(": use `--{same}`"),
        (None, None) => format!(": see `{name} --help`"),
    };
    format!("`{name}` has no option `{argument}`{hint}")
}
