//! Figures of the page: how fast it paints, answers and moves.

use super::browser::devtools::Tab;
use super::browser::{games, no_browser, play};
use super::motion::choose_speed;

/// Measures from now on: the time from a key to the next picture of the table, and the length of each frame while something moves.
const MEASURE: &str = "(() => {
    const seen = globalThis.figures = { answers: [], frames: [] };
    let pressed = 0;
    addEventListener('keydown', () => { pressed = performance.now(); }, true);
    new MutationObserver(() => {
        if (!pressed) return;
        const from = pressed;
        pressed = 0;
        requestAnimationFrame(() => setTimeout(() => seen.answers.push(performance.now() - from)));
    }).observe(document.getElementById('left'), { childList: true, subtree: true });
    let last = 0;
    const frame = (now) => {
        if (last && document.querySelector('.flight')) seen.frames.push(now - last);
        last = now;
        requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    return '';
})()";

/// Median and 95th percentile of a list, and the number of its values.
const SUMMARY: &str = "(() => {
    const share = (all, at) => (all.sort((a, b) => a - b)[Math.floor((all.length - 1) * at)] ?? 0).toFixed(1);
    const line = (what, all) => `${what} ${share(all, .5)} (95 %: ${share(all, .95)}, of ${all.length})`;
    return `${line('answer to picture', figures.answers)}, ${line('frame while cards fly', figures.frames)}`;
})()";

/// Prints the figures of the games of `LODE_BROWSER_GAMES`, in milliseconds, for a quiet machine. No bound is tested here: times differ from
/// machine to machine.
#[test]
fn figures_of_the_page_are_printed() {
    if std::env::var_os("LODE_BROWSER_FIGURES").is_none() {
        return;
    }
    let Some(mut tab) = Tab::open() else { return no_browser() };
    for played in games() {
        let (game, program) = (played.id, played.open("7"));
        tab.resize(1280, 900, false);
        tab.go(&program.link);
        tab.wait_for("document.querySelector('#ask button, #ask .waiting') !== null");
        tab.wait_for("performance.getEntriesByName('first-contentful-paint').length > 0");
        let paint = tab.text("performance.getEntriesByName('first-contentful-paint')[0].startTime.toFixed(0)");
        tab.text(MEASURE);
        choose_speed(&mut tab, "normal");
        let answers = play(&mut tab, 30);
        println!("{game}: first paint {paint}, {answers} answers, {}", tab.text(SUMMARY));
        assert_eq!(tab.complaints(), Vec::<String>::new(), "{game}");
        tab.go("about:blank");
    }
}
