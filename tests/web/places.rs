//! Areas, forms of piles and counters, and the guide: what `look.toml` declares about the table.

use super::browser::devtools::Tab;
use super::browser::{folder_of, no_browser};
use super::program::Program;
use crate::shipped::{SHIPPED, Variant, root};

/// A game with one hand, one pile, three counters, and a look that places them.
const GAME: [(&str, &str); 9] = [
    (
        "content/camp/game.toml",
        "name = \"Camp\"\nversion = \"1.0.0\"\nplayers = { min = 2, max = 2 }\n\
         seats = [{ name = \"Ann\" }, { name = \"Bob\" }]\noutcome = { score = \"gold\" }\n\
         counters.gold = { per = \"player\", start = 3 }\ncounters.climb = { per = \"player\", start = 2, max = 5 }\n\
         zones.hand = { per = \"player\", holds = \"tools\", visible = \"owner\" }\n\
         zones.heap = { per = \"game\", holds = \"tools\" }\nkinds.tools = { zone = \"heap\" }\n\
         zones.cards = { per = \"game\", holds = \"maps\" }\nkinds.maps = { zone = \"cards\" }\n",
    ),
    ("content/camp/tools.toml", "pick = { name = \"Pick\", copies = 12 }\n"),
    ("content/camp/maps.toml", "north = { name = \"North\" }\n"),
    ("content/camp/phases.toml", "[play]\nturns = \"around\"\nprompt = \"which\"\n"),
    ("content/camp/prompts.toml", "[which]\ntext = \"Which tool?\"\nlabels = { rest = \"Rest\", work = \"Work\" }\n"),
    ("content/camp/rules.md", "# Camp\n\n## Turn\n\n- C-1 Rest or **work** *(ruling)*.\n"),
    (
        "content/camp/look.toml",
        "icons.gold = { path = \"M2 2h9v9z\" }\nzones.hand.show = \"fan\"\nzones.heap.show = \"stack\"\n\
         counters.gold.show = \"tokens\"\ncounters.climb.show = \"track\"\nguide.which = \"C-1\"\n\
         [table]\nwide = [\"heap own\", \"heap hand\"]\nnarrow = [\"hand\", \"heap\"]\n",
    ),
    (
        "scripts/camp/phases.luau",
        "return { play = { offer = function() choice(\"rest\") choice(\"work\") end, act = function(player, what) \
         gain(player, \"gold\", 1) end } }\n",
    ),
    (
        "scripts/camp/game.luau",
        "return { setup = function() for player = 1, player_count() do for _ = 1, 5 do draw(\"heap\", game, \"hand\", player) \
         end end end }\n",
    ),
];

/// The corners of an area: left and top.
fn corner(tab: &mut Tab, area: &str) -> (f64, f64) {
    let place = tab.text(&format!(
        "(() => {{ const box = document.getElementById('{area}').getBoundingClientRect(); return `${{box.x}} ${{box.y}}`; }})()"
    ));
    let (x, y) = place.split_once(' ').unwrap();
    (x.parse().unwrap(), y.parse().unwrap())
}

fn count(tab: &mut Tab, selector: &str) -> String {
    tab.text(&format!("String(document.querySelectorAll('{selector}').length)"))
}

#[test]
fn a_look_places_areas_piles_and_counters() {
    let Some(mut tab) = Tab::open() else { return no_browser() };
    let folder = folder_of(&GAME);
    let program = Program::open(folder.path(), &["camp", "--seed", "1", "--seats", "human,random"]);
    tab.resize(1280, 860, false);
    tab.go(&program.link);
    tab.wait_for("document.querySelector('#area-hand .card') !== null");
    let (heap, own, hand) = (corner(&mut tab, "area-heap"), corner(&mut tab, "own"), corner(&mut tab, "area-hand"));
    assert!(heap.0 < own.0 && own.0 == hand.0 && own.1 < hand.1, "{heap:?} {own:?} {hand:?}");
    assert!(corner(&mut tab, "others").1 > hand.1, "areas without a line lie below");
    assert_eq!(count(&mut tab, "#area-hand .cards.fan > li"), "5");
    assert_eq!(count(&mut tab, "#own [data-pile=\"hand/0\"]"), "0", "the hand has an area of its own");
    assert_eq!(count(&mut tab, "#area-heap .heaped .card"), "1", "one card is on top");
    assert_eq!(
        count(&mut tab, "#cards [data-pile=\"cards/null\"]"),
        "1",
        "a zone with the name of an area is in no other"
    );
    assert_eq!(count(&mut tab, "#own .heap .icon"), "3", "three tokens of gold");
    assert_eq!(count(&mut tab, "#own .track span"), "6");
    assert_eq!(tab.text("document.querySelector('#own .track .at').title"), "2");
    tab.resize(390, 844, false);
    tab.wait_for("document.querySelector('#area-hand').getBoundingClientRect().y < document.querySelector('#area-heap').getBoundingClientRect().y");
    assert_eq!(tab.complaints(), Vec::<String>::new());
}

#[test]
fn the_rule_of_a_question_is_shown_until_it_is_answered() {
    let Some(mut tab) = Tab::open() else { return no_browser() };
    let folder = folder_of(&GAME);
    let program = Program::open(folder.path(), &["camp", "--seed", "1", "--seats", "human,random"]);
    tab.go(&program.link);
    tab.wait_for("document.querySelector('#ask .guide') !== null");
    assert_eq!(tab.text("document.querySelector('#ask .guide p').textContent"), "C-1 Rest or work.");
    tab.press("1");
    tab.wait_for("document.querySelectorAll('#log .answer').length > 1");
    tab.wait_for("document.querySelector('#ask .choices button') !== null");
    assert_eq!(count(&mut tab, "#ask .guide"), "0");
    tab.go(&program.link);
    tab.wait_for("document.querySelector('#ask .choices button') !== null");
    assert_eq!(count(&mut tab, "#ask .guide"), "0", "the browser remembers it");
}

#[test]
fn every_game_explains_its_first_question() {
    for game in SHIPPED {
        let variant = Variant::of(game, 2, &[]);
        let decision = variant.begin(1).decision().unwrap();
        let guide = &variant.game().declarations().look.guide;
        let prompt = decision.prompt(variant.game());
        assert!(guide.get(prompt).is_some_and(|rules| !rules.is_empty()), "{variant}: {prompt}");
    }
}

/// Choices on a pile, on counters and on their tokens.
const POINTED: [(&str, &str); 6] = [
    (
        "content/barter/game.toml",
        "name = \"Barter\"\nversion = \"1.0.0\"\nplayers = { min = 2, max = 2 }\n\
         seats = [{ name = \"Ann\" }, { name = \"Bob\" }]\noutcome = { score = \"ore\" }\n\
         counters.ore = { per = \"player\", start = 3, max = 9 }\ncounters.coins = { per = \"player\", start = 5 }\n\
         zones.deck = { per = \"game\", holds = \"tools\", visible = \"count\" }\nkinds.tools = { zone = \"deck\" }\n",
    ),
    ("content/barter/tools.toml", "pick = { name = \"Pick\", copies = 4 }\n"),
    ("content/barter/phases.toml", "[play]\nturns = \"around\"\nprompt = \"what\"\n"),
    (
        "content/barter/prompts.toml",
        "[what]\ntext = \"What?\"\nlabels = { draw = \"Draw\", pay = \"Pay\" }\n\
         [many]\ntext = \"How much ore?\"\nchoices = \"0..9\"\n",
    ),
    (
        "content/barter/look.toml",
        "icons.ore = { path = \"M2 2h9v9z\" }\ncounters.ore.show = \"tokens\"\n[choices]\nmany = { on = \"ore\" }\n\
         what = { labels = { draw = \"deck\", pay = \"coins\" } }\n",
    ),
    (
        "scripts/barter/phases.luau",
        "return { play = { offer = function() choice(\"draw\") choice(\"pay\") end, act = function(player, what) \
         if what == \"pay\" then choice_numbers(0, get(player, \"ore\")) pay(player, \"ore\", ask(player, \"many\")) end end } }\n",
    ),
];

#[test]
fn a_click_on_a_pile_a_counter_or_a_token_chooses_it() {
    let Some(mut tab) = Tab::open() else { return no_browser() };
    let folder = folder_of(&POINTED);
    let program = Program::open(folder.path(), &["barter", "--seed", "1", "--seats", "human,random"]);
    tab.resize(1280, 860, false);
    tab.go(&program.link);
    tab.wait_for("document.querySelector('#left .deck .can') !== null");
    tab.text("(document.querySelector('#left .deck .can').click(), '')");
    tab.wait_for("/Ann .*Draw/.test(document.querySelector('#log').textContent)");
    tab.wait_for("document.querySelector('#own .value.can') !== null && !document.querySelector('#ask.sent')");
    tab.text("(document.querySelector('#own .value.can').click(), '')");
    tab.wait_for("document.querySelectorAll('#own .heap > .token').length === 3");
    tab.text("(document.querySelectorAll('#own .heap > .token')[1].click(), '')");
    tab.wait_for("document.querySelectorAll('#own .heap .icon').length === 1");
    assert_eq!(tab.complaints(), Vec::<String>::new());
}

/// Names in a fan that the next card covers.
const COVERED: &str = "(() => {
    const cards = [...document.querySelectorAll('.cards.fan > li')];
    const covered = cards.slice(0, -1).filter((card, at) => {
        const words = document.createRange();
        words.selectNodeContents(card.querySelector('.name'));
        return words.getBoundingClientRect().right > cards[at + 1].getBoundingClientRect().left + 1;
    });
    return covered.map((card) => card.textContent).join('; ');
})()";

#[test]
fn names_in_a_fan_are_not_covered() {
    let Some(mut tab) = Tab::open() else { return no_browser() };
    let args = ["imperial_miners", "--seed", "1", "--players", "2", "--seats", "human,random"];
    let program = Program::open(root(), &args);
    for width in [1280, 1000] {
        tab.resize(width, 900, false);
        tab.go(&program.link);
        tab.wait_for("document.querySelectorAll('.cards.fan > li').length > 6");
        assert_eq!(tab.text(COVERED), "", "at {width} pixels");
    }
    assert_eq!(tab.complaints(), Vec::<String>::new());
}

#[test]
fn a_phone_keeps_most_of_its_screen_for_the_table() {
    let Some(mut tab) = Tab::open() else { return no_browser() };
    let args = ["imperial_miners", "--seed", "1", "--players", "2", "--seats", "human,random"];
    let program = Program::open(root(), &args);
    tab.resize(390, 844, false);
    tab.go(&program.link);
    tab.wait_for("document.querySelector('#ask .choices button') !== null");
    let share = tab.text("String(document.getElementById('ask').getBoundingClientRect().height / innerHeight)");
    assert!(share.parse::<f64>().unwrap() < 0.31, "{share}");
    tab.text("(document.querySelector('[data-key=\"designer\"]').click(), '')");
    let sideways = "['tools', 'designer'].filter((id) => { const one = document.getElementById(id); \
        return one.scrollWidth > one.clientWidth + 1; }).join()";
    assert_eq!(tab.text(sideways), "", "no toolbar scrolls sideways");
    assert_eq!(tab.text("String(document.documentElement.scrollWidth <= innerWidth)"), "true");
}

/// Two players stand on the cells of a path; a card lies on the first one.
const PATH: [(&str, &str); 7] = [
    (
        "content/path/game.toml",
        "name = \"Path\"\nversion = \"1.0.0\"\nplayers = { min = 2, max = 2 }\nrounds = 1\n\
         seats = [{ name = \"Ann\", colour = \"red\" }, { name = \"Ben\", colour = \"blue\" }]\noutcome = { score = \"gold\" }\n\
         grids.path = { text = \"Path\", shape = \"square\", columns = 3, rows = 2 }\n\
         kinds.crews = { tokens = false }\nkinds.tiles = { zone = \"stock\", attributes = { crew = { type = \"crews\" } } }\n\
         zones.stock = { per = \"game\", holds = \"tiles\", visible = \"public\" }\n\
         counters.gold = { per = \"player\", text = \"Gold\" }\ncounters.where = { per = \"player\", values = \"path\" }\n\
         counters.tile = { per = \"path\", values = \"token\" }\n",
    ),
    ("content/path/crews.toml", "dwarfs = { name = \"Dwarfs of the North\" }\n"),
    ("content/path/tiles.toml", "gate = { name = \"Gate\", crew = \"dwarfs\" }\n"),
    (
        "content/path/look.toml",
        "icons.axe = { path = \"M4 20 L12 4 L20 20 Z\", of = [\"dwarfs\"] }\ngrids.path = { men = \"where\", fact = \"crew\" }\n",
    ),
    ("content/path/phases.toml", "[walking]\nturns = \"once\"\n"),
    ("content/path/prompts.toml", "[walk]\ntext = \"Where to?\"\nchoices = \"path\"\n"),
    (
        "scripts/path/phases.luau",
        "return {\n    walking = {\n        start = function()\n            set(cell(\"path\", 1, 1), \"tile\", top(\"stock\"))\n        end,\n\
         \x20       turn = function(player)\n            for _, c in cells(\"path\") do\n                choice(c)\n            end\n\
         \x20           set(player, \"where\", ask(player, \"walk\"))\n        end,\n    },\n}\n",
    ),
];

#[test]
fn men_stand_on_their_cells_and_a_card_shows_the_icon_of_its_fact() {
    let Some(mut tab) = Tab::open() else { return no_browser() };
    let folder = folder_of(&PATH);
    let program = Program::open(folder.path(), &["path", "--seed", "1", "--seats", "human,first"]);
    tab.go(&program.link);
    tab.wait_for("document.querySelector('.board [data-key=\"cell/path/null/b2\"], .board .cell') !== null");
    assert_eq!(count(&mut tab, ".board .man"), "0");
    assert_eq!(count(&mut tab, ".board .cell svg.symbol"), "1", "the icon of the crew of the gate");
    tab.text("([...document.querySelectorAll('.board .cell')].find((one) => one.dataset.said.startsWith('b2')).dispatchEvent(new MouseEvent('click', { bubbles: true })), '')");
    tab.wait_for("document.querySelectorAll('.board .man').length === 2");
    let men = "[...document.querySelectorAll('.board .man')].map((one) => one.closest('.cell').dataset.said + one.getAttribute('class')).join('|')";
    let men = tab.text(men);
    assert!(men.contains("Where of Ben") && men.contains("b2, Where of Annman c-red"), "{men}");
    assert_eq!(tab.complaints(), Vec::<String>::new());
}
