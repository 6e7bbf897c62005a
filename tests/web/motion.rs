//! Moves of cards and numbers on the page of `lode table`. The other tests ask for reduced motion.

use super::browser::devtools::Tab;
use super::browser::{no_browser, play};
use super::program::Program;
use crate::shipped::root;

/// Counts flights of cards and differences of numbers from now on.
const COUNT: &str = "(() => {
    globalThis.seen = { flights: 0, since: 0, crowd: 0 };
    new MutationObserver((all) => {
        for (const node of all.flatMap((one) => [...one.addedNodes])) {
            if (node.classList?.contains('flight')) seen.flights += 1;
            if (node.classList?.contains('since')) seen.since += 1;
        }
        seen.crowd = Math.max(seen.crowd, document.querySelectorAll('.flight').length);
    }).observe(document.body, { childList: true, subtree: true });
    return '';
})()";

/// Chooses a speed from the list.
pub fn choose_speed(tab: &mut Tab, name: &str) {
    let act = format!(
        "(() => {{ const list = document.querySelector('[data-key=\"speed\"]'); list.value = '{name}'; \
         list.dispatchEvent(new Event('change')); return ''; }})()"
    );
    tab.text(&act);
}

fn count(tab: &mut Tab, what: &str) -> usize {
    tab.text(&format!("String(seen.{what})")).parse().unwrap()
}

#[test]
fn cards_fly_and_numbers_tell_their_difference_unless_motion_is_off() {
    let Some(mut tab) = Tab::open() else { return no_browser() };
    let args = ["imperial_miners", "--seed", "7", "--players", "2", "--seats", "human,random"];
    let program = Program::open(root(), &args);
    tab.resize(1280, 900, false);
    tab.go(&program.link);
    tab.wait_for("document.querySelector('#ask .choices button') !== null");
    assert!(tab.text("document.title").starts_with("Your turn – "), "{}", tab.text("document.title"));
    tab.text(COUNT);
    play(&mut tab, 12);
    assert_eq!(count(&mut tab, "flights"), 0, "the system asks for reduced motion");
    assert!(count(&mut tab, "since") > 0, "differences of numbers are no motion");
    choose_speed(&mut tab, "fast");
    play(&mut tab, 12);
    tab.wait_for("document.querySelectorAll('.flight').length === 0");
    let flights = count(&mut tab, "flights");
    assert!(flights > 3, "{flights} flights");
    assert!(count(&mut tab, "crowd") <= 16, "at most 16 flights at once");
    assert_eq!(tab.complaints(), Vec::<String>::new());
}

#[test]
fn the_moves_of_bots_are_a_film_that_ends_at_a_key() {
    let Some(mut tab) = Tab::open() else { return no_browser() };
    let args = ["photon", "--seed", "7", "--players", "4", "--seats", "human,random"];
    let program = Program::open(root(), &args);
    tab.go(&program.link);
    tab.wait_for("document.querySelector('#ask .choices button') !== null");
    choose_speed(&mut tab, "slow");
    let mut films = 0;
    for _ in 0..12 {
        if play(&mut tab, 1) == 0 {
            break;
        }
        tab.wait_for("document.querySelector('[data-key=\"skip\"], #ask:not(.sent) .choices button, #over') !== null");
        if tab.text("String(document.querySelector('[data-key=\"skip\"]') !== null)") == "true" {
            films += 1;
            tab.press(" ");
            assert_eq!(
                tab.text("String(document.querySelector('[data-key=\"skip\"]'))"),
                "null",
                "Space ends the film"
            );
        }
        tab.wait_for("document.querySelector('#ask:not(.sent) .choices button, #over') !== null");
    }
    assert!(films > 0, "three bots play between two questions");
    assert_eq!(tab.complaints(), Vec::<String>::new());
}

/// Counts the answers that the page sends from now on.
const SENT: &str = "(() => {
    globalThis.sent = 0;
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (message) { sent += message.includes('answer') ? 1 : 0; return send.call(this, message); };
    return '';
})()";

#[test]
fn a_double_click_answers_one_question() {
    let Some(mut tab) = Tab::open() else { return no_browser() };
    let args = ["krysis", "--seed", "7", "--players", "2", "--seats", "human,random"];
    let program = Program::open(root(), &args);
    tab.resize(1280, 900, false);
    tab.go(&program.link);
    let asked = "document.querySelector('#ask:not(.sent) .choices button') !== null";
    let sent = |tab: &mut Tab| tab.text("String(sent)");
    tab.wait_for(asked);
    tab.text(SENT);
    // The clock of the page stands still, so the speed of this machine does not matter.
    tab.text("performance.now = () => globalThis.clock; globalThis.clock = 1e9; ''");
    for answers in ["1", "2"] {
        // A click at once would count as one at the earlier question.
        tab.text("globalThis.clock += 300; ''");
        tab.click("#ask .choices button");
        tab.wait_for(asked);
        tab.click("#ask .choices button");
        assert_eq!(sent(&mut tab), answers, "the second click is ignored");
    }
}

#[test]
fn a_picture_depends_on_the_id_of_its_card_alone() {
    let Some(mut tab) = Tab::open() else { return no_browser() };
    let program =
        Program::open(root(), &["imperial_miners", "--seed", "7", "--players", "2", "--seats", "human,random"]);
    tab.go(&program.link);
    tab.wait_for("document.querySelector('#left .card .picture') !== null");
    let drawn = "import('/picture.js').then(({ picture }) => { \
        const ids = [...Array(200).keys()].map((n) => `cards.c${n}`); \
        const all = (order) => ids.map((id) => picture(id, undefined, order).outerHTML); \
        const [once, again, other] = [all(0), all(0), all(1)]; \
        const longest = Math.max(...once.map((one) => one.length)); \
        return `${new Set(once).size} ${once.join() === again.join()} ${once.join() === other.join()} ${longest < 6000}`; })";
    assert_eq!(tab.text(drawn), "200 true false true");
    let icons = "String(document.querySelectorAll('#left .card .corner .icon path').length > 0)";
    assert_eq!(tab.text(icons), "true", "the cost has an icon in the corner");
    assert_eq!(tab.complaints(), Vec::<String>::new());
}

#[test]
fn what_happened_since_the_last_answer_is_shown_again() {
    let Some(mut tab) = Tab::open() else { return no_browser() };
    let args = ["atacama", "--seed", "3", "--players", "4", "--seats", "human,random"];
    let program = Program::open(root(), &args);
    tab.go(&program.link);
    tab.wait_for("document.querySelector('.board .cell.can') !== null");
    choose_speed(&mut tab, "normal");
    let click = "dispatchEvent(new MouseEvent('click', { bubbles: true }))";
    tab.text(&format!("(document.querySelector('.board .cell.can').{click}, '')"));
    tab.wait_for("document.querySelector('[data-key=again]') !== null");
    let end = "document.getElementById('log').textContent + document.getElementById('ask').textContent";
    let log = tab.text(end);
    tab.text("(document.querySelector('[data-key=again]').click(), '')");
    tab.wait_for("document.querySelector('[data-key=skip]') !== null");
    assert!(tab.text(end).len() < log.len(), "the table is back at the answer");
    tab.wait_for("document.querySelector('[data-key=again]') !== null");
    assert_eq!(tab.text(end), log);
    // A place that is no choice says why.
    assert_eq!(tab.text("String(document.querySelector('#ask .refused'))"), "null");
    tab.text(&format!("(document.querySelector('.board .cell:not(.can)').{click}, '')"));
    tab.wait_for("document.querySelector('#ask .refused') !== null");
    assert_eq!(tab.complaints(), Vec::<String>::new());
}
