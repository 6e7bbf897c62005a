//! Time to check an edited card, as the card editor does at each key.

use std::time::Instant;

use motherlode::Pack;
use motherlode_table::server::{CardDraft, CellEdit, check_card};

use crate::form::Form;
use crate::games::{root, shipped, shipped_ids};
use crate::subject::sure;
use crate::table::{Figures, duration, verdict};

/// Maximum seconds of a check.
const TARGET: f64 = 0.1;

pub fn print(form: &Form) {
    let times = form.pick(5_u16, 40);
    let mut table = Figures::new(
        "From an edit in the card editor to its check: each draft renames the first card of the largest kind",
        &["game", "drafts", "median", "worst", "target", ""],
    );
    for id in shipped_ids() {
        let game = shipped(&id);
        let kinds = game.declarations().kinds.iter().enumerate();
        let Some((index, (kind, _))) = kinds.max_by_key(|(_, (_, kind))| kind.len) else { continue };
        let Some(card) = game.declarations().definitions_of(index).first() else { continue };
        let pack = sure(Pack::open(root(), &id));
        let mut seconds: Vec<f64> = (0..times)
            .map(|number| {
                let name = CellEdit { was: card.name.clone(), now: format!("Name {number}") };
                let cells = [("name".to_owned(), name)].into();
                let draft = CardDraft { card: format!("{kind}.{}", card.id), new: None, cells };
                let start = Instant::now();
                sure(check_card(&pack, 0, &draft));
                start.elapsed().as_secs_f64()
            })
            .collect();
        seconds.sort_by(f64::total_cmp);
        let (median, worst) = (seconds[seconds.len() / 2], seconds[seconds.len() - 1]);
        let met = verdict(median <= TARGET);
        table.row([id, times.to_string(), duration(median), duration(worst), duration(TARGET), met]);
    }
    table.print();
}
