//! Images of cards: served by the hash of their content, drawn at the table and on paper, renewed after an edit.

use std::fs;

use motherlode_fixtures::write;
use tempfile::TempDir;

use super::browser::devtools::Tab;
use super::browser::no_browser;
use super::designer::{edit, photon};
use super::program::Program;
use crate::cli::program::run;

const FILE: &str = "content/photon/images/mine.svg";

/// A drawing with shapes of this colour, and everything that a page must never run or load.
fn drawing(colour: &str) -> String {
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 120 44' onload='hacked=1'><script>hacked=1</script>\
         <style>@import 'https://example.org/x.css'</style><image href='https://example.org/x.png' width='9' height='9'/>\
         <rect width='120' height='44' fill='{colour}'/></svg>"
    )
}

/// An editable folder with Photon, whose mine has a green drawing.
fn illustrated() -> TempDir {
    let folder = photon();
    write(folder.path().join(FILE), drawing("#00ff00"));
    edit(folder.path(), "content/photon/buildings.toml", "[mine]\n", "[mine]\nimage = \"mine.svg\"\n");
    folder
}

/// The address of the image on the card in the gallery, and the colour in its middle.
const IMAGE: &str = "(async () => {
    const image = document.querySelector('#gallery-cards .picture image');
    if (!image) return 'none';
    const drawn = new Image();
    drawn.src = image.getAttribute('href');
    await drawn.decode();
    const canvas = new OffscreenCanvas(9, 9);
    const brush = canvas.getContext('2d');
    brush.drawImage(drawn, 0, 0, 9, 9);
    return `${image.getAttribute('href')} ${[...brush.getImageData(4, 4, 1, 1).data].slice(0, 3)}`;
})()";

#[test]
fn a_card_shows_its_own_image() {
    let Some(mut tab) = Tab::open() else { return no_browser() };
    let folder = illustrated();
    let args = ["photon", "--seed", "7", "--players", "3", "--seats", "human,random,random"];
    let program = Program::open(folder.path(), &args);
    tab.go(&program.link);
    tab.wait_for("document.querySelector('#ask .choices button') !== null");
    tab.press("c");
    tab.wait_for("document.querySelector('#gallery[open] #gallery-cards .card') !== null");
    let first = tab.text(IMAGE);
    assert!(first.starts_with("/images/") && first.ends_with(" 0,255,0"), "{first}");
    fs::write(folder.path().join(FILE), drawing("#0000ff")).unwrap();
    tab.wait_for(&format!("document.querySelector('image').getAttribute('href') !== '{}'", &first[..first.len() - 8]));
    assert!(tab.text(IMAGE).ends_with(" 0,0,255"));
    assert_eq!(tab.text("String(globalThis.hacked)"), "undefined");
    assert_eq!(tab.complaints(), Vec::<String>::new());
    let policy = "fetch(document.querySelector('image').getAttribute('href')).then((one) => \
        `${one.headers.get('content-security-policy')} ${one.headers.get('content-type')} ${one.status}`)";
    assert_eq!(tab.text(policy), "default-src 'none'; sandbox image/svg+xml 200");
    let missing = "fetch('/images/' + '0'.repeat(64)).then((one) => String(one.status))";
    assert_eq!(tab.text(missing), "404");
    tab.go("about:blank");
}

#[test]
fn a_printed_card_holds_its_own_image() {
    let folder = illustrated();
    run(folder.path(), &["print", "photon", "buildings", "--out", "cards.html"], b"").code(0);
    let page = fs::read_to_string(folder.path().join("cards.html")).unwrap();
    assert!(page.contains("\"content/photon/images/mine.svg\":\"data:image/svg+xml;base64,"), "the page is complete");
    assert!(page.contains("img-src data:;") && !page.contains("hacked"));
    fs::write(folder.path().join(FILE), "not a drawing").unwrap();
    let refused = run(folder.path(), &["print", "photon", "--out", "others.html"], b"").code(1);
    refused.complains("error[bad-image]: the SVG cannot be drawn").complains("in content/photon/images/mine.svg");
}
