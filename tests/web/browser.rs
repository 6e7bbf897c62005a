//! The page in a real browser, driven by keys alone.
//!
//! `LODE_BROWSER_GAMES=all` plays all games to the end, and not one alone; `=krysis,duel` plays these. `LODE_BROWSER_SHOTS=DIR` saves pictures.
//! axe-core finds faults of accessibility; npm fetches it, or `LODE_AXE` names it.

pub mod devtools;

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use self::devtools::Tab;
use super::program::Program;
use crate::shipped::root;

/// The keys to type for the shown question: empty without a question, `over` at the end. `mark ` stands before keys that
/// only mark a choice, and `confirm` for the key that gives the marked ones.
const TYPED: &str = "(() => {
    if (document.getElementById('over')) return 'over';
    if (document.getElementById('ask').classList.contains('sent')) return '';
    if (document.querySelector('[data-key=confirm]:not(:disabled)')) return 'confirm';
    const all = [...document.querySelectorAll('#ask .choices button:not([aria-pressed=true])')];
    const pick = all[globalThis.picked = ((globalThis.picked ?? 0) + 1) % (all.length || 1)];
    const mark = pick?.hasAttribute('aria-pressed') ? 'mark ' : '';
    return pick ? mark + (pick.querySelector('kbd') ?? pick.querySelector('.name')).textContent : '';
})()";

/// Plays by typing choices, to the end or up to `most` answers; returns the number of answers.
pub fn play(tab: &mut Tab, most: usize) -> usize {
    let mut answers = 0;
    for _ in 0..(most * 40).max(20_000) {
        if answers == most {
            return answers;
        }
        match tab.text(TYPED).as_str() {
            "over" => return answers,
            "" => std::thread::sleep(std::time::Duration::from_millis(15)),
            "confirm" => {
                tab.press("Enter");
                answers += 1;
            }
            typed => {
                let marks = typed.strip_prefix("mark ");
                for key in marks.unwrap_or(typed).chars() {
                    tab.press(&key.to_string());
                }
                if !tab.text("document.getElementById('typed')?.textContent ?? ''").is_empty() {
                    tab.press("Enter");
                }
                answers += usize::from(marks.is_none());
            }
        }
    }
    panic!("the match does not end: {answers} answers; {}", tab.text("document.body.innerText"));
}

/// The source of axe-core. It is not part of the project: `LODE_AXE=FILE` names it; `.ci/run` fetches it.
fn axe() -> Option<String> {
    let Some(file) = std::env::var_os("LODE_AXE") else {
        eprintln!("\n*** LODE_AXE NAMES NO FILE OF AXE-CORE: accessibility of the page was NOT tested ***\n");
        return None;
    };
    Some(fs::read_to_string(file).unwrap())
}

/// Windows to test: width, height, dark scheme.
const LOOKS: [(u32, u32, bool); 4] = [(1280, 900, false), (1280, 900, true), (390, 844, false), (390, 844, true)];

/// Accessibility faults of the current page. `axe.run` checks the rules of WCAG and best practices.
const FAULTS: &str = "axe.run().then((found) => JSON.stringify(found.violations.map((one) => \
    `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(' | ')}`), null, 1))";

/// Whether no animation runs: halfway through a fade, the contrast is lower.
const STILL: &str = "!document.querySelector('#ask.sent') && document.getAnimations().length === 0";

/// Checks the page in all windows, and takes pictures on request.
fn look(tab: &mut Tab, what: &str, axe: Option<&str>, shots: Option<&Path>) {
    for (width, height, dark) in LOOKS {
        tab.resize(width, height, dark);
        tab.wait_for(STILL);
        if let Some(folder) = shots {
            let scheme = if dark { "dark" } else { "light" };
            fs::write(folder.join(format!("{what}_{width}_{scheme}.png")), tab.picture("png")).unwrap();
        }
        if let Some(axe) = axe {
            if tab.text("typeof axe") == "undefined" {
                tab.run(axe);
            }
            assert_eq!(tab.text(FAULTS), "[]", "{what}, {width} wide, dark: {dark}");
        }
    }
    let (width, height, dark) = LOOKS[0];
    tab.resize(width, height, dark);
}

/// Prints a visible warning that nothing was tested.
pub fn no_browser() {
    eprintln!(
        "\n*** NO BROWSER IS INSTALLED: the page of `lode table` was NOT tested. On Debian: apt-get install chromium ***\n"
    );
}

/// A game to play to the end.
pub struct PlayedGame {
    /// Folder of its project, below the root.
    folder: &'static str,
    /// Its id.
    pub id: &'static str,
    players: &'static str,
}

impl PlayedGame {
    const fn new(folder: &'static str, id: &'static str, players: &'static str) -> Self {
        Self { folder, id, players }
    }

    /// Opens a table for one person.
    pub fn open(&self, seed: &str) -> Program {
        let args = [self.id, "--seed", seed, "--players", self.players, "--seats", "human,random"];
        Program::open(&root().join(self.folder), &args)
    }
}

/// The games to play: `LODE_BROWSER_GAMES=all`, the names of some, or else one alone.
pub fn games() -> impl Iterator<Item = PlayedGame> {
    let named = std::env::var("LODE_BROWSER_GAMES").unwrap_or_else(|_| "photon".to_owned());
    let games = [
        PlayedGame::new("", "photon", "3"),
        PlayedGame::new("", "atacama", "3"),
        PlayedGame::new("", "krysis", "2"),
        PlayedGame::new("", "miners_lagoon", "2"),
        PlayedGame::new("", "imperial_miners", "2"),
        PlayedGame::new("tests/fixtures/trading", "duel", "2"),
        PlayedGame::new("benches/packs", "tables_race", "2"),
        PlayedGame::new("benches/packs", "tictactoe", "2"),
    ];
    games.into_iter().filter(move |game| named == "all" || named.split(',').any(|name| name == game.id))
}

/// A folder with these files.
pub fn folder_of(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        motherlode_fixtures::write(folder.path().join(path), text);
    }
    folder
}

/// Number of answers up to the middle of a match.
const MIDDLE: usize = 30;

#[test]
fn games_can_be_finished_by_keyboard() {
    let Some(mut tab) = Tab::open() else { return no_browser() };
    let shots = std::env::var_os("LODE_BROWSER_SHOTS").map(PathBuf::from);
    let (axe, shots) = (axe(), shots.as_deref());
    let axe = axe.as_deref();
    for played in games() {
        let (game, program) = (played.id, played.open("7"));
        tab.go(&program.link);
        tab.wait_for("document.querySelector('#ask button, #ask .waiting') !== null");
        look(&mut tab, &format!("{game}_first"), axe, shots);
        let mut answers = play(&mut tab, MIDDLE);
        look(&mut tab, &format!("{game}_middle"), axe, shots);
        answers += play(&mut tab, 4000);
        assert!(answers > 2, "{game}: {answers} answers");
        assert_ne!(tab.text("document.querySelector('.result')?.innerText ?? ''"), "", "{game} has a result");
        look(&mut tab, &format!("{game}_end"), axe, shots);
        tab.press("u");
        tab.wait_for("document.querySelector('#ask .choices button') !== null");
        look(&mut tab, &format!("{game}_last"), axe, shots);
        assert_eq!(tab.complaints(), Vec::<String>::new(), "{game}");
        // A page that loses its table logs an error.
        tab.go("about:blank");
        println!("{game}: {answers} answers typed");
    }
}

#[test]
fn a_designer_finds_sources_tests_and_estimates_by_keyboard() {
    let Some(mut tab) = Tab::open() else { return no_browser() };
    let program = Program::open(root(), &["photon", "--seed", "7", "--players", "3", "--seats", "human,random"]);
    tab.go(&program.link);
    tab.wait_for("document.querySelector('#ask .choices button') !== null");
    tab.press("s");
    tab.wait_for("document.body.classList.contains('asking')");
    tab.text("(document.querySelector('.mat .chip[data-src=\"counters.gold\"]').focus(), '')");
    tab.press("Enter");
    tab.wait_for("document.querySelector('#tool[open]')?.innerText.includes('content/photon/game.toml:') ?? false");
    assert!(tab.text("document.querySelector('#tool').innerText").contains("P-10"));
    tab.press("Escape");
    tab.press("s");
    tab.press("t");
    tab.wait_for("document.querySelector('#tool[open] textarea')?.value.includes('t.setup {') ?? false");
    tab.press("Escape");
    tab.press("e");
    tab.wait_for("document.querySelectorAll('#ask meter').length > 1");
    assert_eq!(tab.complaints(), Vec::<String>::new());
}

/// The picture at the top of the README. `LODE_PICTURE=1` takes a new one.
#[test]
fn the_readme_begins_with_a_picture_of_a_table() {
    let file = root().join("engine/table/picture.webp");
    if std::env::var("LODE_PICTURE").is_ok_and(|value| value == "1") {
        let Some(mut tab) = Tab::open() else { return no_browser() };
        let args = ["imperial_miners", "--seed", "7", "--players", "2", "--seats", "human,random"];
        let program = Program::open(root(), &args);
        tab.resize(1280, 860, false);
        tab.go(&program.link);
        tab.wait_for("document.querySelector('#ask .choices button') !== null");
        play(&mut tab, 60);
        fs::write(&file, tab.picture("webp")).unwrap();
    }
    let picture = fs::read(&file).expect("LODE_PICTURE=1 takes the picture");
    assert!(picture.len() < 150_000 && picture.starts_with(b"RIFF"), "{} bytes", picture.len());
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    assert!(readme.lines().take(8).any(|line| line.contains("(engine/table/picture.webp)")));
}

#[test]
fn two_players_with_one_symbol_are_told_apart_on_a_board() {
    let Some(mut tab) = Tab::open() else { return no_browser() };
    let game = "name = \"Stones\"\nversion = \"1.0.0\"\nplayers = { min = 2, max = 2 }\n\
        seats = [{ name = \"Ann\" }, { name = \"Bob\" }]\ncounters.won = { per = \"player\" }\n\
        grids.board = { shape = \"square\", columns = 3, rows = 1 }\noutcome = { score = \"won\" }\n\
        [counters.stone]\nper = \"board\"\nvalues = [\"none\", \"black\", \"white\"]\nsymbols = [\" \", \"o\", \"o\"]\n\
        colours = [\"\", \"black\", \"white\"]\n";
    let phases = "[play]\nturns = \"around\"\nprompt = \"where\"\n";
    let prompts = "[where]\ntext = \"Where?\"\nchoices = \"board\"\n";
    let offer = "offer = function() choice(2) choice(3) end, act = function(player, cell) end";
    let folder = folder_of(&[
        ("content/stones/game.toml", game),
        ("content/stones/phases.toml", phases),
        ("content/stones/prompts.toml", prompts),
        ("scripts/stones/phases.luau", &format!("return {{ play = {{ {offer} }} }}\n")),
        ("scripts/stones/game.luau", "return { setup = function() set(1, 'stone', 1) set(2, 'stone', 2) end }\n"),
    ]);
    let program = Program::open(folder.path(), &["stones", "--seed", "1", "--seats", "human,human"]);
    tab.resize(1280, 860, false);
    tab.go(&program.link);
    tab.wait_for("document.querySelectorAll('.board .glyph').length > 1");
    let fill =
        "[...document.querySelectorAll('.board .glyph tspan')].map((one) => getComputedStyle(one).fill).join('; ')";
    let fills = tab.text(fill);
    let (black, white) = fills.split_once("; ").unwrap_or_else(|| panic!("{fills}"));
    assert_ne!(black, white, "a black and a white stone");
    assert_eq!(tab.text("String(document.querySelectorAll('.legend .c-white').length)"), "1");
}

/// Men on points: a counter for the owner and one for their number, and labels that name two points.
const MEN: [(&str, &str); 6] = [
    (
        "content/men/game.toml",
        "name = \"Men\"\nversion = \"1.0.0\"\nplayers = { min = 2, max = 2 }\ncounters.won = { per = \"player\" }\n\
         seats = [{ name = \"Sou\", colour = \"white\" }, { name = \"Red\", colour = \"black\" }]\n\
         grids.board = { shape = \"square\", columns = 3, rows = 1, names = \"spaces\", show = [\"side\", \"men\"] }\n\
         kinds.spaces = { tokens = false }\noutcome = { score = \"won\" }\n[counters.side]\nper = \"board\"\n\
         values = [\"none\", \"white\", \"black\"]\nsymbols = [\" \", \"W\", \"B\"]\ncolours = [\"\", \"white\", \"black\"]\n\
         [counters.men]\nper = \"board\"\nmax = 15\n",
    ),
    ("content/men/spaces.toml", "a = { name = \"24\" }\nb = { name = \"23\" }\nc = { name = \"South\" }\n"),
    ("content/men/phases.toml", "[play]\nturns = \"around\"\nprompt = \"man\"\n"),
    (
        "content/men/prompts.toml",
        "[man]\ntext = \"Which man?\"\n[man.labels]\nmove = \"{1:cell board} to {2:cell board} (die {3})\"\n\
         [man.values]\nmove = [\"board\", \"board\", \"1..6\"]\n",
    ),
    (
        "scripts/men/phases.luau",
        "return { play = { offer = function() choice({ \"move\", 1, 2, 1 }) choice({ \"move\", 1, 3, 2 }) \
         choice({ \"move\", 2, 3, 1 }) end, act = function(player, what) set(3, \"side\", 1) end } }\n",
    ),
    (
        "scripts/men/game.luau",
        "return { setup = function() set(1, \"side\", 1) set(1, \"men\", 5) set(2, \"side\", 2) set(2, \"men\", 3) end }\n",
    ),
];

#[test]
fn a_click_on_each_point_of_a_move_chooses_it() {
    let Some(mut tab) = Tab::open() else { return no_browser() };
    let folder = folder_of(&MEN);
    let program = Program::open(folder.path(), &["men", "--seed", "1", "--seats", "human,random"]);
    tab.resize(1280, 860, false);
    tab.go(&program.link);
    let can = "[...document.querySelectorAll('.board .cell.can .title')].map((one) => one.textContent).join(' ')";
    tab.wait_for(&format!("({can}) === '24 23'"));
    let cell = |name: &str, act: &str| {
        format!(
            "(() => {{ const all = [...document.querySelectorAll('.board .cell')];
            const one = all.find((cell) => cell.querySelector('.title').textContent === '{name}'); {act} }})()"
        )
    };
    let click = "one.dispatchEvent(new MouseEvent('click', { bubbles: true })); return ''";
    for dark in [false, true] {
        tab.resize(1280, 860, dark);
        tab.wait_for(STILL);
        if let Some(shots) = std::env::var_os("LODE_BROWSER_SHOTS").map(PathBuf::from) {
            fs::write(shots.join(format!("men_{dark}.png")), tab.picture("png")).unwrap();
        }
        let fill = "return getComputedStyle(one.querySelector('path.owned')).fill";
        let (white, black) = (tab.text(&cell("24", fill)), tab.text(&cell("23", fill)));
        assert_ne!(white, black, "dark: {dark}");
        let light = |rgb: &str| rgb.split(['(', ',']).nth(1).unwrap().trim().parse::<u8>().unwrap();
        assert!(light(&white) > 200 && light(&black) < 60, "{white} {black}, dark: {dark}");
    }
    tab.resize(1280, 860, false);
    tab.text(&cell("24", click));
    tab.wait_for(&format!("({can}) === '23 South'"));
    assert_eq!(tab.text("String(document.querySelectorAll('#ask .fits').length)"), "2");
    tab.press("Escape");
    tab.wait_for(&format!("({can}) === '24 23'"));
    tab.text(&cell("24", click));
    tab.wait_for(&format!("({can}) === '23 South'"));
    tab.text(&cell("South", click));
    tab.wait_for("document.querySelector('#log .answer')?.textContent.includes('24 to South') ?? false");
    let bold = "[...document.querySelectorAll('#log b')].map((one) => one.parentElement.textContent).join('; ')";
    assert!(!tab.text("document.querySelector('#log').innerHTML").contains("</b>th"), "{}", tab.text(bold));
    assert_eq!(tab.complaints(), Vec::<String>::new());
}
