//! What is found of an item.

use serde::{Deserialize, Serialize};

use crate::ratio::{Difference, Estimate, discoveries};

/// Fewest offers from which something is called dead.
const FEWEST: f64 = 50.0;

/// What is taken less often than this is dead.
const DEAD: f64 = 0.01;

/// What is better than the best other less often than this, and costs first places, is dominated.
const DOMINATED: f64 = 0.15;

/// What brings this much of the first places when it is taken, and hardly ever is not, is a must.
const MUST: f64 = 0.05;

/// What one item is worth.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ItemReport {
    /// What sort of thing it is: the kind of a card, the prompt of an action, a grid.
    pub sort: String,
    /// Its name.
    pub name: String,
    /// How often it was among the choices; of a role: how often somebody was it.
    pub offered: f64,
    /// The share of offers in which it was taken; of a role: the part of the first places.
    pub taken: Option<Estimate>,
    /// What those had more of the first places to whom chance had dealt it at the start, than the others at the table.
    pub dealt: Option<Difference>,
    /// Number of forks.
    pub forks: f64,
    /// What picking it brings more of the first places than the best other choice.
    pub pick: Option<Estimate>,
    /// What picking it brings more of points than the best other choice.
    pub points: Option<Estimate>,
    /// How often picking it was better than the best other choice.
    pub better: Option<Estimate>,
    /// How likely so large an effect of picking it (of a role: so uneven a part) would be if there were none.
    pub p: Option<f64>,
    /// Whether that is a discovery: at most 5 % of those of the table are false (Benjamini and Hochberg).
    pub found: bool,
    /// What is to be said about it.
    pub flag: Option<Flag>,
}

/// What is to be said about an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flag {
    /// Others of its sort were offered, it never was.
    NeverOffered,
    /// It is hardly ever taken.
    Dead,
    /// Something else is nearly always better.
    Dominated,
    /// It wins games, and is nearly always better than anything else.
    MustHave,
}

impl Flag {
    /// As people read it.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::NeverOffered => "never offered",
            Self::Dead => "dead",
            Self::Dominated => "dominated",
            Self::MustHave => "must-have",
        }
    }
}

/// Marks what is a discovery among all that was tested.
pub fn discover(items: &mut [ItemReport]) {
    let tested: Vec<usize> = (0..items.len()).filter(|index| items[*index].p.is_some()).collect();
    let p: Vec<f64> = tested.iter().filter_map(|index| items[*index].p).collect();
    for (index, found) in tested.into_iter().zip(discoveries(&p)) {
        items[index].found = found;
    }
}

/// What is to be said about an item.
pub fn flag(item: &ItemReport) -> Option<Flag> {
    let taken = item.taken?;
    // What was never taken is dead however few blocks offered it so often.
    if item.offered >= FEWEST && taken.value < DEAD && (taken.value <= 0.0 || taken.interval.high < 2.0 * DEAD) {
        return Some(Flag::Dead);
    }
    let (pick, better) = (item.pick?, item.better?);
    if item.found && pick.interval.high < 0.0 && better.interval.high < DOMINATED {
        return Some(Flag::Dominated);
    }
    (item.found && pick.interval.low > MUST && better.value > 1.0 - DOMINATED).then_some(Flag::MustHave)
}
