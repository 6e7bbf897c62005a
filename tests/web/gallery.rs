//! The gallery, the rules and the card editor in a real browser.

use std::fs;

use motherlode_fixtures::{copy, write};
use serde_json::json;

use super::browser::devtools::Tab;
use super::browser::no_browser;
use super::client::Client;
use super::designer::{photon, wait};
use super::program::{Program, links};
use crate::shipped::root;

/// Sets the value of a control, as a person does.
fn set(tab: &mut Tab, selector: &str, value: &str) {
    let script = format!(
        "(() => {{ const one = document.querySelector({}); one.value = {}; \
         for (const type of ['input', 'change']) one.dispatchEvent(new Event(type, {{ bubbles: true }})); return ''; }})()",
        json!(selector),
        json!(value)
    );
    tab.text(&script);
}

fn open(tab: &mut Tab, program: &Program) {
    tab.go(&program.link);
    tab.wait_for("document.querySelector('#ask button, #ask .waiting') !== null");
}

/// The width of a dialog beyond the window.
fn overflow(id: &str) -> String {
    format!("(({{ scrollWidth, clientWidth }}) => String(scrollWidth - clientWidth))(document.getElementById('{id}'))")
}

const COUNT: &str = "document.getElementById('gallery-count').textContent";
const NAMES: &str = "[...document.querySelectorAll('#gallery-cards .name')].map((one) => one.textContent).join(', ')";

#[test]
fn the_gallery_shows_filters_and_sorts_all_cards() {
    let Some(mut tab) = Tab::open() else { return no_browser() };
    for (width, height) in [(1280, 900), (390, 844)] {
        let program = Program::open(root(), &["miners_lagoon", "--seed", "7", "--seats", "human,random"]);
        tab.resize(width, height, false);
        open(&mut tab, &program);
        tab.press("c");
        tab.wait_for("document.querySelectorAll('#gallery[open] #gallery-cards .card').length > 50");
        assert_eq!(tab.text("new URLSearchParams(location.hash.slice(1)).has('gallery') ? 'named' : ''"), "named");
        assert_eq!(tab.text(&overflow("gallery")), "0");
        set(&mut tab, "#gallery [aria-label=Kind]", "equipment");
        assert_eq!(tab.text(COUNT), "24");
        set(&mut tab, "#gallery [aria-label=Order]", "a:cost");
        tab.text("(document.querySelector('#gallery [aria-label^=Reverse]').click(), '')");
        assert!(tab.text(NAMES).starts_with("Excavator, Conveyor, Ventilation Fan"), "{}", tab.text(NAMES));
        set(&mut tab, "#gallery [aria-label=cost]", ">6");
        assert_eq!(tab.text(NAMES), "Excavator, Conveyor");
        set(&mut tab, "#gallery [aria-label=cost]", "");
        set(&mut tab, "#gallery-text", "crusher");
        assert!(tab.text(COUNT).starts_with("3 of "), "{}", tab.text(NAMES));
        // Arrows move among the cards, Enter opens one, and Escape closes it and then the gallery.
        tab.text("(document.querySelector('#gallery-cards button').focus(), '')");
        tab.press("ArrowRight");
        tab.press("Enter");
        tab.wait_for("document.querySelector('#card[open] h2') !== null");
        assert!(tab.text("decodeURIComponent(location.hash)").contains("&card=equipment."));
        tab.press("Escape");
        tab.wait_for("!document.getElementById('card').open && document.getElementById('gallery').open");
        tab.press("Escape");
        tab.wait_for("!document.getElementById('gallery').open && !location.hash.includes('&')");
        tab.go(&format!("{}&card=equipment.tipper", program.link));
        tab.wait_for("document.querySelector('#card[open] h2')?.textContent === 'Tipper'");
        assert_eq!(tab.complaints(), Vec::<String>::new());
        tab.go("about:blank");
    }
}

#[test]
fn each_part_of_a_list_is_a_value_to_filter_by() {
    let Some(mut tab) = Tab::open() else { return no_browser() };
    let program = Program::open(root(), &["imperial_miners", "--seed", "7", "--seats", "human,random"]);
    open(&mut tab, &program);
    tab.press("c");
    tab.wait_for("document.querySelectorAll('#gallery[open] #gallery-cards .card').length > 100");
    let words =
        "[...document.querySelectorAll('#gallery [aria-label=Kind] option')].map((one) => one.textContent).join()";
    assert!(tab.text(words).starts_with("all cards (") && tab.text(words).contains("cards and words ("));
    set(&mut tab, "#gallery [aria-label=factions]", "=Roman");
    let facts = "[...document.querySelectorAll('#gallery-cards .card')].map((one) => one.textContent)";
    assert_eq!(tab.text(&format!("String({facts}.every((text) => text.includes('Roman')))")), "true");
    let both = format!("String({facts}.some((text) => text.includes('Scottish and Roman')))");
    assert_eq!(tab.text(&both), "true");
    let single = "[...document.querySelectorAll('#gallery [aria-label=factions] option')].every((one) => !one.textContent.includes(' and '))";
    assert_eq!(tab.text(&format!("String({single})")), "true");
}

#[test]
fn measured_figures_are_on_the_cards() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("effects.json");
    let run = |args: &[&str]| {
        let root = root().display().to_string();
        let out = std::process::Command::new(env!("CARGO_BIN_EXE_lode")).args(args).args(["--root", &root]).output();
        out.unwrap()
    };
    let out = run(&["effects", "photon", "--bots", "random", "--blocks", "4", "--forks", "4", "--format", "json"]);
    write(&file, &out.stdout);
    let file = file.display().to_string();
    let args = ["photon", "--seed", "7", "--players", "3", "--seats", "human,human", "--figures", &file];
    let mut program = Program::start(root(), "", &args);
    let (host, tokens) = links(&program.said());
    for token in tokens {
        let mut client = Client::at(&host, &token, None).unwrap();
        let skeleton = wait(&mut client, "skeleton");
        assert!(skeleton["figures"]["actions.raid"].is_array(), "a label of a prompt: {}", skeleton["figures"]);
        let figures = skeleton["figures"]["buildings.mine"].clone();
        let taken = figures.as_array().unwrap().iter().find(|one| one["name"] == "taken").unwrap();
        let text = taken["text"].as_str().unwrap();
        assert!(text.contains("% (") && text.contains(" to "), "{text}");
    }
    let refused = |file: &str| {
        let out = run(&["table", "krysis", "--figures", file]);
        assert!(!out.status.success());
        String::from_utf8(out.stderr).unwrap()
    };
    let fix = "make the file by `lode effects krysis --format json > effects.json`";
    let said = refused(&file);
    assert!(said.contains("line 2: the figures are of the game `photon`, not of `krysis`"), "{said}");
    assert!(said.contains("open `lode table photon`"), "{said}");
    let sim = run(&["sim", "photon", "--games", "1", "--format", "json"]).stdout;
    let half = &out.stdout[..out.stdout.len() / 2];
    let html = "<!doctype html>\n<title>Report</title>\n";
    let wrong: [(&[u8], &str); 7] = [
        (b"", "line 1: the file is empty"),
        (b"{}", "line 1: not the output of `lode effects`: missing field `game`"),
        (html.as_bytes(), "line 1: a page of HTML, such as `lode report` writes, is not JSON"),
        (b"item,taken\nmine,3\n", "line 1: the text is not JSON: `--format json` may be missing"),
        (b"{\"a\": 1}\n{\"a\": 2}\n", "line 2: JSON lines, such as `--rows` writes, are not one JSON value"),
        (&sim, "line 1: the file is the output of `lode sim`, not the output of `lode effects`"),
        (half, "the JSON is damaged or cut off"),
    ];
    for (text, mistake) in wrong {
        let other = folder.path().join("other.json");
        write(&other, text);
        let said = refused(&other.display().to_string());
        assert!(said.contains(&format!("`{}`, line ", other.display())), "{said}");
        assert!(said.contains(mistake) && said.contains(fix), "{said}");
    }
    let said = refused("no-such-file");
    assert!(said.contains("cannot read") && said.contains(fix), "{said}");
}

#[test]
fn rules_are_read_searched_and_linked() {
    let Some(mut tab) = Tab::open() else { return no_browser() };
    let program = Program::open(root(), &["miners_lagoon", "--seed", "7", "--seats", "human,random"]);
    tab.resize(390, 844, true);
    open(&mut tab, &program);
    tab.press("r");
    tab.wait_for("document.querySelectorAll('#rules[open] li.rule').length > 100");
    assert_eq!(tab.text(&overflow("rules")), "0");
    assert!(tab.text("document.querySelector('#rules h2').textContent").contains("Lagoon"));
    // Numbers and names are links.
    tab.text("(document.querySelector('#rules-text li.rule span [data-to^=\"rule\"]').click(), '')");
    tab.wait_for("document.activeElement?.dataset.place === new URLSearchParams(location.hash.slice(1)).get('rule')");
    tab.text("(document.querySelector('#rules-text [data-to^=\"card\"]').click(), '')");
    tab.wait_for("document.querySelector('#card[open] h2') !== null");
    tab.press("Escape");
    set(&mut tab, "#rules [type=search]", "tipper");
    tab.wait_for("document.querySelector('#rules-cards .to')?.textContent === 'Tipper'");
    let visible = "[...document.querySelectorAll('#rules-text li.rule')].filter((one) => one.checkVisibility())";
    let found = tab.text(&format!("{visible}.map((one) => one.textContent.toLowerCase()).join('\\n')"));
    assert!(found.lines().count() < 20 && found.lines().all(|line| line.contains("tipper")), "{found}");
    tab.press("Escape");
    // The phase opens the place that names it, and the address opens a rule.
    tab.go("about:blank");
    open(&mut tab, &program);
    let phase = tab.text("document.querySelector('#now .to').textContent");
    tab.text("(document.querySelector('#now .to').click(), '')");
    tab.wait_for("document.activeElement?.dataset.place !== undefined");
    let place = tab.text("document.activeElement.textContent").to_lowercase();
    assert!(place.contains(&phase.to_lowercase()), "{phase}: {place}");
    tab.go("about:blank");
    tab.go(&format!("{}&rule=L-45", program.link));
    tab.wait_for("document.activeElement?.dataset.place === 'L-45'");
    assert_eq!(tab.complaints(), Vec::<String>::new());
}

#[test]
fn a_designer_edits_a_card_beside_its_face() {
    let Some(mut tab) = Tab::open() else { return no_browser() };
    let folder = photon();
    let file = folder.path().join("content/photon/buildings.toml");
    let before = fs::read_to_string(&file).unwrap();
    let program = Program::open(folder.path(), &["photon", "--seed", "7", "--players", "3", "--seats", "human,random"]);
    tab.resize(1280, 900, false);
    open(&mut tab, &program);
    tab.press("c");
    tab.text("(document.querySelector('[data-card=\"buildings.mine\"]').click(), '')");
    tab.text("(document.querySelector('#card [data-key=edit]').click(), '')");
    tab.wait_for("document.querySelector('#editor-face .name')?.textContent === 'Mine'");
    set(&mut tab, "#field-output", "99");
    tab.wait_for("document.querySelector('#field-output').getAttribute('aria-invalid') === 'true'");
    assert_eq!(tab.text("String(document.getElementById('editor-save').disabled)"), "true");
    assert!(tab.text("document.getElementById('field-output-fault').textContent").contains('9'));
    set(&mut tab, "#field-output", "2");
    set(&mut tab, "#field-name", "<img src=x onerror=hacked=1>");
    tab.wait_for("document.querySelector('#editor-face .name')?.textContent.startsWith('<img')");
    assert_eq!(tab.text("`${document.querySelectorAll('img').length} ${globalThis.hacked}`"), "0 undefined");
    // Closing loses nothing.
    tab.press("Escape");
    tab.wait_for("!document.getElementById('editor').open");
    tab.text("(document.querySelector('[data-card=\"buildings.mine\"]').click(), '')");
    tab.text("(document.querySelector('#card [data-key=edit]').click(), '')");
    tab.wait_for("document.querySelector('#editor[open] #field-output')?.value === '2'");
    set(&mut tab, "#field-name", "Pit");
    tab.wait_for("document.querySelector('#editor-face .name')?.textContent === 'Pit'");
    assert_eq!(fs::read_to_string(&file).unwrap(), before, "nothing is written before Save");
    tab.text("(document.getElementById('editor-save').click(), '')");
    tab.wait_for("document.getElementById('editor-status').textContent === 'Saved.'");
    let after = fs::read_to_string(&file).unwrap();
    let (start, end) = before.split_at(before.find("[mine]").unwrap());
    assert_eq!(after, format!("{start}{}", end.replace("\"Mine\"", "\"Pit\"").replace("output = 1", "output = 2")));
    // The open match and the gallery follow.
    tab.wait_for("document.querySelector('#gallery-cards [data-card=\"buildings.mine\"] .name').textContent === 'Pit'");
    assert_eq!(tab.complaints(), Vec::<String>::new());
}

/// Markup that a page must not parse.
const MARKUP: &str = "# <img src=x onerror=hacked=1>\n\n<script>hacked=1</script> [a](javascript:hacked=1) **<svg onload=hacked=1>**\n\n\
    - P-1 <iframe srcdoc='x'></iframe> `<style>*{display:none}</style>`\n\n| <b>a</b> | b |\n| --- | --- |\n| <object> | 2 |\n";

#[test]
fn rules_of_strangers_stay_text() {
    let Some(mut tab) = Tab::open() else { return no_browser() };
    let folder = tempfile::tempdir().unwrap();
    copy(root(), folder.path(), &["content/photon", "scripts/photon"]);
    write(folder.path().join("content/photon/rules.md"), MARKUP);
    write(folder.path().join("content/photon/look.toml"), "");
    let program = Program::open(folder.path(), &["photon", "--seed", "7", "--players", "3", "--seats", "human,human"]);
    open(&mut tab, &program);
    tab.press("r");
    tab.wait_for("document.querySelector('#rules[open] li.rule') !== null");
    let made = "#rules :is(img, script, iframe, style, svg, object, b:not(#rules-cards *))";
    assert_eq!(tab.text(&format!("String(document.querySelectorAll('{made}').length)")), "0");
    assert_eq!(tab.text("String(globalThis.hacked)"), "undefined");
    assert_eq!(tab.text("document.querySelector('#rules tbody').textContent"), "<object>2");
    let text = tab.text("document.getElementById('rules').textContent");
    for part in ["<img src=x", "<script>", "[a](javascript:hacked=1)", "<svg onload", "<iframe", "<style>", "<b>a</b>"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
}
