//! Actions for tokens: by definition and zone, or by place.

use indexmap::IndexSet;

use super::range::Seats;
use crate::flow::code::token_code;
use crate::state::layout::{Layout, Pile};
use crate::state::sight::{Sight, TokenSight};
use motherlode_content::declare::{Declarations, Holder, Visibility};

/// No action.
const NONE: u32 = u32::MAX;

/// The actions for tokens.
#[derive(Debug, Clone, Default)]
pub struct TokenActions {
    /// For each zone, the first of its slots.
    slots: Vec<usize>,
    /// Number of slots; one more than those of zones, for all other places.
    len: usize,
    /// For each definition and slot the first action, and the number of actions for tokens that differ.
    named: Vec<(u32, u32)>,
    /// For each slot the action of the lowest place, and the number of places.
    places: Vec<(u32, u32)>,
    /// The action for a token whose zone the seat cannot see.
    unseen: u32,
    /// For each definition: whether its tokens in a slot of one action never differ.
    alike: Vec<bool>,
}

/// The tokens named so far in one decision.
#[derive(Debug, Clone, Default)]
pub struct NamedTokens {
    /// The first action of a definition in a slot, the code of a token, and its action.
    list: Vec<(u32, u64, u32)>,
}

impl NamedTokens {
    /// Begins another decision.
    pub fn clear(&mut self) {
        self.list.clear();
    }

    /// The action of a token among those that begin at `first`; `None`: all are taken.
    fn take(&mut self, (first, len): (u32, u32), code: u64) -> Option<u32> {
        let of_slot = || self.list.iter().filter(|one| one.0 == first);
        if let Some(&(_, _, action)) = of_slot().find(|one| one.1 == code) {
            return Some(action);
        }
        let used = u32::try_from(of_slot().count()).unwrap_or(u32::MAX);
        let action = (used < len).then(|| first + used)?;
        self.list.push((first, code, action));
        Some(action)
    }
}

impl TokenActions {
    /// Numbers the actions for the tokens of a game.
    pub fn new(d: &Declarations, layout: &Layout, names: &mut IndexSet<String>) -> Self {
        let mut all = Self::default();
        let mut slots = Vec::new();
        for (zone, slot) in layout.zones.iter().enumerate() {
            all.slots.push(slots.len());
            slots.extend((0..slot.len).map(|seat| (zone, seat)));
        }
        all.len = slots.len() + 1;
        let mut copies = vec![0usize; d.definitions.len()];
        layout.tokens.iter().for_each(|token| copies[token.definition] += 1);
        let is_alike = |kind: usize| d.kinds[kind].per != Holder::Player && !has_counters(d, kind);
        all.alike = d.definitions.iter().zip(&copies).map(|(one, &copies)| copies < 2 || is_alike(one.kind)).collect();
        let add = |names: &mut IndexSet<String>, name: &str, len: usize| {
            let first = names.len();
            for number in 1..=len {
                names.insert(if number == 1 { name.to_owned() } else { format!("{name}#{number}") });
            }
            if len == 0 { (NONE, 0) } else { (as_u32(first), as_u32(len)) }
        };
        for (definition, &copies) in d.definitions.iter().zip(&copies) {
            let token = format!("token:{}.{}", d.kinds.keys()[definition.kind], definition.id);
            for &(zone, seat) in &slots {
                let len = different(d, layout, definition.kind, copies, (zone, seat));
                all.named.push(add(names, &format!("{token}@{}", slot_name(d, zone, seat)), len));
            }
            all.named.push(add(names, &token, copies));
        }
        for &(zone, seat) in &slots {
            let hides = may_hide(&d.zones[zone].visible, d.zones[zone].internal, seat);
            let len = if hides { layout.zones[zone].capacity } else { 0 };
            let first = names.len();
            names.extend((1..=len).map(|place| format!("place:{}#{place}", slot_name(d, zone, seat))));
            all.places.push(if len == 0 { (NONE, 0) } else { (as_u32(first), as_u32(len)) });
        }
        all.unseen = as_u32(names.insert_full("place:?".to_owned()).0);
        all
    }

    /// The action of a token as the deciding seat sees it.
    pub fn number(&self, sight: &Sight<'_>, token: i32, seats: Seats, named: &mut NamedTokens) -> Option<u32> {
        match sight.shown(token) {
            TokenSight::Hidden => Some(self.unseen),
            TokenSight::Place { pile, place } => {
                let (first, len) = self.places[self.slot(sight.layout.piles[pile], seats)];
                let place = u32::try_from(place).ok().filter(|place| *place < len);
                Some(place.map_or(self.unseen, |place| first + place))
            }
            TokenSight::Token(_) => {
                let definition = sight.layout.tokens.get(usize::try_from(token - 1).ok()?)?.definition;
                let pile = sight.pile_of(token).filter(|&pile| sight.counts(pile));
                let slot = pile.map_or(self.len - 1, |pile| self.slot(sight.layout.piles[pile], seats));
                let (own, others) = (self.named[definition * self.len + slot], (definition + 1) * self.len - 1);
                if own.1 == 1 && self.alike[definition] {
                    return Some(own.0);
                }
                let code = token_code(sight, token);
                named.take(own, code).or_else(|| named.take(self.named[others], code))
            }
        }
    }

    /// The slot of a pile, for the deciding seat.
    fn slot(&self, pile: Pile, seats: Seats) -> usize {
        let first = self.slots[pile.zone];
        usize::try_from(pile.holder - 1).map_or(first, |seat| first + seats.to(seat))
    }
}

/// Maximum tokens of a definition in a slot that a seat can tell apart; 0: they count as in another zone.
fn different(d: &Declarations, layout: &Layout, kind: usize, copies: usize, (zone, seat): (usize, usize)) -> usize {
    let declared = &d.zones[zone];
    let is_seen = match declared.visible {
        _ if declared.internal => true,
        Visibility::Public | Visibility::Face => true,
        Visibility::Owner | Visibility::Secret => layout.zones[zone].first == 1 && seat == 0,
        Visibility::Others => layout.zones[zone].first == 1 && seat > 0,
        Visibility::Count | Visibility::Nobody => false,
    };
    if !is_seen || !declared.holds.contains(&kind) {
        return 0;
    }
    let has_sets = d.kinds[kind].per == Holder::Player;
    let has_faces = declared.visible == Visibility::Face;
    let most = match (has_counters(d, kind), has_sets && declared.per != Holder::Player, has_faces) {
        (true, ..) => copies,
        (_, true, _) => usize::from(d.players.max) * if has_faces { 2 } else { 1 },
        (.., true) => 2,
        _ => 1,
    };
    most.min(copies).min(layout.zones[zone].capacity)
}

/// Whether tokens of a kind have counters.
fn has_counters(d: &Declarations, kind: usize) -> bool {
    d.counters.values().any(|counter| matches!(counter.per, Holder::Token(_)) && d.is_of(counter.per, kind))
}

/// Whether a seat may see the number of tokens in a slot but not all of the tokens.
fn may_hide(visible: &Visibility, internal: bool, seat: usize) -> bool {
    match visible {
        _ if internal => false,
        Visibility::Owner => seat > 0,
        Visibility::Others => seat == 0,
        Visibility::Count | Visibility::Face => true,
        Visibility::Public | Visibility::Secret | Visibility::Nobody => false,
    }
}

fn slot_name(d: &Declarations, zone: usize, seat: usize) -> String {
    let name = &d.zones.keys()[zone];
    if seat == 0 { name.clone() } else { format!("{name}+{seat}") }
}

fn as_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
