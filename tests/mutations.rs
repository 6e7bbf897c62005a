//! Detection rate of the check: human mistakes are made in the shipped games and in `packs/brawl`, one at a time, and the tests count how many of them
//! loading finds. For each sort of mistake, every game lists all its places, and seeded chance samples them.
//!
//! Changes that are no mistake are left out: printed texts may be anything, a name changed to another existing name is another mistake,
//! an unreferenced item may have any name, and a key with a default may be missing.
//!
//! `LODE_MUTATIONS=60 cargo test --test tests mutations -- --nocapture` prints this table and the missed mistakes:
//!
//! | mistake | made | found | right name suggested |
//! | --- | --- | --- | --- |
//! | TOML: misspelt key, word, reference, placeholder | 1,200 | 100 % | 100 % |
//! | TOML: misspelt declaration | 300 | 100 % | 90 % |
//! | TOML: wrong type, out of range, bad word, deleted key, dangling reference | 1,487 | 100 % | |
//! | TOML and Luau: orphan, misspelt or missing file | 445 | 100 % | 100 % |
//! | Luau: misspelt word | 300 | 100 % | 90 % |
//! | Luau: misspelt field, text, hook or id | 886 | 100 % | 99 % |
//! | Luau: wrong parameters of a hook, argument missing, too many or of a wrong kind | 1,030 | 99.2 % | |
//! | Luau: function taken away | 194 | 100 % | |
//!
//! Most missed mistakes are calls whose last argument is itself a call, which may return any number of values.
//! Without the variable, each sort gets 5 mistakes in each game.

mod case;
mod content;
mod entry;
mod scripts;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};

use self::case::{Case, Change, CheckResult, Mistake};
use crate::shipped::{SHIPPED, root};
use crate::twins::SplitMix64;

/// Mistakes of each sort in each game.
fn each() -> usize {
    std::env::var("LODE_MUTATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(5)
}

/// A sort of mistake with its minimum detection rate.
struct Sort {
    name: &'static str,
    least: f64,
    /// Makes one random mistake at each possible place of a game.
    make: fn(&Case, &mut SplitMix64) -> Vec<Mistake>,
}

const NAMES: f64 = 0.99;
const VALUES: f64 = 0.95;

const SORTS: [Sort; 21] = [
    Sort { name: "TOML: misspelt key of the engine", least: NAMES, make: content::engine_key },
    Sort { name: "TOML: misspelt key of the game", least: NAMES, make: content::own_key },
    Sort { name: "TOML: misspelt declaration", least: NAMES, make: content::declared },
    Sort { name: "TOML: misspelt word or reference", least: NAMES, make: content::reference },
    Sort { name: "TOML: misspelt placeholder", least: NAMES, make: content::placeholder },
    Sort { name: "TOML: wrong type", least: VALUES, make: content::wrong_type },
    Sort { name: "TOML: number out of range", least: VALUES, make: content::out_of_range },
    Sort { name: "TOML: bad word or reference", least: VALUES, make: content::bad_value },
    Sort { name: "TOML: deleted key", least: VALUES, make: content::deleted_key },
    Sort { name: "TOML: dangling reference", least: VALUES, make: content::dangling },
    Sort { name: "TOML: orphan file", least: VALUES, make: content::orphan },
    Sort { name: "Luau: misspelt word", least: NAMES, make: scripts::word },
    Sort { name: "Luau: misspelt field", least: NAMES, make: scripts::field },
    Sort { name: "Luau: misspelt text", least: NAMES, make: scripts::text },
    Sort { name: "Luau: misspelt hook or id", least: NAMES, make: scripts::hook },
    Sort { name: "Luau: hook takes too much", least: VALUES, make: scripts::signature },
    Sort { name: "Luau: argument missing", least: VALUES, make: scripts::too_few },
    Sort { name: "Luau: argument too many", least: VALUES, make: scripts::too_many },
    Sort { name: "Luau: argument of a wrong kind", least: VALUES, make: scripts::wrong_kind },
    Sort { name: "Luau: function taken away", least: VALUES, make: scripts::function_gone },
    Sort { name: "Luau: orphan file", least: VALUES, make: scripts::orphan },
];

/// Up to `each()` mistakes of a sort in a game.
fn mistakes(sort: &Sort, case: &Case, seed: u64) -> Vec<Mistake> {
    /// A name can be misspelt in many ways, so small games yield enough mistakes, too.
    const ROUNDS: usize = 8;
    let mut random = SplitMix64::new(seed);
    let (mut made, mut seen) = (Vec::new(), BTreeSet::new());
    for _ in 0..ROUNDS {
        let mut places = (sort.make)(case, &mut random);
        while !places.is_empty() && made.len() < each() {
            let mistake = places.swap_remove(random.below(places.len()));
            if seen.insert(format!("{:?}", mistake.changes)) {
                made.push(mistake);
            }
        }
    }
    made
}

fn describe(case: &Case, mistake: &Mistake) -> String {
    let change = |change: &Change| match change {
        Change::Text { file, span, by } => {
            let source = &case.files[*file];
            let (line, column) = source.position(span.start);
            format!("{}:{line}:{column}: `{}` became `{by}`", source.path, source.text[span.clone()].trim())
        }
        Change::Added { path, .. } => format!("{path} was added"),
        Change::Moved { file, to: Some(to) } => format!("{} became {to}", case.files[*file].path),
        Change::Moved { file, to: None } => format!("{} was taken away", case.files[*file].path),
    };
    mistake.changes.iter().map(change).collect::<Vec<_>>().join(" and ")
}

/// Detection counts of a sort.
#[derive(Default)]
struct DetectionCount {
    made: usize,
    found: usize,
    placed: usize,
    named: usize,
    suggested: usize,
    missed: Vec<String>,
}

impl DetectionCount {
    fn add(&mut self, game: &Case, mistake: &Mistake, answer: &CheckResult) {
        self.made += 1;
        self.found += usize::from(answer.found);
        self.placed += usize::from(answer.placed);
        if answer.found && mistake.names.is_some() {
            self.named += 1;
            self.suggested += usize::from(answer.suggested);
        }
        if !answer.found {
            self.missed.push(describe(game, mistake));
        }
    }
}

fn percent(part: usize, of: usize) -> f64 {
    100.0 * part as f64 / of.max(1) as f64
}

/// Whether fewer than one sample in a thousand finds so few, if the true rate is `least`.
fn is_too_few(found: usize, made: usize, least: f64) -> bool {
    let missed = made - found;
    // The probability of at least this many misses: 1 minus that of fewer misses.
    let (mut of_this_many, mut fewer) = (least.powi(made as i32), 0.0);
    for n in 0..missed {
        fewer += of_this_many;
        of_this_many *= (made - n) as f64 / (n + 1) as f64 * (1.0 - least) / least;
    }
    1.0 - fewer < 0.001
}

#[test]
fn the_detection_rate_allows_for_sampling_error() {
    assert!(!is_too_few(100, 100, 0.99) && !is_too_few(96, 100, 0.99) && is_too_few(94, 100, 0.99));
    assert!(!is_too_few(22, 25, 0.95) && is_too_few(18, 25, 0.95));
}

#[test]
fn mistakes_are_found() {
    let mut cases: Vec<Case> = SHIPPED.iter().map(|id| Case::new(id)).collect();
    // No shipped game has listeners and modifiers of every form.
    cases.push(Case::at(&root().join("tests/mutations/packs"), "brawl"));
    let mut jobs: Vec<(usize, usize, Mistake)> = Vec::new();
    for (s, sort) in SORTS.iter().enumerate() {
        for (c, case) in cases.iter().enumerate() {
            let seed = (s * 100 + c) as u64;
            jobs.extend(mistakes(sort, case, seed).into_iter().map(|mistake| (s, c, mistake)));
        }
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let mut answers = Vec::new();
        while let Some((at, (_, c, mistake))) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, jobs.get(at)?)))
        {
            answers.push((at, cases[*c].answer(mistake)));
        }
        answers
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut answers: Vec<(usize, CheckResult)> = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        runs.into_iter().flat_map(|run| run.join().unwrap()).collect()
    });
    answers.sort_by_key(|(at, _)| *at);
    let mut table = format!("{:<33} {:>6} {:>6} {:>7} {:>8} {:>9}\n", "", "made", "found", "", "at place", "suggested");
    let (mut short, mut missed, mut all) = (Vec::new(), Vec::new(), DetectionCount::default());
    for (s, sort) in SORTS.iter().enumerate() {
        let mut counted = DetectionCount::default();
        for ((_, c, mistake), (_, answer)) in jobs.iter().zip(&answers).filter(|((of, _, _), _)| *of == s) {
            counted.add(&cases[*c], mistake, answer);
        }
        let DetectionCount { made, found, placed, named, suggested, .. } = counted;
        let share = percent(found, made);
        let suggested_share = if named > 0 { format!("{:.1} %", percent(suggested, named)) } else { String::new() };
        // Writing to a string does not fail.
        let _ = writeln!(
            table,
            "{:<33} {made:>6} {found:>6} {share:>5.1} % {:>6.1} % {suggested_share:>9}",
            sort.name,
            percent(placed, made)
        );
        assert!(made > 0, "{}: no place for it", sort.name);
        if is_too_few(found, made, sort.least) {
            short.push(format!("{}: {share:.1} % of {made}, at least {:.0} %", sort.name, sort.least * 100.0));
        }
        missed.extend(counted.missed.into_iter().map(|one| format!("{}: {one}", sort.name)));
        all.made += made;
        all.found += found;
    }
    let _ = writeln!(table, "{:<33} {:>6} {:>6} {:>5.1} %", "all", all.made, all.found, percent(all.found, all.made));
    println!("{table}\n{}", missed.join("\n"));
    assert!(short.is_empty(), "{}\n{table}\n{}", short.join("\n"), missed.join("\n"));
}
