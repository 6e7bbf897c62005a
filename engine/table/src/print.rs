//! Cards, boards and rules on paper: one HTML page that needs no network and no server.
//!
//! The page holds data, and the modules that draw the faces of cards at the table: no face is drawn a second time.
//! [`PrintJob::page`] makes the page; the browser draws, fits and prints it.
//!
//! Direction: paper <- boards, booklet, tokens <- self

mod boards;
mod booklet;
mod paper;
mod tokens;
#[cfg(test)]
mod types;

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use motherlode::Game;
use motherlode::declare::Look;
use motherlode_files::{Image, Images};
use serde::Serialize;

pub use self::boards::{PrintedBoard, PrintedCell, boards};
pub use self::paper::{MARGIN, Paper, PrintedCard, Sheet, TooLarge, lay_out};
pub use self::tokens::{TokenChoice, TokenSet, tokens};
use crate::face::{Face, Faces};
use crate::{paint, script};

/// A print job: the sheets, the boards and the rules of a game.
#[derive(Debug, Clone)]
pub struct PrintJob {
    /// The paper.
    pub paper: Paper,
    /// Colour beyond the cut of each card, in millimetres.
    pub bleed: f64,
    /// Whether each sheet has a page with the mirrored backs.
    pub backs: bool,
    /// The sheets of cards: [`lay_out`].
    pub sheets: Vec<Sheet>,
    /// The sheets of tokens, and the name of the icon of each token, by its label.
    pub tokens: (Vec<Sheet>, BTreeMap<String, String>),
    /// The boards, each on a page of its own.
    pub boards: Vec<PrintedBoard>,
    /// The images of the cards, by displayed path.
    pub images: Images,
    /// The form of the rules, and their Markdown; `None`: without rules.
    pub rules: Option<(RulesForm, String)>,
}

/// The form of the printed rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum RulesForm {
    /// Sheets to print on both sides and to fold.
    Booklet,
    /// Pages in reading order.
    Pages,
}

/// Everything to print.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "PrintData"))]
struct PageData<'a> {
    /// Name of the game.
    game: &'a str,
    /// Number of cards and sheets, in words.
    summary: String,
    /// Width and height.
    paper: Paper,
    /// Colour beyond the cut, in millimetres.
    bleed: f64,
    /// Whether each sheet has a page with the backs.
    backs: bool,
    /// The sheets of cards.
    #[cfg_attr(test, ts(type = "Array<Sheet>"))]
    sheets: &'a [Sheet],
    /// The sheets of tokens. Their cards are labels.
    #[cfg_attr(test, ts(type = "Array<Sheet>"))]
    token_sheets: &'a [Sheet],
    /// The name whose icon a token shows, by the label of the token.
    #[cfg_attr(test, ts(type = "Record<string, string>"))]
    tokens: &'a BTreeMap<String, String>,
    /// The boards, each on a page of its own.
    #[cfg_attr(test, ts(type = "Array<PrintedBoard>"))]
    boards: &'a [PrintedBoard],
    /// The form of the rules; null: without rules.
    rules: Option<RulesForm>,
    /// The faces of all cards.
    #[cfg_attr(test, ts(type = "Array<Face>"))]
    faces: Vec<&'a Face>,
    /// The images of the cards as data URIs, by displayed path.
    #[cfg_attr(test, ts(type = "Record<string, string>"))]
    images: BTreeMap<&'a str, String>,
    /// Colours, icons and forms.
    #[cfg_attr(test, ts(type = "Look"))]
    look: &'a Look,
}

impl PrintJob {
    /// Number of cards and sheets, in words: `132 cards on 15 sheets`.
    #[must_use]
    pub fn summary(&self) -> String {
        let count = |count: usize, what: &str| (count > 0).then(|| paint::plural(count as u64, what));
        let cards = self.sheets.iter().map(|sheet| sheet.cards.len()).sum();
        let cards = count(cards, "card")
            .map(|cards| format!("{cards} on {}", paint::plural(self.sheets.len() as u64, "sheet")));
        let rules = self.rules.as_ref().map(|_| "the rules".to_owned());
        let tokens = count(self.tokens.0.iter().map(|sheet| sheet.cards.len()).sum(), "token")
            .map(|tokens| format!("{tokens} on {}", paint::plural(self.tokens.0.len() as u64, "sheet")));
        cards
            .into_iter()
            .chain(tokens)
            .chain(count(self.boards.len(), "board"))
            .chain(rules)
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// The page as HTML. All texts of the content stay texts: the data cannot end its element, and the page's policy
    /// refuses any script but its own.
    ///
    /// # Errors
    /// The data cannot be written as JSON.
    pub fn page(&self, game: &Game) -> Result<String, serde_json::Error> {
        let (d, faces) = (game.declarations(), Faces::new(game));
        let data = PageData {
            game: &d.name,
            summary: self.summary(),
            paper: self.paper,
            bleed: self.bleed,
            backs: self.backs,
            sheets: &self.sheets,
            token_sheets: &self.tokens.0,
            tokens: &self.tokens.1,
            boards: &self.boards,
            rules: self.rules.as_ref().map(|(form, _)| *form),
            faces: faces.iter().collect(),
            images: data_addresses(&self.images),
            look: &d.look,
        };
        // JSON has `<` in texts only.
        let data = serde_json::to_string(&data)?.replace('<', "\\u003c");
        let rules = self.rules.as_ref().map(|(_, text)| booklet::html(text)).unwrap_or_default();
        let script = script::combined(&[&script::FACE, &script::PRINT]);
        // Content cannot guess the hash of itself.
        let nonce = blake3::hash(format!("{data}{rules}{script}").as_bytes()).to_hex();
        let Paper { width, height } = self.paper;
        let style = format!(
            "@page {{ size: {width}mm {height}mm; margin: 0; }}\n\
             :root {{ --paper-width: {width}mm; --paper-height: {height}mm; }}\n{FACE_STYLE}{STYLE}"
        );
        let title = booklet::escaped(&format!("{}: print", d.name));
        Ok(format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'nonce-{nonce}'; \
             style-src 'nonce-{nonce}'; img-src data:; base-uri 'none'; form-action 'none'\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
             <style nonce=\"{nonce}\">\n{style}</style>\n</head>\n<body>\n<div id=\"summary\"></div>\n\
             <main id=\"pages\"></main>\n<section id=\"rules\" hidden>\n{rules}</section>\n<div id=\"desk\"></div>\n\
             <noscript>This page needs scripts to draw the cards.</noscript>\n\
             <script type=\"application/json\" id=\"data\">{data}</script>\n\
             <script type=\"module\" nonce=\"{nonce}\">\n{script}</script>\n</body>\n</html>\n"
        ))
    }
}

/// The images as texts of addresses, by displayed path.
pub(crate) fn data_addresses(images: &Images) -> BTreeMap<&str, String> {
    let address = |image: &Image| format!("data:{};base64,{}", image.kind, STANDARD.encode(&image.bytes));
    images.iter().map(|(path, image)| (path.as_str(), address(image))).collect()
}

const FACE_STYLE: &str = include_str!("server/page/face.css");
const STYLE: &str = include_str!("server/page/print.css");
