//! `lode test --balance`: tests games against the expectations in their `balance.toml`.

use std::io::Write;

use motherlode::tools::hidden;
use motherlode_lab::{Finding, Judgement};

use crate::balance::{FILE, read};
use crate::fault::Fault;
use crate::format::{Format, json};
use crate::lab::{HALT, LabProgress, REPETITION, STOP, number, percents};
use crate::paint::percent;
use crate::project::Project;
use crate::{paint, setup};

/// The options of a balance test.
pub struct BalanceOptions<'w> {
    /// Test only expectations that contain this text.
    pub filter: Option<&'w str>,
    /// With mods: also test the expectations of their game.
    pub all: bool,
    /// Seed of the games.
    pub seed: u64,
    /// Number of threads; 0 for one per core.
    pub threads: usize,
    /// Output format.
    pub format: Format,
}

/// Plays until each expectation is decided or has used up its games, and prints the findings.
pub fn run(project: &Project, ids: &[String], options: &BalanceOptions<'_>, out: &mut dyn Write) -> Result<(), Fault> {
    let (mut all, mut files, mut stopped) = (Vec::new(), 0, false);
    for id in ids {
        let game = project.load(id)?;
        let mut balance = read(project, &game, options.all)?;
        balance.seed = options.seed;
        files += usize::from(!balance.expectations.is_empty());
        if let Some(filter) = options.filter {
            balance.expectations.retain(|one| one.what.contains(filter) || one.text.contains(filter));
        }
        if balance.expectations.is_empty() {
            continue;
        }
        let mut progress = LabProgress::new(0, "blocks");
        progress.may_end_early();
        let found = balance.run(&game.halted_by(&HALT), (options.threads, Some(&STOP)), |done, all| {
            let goes_on = progress.done_of(done, all);
            stopped |= !goes_on;
            goes_on
        });
        let found = found?;
        progress.finish();
        if options.format == Format::Text {
            writeln!(out, "{}", setup::title(&game))?;
            found.iter().try_for_each(|finding| print(out, finding))?;
        }
        all.extend(found);
        if stopped {
            break;
        }
    }
    if options.format == Format::Json {
        json(out, &all)?;
    }
    match (options.filter, all.len()) {
        (Some(filter), 0) if files > 0 => {
            return Err(Fault::usage(format!("no expectation contains `{filter}`: shorten --filter")));
        }
        (_, 0) => {
            let base = project.base().join("tests");
            let game = if let [id] = ids { id } else { "<game>" };
            let more = if project.mods.is_empty() { "" } else { "; test the game's own with --all" };
            let message = format!("there is no `{}/{game}/{FILE}` with an [[expect]]{more}", hidden::path(&base));
            return Err(Fault::usage(message));
        }
        _ => {}
    }
    let count = |judgement| all.iter().filter(|finding| finding.judgement == judgement).count();
    let (passed, failed, open) = (count(Judgement::Passed), count(Judgement::Failed), count(Judgement::Undecided));
    let told = format!("{passed} passed, {failed} failed, {open} undecided");
    // Expectations with the same bots share their games, so one failure is enough.
    let aborted = all.iter().find_map(|finding| Some((&finding.what, finding.failures.told(finding.games)?)));
    let told = match &aborted {
        Some((what, failure)) => format!("{told}; {what}: {failure}"),
        None => told,
    };
    if stopped {
        return Err(Fault::failed(format!("stopped before the end: {told}")));
    }
    if failed > 0 || aborted.is_some() {
        return Err(Fault::failed(told));
    }
    if open > 0 {
        return Err(Fault::Undecided(format!("{told}: raise `games`, or move a bound away from the value")));
    }
    if options.format == Format::Text {
        writeln!(out, "{told}")?;
    }
    Ok(())
}

fn print(out: &mut dyn Write, finding: &Finding) -> Result<(), Fault> {
    let (colour, word) = word(finding.judgement);
    let (style, faint) = (paint::style(colour), paint::faint());
    let Finding { what, text, near, file, line, bots, players, games, failures, .. } = finding;
    let is_percent = !["score", "margin", "length"].iter().any(|word| what.starts_with(word));
    let near = if is_percent { percent(*near) } else { format!("{near:.1}") };
    let aborted = failures.told(*games);
    let (players, games) = (paint::plural(*players, "player"), paint::plural(*games, "game"));
    let bots = bots.join(", ");
    writeln!(
        out,
        "{style}{word}{style:#} {what}  {faint}bounds ± {near}; {bots}; {players}; {games}; {file}:{line}{faint:#}"
    )?;
    if !text.is_empty() && finding.judgement != Judgement::Passed {
        writeln!(out, "    {text}")?;
    }
    if let Some(aborted) = aborted {
        writeln!(out, "    {aborted}")?;
    }
    if finding.is_repetition {
        writeln!(out, "    {REPETITION}")?;
    }
    for subject in &finding.subjects {
        let value = match subject.value {
            None if finding.games == 0 => "not played".to_owned(),
            None => "never happened".to_owned(),
            Some(value) if is_percent => format!("{} ({})", percent(value.value), percents(value.interval)),
            Some(value) => number(value),
        };
        let (colour, word) = self::word(subject.judgement);
        let style = paint::style(colour);
        let early = subject.known_after.filter(|after| *after < finding.games);
        let early = early.map_or_else(String::new, |after| format!("; known after {}", paint::plural(after, "game")));
        writeln!(out, "    {style}{word}{style:#} {}: {value}{early}", subject.name)?;
    }
    Ok(())
}

fn word(judgement: Judgement) -> (&'static str, &'static str) {
    match judgement {
        Judgement::Passed => ("bright_green", "passed"),
        Judgement::Failed => ("bright_red", "failed"),
        Judgement::Undecided => ("bright_yellow", "undecided"),
    }
}
