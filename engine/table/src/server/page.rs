//! The files of the page, embedded in the program.

/// A file of the page.
#[derive(Debug, Clone, Copy)]
pub struct File {
    /// Path of the URL.
    pub path: &'static str,
    /// MIME type.
    pub kind: &'static str,
    /// Contents.
    pub text: &'static str,
}

const SCRIPT: &str = "text/javascript; charset=utf-8";

/// All files of the page.
pub const FILES: &[File] = &[
    File { path: "/", kind: "text/html; charset=utf-8", text: include_str!("page/index.html") },
    File { path: "/table.css", kind: "text/css; charset=utf-8", text: include_str!("page/table.css") },
    File { path: "/face.css", kind: "text/css; charset=utf-8", text: include_str!("page/face.css") },
    File { path: "/gallery.css", kind: "text/css; charset=utf-8", text: include_str!("page/gallery.css") },
    File { path: "/icon.svg", kind: "image/svg+xml", text: include_str!("page/icon.svg") },
    script("/main.js", include_str!("page/main.js")),
    script("/again.js", include_str!("page/again.js")),
    script("/sound.js", include_str!("page/sound.js")),
    script("/dom.js", include_str!("page/dom.js")),
    script("/state.js", include_str!("page/state.js")),
    script("/board.js", include_str!("page/board.js")),
    script("/card.js", include_str!("page/card.js")),
    script("/deck.js", include_str!("page/deck.js")),
    script("/face.js", include_str!("page/face.js")),
    script("/question.js", include_str!("page/question.js")),
    script("/mat.js", include_str!("page/mat.js")),
    script("/point.js", include_str!("page/point.js")),
    script("/pile.js", include_str!("page/pile.js")),
    script("/picks.js", include_str!("page/picks.js")),
    script("/places.js", include_str!("page/places.js")),
    script("/value.js", include_str!("page/value.js")),
    script("/story.js", include_str!("page/story.js")),
    script("/tools.js", include_str!("page/tools.js")),
    script("/words.js", include_str!("page/words.js")),
    script("/ground.js", include_str!("page/ground.js")),
    script("/guide.js", include_str!("page/guide.js")),
    script("/icon.js", include_str!("page/icon.js")),
    script("/picture.js", include_str!("page/picture.js")),
    script("/film.js", include_str!("page/film.js")),
    script("/motion.js", include_str!("page/motion.js")),
    script("/links.js", include_str!("page/links.js")),
    script("/reserve.js", include_str!("page/reserve.js")),
    script("/result.js", include_str!("page/result.js")),
    script("/several.js", include_str!("page/several.js")),
    script("/route.js", include_str!("page/route.js")),
    script("/gallery.js", include_str!("page/gallery.js")),
    script("/rulebook.js", include_str!("page/rulebook.js")),
    script("/editor.js", include_str!("page/editor.js")),
];

const fn script(path: &'static str, text: &'static str) -> File {
    File { path, kind: SCRIPT, text }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use crate::face::{Face, Fact};
    use crate::rulebook::{RuleBlock, RuleItem, RuleSpan, RuleTerm, Rulebook, SpanStyle};
    use crate::script_types::{compare, declaration};
    use crate::server::editor::{CardField, CardForm, CheckedCard, FieldFault, VerbHelp};
    use crate::server::message::{
        AnswerLine, ChoicePreview, Line, LineSource, RefusedChoice, UndoRequestView, Viewpoint,
    };
    use crate::server::workshop::ChoiceEstimate;
    use crate::sides::Side;
    use crate::view::{
        self, Amount, Board, Card, Cell, CellLayer, CellTarget, ChoiceTarget, ChoiceView, Form, Legend, Mark, Phase,
    };
    use crate::view::{Pile, PlaceTarget, Question, Row, Seat, Several, Symbol, Value, View};
    use crate::wire::{CardFigure, Skeleton};

    macro_rules! declarations {
        ($($type:ty),* $(,)?) => {
            [$(declaration::<$type>()),*].join("\n")
        };
    }

    #[test]
    fn the_page_knows_the_types_of_the_table() {
        let head = "// Generated from the Rust types by `LODE_WRITE_REFERENCE=1 cargo test the_page_knows`.\n\n";
        let view = declarations!(
            View,
            Phase,
            Seat,
            Row,
            Value,
            Amount,
            Form,
            Pile,
            Card,
            view::CardPlace,
            Board,
            CellLayer,
            Cell,
            Side,
            Mark,
            Legend,
            Symbol,
            Question,
            Several,
            ChoiceView,
            ChoiceTarget,
            CellTarget,
            PlaceTarget,
        );
        let beside = declarations!(
            Skeleton,
            Face,
            Fact,
            Line,
            AnswerLine,
            LineSource,
            Viewpoint,
            UndoRequestView,
            ChoiceEstimate,
            RefusedChoice,
            ChoicePreview,
            CardFigure,
            Rulebook,
            RuleBlock,
            RuleItem,
            RuleSpan,
            SpanStyle,
            RuleTerm,
            CardForm,
            CardField,
            VerbHelp,
            CheckedCard,
            FieldFault,
        );
        let made = format!("{head}{view}\n{beside}");
        compare("protocol.d.ts", &made);
    }

    #[test]
    fn no_line_of_the_page_is_long() {
        for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/server/page")).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "js") {
                let text = fs::read_to_string(&path).unwrap();
                let long = text.lines().position(|line| line.chars().count() > 120);
                assert_eq!(long.map(|line| line + 1), None, "{}", path.display());
            }
        }
    }
}
