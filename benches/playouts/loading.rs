//! Time from the files of a game to the first decision of a match: read, check, compile, start.

use std::path::{Path, PathBuf};
use std::time::Instant;

use criterion::Criterion;
use motherlode::Match;

use crate::form::Form;
use crate::games::{checked, own_root, root, setup, shipped_ids};
use crate::subject::{Subject, sure};
use crate::table::{Figures, duration, verdict};

/// Maximum seconds until a game is ready to play.
const TARGET: f64 = 0.06;

fn loading(root: PathBuf, id: String) -> Subject {
    Subject::new(id.clone(), move |times| {
        for _ in 0..times {
            let game = checked(&root, &id);
            let players = game.declarations().players.default;
            sure(Match::new(&game, &setup(&game, players, &[])));
        }
        0
    })
}

fn subjects() -> Vec<Subject> {
    let shipped = shipped_ids().into_iter().map(|id| loading(root().to_path_buf(), id));
    shipped.chain([loading(own_root(), "connect_four".to_owned())]).collect()
}

pub fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("files to first decision");
    for mut subject in subjects() {
        subject.bench(&mut group);
    }
    group.finish();
}

/// Total bytes of a game's files.
fn bytes(root: &Path, id: &str) -> usize {
    sure(motherlode::Pack::open(root, id)).files.iter().map(|file| file.text.len()).sum()
}

pub fn print(form: &Form) {
    // Wall-clock time, because another thread does a part of the work.
    let title = "From files to the first decision, wall-clock time";
    let mut table = Figures::new(title, &["game", "bytes", "time", "target", ""]);
    let times = form.pick(5_u64, 40);
    for mut subject in subjects() {
        let root = if subject.name == "connect_four" { own_root() } else { root().to_path_buf() };
        let size = bytes(&root, &subject.name);
        let start = Instant::now();
        subject.run(times);
        let seconds = start.elapsed().as_secs_f64() / times as f64;
        let met = verdict(seconds <= TARGET);
        table.row([subject.name, size.to_string(), duration(seconds), duration(TARGET), met]);
    }
    table.print();
}
