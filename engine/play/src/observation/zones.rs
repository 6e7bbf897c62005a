//! Zones in observations: numbers of tokens by definition.

use motherlode::declare::{Declarations, Holder, Visibility};
use motherlode::tools::Layout;

use super::numbers::Numbers;
use super::part::{Parts, View, definition_name, rows};

/// No column.
const NONE: u16 = u16::MAX;

/// A zone: for each holder the number of tokens of each definition, then the number of tokens that the seat cannot
/// identify. In a zone with faces, the number of tokens that lie face down follows.
#[derive(Debug)]
pub(super) struct ZonePart {
    /// Index of the first pile.
    pile: usize,
    /// Word of the first holder's length, and the words of each holder.
    word: usize,
    stride: usize,
    is_player: bool,
    visible: Visibility,
    /// Rows for the owners of the tokens: one if the zone has no tokens of players' sets, or a holder for each player.
    owners: usize,
    /// For each token the column of its definition.
    columns: Vec<u16>,
    /// Columns of definitions.
    definitions: usize,
    /// All columns.
    width: usize,
    out: usize,
}

impl ZonePart {
    pub fn new(d: &Declarations, layout: &Layout, index: usize, parts: &mut Parts) -> Option<Self> {
        let (name, zone) = d.zones.get_index(index)?;
        let slot = &layout.zones[index];
        if zone.internal || slot.capacity == 0 || zone.visible == Visibility::Nobody {
            return None;
        }
        let is_player = zone.per == Holder::Player;
        // Nobody identifies the tokens of a face-down pile, except for those that were shown.
        let mut columns = vec![NONE; d.definitions.len()];
        let mut definitions = 0;
        let mut names = Vec::new();
        for (column, definition) in columns.iter_mut().zip(&d.definitions) {
            if zone.holds.contains(&definition.kind) && d.kinds[definition.kind].tokens {
                *column = definitions;
                definitions += 1;
                names.push(definition_name(d, definition));
            }
        }
        let has_sets = !is_player && zone.holds.iter().any(|&kind| d.kinds[kind].per == Holder::Player);
        let owners = if has_sets { layout.players } else { 1 };
        let definitions = usize::from(definitions);
        let width = definitions + if zone.visible == Visibility::Face { 2 } else { 1 };
        let holders = rows(zone.per, layout.players) * owners;
        let shape = if holders > 1 { vec![holders, width] } else { vec![width] };
        let out = parts.add(format!("zone:{name}"), &shape, 0.0, slot.capacity as f32);
        names.extend(["unidentified", "face_down"].into_iter().map(str::to_owned).take(width - definitions));
        parts.name_columns(names);
        Some(Self {
            pile: slot.pile,
            word: slot.offset,
            stride: slot.capacity + 1,
            is_player,
            visible: zone.visible,
            owners,
            columns: layout.tokens.iter().map(|token| columns.get(token.definition).copied().unwrap_or(NONE)).collect(),
            definitions,
            width,
            out,
        })
    }

    pub fn write(&self, view: &View<'_>, out: &mut (impl Numbers + ?Sized)) {
        let holders = if self.is_player { view.players } else { 1 };
        for holder in 0..holders {
            let row = if self.is_player { view.row_of(holder) } else { 0 };
            self.write_pile(view, holder, row, out);
        }
    }

    fn write_pile(&self, view: &View<'_>, holder: usize, row: usize, out: &mut (impl Numbers + ?Sized)) {
        let sight = &view.sight;
        let offset = self.word + holder * self.stride;
        let len = (sight.words[offset].max(0) as usize).min(self.stride - 1);
        if len == 0 {
            return;
        }
        let pile = self.pile + holder;
        let sees_all = match self.visible {
            Visibility::Public => true,
            Visibility::Owner | Visibility::Secret => self.is_player && row == 0,
            Visibility::Others => self.is_player && row > 0,
            _ => false,
        };
        let tokens = &sight.words[offset + 1..=offset + len];
        let column = |token: i32| self.columns.get((token - 1) as usize).copied().filter(|&column| column != NONE);
        if sees_all && self.owners == 1 {
            let first = self.out + row * self.width;
            let columns = tokens.iter().filter_map(|&token| column(token));
            columns.for_each(|column| out.add(first + usize::from(column), 1.0));
            return;
        }
        let is_counted = sees_all || sight.counts(pile);
        let place = sight.layout.piles[pile];
        for &token in tokens {
            let Some(info) = sight.layout.tokens.get((token - 1) as usize) else { continue };
            let owner = usize::try_from(info.owner - 1).ok().filter(|&owner| self.owners > 1 && owner < view.players);
            let row = owner.map_or(row, |owner| view.row_of(owner));
            let first = self.out + row * self.width;
            if sees_all || sight.identifies_in(place, token) {
                if let Some(column) = column(token) {
                    out.add(first + usize::from(column), 1.0);
                }
            } else if is_counted {
                out.add(first + self.definitions, 1.0);
            }
            if self.visible == Visibility::Face && sight.seen(token) & 1 == 0 {
                out.add(first + self.definitions + 1, 1.0);
            }
        }
    }
}
