//! Fields and lengths of tables, and loops over them.

use crate::script::bytecode::Function;
use crate::script::native::decode::Operand;
use crate::script::native::infer::{Analysis, Exits, State, narrow};
use crate::script::native::known::{Access, Constants, Known};
use crate::script::native::lookup;
use crate::script::native::ty::{Set, Ty, bit, tag};

impl Analysis<'_> {
    /// How tables behave that are not all read-only.
    #[must_use]
    pub fn special(&self, tables: &Ty) -> Option<Access> {
        let Set::Of(list) = &tables.tables else { return None };
        let access = list.iter().map(|table| self.constants.table(*table).access);
        let mut special = access.filter(|access| !matches!(access, Access::Plain | Access::Guarded));
        let first = special.next()?;
        Some(if list.len() == 1 { first } else { Access::Open })
    }

    pub(super) fn get(
        &mut self,
        function: &Function,
        (to, table, key): (usize, usize, Operand),
        next: usize,
        state: &mut State,
    ) -> Exits {
        let of = state.registers[table].readable();
        let by = self.operand(function, state, key);
        if of.mask == 0 {
            return Exits::Missing("a field of something other than a table");
        }
        state.registers[table] = of.clone();
        // Luau takes a floating point number that is whole as an integer.
        let by = by.only_tags(!bit(tag::NUMBER));
        if by.mask == 0 {
            return Exits::Missing("a key that is no integer");
        }
        narrow(state, key, !bit(tag::NUMBER));
        if of.may(bit(tag::NEW)) {
            state.registers[to] = Ty::any();
            return Exits::Next(next);
        }
        if let Some(special) = self.special(&of) {
            state.registers[to] = match special {
                Access::Players => Ty::of(bit(tag::NEW)),
                Access::Options => match self.option(&of, &by) {
                    Some(ty) => ty,
                    None => return Exits::Missing("an unknown option"),
                },
                _ => return Exits::Missing("a table that may change"),
            };
            return Exits::Next(next);
        }
        let Set::Of(tables) = &of.tables else { return Exits::Missing("a field of an unknown table") };
        let by = lookup::usable_key(self.constants, tables, &by);
        narrow(state, key, by.mask);
        let memo = (of.tables.clone(), by.clone());
        let found = match self.fields.get(&memo) {
            Some(found) => found.clone(),
            None => {
                let is_one = by.only().is_some();
                let fields = |table: &u32| if is_one { 1 } else { self.constants.table(*table).fields.len() };
                self.work += tables.iter().map(fields).sum::<usize>() / 8;
                let found = lookup::field(self.constants, tables, &by);
                self.fields.insert(memo, found.clone());
                found
            }
        };
        match found {
            Some(found) => state.registers[to] = found,
            None => return Exits::Missing("a field that is missing"),
        }
        Exits::Next(next)
    }

    /// The type of an option.
    fn option(&self, table: &Ty, name: &Ty) -> Option<Ty> {
        Some(match self.constants.field(table.tables.only()?, name.only()?)? {
            Known::Boolean(_) => Ty::boolean(),
            Known::Number(_) => Ty::word(),
            _ => Ty::texts(Set::All),
        })
    }

    pub(super) fn length(&self, of: &Ty) -> Ty {
        match &of.tables {
            Set::Of(tables) if !of.may(bit(tag::NEW)) => {
                let lengths = tables.iter().map(|table| self.constants.table(*table).length);
                Ty::union(lengths.map(|length| Known::Number(length as f64)))
            }
            _ => Ty::int(0, i64::from(i32::MAX)),
        }
    }

    pub(super) fn loop_fields(
        &mut self,
        state: &State,
        place: usize,
        variables: usize,
        is_list: bool,
        (body, exit): (usize, usize),
    ) -> Exits {
        let of = &state.registers[place + 1];
        if !state.registers[place].is(bit(tag::NIL)) || !of.is(bit(tag::TABLE) | bit(tag::NEW)) {
            return Exits::Missing("a loop with a function");
        }
        if of.tag().is_none() {
            return Exits::Missing("a loop over one of two kinds of tables");
        }
        let mut items = (Ty::never(), Ty::never());
        if of.may(bit(tag::TABLE)) {
            let Set::Of(tables) = &of.tables else { return Exits::Missing("a loop over an unknown table") };
            if self.special(of).is_some() {
                return Exits::Missing("a loop over a table that may change");
            }
            let is_ordered = |table: &u32| is_ordered(self.constants, *table, is_list);
            if !tables.iter().all(is_ordered) {
                return Exits::Missing("a loop in an order that machine code does not know");
            }
            items = lookup::items(self.constants, tables, is_list);
            self.work += tables.iter().map(|table| self.constants.table(*table).fields.len()).sum::<usize>() / 8;
        }
        if of.may(bit(tag::NEW)) {
            items.0 = items.0.join(&Ty::int(1, i64::from(i32::MAX)));
            items.1 = items.1.join(&Ty::any().only_tags(!bit(tag::NIL)));
        }
        let mut exits = vec![(exit, state.clone())];
        if items.0.mask != 0 {
            let mut inside = state.clone();
            for variable in 0..variables {
                let ty = match variable {
                    0 => items.0.clone(),
                    1 => items.1.clone(),
                    _ => Ty::nil(),
                };
                inside.registers[place + 3 + variable] = ty;
            }
            exits.push((body, inside));
        }
        Exits::To(exits)
    }
}

/// Whether the order of iteration over a known table is the same everywhere. A loop over a list ends behind it.
#[must_use]
fn is_ordered(constants: &Constants, table: u32, is_list: bool) -> bool {
    let table = constants.table(table);
    let listed = table.fields.values().take(table.length);
    let is_sequence = listed.zip(1..).all(|((key, _), place)| *key == Known::Number(f64::from(place)))
        && table.fields.len() >= table.length;
    if is_list {
        return is_sequence && !table.fields.contains_key(&Known::Number(table.length as f64 + 1.0).bits());
    }
    table.fields.values().all(|(key, _)| !matches!(key, Known::Table(_) | Known::Function(_)))
}
