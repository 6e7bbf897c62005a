//! The page of `lode report` in a real browser, and its size.

use std::fs;
use std::path::{Path, PathBuf};

use super::browser::devtools::Tab;
use crate::cli::program::run;
use crate::shipped::root;

/// Makes the report of a game in a folder.
fn report(folder: &Path, game: &str, more: &[&str]) -> PathBuf {
    let page = folder.join(format!("{game}.html"));
    let arguments = ["report", game, "--root", root().to_str().unwrap(), "--out", page.to_str().unwrap()];
    let run = run(folder, &[&arguments[..], more].concat(), b"").code(0);
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    for file in files.filter(|file| file.starts_with(game)) {
        assert!(run.out.contains(&file), "{file} is not named: {}", run.out);
    }
    page
}

#[test]
fn the_largest_report_is_small_and_reproducible() {
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let made = |number: usize, threads: &str| {
        let few = ["--bots", "random", "--blocks", "4", "--forks", "1", "--follow", "1", "--threads", threads];
        fs::read(report(folders[number].path(), "imperial_miners", &few)).unwrap()
    };
    let pages = [made(0, "1"), made(1, "2")];
    assert!(pages[0] == pages[1], "two runs differ");
    assert!(pages[0].len() < 500_000, "{} bytes", pages[0].len());
    for why in ["closest", "longest"] {
        let replay = format!("imperial_miners-{why}.json");
        let both = [&folders[0], &folders[1]].map(|folder| fs::read(folder.path().join(&replay)).unwrap());
        assert!(both[0] == both[1], "{replay}");
    }
}

/// Elements wider than the window that are not in a scrolling box.
const WIDER: &str = "(() => {
    const wide = [...document.querySelectorAll('main *')].filter((one) =>
        one.getBoundingClientRect().right > innerWidth + 1 && !one.closest('.wide'));
    const all = document.documentElement.scrollWidth > innerWidth ? ['the page'] : [];
    return [...all, ...wide.map((one) => one.outerHTML.slice(0, 80))].join('; ');
})()";

/// Chart texts that are smaller than ten pixels or leave their chart.
const UNREADABLE: &str = "(() => {
    const bad = [...document.querySelectorAll('figure svg text')].filter((one) => {
        const chart = one.ownerSVGElement.getBoundingClientRect();
        const box = one.getBoundingClientRect();
        const size = parseFloat(getComputedStyle(one).fontSize) * chart.width / one.ownerSVGElement.viewBox.baseVal.width;
        return size < 10 || box.left < chart.left - 2 || box.right > chart.right + 2;
    });
    return bad.map((one) => one.textContent).join('; ');
})()";

/// The item column that a click on its header has sorted.
const SORTED: &str = "(() => {
    const table = document.querySelector('table.sortable');
    const head = [...table.tHead.rows[0].cells].findIndex((cell) => cell.textContent === 'offered');
    table.tHead.rows[0].cells[head].querySelector('button').click();
    return [...table.tBodies[0].rows].map((row) => row.cells[head].textContent).join(' ');
})()";

#[test]
fn the_report_is_readable_on_a_laptop_and_a_phone() {
    let Some(mut tab) = Tab::open() else {
        eprintln!(
            "\n*** NO BROWSER IS INSTALLED: the page of `lode report` was NOT tested. On Debian: apt-get install chromium ***\n"
        );
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let few =
        ["--bots", "random,rollout:1", "--blocks", "4", "--forks", "2", "--follow", "2", "--ladder", "rollout:1..2"];
    let page = report(folder.path(), "photon", &few);
    tab.go(&format!("file://{}", page.display()));
    tab.wait_for("document.querySelector('table.sortable thead button') !== null");
    for width in [1280, 390] {
        tab.resize(width, 900, false);
        assert_eq!(tab.text(WIDER), "", "at {width} pixels");
        assert_eq!(tab.text(UNREADABLE), "", "at {width} pixels");
    }
    assert!(tab.text("document.body.textContent").contains("Scores: seat\u{a0}1 has "), "scores have words");
    let action =
        "[...document.querySelectorAll('th[data-kind=\"action\"] button.card')].map((one) => one.textContent).join()";
    assert!(tab.text(action).contains("Raid"), "an action opens the card of its name");
    tab.text("(document.querySelector('tbody th button.card').click(), '')");
    tab.wait_for("document.querySelector('dialog[open]') !== null");
    let shown = "document.querySelector('dialog[open] div').shadowRoot.querySelector('.name').textContent";
    assert_eq!(tab.text(shown), tab.text("document.querySelector('tbody th button.card').textContent"));
    let drawn =
        "getComputedStyle(document.querySelector('dialog[open] div').shadowRoot.querySelector('.card')).borderTopWidth";
    assert_eq!(tab.text(drawn), "5px");
    tab.press("Escape");
    let numbers = |text: String| -> Vec<u32> { text.split_whitespace().map(|part| part.parse().unwrap()).collect() };
    let down = numbers(tab.text(SORTED));
    assert!(down.len() > 5 && down.is_sorted_by(|one, two| one >= two) && down.first() > down.last(), "{down:?}");
    assert!(numbers(tab.text(SORTED)).is_sorted());
    assert_eq!(tab.complaints(), Vec::<String>::new());
}

/// The picture in the documentation. `LODE_PICTURE=1` takes it again.
#[test]
fn the_documentation_shows_a_report() {
    let file = root().join("engine/docs/src/img/report.webp");
    if std::env::var("LODE_PICTURE").is_ok_and(|value| value == "1") {
        let Some(mut tab) = Tab::open() else { return };
        let folder = tempfile::tempdir().unwrap();
        let page = report(
            folder.path(),
            "photon",
            &["--bots", "random,rollout:2", "--blocks", "40", "--forks", "10", "--follow", "8"],
        );
        tab.resize(1100, 1100, false);
        tab.go(&format!("file://{}", page.display()));
        tab.wait_for("document.querySelector('table.sortable thead button') !== null");
        fs::write(&file, tab.picture("webp")).unwrap();
    }
    let picture = fs::read(&file).expect("LODE_PICTURE=1 takes the picture");
    assert!(picture.len() < 150_000 && picture.starts_with(b"RIFF"), "{} bytes", picture.len());
}
