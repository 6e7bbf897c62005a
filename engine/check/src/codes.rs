//! What each code of a diagnostic means, for `lode check --explain`.
//!
//! Lints explain themselves ([`crate::lints`]); the codes of faults that reading and loading report are explained here.

use std::collections::BTreeSet;

use crate::lints::LINTS;

/// What a code means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Explanation {
    /// The code: `unused-field`.
    pub code: &'static str,
    /// Why it is a mistake.
    pub why: &'static str,
    /// An example with the mistake; empty: the mistake is in no line of a file.
    pub bad: &'static str,
    /// The same without it.
    pub good: &'static str,
}

/// What a code means; `None`: there is none of this name.
#[must_use]
pub fn explanation(code: &str) -> Option<Explanation> {
    let lint = LINTS.iter().find(|lint| lint.name == code);
    let of_lint = lint.map(|lint| Explanation { code: lint.name, why: lint.why, bad: lint.bad, good: lint.good });
    let found = || OF_CONTENT.iter().find(|(known, ..)| *known == code);
    of_lint.or_else(|| found().map(|&(code, why, bad, good)| Explanation { code, why, bad, good }))
}

/// All codes in the order of their names.
#[must_use]
pub fn codes() -> BTreeSet<&'static str> {
    LINTS.iter().map(|lint| lint.name).chain(OF_CONTENT.iter().map(|(code, ..)| *code)).collect()
}

/// Code, explanation, bad example, good example.
const OF_CONTENT: [(&str, &str, &str, &str); 44] = [
    (
        "bad-name",
        "Names of declarations are in snake_case, so that scripts can use them as they are.",
        "[counters.Gold]",
        "[counters.gold]",
    ),
    (
        "bad-placeholder",
        "A text shows values as `{1}`, `{2:player}` and so on, and this placeholder is not one of these.",
        "raid = \"{player} raids.\"",
        "raid = \"{1:player} raids.\"",
    ),
    (
        "bad-version",
        "Versions are three numbers, and ranges of versions are written as in Cargo.",
        "version = \"1\"",
        "version = \"1.0.0\"",
    ),
    (
        "conflict",
        "Two settings exclude each other, or one repeats what another says.",
        "[zones.deck]\nper = \"game\"\nreshuffle = \"deck\"",
        "[zones.deck]\nper = \"game\"\nreshuffle = \"discard\"",
    ),
    (
        "cycle",
        "Each of these mods must be loaded after another one of them, so there is no order for them.",
        "# alpha/mod.toml\nload_after = [\"beta\"]\n# beta/mod.toml\nload_after = [\"alpha\"]",
        "# alpha/mod.toml\nload_after = [\"beta\"]\n# beta/mod.toml\nload_after = []",
    ),
    (
        "damaged-value",
        "No bot can use what was learned of the game: the file was cut off or edited, or is of another game or another version of lode. It is not \
         written by hand.",
        "",
        "lode train checkers --out content/checkers/learned.value --force",
    ),
    (
        "duplicate",
        "The same name is listed or declared twice.",
        "holds = [\"cards\", \"cards\"]",
        "holds = [\"cards\"]",
    ),
    (
        "duplicate-file",
        "Two files have the same stem, so they declare the same things.",
        "content/demo/cards.toml and content/demo/CARDS.toml",
        "content/demo/cards.toml",
    ),
    ("duplicate-mod", "Two active mods have the same id.", "--mod mods/alpha --mod copies/alpha", "--mod mods/alpha"),
    ("empty", "A list or a text that must hold something is empty.", "holds = []", "holds = [\"cards\"]"),
    (
        "free-purchase",
        "Something costs nothing in a phase that lets players buy again, so that buying it need never end.",
        "[air]\nname = \"Air\"\ncost = {}",
        "[air]\nname = \"Air\"\ncost = { gold = 1 }",
    ),
    (
        "hidden-character",
        "Control characters and marks that turn the direction of writing are not shown. They would change the terminal or make a text \
        read otherwise than it is written.",
        "name = \"Mine\\u001b[2J\"",
        "name = \"Mine\"",
    ),
    ("host", "The engine itself failed to start: this is not a mistake in the game. Please report it.", "", ""),
    (
        "missing-file",
        "A file that every game needs is not there.",
        "content/demo/ without game.toml",
        "content/demo/game.toml",
    ),
    (
        "missing-key",
        "A table lacks a key that it must have.",
        "[counters.gold]\nvisible = \"all\"",
        "[counters.gold]\nper = \"player\"\nvisible = \"all\"",
    ),
    (
        "missing-mod",
        "A mod requires another one that is not active.",
        "requires = { beta = \"^1.0\" }",
        "requires = {}",
    ),
    (
        "missing-prompt",
        "A phase whose script offers choices must say what the player is asked.",
        "[play]\nname = \"Play\"",
        "[play]\nname = \"Play\"\nprompt = \"pick\"",
    ),
    (
        "missing-script",
        "Something that is declared needs a function in a script, and no script returns it.",
        "# phases.toml\n[play]\nname = \"Play\"\n-- phases.luau\nreturn { play = {} }",
        "# phases.toml\n[play]\nname = \"Play\"\n-- phases.luau\nreturn { play = { turn = function(player) end } }",
    ),
    (
        "mod-conflict",
        "A mod says that it does not work together with another active one.",
        "--mod mods/alpha --mod mods/beta",
        "--mod mods/alpha",
    ),
    (
        "not-a-file",
        "A folder or something else has a name that only a file may have.",
        "content/demo/cards.toml/",
        "content/demo/cards.toml",
    ),
    ("not-utf8", "All files are text in UTF-8.", "", ""),
    (
        "nothing-beneath",
        "A script replaces or wraps a function that the game and the mods beneath do not have.",
        "return { play = { trun = wrap(function(original, player) end) } }",
        "return { play = { turn = wrap(function(original, player) end) } }",
    ),
    (
        "orphan-script",
        "No kind has the name of this script, so nothing ever calls it.",
        "scripts/demo/crads.luau",
        "scripts/demo/cards.luau",
    ),
    ("out-of-range", "A number is too small or too large.", "size = 0", "size = 5"),
    (
        "outside",
        "A mod's files lie in its own folder; links and paths that lead out are not followed.",
        "mods/alpha/content/../../secret.toml",
        "mods/alpha/content/demo/cards.toml",
    ),
    (
        "stray-file",
        "The engine does not read this file, so what stands in it has no effect.",
        "scripts/demo/cards.lua",
        "scripts/demo/cards.luau",
    ),
    ("syntax", "The file is not TOML.", "name = \"Gold", "name = \"Gold\""),
    ("too-large", "A file or a folder is larger than any game needs.", "", ""),
    (
        "two-functions",
        "A mod has a function that the game has already. It must say whether it replaces or wraps it.",
        "return { play = { turn = function(player) end } }",
        "return { play = { turn = replace(function(player) end) } }",
    ),
    (
        "two-hooks",
        "A definition has the same hook as verbs in its TOML file and as a function in its script.",
        "# cards.toml\n[pump]\noperate = [{ gain = { gold = 1 } }]\n-- cards.luau\nreturn { pump = { operate = function() end } }",
        "# cards.toml\n[pump]\noperate = [{ gain = { gold = 1 } }]",
    ),
    (
        "two-mods",
        "Two mods change the same thing and neither knows of the other, so the result depends on their order.",
        "# beta/mod.toml\nid = \"beta\"",
        "# beta/mod.toml\nid = \"beta\"\nload_after = [\"alpha\"]",
    ),
    (
        "unknown-cell",
        "The grid has no cell of this name.",
        "columns = 3\nrows = 3\nholes = [\"d4\"]",
        "columns = 3\nrows = 3\nholes = [\"c3\"]",
    ),
    (
        "unknown-file",
        "No kind has the name of this file, so nothing in it is read.",
        "content/demo/crads.toml",
        "content/demo/cards.toml",
    ),
    ("unknown-game", "A mod is for a game that does not exist.", "game = \"chekers\"", "game = \"checkers\""),
    (
        "unknown-key",
        "The engine reads no key of this name here, so it has no effect.",
        "visibel = \"all\"",
        "visible = \"all\"",
    ),
    ("unknown-pack", "There is no game of this id.", "lode check chekers", "lode check checkers"),
    (
        "unknown-path",
        "A mod removes something that is not there.",
        "remove = [\"cards.pmup\"]",
        "remove = [\"cards.pump\"]",
    ),
    ("unknown-phase", "No phase of this name is declared in phases.toml.", "phase = \"paly\"", "phase = \"play\""),
    (
        "unknown-type",
        "Attributes and arguments have one of a few types, and this is none of them.",
        "cost = { type = \"number\" }",
        "cost = { type = \"integer\" }",
    ),
    ("unreadable", "The file or folder cannot be read: it is gone, or its permissions forbid it.", "", ""),
    (
        "wrong-game",
        "A mod is for another game.",
        "lode check checkers --mod mods/for_chess",
        "lode check chess --mod mods/for_chess",
    ),
    (
        "wrong-length",
        "A list has too many entries or too few.",
        "operate = [{ gain = { gold = 1 }, rest = {} }]",
        "operate = [{ gain = { gold = 1 } }, { rest = {} }]",
    ),
    ("wrong-type", "A value has a different type from what the key takes.", "size = \"5\"", "size = 5"),
    (
        "wrong-version",
        "A mod requires another version of the game or of a mod.",
        "requires = { checkers = \"^2.0\" }",
        "requires = { checkers = \"^1.0\" }",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_explained_once() {
        assert_eq!(codes().len(), LINTS.len() + OF_CONTENT.len());
        assert!(OF_CONTENT.iter().map(|(code, ..)| code).is_sorted());
        for code in codes() {
            let found = explanation(code).unwrap();
            assert!(found.code == code && found.why.ends_with('.'), "{found:?}");
        }
        assert_eq!(explanation("unused-feild"), None);
    }
}
