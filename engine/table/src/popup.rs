//! Faces of cards on pages of other crates.

use motherlode::Game;
use motherlode_files::Images;
use serde_json::json;

use crate::face::Faces;
use crate::print::data_addresses;
use crate::script;

const FACE_STYLE: &str = include_str!("server/page/face.css");
const STYLE: &str = include_str!("server/page/popup.css");

/// The end of the body of a page on which each element with `data-kind` names a card: a click shows its face.
///
/// The card is of that kind, or else the only one of its name.
/// All texts of the content stay texts: they cannot end the element with the data.
#[must_use]
pub fn face_popups(game: &Game, images: &Images) -> String {
    let (faces, look) = (Faces::new(game), &game.declarations().look);
    let images = data_addresses(images);
    // The faces lie in a shadow of the page, which has its own root and styles.
    let style = format!("{}{STYLE}", FACE_STYLE.replace(":root {", ":host {"));
    let data = json!({ "faces": faces.iter().collect::<Vec<_>>(), "look": look, "images": images, "style": style });
    // JSON has `<` in texts only.
    let data = data.to_string().replace('<', "\\u003c");
    let script = script::combined(&[&script::FACE, &script::POPUP]);
    format!(
        "<script type=\"application/json\" id=\"faces\">{data}</script>\n<script type=\"module\">\n{script}</script>\n"
    )
}
