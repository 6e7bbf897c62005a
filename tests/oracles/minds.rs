//! Who answers when Krysis is played beside its twin: chance, or somebody who wants something.

use std::collections::BTreeMap;

use motherlode::declare::Domain;
use motherlode::{Decision, Match};

use crate::shipped::Player;

/// How often a hoarder does what chance says, one time out of so many.
const WHIM: usize = 8;

/// Who answers in a game.
#[derive(Debug, Clone, Copy)]
pub enum Mind {
    /// Chance.
    Chance,
    /// Wants relics, brings them home and keeps them there; chance answers when that makes no difference, and now and then.
    Hoarder,
    /// Chooses what was chosen least so far, in all games.
    Explorer,
}

pub const MINDS: [Mind; 3] = [Mind::Chance, Mind::Hoarder, Mind::Explorer];

/// How often something was chosen, by prompt.
#[derive(Debug, Default)]
pub struct Tried(BTreeMap<(usize, i32), u64>);

impl Mind {
    /// Index of a choice of the open decision.
    pub fn choose(self, m: &Match, player: &mut Player, tried: &mut Tried) -> usize {
        let decision = m.decision().expect("the match is not over");
        let index = player.choose(m.choices());
        let index = match self {
            Self::Chance => index,
            Self::Hoarder if player.below(WHIM) == 0 => index,
            Self::Hoarder => wanted_by_hoarder(m, decision).unwrap_or(index),
            Self::Explorer => rarest(m, decision, player, tried),
        };
        *tried.0.entry(what(m, decision, m.choices()[index])).or_default() += 1;
        index
    }
}

/// What a choice is; copies of a card are the same.
fn what(m: &Match, decision: Decision, raw: i32) -> (usize, i32) {
    let prompt = decision.prompt_index();
    let is_token = raw > 0 && m.game().declarations().prompts[prompt].domain == Domain::Token;
    let what = if is_token { m.game().layout().tokens[raw as usize - 1].definition as i32 } else { raw };
    (prompt, what)
}

fn rarest(m: &Match, decision: Decision, player: &mut Player, tried: &Tried) -> usize {
    let often = |&raw: &i32| tried.0.get(&what(m, decision, raw)).copied().unwrap_or(0);
    let often: Vec<u64> = m.choices().iter().map(often).collect();
    let least = often.iter().min().copied().unwrap_or(0);
    let rarest: Vec<usize> = (0..often.len()).filter(|&index| often[index] == least).collect();
    rarest[player.below(rarest.len())]
}

/// What brings relics; `None`: nothing does more than anything else.
fn wanted_by_hoarder(m: &Match, decision: Decision) -> Option<usize> {
    let choices = m.choices();
    let last = choices.len() - 1;
    let labelled = |label: &str| choices.iter().position(|&raw| raw < 0 && m.describe(raw).id == label);
    let best = |value: &dyn Fn(i32) -> i32| (0..=last).rev().max_by_key(|&index| value(choices[index]));
    match decision.prompt(m.game()) {
        "bid" => Some(last),
        "space" => best(&|cell| counter(m, "relics", cell)),
        "agent" => best(&|token| i32::from(kind_of(m, token) == "transporters")),
        "gear" => labelled("done"),
        "action" => {
            let own = i32::from(decision.seat) + 1;
            let relics = |player| if player > 0 { relics_in_camp(m, player) } else { 0 };
            let loads = labelled("load_home").filter(|_| relics_in_camp(m, own) > 0);
            loads.or_else(|| best(&relics).filter(|&index| relics(choices[index]) > 0))
        }
        "take" | "take_relic" | "relic_home" => Some(0), // the fewest crystals, and no label
        "relic_bank" => labelled("done"),
        "loot" => labelled("home"),
        "stack" => labelled("transporter"),
        _ => None,
    }
}

fn counter(m: &Match, name: &str, holder: i32) -> i32 {
    let index = m.game().declarations().counters.get_index_of(name).unwrap_or_else(|| panic!("no counter {name}"));
    m.counter(holder, index).unwrap_or(0)
}

fn kind_of(m: &Match, token: i32) -> &str {
    let kind = m.game().layout().tokens[token as usize - 1].kind;
    m.game().declarations().kinds.get_index(kind).map_or("", |(name, _)| name)
}

fn relics_in_camp(m: &Match, player: i32) -> i32 {
    let zone = m.game().declarations().zones.get_index_of("camp_relics").expect("there are relics in camps");
    m.zone(zone, player).map_or(0, |relics| relics.len() as i32)
}
