//! Players for Krysis beside its twin: random ones, and ones with a goal.

use std::collections::BTreeMap;

use motherlode::declare::{Domain, Value};
use motherlode::{Decision, Match};

use crate::shipped::Player;

/// A player with a goal makes one random choice in eight.
const WHIM: usize = 8;

/// A kind of player.
#[derive(Debug, Clone, Copy)]
pub enum Mind {
    /// Chooses at random.
    Chance,
    /// One player collects relics, brings them home and keeps them, so that large sets score. The others choose at
    /// random. So does the hoarder when the choice does not matter, and now and then.
    Hoarder,
    /// Everybody digs for crystals of one colour until the supply has none (Q13), and carries many home, white ones for
    /// the last bid.
    Digger,
    /// Takes the choice made least often in all games.
    Explorer,
}

pub const MINDS: [Mind; 4] = [Mind::Chance, Mind::Hoarder, Mind::Digger, Mind::Explorer];

/// The round in which a digger carries everything home.
const CARRYING: i32 = 4;

/// Number of uses of each choice, by prompt.
#[derive(Debug, Default)]
pub struct ChoiceCounts(BTreeMap<(usize, i32), u64>);

impl Mind {
    /// Index of a choice of the pending decision.
    pub fn choose(self, m: &Match, player: &mut Player, tried: &mut ChoiceCounts) -> usize {
        let decision = m.decision().expect("the match is not over");
        let index = player.choose(m.choices());
        let index = match self {
            Self::Chance => index,
            Self::Hoarder | Self::Digger if player.below(WHIM) == 0 => index,
            Self::Hoarder if u64::from(decision.seat) != m.setup().seed % u64::from(m.setup().players) => index,
            Self::Digger => wanted_by_digger(m, decision).unwrap_or(index),
            Self::Hoarder => wanted_by_hoarder(m, decision).unwrap_or(index),
            Self::Explorer => rarest(m, decision, player, tried),
        };
        *tried.0.entry(what(m, decision, m.choices()[index])).or_default() += 1;
        index
    }
}

/// A key for a choice. Copies of a card share one.
fn what(m: &Match, decision: Decision, raw: i32) -> (usize, i32) {
    let prompt = decision.prompt_index();
    let is_token = raw > 0 && m.game().declarations().prompts[prompt].domain == Domain::Token;
    let what = if is_token { m.game().layout().tokens[raw as usize - 1].definition as i32 } else { raw };
    (prompt, what)
}

fn rarest(m: &Match, decision: Decision, player: &mut Player, tried: &ChoiceCounts) -> usize {
    let often = |&raw: &i32| tried.0.get(&what(m, decision, raw)).copied().unwrap_or(0);
    let often: Vec<u64> = m.choices().iter().map(often).collect();
    let least = often.iter().min().copied().unwrap_or(0);
    let rarest: Vec<usize> = (0..often.len()).filter(|&index| often[index] == least).collect();
    rarest[player.below(rarest.len())]
}

/// The hoarder's choice; `None`: no choice brings more relics than another.
fn wanted_by_hoarder(m: &Match, decision: Decision) -> Option<usize> {
    let choices = m.choices();
    let last = choices.len() - 1;
    let best = |value: &dyn Fn(i32) -> i32| (0..=last).rev().max_by_key(|&index| value(choices[index]));
    let labelled = |label| labelled(m, label);
    match decision.prompt(m.game()) {
        "bid" => Some(last),
        "space" => best(&|cell| counter(m, "relics", cell)),
        "agent" => best(&|token| load(m, token)),
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

/// The digger's choice for many crystals of one colour.
fn wanted_by_digger(m: &Match, decision: Decision) -> Option<usize> {
    let choices = m.choices();
    let last = choices.len() - 1;
    let by_load = || (0..=last).max_by_key(|&index| if choices[index] > 0 { load(m, choices[index]) } else { 0 });
    let least_load = || (0..=last).min_by_key(|&index| load(m, choices[index]));
    let (carrying, colour) = (m.round() == CARRYING, m.setup().seed / 7 % 3);
    match decision.prompt(m.game()) {
        // Bid crystals return to the supply, so only white ones may be bid.
        "bid" => Some(if m.round() > CARRYING && colour == 2 { last } else { 0 }),
        "agent" => {
            if carrying {
                by_load()
            } else {
                least_load()
            }
        }
        "gear" => {
            if carrying {
                by_load()
            } else {
                labelled(m, "done")
            }
        }
        "action" => labelled(m, if carrying { "load_home" } else { "overtime" }),
        "take" => Some(last),
        "overtime_red" => Some(if colour == 0 { last } else { 0 }),
        "overtime_blue" => Some(if colour == 1 { last } else { 0 }),
        "stack" => labelled(m, "transporter"),
        _ => None,
    }
}

/// Index of the choice with this label.
fn labelled(m: &Match, label: &str) -> Option<usize> {
    m.choices().iter().position(|&raw| raw < 0 && m.describe(raw).id == label)
}

/// The value of a named counter. Holder 0 is the game.
pub fn counter(m: &Match, name: &str, holder: i32) -> i32 {
    let index = m.game().declarations().counters.get_index_of(name).unwrap_or_else(|| panic!("no counter {name}"));
    m.counter(holder, index).unwrap_or(0)
}

/// The load of an agent or a relic.
fn load(m: &Match, token: i32) -> i32 {
    let (d, token) = (m.game().declarations(), m.game().layout().tokens[token as usize - 1]);
    match d.kinds[token.kind].attributes.get_index_of("load").map(|at| &d.definitions[token.definition].attributes[at])
    {
        Some(&Value::Integer(load)) => load,
        other => panic!("a load is a number, not {other:?}"),
    }
}

fn relics_in_camp(m: &Match, player: i32) -> i32 {
    let zone = m.game().declarations().zones.get_index_of("camp_relics").expect("there are relics in camps");
    m.zone(zone, player).map_or(0, |relics| relics.len() as i32)
}
