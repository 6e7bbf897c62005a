//! Calls and returns.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::script::native::decode::Capture;
use crate::script::native::infer::{Analysis, Callee, Exits, State, passed};
use crate::script::native::known::{Known, KnownFunction};
use crate::script::native::library;
use crate::script::native::ty::{Made, Set, Ty, bit, tag};

/// Maximum results of a function.
const MOST_RESULTS: usize = 16;
/// Functions of the same code from which on one call takes them as one.
const MOST_ALIKE: usize = 4;
/// Maximum functions that one call may call.
const MOST_CALLED: usize = 400;

impl Analysis<'_> {
    /// The functions that a call may call; `None`: unknown ones. Functions with the same code and different upvalues are
    /// one, whose upvalues are passed.
    #[must_use]
    pub fn callees(&self, called: &Ty) -> Option<Vec<(Callee, Vec<u32>)>> {
        if let (true, Some(made)) = (called.is(bit(tag::CLOSURE)), &called.made) {
            return Some(vec![(Callee::Made(made.clone()), Vec::new())]);
        }
        let Set::Of(list) = &called.functions else { return None };
        if !called.is(bit(tag::FUNCTION)) || list.len() > MOST_CALLED {
            return None;
        }
        let mut by_code: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
        let mut out = Vec::new();
        for function in list.iter() {
            match &self.constants.functions[*function as usize] {
                KnownFunction::Script { number, .. } => by_code.entry(*number).or_default().push(*function),
                _ => out.push((Callee::Known(*function), vec![*function])),
            }
        }
        for (number, list) in by_code {
            if list.len() < MOST_ALIKE {
                out.extend(list.iter().map(|function| (Callee::Known(*function), vec![*function])));
                continue;
            }
            let of = |function: &u32| match &self.constants.functions[*function as usize] {
                KnownFunction::Script { upvalues, .. } => upvalues.as_slice(),
                _ => &[],
            };
            let count = list.first().map_or(0, |first| of(first).len());
            let upvalues = (0..count).map(|at| {
                let ty = Ty::union(list.iter().filter_map(|function| of(function).get(at).copied()));
                if ty.only().is_some() { ty } else { passed(&ty) }
            });
            let made = Made { number, upvalues: upvalues.collect(), shared: vec![false; count], own: None };
            out.push((Callee::Made(Rc::new(made)), list));
        }
        Some(out)
    }

    pub(super) fn made(&self, at: usize, (to, inner): (usize, usize), captures: &[Capture], state: &State) -> Ty {
        let upvalues = captures
            .iter()
            .map(|capture| match capture {
                Capture::Value(register) if *register == to => Ty::of(bit(tag::CLOSURE)),
                Capture::Value(register) => passed(&state.registers[*register]),
                Capture::Upvalue(index) => self.instances[at].upvalues.get(*index).cloned().unwrap_or_else(Ty::any),
                Capture::Variable(_) => Ty::any(),
            })
            .collect();
        let is_shared = |capture: &Capture| match capture {
            Capture::Value(_) => false,
            Capture::Variable(_) => true,
            Capture::Upvalue(index) => self.instances[at].shared.get(*index) == Some(&true),
        };
        let shared = captures.iter().map(is_shared).collect();
        // Luau writes the function before it captures.
        let own = captures.iter().position(|capture| *capture == Capture::Value(to));
        let made = Made { number: self.inner(self.instances[at].number, inner), upvalues, shared, own };
        Ty { made: Some(Rc::new(made)), ..Ty::of(bit(tag::CLOSURE)) }
    }

    pub(super) fn call(
        &mut self,
        at: usize,
        state: &mut State,
        (place, arguments, results): (usize, Option<usize>, Option<usize>),
        next: usize,
    ) -> Exits {
        let called = state.registers[place].only_tags(bit(tag::FUNCTION) | bit(tag::CLOSURE));
        let end = arguments.map_or(state.top, |count| place + 1 + count);
        if end <= place || end > state.registers.len() {
            return Exits::Missing("an unknown number of arguments");
        }
        let Some(callees) = self.callees(&called) else { return Exits::Missing("a call of an unknown function") };
        self.work += callees.iter().map(|(_, list)| list.len()).sum::<usize>() / 4;
        if arguments.is_none() && state.is_padded && !callees.iter().all(|(callee, _)| self.takes_padding(callee)) {
            return Exits::Missing("an unknown number of arguments");
        }
        let given: Vec<Ty> = state.registers[place + 1..end].to_vec();
        self.instances[at].calls |= callees.iter().any(|(callee, _)| self.is_script(callee));
        let (mut out, mut count): (Vec<Ty>, Option<Option<usize>>) = (Vec::new(), None);
        for (callee, _) in &callees {
            let (types, number) = match self.results_of(at, callee, &given) {
                Ok(found) => found,
                Err(why) if callees.len() == 1 => return Exits::Missing(why),
                Err(_) => continue,
            };
            for at in 0..types.len().max(out.len()) {
                let of = |list: &[Ty]| list.get(at).cloned().unwrap_or_else(Ty::nil);
                let both = if count.is_none() { of(&types) } else { of(&out).join(&of(&types)) };
                if at < out.len() {
                    out[at] = both;
                } else {
                    out.push(both);
                }
            }
            count = Some(match count {
                None => number,
                Some(before) => before.filter(|_| before == number),
            });
        }
        let Some(count) = count else { return Exits::Missing("a call of functions without machine code") };
        if place + out.len() + 1 >= state.registers.len() && results.is_none() {
            return Exits::Missing("many results");
        }
        if out.iter().any(|ty| ty.mask == 0) {
            return Exits::Missing(library::ALWAYS_ENDS);
        }
        set_results(state, place, results, &out);
        if results.is_none() {
            state.is_padded = count.is_none();
        }
        Exits::Next(next)
    }

    /// Whether a function does not notice missing arguments that are passed as `nil`.
    fn takes_padding(&self, callee: &Callee) -> bool {
        let number = match callee {
            Callee::Made(made) => made.number,
            Callee::Known(function) => match &self.constants.functions[*function as usize] {
                KnownFunction::Script { number, .. } => *number,
                KnownFunction::Kernel(_) => return true,
                _ => return false,
            },
        };
        self.function(number).is_some_and(|function| !function.is_variadic)
    }

    /// The labels of a prompt, or of all if it is not known.
    fn labels_of(&self, prompt: Option<&Ty>) -> Ty {
        let number = prompt.and_then(Ty::only).and_then(|known| match known {
            Known::Number(n) => Some(n as usize),
            _ => None,
        });
        number.and_then(|number| self.prompts.get(number)).unwrap_or(&self.labels).clone()
    }

    fn is_script(&self, callee: &Callee) -> bool {
        match callee {
            Callee::Made(_) => true,
            Callee::Known(function) => {
                matches!(self.constants.functions[*function as usize], KnownFunction::Script { .. })
            }
        }
    }

    /// The types of a call's results, and their number if it is always the same.
    fn results_of(
        &mut self,
        caller: usize,
        callee: &Callee,
        given: &[Ty],
    ) -> Result<(Vec<Ty>, Option<usize>), &'static str> {
        if let Callee::Known(function) = callee {
            match &self.constants.functions[*function as usize] {
                KnownFunction::Script { .. } => {}
                KnownFunction::Ask => {
                    self.instances[caller].asks = true;
                    return Ok((vec![Ty::word().join(&self.labels_of(given.get(1)))], Some(1)));
                }
                other => return library::called(other, given),
            }
        }
        let at = self.instance(callee, given).ok_or("too many functions")?;
        let place = self.instances[caller].at;
        self.instances[caller].called.entry(at).or_insert(place);
        let instance = &self.instances[at];
        if !instance.is_done {
            // A function that calls itself.
            return Ok((vec![Ty::any()], Some(1)));
        }
        if !instance.returns {
            let says = instance.why == Some(library::SAYS);
            return Err(if says { library::SAYS } else { library::ALWAYS_ENDS });
        }
        Ok((instance.results.clone(), instance.count))
    }

    pub(super) fn returns(&mut self, at: usize, state: &State, from: usize, count: Option<usize>) -> Exits {
        let end = count.map_or(state.top, |count| from + count);
        let is_padded = count.is_none() && state.is_padded;
        if end < from || end > state.registers.len() {
            return Exits::Missing("an unknown number of results");
        }
        let given = &state.registers[from..end];
        if given.len() > MOST_RESULTS {
            return Exits::Missing("many results");
        }
        if given.iter().any(|ty| ty.may(bit(tag::OTHER))) {
            return Exits::Missing("a result that no script uses");
        }
        let instance = &mut self.instances[at];
        if instance.returns {
            for place in 0..given.len().max(instance.results.len()) {
                let own = given.get(place).cloned().unwrap_or_else(Ty::nil);
                match instance.results.get_mut(place) {
                    Some(before) => *before = before.widen(&own),
                    None => instance.results.push(own.join(&Ty::nil())),
                }
            }
            instance.count = instance.count.filter(|count| *count == given.len() && !is_padded);
        } else {
            instance.returns = true;
            instance.results = given.to_vec();
            instance.count = (!is_padded).then_some(given.len());
        }
        Exits::Return
    }
}

/// Writes the types of results into the registers from a place on.
pub(super) fn set_results(state: &mut State, place: usize, results: Option<usize>, types: &[Ty]) {
    for n in 0..results.unwrap_or(types.len()) {
        state.registers[place + n] = types.get(n).cloned().unwrap_or_else(Ty::nil);
    }
    if results.is_none() {
        state.top = place + types.len();
    }
}
