//! The places for mod code, and the effect of an attack in each.

use motherlode::{Mod, SourceFile};
use motherlode_play::rule_test::{TestFiles, TestFilter};

use super::fixture::Fixture;
use super::*;
use crate::clock::time;

const VERBS: &str = "[strike]\ntext = \"Strike.\"\n[dig]\ntext = \"Dig.\"\n";
const GUEST: &str = "id = \"guest\"\nversion = \"1.0.0\"\ngame = \"hostile\"\n";

const VERBS_SCRIPT: &str = "scripts/hostile/verbs.luau";
const LIB_SCRIPT: &str = "scripts/hostile/lib.luau";
const GUEST_SCRIPT: &str = "guest/scripts/hostile/phases.luau";
const TEST_SCRIPT: &str = "tests/hostile/attack.luau";

const VERBS_HOOKS: &str = "\nreturn { strike = attack, dig = { can = attack, run = function() end } }\n";
const LIB_HOOKS: &str = "\nreturn { attack = attack }\n";
const GUEST_HOOKS: &str = r#"
return {
    wrap = {
        run = wrap(function(original)
            original()
            if has(game, "armed", 1) then return attack(1) end
        end),
    },
}
"#;
const IDLE: &str = "local function attack(player, t: any?) end";

/// A place for an attack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub name: &'static str,
    /// The file that contains the attack.
    pub file: &'static str,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A hook of a match.
    Hook,
    /// A function that runs while the script loads.
    Load,
    /// The whole of a script.
    Whole,
    /// The body of a rule test.
    Test,
    /// A function that runs while a file of rule tests loads.
    TestLoad,
    /// The whole of a file of rule tests.
    WholeTest,
}

impl Place {
    /// Whether the place is in rule tests. Their language differs, so no fixture states an expectation there.
    pub fn is_of_tests(self) -> bool {
        self.file == TEST_SCRIPT
    }
}

const fn place(name: &'static str, file: &'static str, kind: Kind) -> Place {
    Place { name, file, kind }
}

/// All places. Functions come first.
pub const PLACES: [Place; 19] = [
    place("load", SCRIPT, Kind::Load),
    place("run", SCRIPT, Kind::Hook),
    place("act", SCRIPT, Kind::Hook),
    place("turn", SCRIPT, Kind::Hook),
    place("sealed", SCRIPT, Kind::Hook),
    place("offer", SCRIPT, Kind::Hook),
    place("skip", SCRIPT, Kind::Hook),
    place("order", SCRIPT, Kind::Hook),
    place("can", VERBS_SCRIPT, Kind::Hook),
    place("verb", VERBS_SCRIPT, Kind::Hook),
    place("lib", LIB_SCRIPT, Kind::Hook),
    place("wrap", GUEST_SCRIPT, Kind::Hook),
    place("test", TEST_SCRIPT, Kind::Test),
    place("test_load", TEST_SCRIPT, Kind::TestLoad),
    place("whole", SCRIPT, Kind::Whole),
    place("whole_verbs", VERBS_SCRIPT, Kind::Whole),
    place("whole_lib", LIB_SCRIPT, Kind::Whole),
    place("whole_wrap", GUEST_SCRIPT, Kind::Whole),
    place("whole_test", TEST_SCRIPT, Kind::WholeTest),
];

/// The places for functions.
pub const FUNCTIONS: usize = 14;

/// The result of an attack: whether it was legal, the final state or the error, and the time.
#[derive(Debug, Default)]
pub struct Report {
    pub told: String,
    pub slowest: Duration,
}

/// The places in which to try a fixture.
pub fn places_of(fixture: &Fixture) -> Vec<Place> {
    match fixture.places() {
        None => PLACES[..FUNCTIONS].to_vec(),
        Some(names) if names == ["whole"] => PLACES[FUNCTIONS..].to_vec(),
        Some(names) => PLACES.into_iter().filter(|place| names.contains(&place.name)).collect(),
    }
}

/// Texts by path.
pub type Files = Vec<(String, String)>;

/// The files of the game and of the mod over it, with the attack in this place. A folder with both is a project.
pub fn files(fixture: &Fixture, place: Place) -> (Files, Files) {
    let own = match place.kind {
        Kind::Whole | Kind::WholeTest => fixture.source.clone(),
        Kind::Load => format!("{}\nattack(1)\n{}", fixture.function(), idle(place.file)),
        Kind::TestLoad => {
            format!("{}\nattack(1)\nreturn {{ [\"it loads\"] = function(t) t.equal(1, 1) end }}", fixture.function())
        }
        Kind::Test => format!(
            "{}\nreturn {{ [\"it is attacked\"] = function(t)\nt.setup {{}}\nattack(1, t)\nt.equal(1, 1)\nt.left()\nend }}",
            fixture.function()
        ),
        Kind::Hook => fixture.function() + hooks_of(place.file),
    };
    let script = |path: &str| {
        let text = if path == place.file { own.clone() } else { idle(path) };
        (path.to_owned(), text)
    };
    let file = |path: &str, text: &str| (path.to_owned(), text.to_owned());
    let mut game = vec![
        file("content/hostile/game.toml", GAME),
        file("content/hostile/cards.toml", CARDS),
        file("content/hostile/phases.toml", PHASES),
        file("content/hostile/prompts.toml", PROMPTS),
        file("content/hostile/texts.toml", TEXTS),
        file("content/hostile/verbs.toml", VERBS),
        script(SCRIPT),
        script(VERBS_SCRIPT),
        script(LIB_SCRIPT),
    ];
    let mut guest = Vec::new();
    match place.file {
        GUEST_SCRIPT => guest = vec![file("mod.toml", GUEST), ("scripts/hostile/phases.luau".to_owned(), own)],
        TEST_SCRIPT => game.push((TEST_SCRIPT.to_owned(), own)),
        _ => {}
    }
    (game, guest)
}

/// A harmless file of the game.
pub fn idle(file: &str) -> String {
    IDLE.to_owned() + hooks_of(file)
}

fn hooks_of(file: &str) -> &'static str {
    match file {
        SCRIPT => HOOKS,
        VERBS_SCRIPT => VERBS_HOOKS,
        LIB_SCRIPT => LIB_HOOKS,
        GUEST_SCRIPT => GUEST_HOOKS,
        _ => "",
    }
}

/// Errors for code that is not allowed in a place, whatever the fixture expects elsewhere.
fn refusals(place: Place) -> &'static [&'static str] {
    match place.name {
        "offer" | "skip" | "order" => &["must not", "order:", "order "],
        "sealed" => &["a hook of a sealed phase"],
        "load" => &["outside", "while loading", "unknown player", "cannot ask", "unknown token"],
        _ => &[],
    }
}

/// Tries an attack in a place, in machine code or interpreted.
///
/// # Errors
/// Describes an end that breaks the fixture's expectation.
pub fn attack(fixture: &Fixture, place: Place, native: bool) -> Result<Report, String> {
    let (game, guest) = files(fixture, place);
    let mut report = Report::default();
    match place.kind {
        Kind::Test | Kind::TestLoad | Kind::WholeTest => test(fixture, place, game, &mut report)?,
        Kind::Hook | Kind::Load | Kind::Whole => {
            let mut pack = Pack::from_files("hostile", game);
            if !guest.is_empty() {
                pack = pack.over(vec![Mod::from_files(guest).map_err(|d| d.to_string())?]);
            }
            let mut loaded = None;
            report.slowest = time(|| loaded = Some(Game::load(&pack)));
            match loaded.expect("it ran") {
                // A game without its functions does not load.
                Err(Diagnostics { list, .. })
                    if fixture.may_be_legal(place.name) && list[0].file.ends_with(".toml") => {}
                Err(Diagnostics { list, .. }) => {
                    let fault = list.iter().find(|fault| fault.severity == Severity::Error).unwrap_or(&list[0]);
                    judge(fixture, place, &fault.file, fault.line, &fault.message)?;
                    // The first fault of a whole file may depend on addresses, because its table may have tables as keys.
                    if place.kind == Kind::Load {
                        report.told = format!("{}:{}: {}", fault.file, fault.line, fault.message);
                    }
                }
                Ok(game) => {
                    let game = if native { game.native() } else { game.interpreted() };
                    play(fixture, place, &game, &mut report)?;
                }
            }
        }
    }
    Ok(report)
}

fn judge(fixture: &Fixture, place: Place, file: &str, line: u32, message: &str) -> Result<(), String> {
    let expected = place.is_of_tests()
        || fixture.expects(place.name, message)
        || refusals(place).iter().any(|text| message.contains(text));
    if !expected {
        return Err(format!("expected `{}`, got `{message}` at {file}:{line}", fixture.promise(place.name)));
    }
    let fits = match place.kind {
        // A fault without its own line names the failed test, or the whole file.
        Kind::Test | Kind::TestLoad => line > 0,
        Kind::WholeTest => line > 0 || message.starts_with("the file ") || message.starts_with("a test must"),
        // The call that runs while the script loads: the failed accessor is inlined there.
        Kind::Load if line as usize == fixture.source.lines().count() + 2 => true,
        // A wrong return value, and a caught forbidden call, are reported at the hook.
        _ if fixture.name.starts_with("returns/") || message.contains("must not ") => line > 0,
        _ => fixture.fits(place, line),
    };
    // A fault in a definition's effects is reported at its list of verbs.
    let listed = file == "content/hostile/cards.toml" && line == 7 && fixture.source.contains("run");
    if !(file == place.file && fits || listed) {
        return Err(format!("the wrong place, {file}:{line}: {message}"));
    }
    let quoted = fixture.source.contains("engine/");
    if !quoted && ["engine/", "panicked", "stack traceback", "[C]"].iter().any(|bad| message.contains(bad)) {
        return Err(format!("not a message for people: {message}"));
    }
    if message.len() > 5000 || motherlode::tools::hidden::find_hidden(&message.replace('\n', " ")).is_some() {
        return Err(format!("not a text to show: {message:?}"));
    }
    Ok(())
}

/// Attacks, continues with a good choice, and plays on to the next attack.
fn play(fixture: &Fixture, place: Place, game: &Game, report: &mut Report) -> Result<(), String> {
    let context = if place.kind == Kind::Hook { place.name } else { "act" };
    let setup = game.setup(Some(2), &[("context".into(), context.into())], 7).map_err(|e| e.to_string())?;
    let mut m = Match::new(game, &setup).map_err(|e| e.to_string())?;
    m.set_logging(true);
    for round in 0..2 {
        let before = position(&mut m);
        let snapshot = m.snapshot();
        let mut outcome = Ok(());
        report.slowest = report.slowest.max(time(|| outcome = m.answer(1)));
        match outcome {
            Ok(()) if place.kind == Kind::Hook && !fixture.may_be_legal(place.name) => {
                return Err("the attack went through".into());
            }
            Ok(()) => {
                report.told = format!("legal, {:016x}", m.state().hash());
                // Answers the attack's questions. Their results are clean, too.
                for _ in 0..5 {
                    let mut outcome = Ok(());
                    report.slowest =
                        report.slowest.max(time(|| outcome = if m.is_over() { Ok(()) } else { m.answer(0) }));
                    if let Err(error) = outcome {
                        report.told += &check_error(fixture, place, error)?;
                        break;
                    }
                }
            }
            Err(error) => {
                report.told = check_error(fixture, place, error)?;
                let after = position(&mut m);
                if after != before {
                    return Err(format!("round {round}: the attack left a trace:\n{before}\n{after}"));
                }
            }
        }
        m.restore(&snapshot).map_err(|e| format!("restore: {e}"))?;
        let restored = position(&mut m);
        if restored != before {
            return Err(format!("round {round}: not the same after a restore:\n{before}\n{restored}"));
        }
        let start = m.decision().map(|decision| decision.phase(game).to_owned());
        for step in 0.. {
            m.answer(0).map_err(|e| format!("round {round}: the good choice after the attack: {e}"))?;
            if m.decision().map(|decision| decision.phase(game).to_owned()) == start || step == 20 {
                break;
            }
        }
    }
    Ok(())
}

/// The error of a failed answer, if the error is well-formed.
fn check_error(fixture: &Fixture, place: Place, error: MatchError) -> Result<String, String> {
    // No script is to blame when too many steps pass without a decision.
    if matches!(error, MatchError::Endless { .. } | MatchError::Memory | MatchError::Host(_)) {
        let told = error.to_string();
        return if fixture.may_be_legal(place.name) { Ok(told) } else { Err(told) };
    }
    let fault = script_fault(error)?;
    judge(fixture, place, &fault.file, fault.line, &fault.message)?;
    Ok(format!("{}:{}: {}", fault.file, fault.line, fault.message))
}

fn test(fixture: &Fixture, place: Place, files: Vec<(String, String)>, report: &mut Report) -> Result<(), String> {
    let (tests, game): (Vec<_>, Vec<_>) = files.into_iter().partition(|(path, _)| path == TEST_SCRIPT);
    let game = Game::load(&Pack::from_files("hostile", game)).map_err(|d| d.to_string())?;
    let tests = TestFiles::of(tests.into_iter().map(|(path, text)| SourceFile { path, text }));
    let mut results = Vec::new();
    report.slowest = time(|| results = tests.run(&game, TestFilter::All));
    if results.is_empty() {
        return Err("no test has run".into());
    }
    for result in results {
        let message = result.message.lines().next().unwrap_or_default();
        report.told += message;
        if result.passed {
            continue;
        }
        judge(fixture, place, &result.file, result.line, message)?;
    }
    Ok(())
}
