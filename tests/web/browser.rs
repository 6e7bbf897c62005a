//! The page in a real browser, driven by keys alone.
//!
//! `LODE_BROWSER_GAMES=all` plays all games to the end, not only one; `LODE_BROWSER_SHOTS=DIR` keeps pictures of them.

pub mod devtools;

use std::io::{BufRead, BufReader, Lines};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};

use self::devtools::Tab;
use crate::shipped::root;

/// The program with an open table; it ends with this.
struct Program {
    child: Child,
    /// What it goes on to say: a program that nobody listens to ends.
    _out: Lines<BufReader<ChildStdout>>,
    link: String,
}

impl Program {
    fn open(game: &str, seats: &str, players: &str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_lode"))
            .args(["table", game, "--seed", "7", "--players", players, "--seats", seats, "--root"])
            .arg(root())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut lines = out.by_ref().map_while(Result::ok);
        let link = lines.find_map(|line| line.split_once("http").map(|(_, rest)| rest.to_owned()));
        let link = format!("http{}", link.expect("the program prints a link"));
        Self { child, _out: out, link: link.trim().to_owned() }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What one types for the question that is shown: nothing while there is none, `over` at the end.
const TYPED: &str = "(() => {
    if (document.getElementById('over')) return 'over';
    if (document.getElementById('ask').classList.contains('sent')) return '';
    const all = [...document.querySelectorAll('#ask .choices button')];
    const pick = all[globalThis.picked = ((globalThis.picked ?? 0) + 1) % (all.length || 1)];
    return pick ? (pick.querySelector('kbd') ?? pick.querySelector('.name')).textContent : '';
})()";

/// Plays to the end with what is typed before the choices; returns the number of answers.
fn play(tab: &mut Tab, most: usize) -> usize {
    let mut answers = 0;
    for _ in 0..most * 40 {
        match tab.text(TYPED).as_str() {
            "over" => return answers,
            "" => std::thread::sleep(std::time::Duration::from_millis(15)),
            typed => {
                for key in typed.chars() {
                    tab.press(&key.to_string());
                }
                if !tab.text("document.getElementById('typed')?.textContent ?? ''").is_empty() {
                    tab.press("Enter");
                }
                answers += 1;
            }
        }
    }
    panic!("the match does not end: {answers} answers; {}", tab.text("document.body.innerText"));
}

#[test]
fn games_are_played_to_the_end_by_keyboard() {
    let Some(mut tab) = Tab::open() else {
        eprintln!(
            "\n*** NO BROWSER IS INSTALLED: the page of `lode table` was NOT tested. On Debian: apt-get install chromium ***\n"
        );
        return;
    };
    let all = std::env::var("LODE_BROWSER_GAMES").is_ok_and(|value| value == "all");
    let games = [("photon", "2"), ("atacama", "2"), ("krysis", "2"), ("miners_lagoon", "2"), ("imperial_miners", "2")];
    let shots = std::env::var_os("LODE_BROWSER_SHOTS").map(PathBuf::from);
    for (game, players) in games.into_iter().take(if all { games.len() } else { 1 }) {
        let program = Program::open(game, "human,random", players);
        tab.go(&program.link);
        tab.wait_for("document.querySelector('#ask button, #ask .waiting') !== null");
        if let Some(folder) = &shots {
            for width in [1280, 390] {
                tab.picture(width, &folder.join(format!("{game}_{width}.png")));
            }
        }
        let answers = play(&mut tab, 4000);
        assert!(answers > 5, "{game}: {answers} answers");
        assert_ne!(tab.text("document.querySelector('.result')?.innerText ?? ''"), "", "{game} has a result");
        assert_eq!(tab.complaints(), Vec::<String>::new(), "{game}");
        println!("{game}: {answers} answers typed");
    }
}
