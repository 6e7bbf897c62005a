//! Current values of attributes: the printed values, changed by the modifiers.
//!
//! The values are words of the block, computed all at once. The flow word `STALE` is not 0 while they may be out of date.

use std::ops::{Deref, DerefMut};

use motherlode_content::declare::{Bearer, Declarations, Modifier, ModifierLayer};

use crate::state::Position;
use crate::state::hearing::Viewpoint;
use crate::state::layout::word;
use crate::state::reactions::ModifierStep;

/// A token with a modifier.
struct Bearing {
    /// Index into `modifiers`.
    modifier: usize,
    /// The token.
    token: i32,
}

/// A change to make.
struct Change {
    /// The word.
    at: usize,
    /// The number of the modifier.
    number: i32,
    /// The token with the modifier; 0: none.
    source: i32,
}

/// Changes to make.
type Changes = Vec<Change>;

/// A change of a current value that a modifier has made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AppliedChange {
    /// Attribute (index into `read_attributes`).
    pub attribute: usize,
    /// The modifier (index into `modifiers`).
    pub modifier: usize,
    /// Its layer.
    pub layer: ModifierLayer,
    /// The token with the modifier; 0: none.
    pub source: i32,
    /// The number that is set, added and so on.
    pub number: i32,
    /// The value after the change.
    pub value: i32,
}

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
        self.compute(d, |_, _, _| {})
    }

    /// Computes the current values. `note` gets each change, with the value after it.
    fn compute(&mut self, d: &Declarations, mut note: impl FnMut(&ModifierStep, &Change, i32)) -> usize {
        let layout = self.layout;
        self.words[layout.current_words.clone()].copy_from_slice(&layout.reactions.printed_block);
        self.print_copies();
        let bearings = self.bearings(d, true);
        let mut changes = Changes::new();
        let mut work = layout.current_words.len() / 8 + bearings.len() + layout.reactions.steps.len();
        let mut is_lost = layout.reactions.is_printed_lost;
        let mut is_loss_over = false;
        for step in &layout.reactions.steps {
            // Modifiers of tokens that lose their abilities must not act, so the loss comes first.
            if !step.is_loss && !is_loss_over {
                is_loss_over = true;
                self.lose_abilities(is_lost);
            }
            work += self.find_changes(d, step, &bearings, &mut changes);
            is_lost |= !changes.is_empty();
            self.apply(step, &mut changes, &mut note);
        }
        if !is_loss_over {
            self.lose_abilities(is_lost);
        }
        work
    }

    /// Writes the printed values of tokens that are copies.
    fn print_copies(&mut self) {
        let layout = self.layout;
        let reactions = &layout.reactions;
        if !reactions.copies.iter().any(|copies| copies.has_values(&self.words)) {
            return;
        }
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

    /// Clears the abilities of tokens that have lost them, if there are any.
    fn lose_abilities(&mut self, is_lost: bool) {
        let layout = self.layout;
        if !is_lost {
            return;
        }
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

    fn apply(
        &mut self,
        step: &ModifierStep,
        changes: &mut Changes,
        note: &mut impl FnMut(&ModifierStep, &Change, i32),
    ) {
        for change in changes.drain(..) {
            let (value, number) = (&mut self.words[change.at], change.number);
            *value = match step.layer {
                ModifierLayer::Set => number,
                ModifierLayer::Add => value.saturating_add(number),
                ModifierLayer::Multiply => value.saturating_mul(number),
                ModifierLayer::Cap => (*value).min(number),
                ModifierLayer::Floor => (*value).max(number),
            };
            note(step, &change, *value);
        }
    }
}

impl<W: Deref<Target = [i32]>> Position<'_, W> {
    /// The changes of a token's current values, in the order in which modifiers make them.
    #[must_use]
    pub fn applied_changes(&self, d: &Declarations, token: i32) -> Vec<AppliedChange> {
        let mut found = Vec::new();
        let mut words = self.words.to_vec();
        let attribute_at = |at: usize| {
            let is_at = |first: &Option<usize>| first.is_some_and(|first| first + token as usize - 1 == at);
            self.layout.reactions.current.iter().position(is_at)
        };
        Position::new(self.layout, words.as_mut_slice()).compute(d, |step, change, value| {
            let Change { at, number, source } = *change;
            let (modifier, layer) = (step.modifier, step.layer);
            let of_token = attribute_at(at);
            found.extend(of_token.map(|attribute| AppliedChange { attribute, modifier, layer, source, number, value }));
        });
        found
    }

    /// The modifiers that change a value.
    pub fn modifiers_in_force(&self, d: &Declarations) -> Vec<usize> {
        let mut found: Vec<usize> = Vec::new();
        let bearings = self.bearings(d, false);
        let mut changes = Changes::new();
        for step in &self.layout.reactions.steps {
            self.find_changes(d, step, &bearings, &mut changes);
            if !changes.is_empty() && !found.contains(&step.modifier) {
                found.push(step.modifier);
            }
            changes.clear();
        }
        found
    }

    /// The indexed modifiers of tokens in the zones where they act, in the order in which they change values.
    /// `is_gated`: only those that may change one.
    fn bearings(&self, d: &Declarations, is_gated: bool) -> Vec<Bearing> {
        let reactions = &self.layout.reactions;
        let mut bearings = Vec::new();
        let mut last = 0;
        let mut is_sorted = true;
        let mut add = |modifier: usize, token: i32, zone: usize| {
            let is_open = || reactions.gates[modifier].as_ref().is_none_or(|gate| gate.is_open(&self.words, token));
            if d.modifiers[modifier].zones.contains(&zone) && (!is_gated || is_open()) {
                is_sorted &= last < modifier;
                last = modifier;
                bearings.push(Bearing { modifier, token });
            }
        };
        self.each_bearer(&reactions.own_modifiers, &mut add);
        let may_act =
            |modifier: &usize| reactions.gates[*modifier].as_ref().is_none_or(|gate| gate.may_be_open(&self.words));
        let shared = reactions.shared_modifiers.iter().copied();
        let shared: Vec<usize> = shared.filter(|modifier| !is_gated || may_act(modifier)).collect();
        if !shared.is_empty() {
            self.each_in(&reactions.shared_zones, |token, zone, _| {
                for &modifier in &shared {
                    if self.bears(d.modifiers[modifier].bearer, token as usize - 1) {
                        add(modifier, token, zone);
                    }
                }
            });
        }
        if !is_sorted {
            let is_by_number = |modifier: usize| reactions.is_by_number[modifier] == Some(true);
            bearings.sort_by_key(|one| (one.modifier, if is_by_number(one.modifier) { one.token } else { 0 }));
        }
        bearings
    }

    /// Finds the words that a step changes, each with its number; returns the number of tokens looked at.
    fn find_changes(
        &self,
        d: &Declarations,
        step: &ModifierStep,
        bearings: &[Bearing],
        changes: &mut Changes,
    ) -> usize {
        let (index, modifier) = (step.modifier, &d.modifiers[step.modifier]);
        if bearings.is_empty() && self.layout.reactions.is_by_number[index].is_some() {
            return 0;
        }
        let reactions = &self.layout.reactions;
        let is_ability = matches!(modifier.bearer, Bearer::Definition(_));
        let each = if modifier.of.is.is_some() { 1 } else { self.layout.tokens.len() / 8 };
        if reactions.is_by_number[index].is_some() {
            let first = bearings.partition_point(|one| one.modifier < index);
            let bearers = bearings[first..].iter().take_while(|one| one.modifier == index);
            let mut active = 0;
            for one in bearers.filter(|one| self.acts(&[], one.token, is_ability)) {
                self.find(modifier, step, one.token, self.player_of(one.token), changes);
                active += 1;
            }
            return active * each;
        }
        if modifier.bearer == Bearer::Game {
            self.find(modifier, step, 0, 0, changes);
            return self.layout.tokens.len();
        }
        if modifier.bearer == Bearer::Players {
            self.each_player(d, |player| self.find(modifier, step, 0, player, changes));
            return self.layout.tokens.len();
        }
        if let Some((held, number)) = reactions.held_by_modifiers[index] {
            self.each_holder(held, number, |player| self.find(modifier, step, 0, player, changes));
            return self.layout.tokens.len();
        }
        let has_copies = |definition: usize| reactions.becomes[d.definitions[definition].kind].is_some();
        let is_by_zone = match modifier.bearer {
            Bearer::Definition(definition) => has_copies(definition),
            Bearer::Game | Bearer::Players | Bearer::Kind(_) => true,
        };
        if !modifier.zones.is_empty() && is_by_zone {
            let mut active = 0;
            self.each_in(&modifier.zones, |token, _, _| {
                if self.bears(modifier.bearer, token as usize - 1) && self.acts(&[], token, is_ability) {
                    self.find(modifier, step, token, self.player_of(token), changes);
                    active += 1;
                }
            });
            return active * each;
        }
        let bearers = &reactions.bearers_of_modifiers[index];
        let mut active = 0;
        for &token in bearers {
            if self.bears(modifier.bearer, token as usize - 1) && self.acts(&modifier.zones, token, is_ability) {
                self.find(modifier, step, token, self.player_of(token), changes);
                active += 1;
            }
        }
        bearers.len() + active * each
    }

    /// Finds the words that a step of a modifier changes for one of its bearers.
    fn find(&self, modifier: &Modifier, step: &ModifierStep, this: i32, you: i32, changes: &mut Changes) {
        let from = Viewpoint { this, you, ..Viewpoint::default() };
        if !self.holds(&modifier.conditions, &from) {
            return;
        }
        for &change in &step.changes {
            let (_, attribute, formula) = &modifier.changes[change];
            let Some(first) = self.layout.reactions.current[*attribute] else { continue };
            let number = self.number(formula, &from);
            let compiled = self.layout.reactions.modified.get(step.modifier);
            self.each_selected(&modifier.of, compiled, &from, |token| {
                changes.push(Change { at: first + token as usize - 1, number, source: this })
            });
        }
    }
}
