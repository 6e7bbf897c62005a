//! The page in a real browser, driven by a mouse alone or by touch alone.
//!
//! `LODE_BROWSER_GAMES=all` plays all games to the end, and not one alone.

use std::thread;
use std::time::Duration;

use super::browser::devtools::Tab;
use super::browser::{games, no_browser};

/// Time in which the page takes a click for one at the old question, and a little more.
const GUARD: Duration = Duration::from_millis(270);

/// Where to point at next: ` x y` of a thing on the table in two of three questions, else of a button of the list;
/// empty without a question, `over` at the end. A thing with several choices marks their buttons: one is next. So is the
/// button that confirms choices.
const TARGET: &str = "(() => {
    if (document.getElementById('over')) return 'over';
    if (document.getElementById('ask').classList.contains('sent')) return '';
    const all = [...document.querySelectorAll('#ask .choices button')];
    if (all.length === 0) return '';
    const list = all.filter((one) => one.checkVisibility() && one.getAttribute('aria-pressed') !== 'true');
    const at = globalThis.pointed = (globalThis.pointed ?? 0) + 1;
    const marked = list.filter((one) => one.classList.contains('fits'));
    const things = [...document.querySelectorAll('#left .can:not(.marked)')].filter((one) => one.checkVisibility());
    globalThis.placed = (globalThis.placed ?? 0) + Number(marked.length > 0 || things.length > 0);
    const sure = document.querySelector('[data-key=confirm]:not(:disabled)');
    const from = sure ? [sure] : marked.length > 0 ? marked : things.length > 0 && (at % 3 > 0 || list.length === 0) ? things : list;
    globalThis.things = (globalThis.things ?? 0) + Number(from === things);
    const one = from[at % from.length];
    one.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const box = one.getBoundingClientRect();
    for (const [x, y] of [[.5, .5], [.12, .5], [.5, .2], [.9, .85], [.12, .85]]) {
        const [left, top] = [box.x + box.width * x, box.y + box.height * y];
        const hit = document.elementFromPoint(left, top);
        if (hit && (one === hit || one.contains(hit))) return `${left} ${top}`;
    }
    const over = document.elementFromPoint(box.x + box.width * .12, box.y + box.height / 2);
    return `covered: ${one.outerHTML.slice(0, 120)} at ${[box.x, box.y, box.width, box.height]} by ${over?.outerHTML.slice(0, 120)}`;
})()";

/// Plays to the end; returns the numbers of acts, of those on the table itself, and of those that could be there.
fn play(tab: &mut Tab, act: impl Fn(&mut Tab, f64, f64)) -> [usize; 3] {
    let mut acts = 0;
    for _ in 0..4_000 {
        assert!(acts < 600, "no end after {acts} acts: {}", tab.text("document.body.innerText"));
        match tab.text(TARGET).as_str() {
            "over" => {
                let count = |tab: &mut Tab, name: &str| tab.text(&format!("String({name})")).parse().unwrap();
                return [acts, count(tab, "globalThis.things"), count(tab, "globalThis.placed")];
            }
            "" => thread::sleep(Duration::from_millis(15)),
            place => {
                let (x, y) = place.split_once(' ').unwrap_or_default();
                let (Ok(x), Ok(y)) = (x.parse(), y.parse()) else { panic!("{place}") };
                thread::sleep(GUARD);
                act(tab, x, y);
                acts += 1;
            }
        }
    }
    panic!("the match does not end: {acts} acts; {}", tab.text("document.body.innerText"));
}

/// Plays one game, or all games, to their ends.
fn play_games(width: u32, height: u32, set_up: impl Fn(&mut Tab), act: impl Fn(&mut Tab, f64, f64)) {
    let Some(mut tab) = Tab::open() else { return no_browser() };
    set_up(&mut tab);
    for played in games() {
        let (game, program) = (played.id, played.open("3"));
        tab.resize(width, height, false);
        tab.go(&program.link);
        tab.wait_for("document.querySelector('#ask button, #ask .waiting') !== null");
        let [acts, on_table, placed] = play(&mut tab, &act);
        assert!(acts > 2 && on_table > 0, "{game}: {acts} acts, {on_table} on the table");
        assert_ne!(tab.text("document.querySelector('.result')?.innerText ?? ''"), "", "{game} has a result");
        let room = "String(document.documentElement.scrollWidth <= innerWidth)";
        assert_eq!(tab.text(room), "true", "{game} scrolls sideways");
        assert_eq!(tab.complaints(), Vec::<String>::new(), "{game}");
        tab.go("about:blank");
        println!("{game}: {acts} acts, {on_table} of them on the table itself; {placed} could have been");
    }
}

#[test]
fn games_can_be_finished_by_mouse() {
    play_games(1280, 900, |_| {}, Tab::click_at);
}

#[test]
fn games_can_be_finished_by_touch() {
    play_games(390, 844, Tab::touch_only, Tab::tap);
}
