//! Current values of attributes: the printed values, changed by the modifiers.
//!
//! The values are words of the block, computed all at once. The flow word `STALE` is not 0 while they may be out of date.

use std::ops::{Deref, DerefMut};

use motherlode_content::declare::{Bearer, Declarations, ModifierLayer};

use crate::state::Position;
use crate::state::hearing::Viewpoint;
use crate::state::layout::word;
use crate::state::reactions::ModifierStep;

/// Changes to make: word and number.
type Changes = Vec<(usize, i32)>;

impl<W: DerefMut<Target = [i32]>> Position<'_, W> {
    /// Marks the current values as out of date.
    pub fn mark_stale(&mut self) {
        self.words[word::STALE] = i32::from(self.layout.reactions.has_current());
    }

    /// Computes the current values, if the game has any.
    pub fn refresh_all(&mut self, d: &Declarations) {
        if self.layout.reactions.has_current() {
            self.mark_stale();
            self.refresh(d);
        }
    }

    /// Computes the current values if they may be out of date; returns the number of values and bearers looked at.
    pub fn refresh(&mut self, d: &Declarations) -> usize {
        if self.words[word::STALE] == 0 {
            return 0;
        }
        self.words[word::STALE] = 0;
        let layout = self.layout;
        for (printed, first) in layout.reactions.printed.iter().zip(&layout.reactions.current) {
            if let Some(first) = *first {
                self.words[first..first + printed.len()].copy_from_slice(printed);
            }
        }
        self.print_copies();
        let mut changes = Changes::new();
        let mut work = layout.tokens.len() * d.current.len() / 8;
        let mut is_loss_over = false;
        for step in &layout.reactions.steps {
            // Modifiers of tokens that lose their abilities must not act, so the loss comes first.
            if !step.is_loss && !is_loss_over {
                is_loss_over = true;
                self.lose_abilities();
            }
            work += self.find_changes(d, step, &mut changes);
            self.apply(step.layer, &mut changes);
        }
        if !is_loss_over {
            self.lose_abilities();
        }
        work
    }

    /// Writes the printed values of tokens that are copies.
    fn print_copies(&mut self) {
        let layout = self.layout;
        let reactions = &layout.reactions;
        for (kind, copied) in reactions.becomes.iter().enumerate() {
            let Some(slot) = copied.map(|copied| &layout.counters[copied]) else { continue };
            for index in 0..slot.len {
                let (number, token) = (self.words[slot.offset + index], slot.first as usize + index - 1);
                if number <= 0 {
                    continue;
                }
                let definition = reactions.first_of_kind[kind] + number as usize - 1;
                for (printed, first) in reactions.printed_on.iter().zip(&reactions.current) {
                    if let Some(first) = first {
                        self.words[first + token] = printed[definition];
                    }
                }
            }
        }
    }

    /// Clears the abilities of tokens that have lost them.
    fn lose_abilities(&mut self) {
        let layout = self.layout;
        for (index, info) in layout.tokens.iter().enumerate() {
            let lost = &layout.reactions.lost[info.kind];
            let Some(switch) = layout.reactions.abilities[index].filter(|_| !lost.is_empty()) else { continue };
            if self.attribute(switch, index as i32 + 1) == 0 {
                for first in lost.iter().filter_map(|attribute| layout.reactions.current[*attribute]) {
                    self.words[first + index] = 0;
                }
            }
        }
    }

    fn apply(&mut self, layer: ModifierLayer, changes: &mut Changes) {
        for (at, number) in changes.drain(..) {
            let value = &mut self.words[at];
            *value = match layer {
                ModifierLayer::Set => number,
                ModifierLayer::Add => value.saturating_add(number),
                ModifierLayer::Multiply => value.saturating_mul(number),
                ModifierLayer::Cap => (*value).min(number),
                ModifierLayer::Floor => (*value).max(number),
            };
        }
    }
}

impl<W: Deref<Target = [i32]>> Position<'_, W> {
    /// The modifiers that change a value.
    pub fn modifiers_in_force(&self, d: &Declarations) -> Vec<usize> {
        let mut found: Vec<usize> = Vec::new();
        let mut changes = Changes::new();
        for step in &self.layout.reactions.steps {
            self.find_changes(d, step, &mut changes);
            if !changes.is_empty() && !found.contains(&step.modifier) {
                found.push(step.modifier);
            }
            changes.clear();
        }
        found
    }

    /// Finds the words that a step changes, each with its number; returns the number of tokens looked at.
    fn find_changes(&self, d: &Declarations, step: &ModifierStep, changes: &mut Changes) -> usize {
        let (index, modifier) = (step.modifier, &d.modifiers[step.modifier]);
        let mut find = |this: i32, you: i32| {
            let from = Viewpoint { this, you, ..Viewpoint::default() };
            if !self.holds(d, &modifier.conditions, &from) {
                return;
            }
            for &change in &step.changes {
                let (_, attribute, formula) = &modifier.changes[change];
                let Some(first) = self.layout.reactions.current[*attribute] else { continue };
                let number = self.number(d, formula, &from);
                self.each_selected(d, &modifier.of, &from, |token| changes.push((first + token as usize - 1, number)));
            }
        };
        if modifier.bearer == Bearer::Game {
            find(0, 0);
            return self.layout.tokens.len();
        }
        if modifier.bearer == Bearer::Players {
            self.each_player(d, |player| find(0, player));
            return self.layout.tokens.len();
        }
        if let Some((held, number)) = self.layout.reactions.held_by_modifiers[index] {
            self.each_holder(held, number, |player| find(0, player));
            return self.layout.tokens.len();
        }
        let each = if modifier.of.is.is_some() { 1 } else { self.layout.tokens.len() / 8 };
        let is_ability = matches!(modifier.bearer, Bearer::Definition(_));
        if !modifier.zones.is_empty() && (!is_ability || self.has_copies(d, modifier.bearer)) {
            let mut active = 0;
            self.each_in(&modifier.zones, |token| {
                if self.bears(d, modifier.bearer, token as usize - 1) && self.acts(&[], token, is_ability) {
                    find(token, self.player_of(token));
                    active += 1;
                }
            });
            return active * each;
        }
        let bearers = &self.layout.reactions.bearers_of_modifiers[index];
        let mut active = 0;
        for &token in bearers {
            if is_ability && !self.bears(d, modifier.bearer, token as usize - 1) {
                continue;
            }
            if self.acts(&modifier.zones, token, is_ability) {
                find(token, self.player_of(token));
                active += 1;
            }
        }
        bearers.len() + active * each
    }
}
