//! The page of `lode print` in a real browser.

use std::fs;
use std::path::Path;

use super::browser::devtools::Tab;
use super::browser::no_browser;
use super::designer::{BUILDINGS, edit, photon};
use crate::cli::program::run;
use crate::shipped::{SHIPPED, root};

/// Prints a game of a project and opens the page.
fn open(tab: &mut Tab, project: &Path, folder: &Path, arguments: &[&str]) {
    let page = folder.join("page.html");
    let out = ["--root", project.to_str().unwrap(), "--out", page.to_str().unwrap(), "--force"];
    run(folder, &[&["print"], arguments, &out[..]].concat(), b"").code(0);
    tab.go(&format!("file://{}", page.display()));
    tab.wait_for("document.getElementById('report') !== null");
}

/// Cards that are not whole: a part of the face lies outside of its frame.
const CUT: &str = "(() => {
    const cut = [];
    for (const face of document.querySelectorAll('.page .face')) {
        const frame = face.parentElement.getBoundingClientRect();
        for (const part of face.querySelectorAll('.name, .corner, .fact, .text, .icon')) {
            const box = part.getBoundingClientRect();
            if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1)
                cut.push(face.closest('[data-card]').dataset.card + ': ' + part.className);
        }
    }
    return [...new Set(cut)].join('; ');
})()";

/// Fronts whose back lies elsewhere after the paper is turned over its long edge, or has another kind's colour.
const ASTRAY: &str = "(() => {
    const astray = [];
    for (const page of document.querySelectorAll('.page[data-name$=front]')) {
        const [front, back] = [page, page.nextElementSibling].map((one) => ({
            left: one.getBoundingClientRect().left,
            right: one.getBoundingClientRect().right,
            top: one.getBoundingClientRect().top,
            cards: [...one.querySelectorAll('.printed')],
        }));
        if (front.cards.length !== back.cards.length) astray.push('count');
        front.cards.forEach((card, at) => {
            const [one, other] = [card, back.cards[at]].map((part) => part.getBoundingClientRect());
            if (Math.abs(one.left - front.left - (back.right - other.right)) > 1 || Math.abs(one.top - front.top - (other.top - back.top)) > 1)
                astray.push(card.dataset.card);
            if (getComputedStyle(card).backgroundColor !== getComputedStyle(back.cards[at]).backgroundColor)
                astray.push(card.dataset.card + ': colour');
        });
    }
    return astray.join('; ');
})()";

#[test]
fn every_printed_card_is_whole_and_has_its_back_behind_it() {
    let Some(mut tab) = Tab::open() else { return no_browser() };
    let folder = tempfile::tempdir().unwrap();
    for game in SHIPPED {
        for more in [&[][..], &["--size", "mini", "--paper", "letter"], &["--size", "landscape", "--bleed", "0"]] {
            open(&mut tab, root(), folder.path(), &[&[game], more].concat());
            assert_eq!(tab.text("document.querySelector('#summary .long')?.textContent ?? ''"), "", "{game} {more:?}");
            assert_eq!(tab.text(CUT), "", "{game} {more:?}");
            assert_eq!(tab.text(ASTRAY), "", "{game} {more:?}");
            assert_eq!(tab.complaints(), Vec::<String>::new(), "{game} {more:?}");
        }
    }
}

/// Names that lie on the facts, the text or the corner of their card.
const COVERED: &str = "(() => {
    const covered = [];
    for (const face of document.querySelectorAll('.page .face')) {
        const one = face.querySelector('.name').getBoundingClientRect();
        for (const part of face.querySelectorAll('.corner, .facts, .text')) {
            const other = part.getBoundingClientRect();
            if (one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1)
                covered.push(face.closest('[data-card]').dataset.card + ': ' + part.className);
        }
    }
    return [...new Set(covered)].join('; ');
})()";

#[test]
fn long_names_are_whole_in_every_layout() {
    let Some(mut tab) = Tab::open() else { return no_browser() };
    let folder = photon();
    let relief = "content/photon/relief.toml";
    edit(folder.path(), relief, "Panned dust", "Subterranean hydroelectric transformation station");
    edit(folder.path(), BUILDINGS, "\"Mine\"", "\"Interplanetary gold extraction headquarters\"");
    let look = folder.path().join("content/photon/look.toml");
    let plain = fs::read_to_string(&look).unwrap();
    for layout in ["card", "tile", "token", "wide"] {
        let with = |kind: &str, text: &str| {
            let head = format!("[kinds.{kind}]\n");
            text.replace(&head, &format!("{head}layout = \"{layout}\"\n"))
        };
        fs::write(&look, with("relief", &with("buildings", &plain))).unwrap();
        open(&mut tab, folder.path(), folder.path(), &["photon", "buildings", "relief"]);
        assert!(tab.text("document.querySelector('#pages').textContent").contains("hydroelectric"));
        assert_eq!(tab.text("document.querySelector('#summary .long')?.textContent ?? ''"), "", "{layout}");
        assert_eq!(tab.text(CUT), "", "{layout}");
        assert_eq!(tab.text(COVERED), "", "{layout}");
        assert_eq!(tab.complaints(), Vec::<String>::new(), "{layout}");
    }
}

#[test]
fn backs_name_the_game_and_the_kind_alone() {
    let Some(mut tab) = Tab::open() else { return no_browser() };
    let folder = tempfile::tempdir().unwrap();
    open(&mut tab, root(), folder.path(), &["imperial_miners", "mine_level_1", "--single"]);
    assert_eq!(
        tab.text("document.querySelector('.back .title').innerText.replace(/\\s+/g, ' ')"),
        "Imperial Miners Mine level 1"
    );
}

/// The printed page number of each half of each page of the rules, and whether the pages hold all words of the rules.
const NUMBERS: &str = "[...document.querySelectorAll('.page[data-name^=rules]')].map((page) => \
    [...page.querySelectorAll('.leaf')].map((leaf) => leaf.querySelector('.number')?.textContent ?? '-').join(' ')).join(', ')";

/// The words of the rules without spaces and digits, by the printed page numbers.
const WORDS: &str = "[...document.querySelectorAll('.page[data-name^=rules] .leaf')] \
    .map((leaf) => [Number(leaf.querySelector('.number')?.textContent ?? 1e9), leaf.textContent]) \
    .sort(([one], [other]) => one - other).map(([, words]) => words).join('').replace(/\\s|\\d/g, '')";

#[test]
fn a_booklet_folds_into_reading_order() {
    let Some(mut tab) = Tab::open() else { return no_browser() };
    let folder = tempfile::tempdir().unwrap();
    open(&mut tab, root(), folder.path(), &["photon", "--no-cards", "--rules", "pages"]);
    let read = tab.text(NUMBERS);
    let count = read.split([' ', ',']).filter(|part| part.parse::<usize>().is_ok()).count();
    assert!(count > 3, "{read}");
    assert!(read.starts_with("1 2, 3 4"), "{read}");
    let words = tab.text(WORDS);
    open(&mut tab, root(), folder.path(), &["photon", "--no-cards", "--rules", "booklet"]);
    let folded = tab.text(NUMBERS);
    let sides: Vec<Vec<&str>> = folded.split(", ").map(|side| side.split(' ').collect()).collect();
    assert_eq!(sides.len(), count.div_ceil(4) * 2, "{folded}");
    // Folded, the right half of side 1 is page 1, the left half of side 2 is page 2, and so on to the middle.
    for (at, side) in sides.iter().enumerate() {
        let half = if at % 2 == 0 { side[1] } else { side[0] };
        assert_eq!(half, (at + 1).to_string(), "{folded}");
    }
    assert_eq!(tab.text(WORDS), words);
    let too_long =
        "[...document.querySelectorAll('.words')].some((one) => one.scrollHeight > one.clientHeight + 1) ? 'cut' : ''";
    assert_eq!(tab.text(too_long), "");
}

#[test]
fn hostile_texts_and_long_texts_are_told_apart_from_the_page() {
    let Some(mut tab) = Tab::open() else { return no_browser() };
    let folder = photon();
    let relief = folder.path().join("content/photon/relief.toml");
    let text = fs::read_to_string(&relief).unwrap();
    let name = text.split("name = \"").nth(1).unwrap().split('"').next().unwrap();
    let hostile = "</script><script>document.title = 'owned'</script><img src=x onerror=document.title='owned'>";
    fs::write(&relief, text.replacen(name, hostile, 1)).unwrap();
    open(&mut tab, folder.path(), folder.path(), &["photon", "--size", "token"]);
    assert_eq!(tab.text("document.title"), "Photon: print");
    assert_eq!(tab.text("String(document.querySelectorAll('#pages img, #pages script').length)"), "0");
    assert!(tab.text("document.querySelector('#pages').textContent").contains(hostile));
    assert!(
        tab.text("document.querySelector('#summary .long').textContent").contains("owned"),
        "the long name is reported"
    );
    assert_eq!(tab.complaints(), Vec::<String>::new());
}

#[test]
fn a_list_of_hooks_is_a_track_from_the_bottom() {
    let Some(mut tab) = Tab::open() else { return no_browser() };
    let folder = tempfile::tempdir().unwrap();
    open(&mut tab, root(), folder.path(), &["imperial_miners", "boards"]);
    let spaces = "[...document.querySelectorAll('[data-card=\"boards.counting_house\"] .entry')].map((one) => one.textContent).join('|')";
    let spaces = tab.text(spaces);
    let read: Vec<&str> = spaces.split('|').collect();
    assert_eq!(read.len(), 8, "{spaces}");
    assert!(read[0].starts_with("8 ") && read[7] == "1 Take 2 coins.", "{spaces}");
    assert_eq!(tab.text(CUT), "");
    open(&mut tab, root(), folder.path(), &["imperial_miners", "mine_level_1", "--single"]);
    // Half of each circle lies on the card, whose edge is within the bleed of 1.5 mm.
    let places = "(() => {
        const card = document.querySelector('[data-card=\"mine_level_1.toll_stair\"]').getBoundingClientRect();
        const bleed = 1.5 * 96 / 25.4;
        const middle = (box) => [box.left + box.width / 2 - card.left, box.top + box.height / 2 - card.top];
        const at = (x, y) => `${Math.round(x / (card.width - 2 * bleed) * 100)}:${Math.round(y / (card.height - 2 * bleed) * 100)}`;
        const circles = [...document.querySelectorAll('[data-card=\"mine_level_1.toll_stair\"] .opening')];
        return circles.map((one) => middle(one.getBoundingClientRect())).map(([x, y]) => at(x - bleed, y - bleed)).join(' ');
    })()";
    assert_eq!(tab.text(places), "0:50 100:50", "half-carts lie on the edges of their card");
}
