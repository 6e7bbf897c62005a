//! The files of the page, as they are in the program.

/// A file of the page.
#[derive(Debug, Clone, Copy)]
pub struct File {
    /// Its path on the table's address.
    pub path: &'static str,
    /// Its type.
    pub kind: &'static str,
    /// What is in it.
    pub text: &'static str,
}

const SCRIPT: &str = "text/javascript; charset=utf-8";

/// All files of the page.
pub const FILES: [File; 12] = [
    File { path: "/", kind: "text/html; charset=utf-8", text: include_str!("page/index.html") },
    File { path: "/table.css", kind: "text/css; charset=utf-8", text: include_str!("page/table.css") },
    File { path: "/icon.svg", kind: "image/svg+xml", text: include_str!("page/icon.svg") },
    script("/main.js", include_str!("page/main.js")),
    script("/dom.js", include_str!("page/dom.js")),
    script("/state.js", include_str!("page/state.js")),
    script("/board.js", include_str!("page/board.js")),
    script("/card.js", include_str!("page/card.js")),
    script("/question.js", include_str!("page/question.js")),
    script("/seats.js", include_str!("page/seats.js")),
    script("/story.js", include_str!("page/story.js")),
    script("/tools.js", include_str!("page/tools.js")),
];

const fn script(path: &'static str, text: &'static str) -> File {
    File { path, kind: SCRIPT, text }
}
