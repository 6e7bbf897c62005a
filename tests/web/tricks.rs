//! Names, texts and looks of strangers on the page of `lode table`: they stay text, and draw nothing but paths.

use std::fmt::Write as _;

use motherlode::{Pack, SourceFile};

use super::browser::devtools::Tab;
use super::browser::no_browser;
use super::program::Program;

/// Forty ways to make a page run, load or restyle something.
const TRICKS: [&str; 40] = [
    "<script>hacked=1</script>",
    "<img src=x onerror=hacked=1>",
    "<svg onload=hacked=1>",
    "<svg><script>hacked=1</script></svg>",
    "<svg><a href='javascript:hacked=1'><text>x</text></a></svg>",
    "<svg><use href='data:image/svg+xml,x#y'/></svg>",
    "<svg><image href='https://example.org/x.png'/></svg>",
    "<svg><foreignObject><iframe srcdoc='<script>parent.hacked=1</script>'></iframe></foreignObject></svg>",
    "<svg><animate attributeName=href values='javascript:hacked=1'/></svg>",
    "<svg><set attributeName=onmouseover to='hacked=1'/></svg>",
    "<svg><style>@import 'https://example.org/x.css'</style></svg>",
    "<svg><![CDATA[<script>hacked=1</script>]]></svg>",
    "<!DOCTYPE svg [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><svg>&b;</svg>",
    "<svg xmlns:x='http://www.w3.org/1999/xlink'><use x:href='#a'/></svg>",
    "<style>*{display:none}</style>",
    "<link rel=stylesheet href='https://example.org/x.css'>",
    "<base href='https://example.org/'>",
    "<meta http-equiv=refresh content='0;url=https://example.org/'>",
    "<iframe src='javascript:parent.hacked=1'></iframe>",
    "<object data='javascript:hacked=1'></object>",
    "<embed src='javascript:hacked=1'>",
    "<form action='javascript:hacked=1'><button>x</button></form>",
    "<input autofocus onfocus=hacked=1>",
    "<details open ontoggle=hacked=1>",
    "<video><source onerror=hacked=1></video>",
    "<body onload=hacked=1>",
    "<marquee onstart=hacked=1>",
    "<math><maction actiontype=statusline xlink:href='javascript:hacked=1'>x</maction></math>",
    "<template><script>hacked=1</script></template>",
    "<noscript><p title='</noscript><img src=x onerror=hacked=1>'>",
    "\"><img src=x onerror=hacked=1>",
    "' onmouseover='hacked=1",
    "javascript:hacked=1",
    "data:text/html,<script>hacked=1</script>",
    "url(https://example.org/x)",
    "expression(hacked=1)",
    "{{constructor.constructor('hacked=1')()}}",
    "${hacked=1}",
    "&lt;img src=x onerror=hacked=1&gt;",
    "]]><x:script xmlns:x='http://www.w3.org/1999/xhtml'>hacked=1</x:script>",
];

/// A text of TOML.
fn quoted(text: &str) -> String {
    format!("'''{text}'''")
}

/// A game whose names, texts and words of icons are these.
fn game(folder: &std::path::Path, texts: &[&str]) {
    let base = "name = \"Tricks\"\nversion = \"1.0.0\"\nplayers = { min = 1, max = 2 }\n\
        seats = [{ name = \"Ann\" }, { name = \"Bob\" }]\ncounters.won = { per = \"player\" }\n\
        zones.hand = { per = \"player\", holds = \"cards\", visible = \"public\" }\n\
        zones.deck = { per = \"game\", holds = \"cards\", visible = \"public\" }\n\
        kinds.cards = { zone = \"deck\" }\noutcome = { score = \"won\" }\n";
    let (mut cards, mut look) = (String::new(), String::from("[kinds.cards]\npicture = \"gems\"\n"));
    for (number, trick) in texts.iter().enumerate() {
        // Braces and brackets have a meaning in texts.
        let text = trick.replace(['{', '}', '[', ']'], "");
        let _ = writeln!(cards, "[c{number}]\nname = {}\ntext = {}", quoted(&format!("N{number}")), quoted(&text));
        let _ = writeln!(look, "[icons.i{number}]\npath = \"M0 0h9v9z\"\nwords = [{}]", quoted(trick));
    }
    for (path, text) in [
        ("content/tricks/game.toml", base.to_owned()),
        ("content/tricks/cards.toml", cards),
        ("content/tricks/look.toml", look),
        ("content/tricks/phases.toml", "[play]\nturns = \"around\"\nprompt = \"which\"\n".to_owned()),
        ("content/tricks/prompts.toml", "[which]\ntext = \"Which?\"\nlabels = { one = \"One\", two = \"Two\" }\n".to_owned()),
        (
            "scripts/tricks/phases.luau",
            "return { play = { offer = function() choice('one') choice('two') end, act = function(player, what) end } }\n"
                .to_owned(),
        ),
    ] {
        motherlode_fixtures::write(folder.join(path), text);
    }
}

#[test]
fn tricks_of_strangers_stay_text() {
    let Some(mut tab) = Tab::open() else { return no_browser() };
    let folder = tempfile::tempdir().unwrap();
    game(folder.path(), &TRICKS);
    let program = Program::open(folder.path(), &["tricks", "--seed", "1", "--players", "2", "--seats", "human,human"]);
    tab.go(&program.link);
    tab.wait_for("document.querySelector('#ask .choices button') !== null");
    let foreign = "String(document.querySelectorAll('img, iframe, object, embed, form, base, meta[http-equiv], style, \
        video, math, marquee, foreignObject, use, animate, set, image, body script').length)";
    let open_all = format!(
        "Promise.all([import('/deck.js'), import('/card.js')]).then(([{{ deck }}, {{ openCard }}]) => {{
            const dialog = document.getElementById('card');
            return [...deck.faces.values()].map((face) => {{
                dialog.close();
                openCard(face);
                return `${{{foreign}}} ${{dialog.querySelector('.text').textContent}}`;
            }}).join('\\n'); }})"
    );
    let shown = tab.text(&open_all);
    assert_eq!(shown.lines().count(), TRICKS.len());
    assert!(shown.lines().all(|line| line.starts_with("0 ")), "no markup of content reaches the page: {shown}");
    assert_eq!(tab.text("String(globalThis.hacked)"), "undefined");
    for trick in TRICKS.iter().filter(|trick| !trick.contains(['{', '}', '[', ']'])) {
        assert!(shown.contains(trick), "a reader sees the text: {trick}");
    }
    // The page cannot parse markup at all. The control: the test sees elements that a script makes.
    let parse = "(() => { try { document.body.innerHTML = '<img>'; return 'parsed'; } catch { return 'refused'; } })()";
    assert_eq!(tab.text(parse), "refused");
    tab.run("document.body.append(document.createElement('img'));");
    assert_ne!(tab.text(foreign), "0", "the test sees elements");
}

#[test]
fn no_trick_is_a_path_of_an_icon() {
    for trick in TRICKS {
        let look = format!("[icons.won]\npath = {}\n", quoted(trick));
        let files = [("content/t/look.toml", look)];
        let files = files.map(|(path, text)| SourceFile { path: path.to_owned(), text });
        let (_, found) = motherlode_content::read(&Pack::from_files("t", files.map(|file| (file.path, file.text))));
        assert!(found.list.iter().any(|one| one.code == "bad-drawing"), "{trick}");
    }
}
