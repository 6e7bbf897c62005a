//! Evaluates filters and formulas, and finds the listeners of an event.
//!
//! Filters and formulas are data, so a position evaluates them without a script.

use std::ops::Deref;

use motherlode_content::declare::{
    ArgFilter, Bearer, Bounds, Condition, Declarations, Event, EventArg, Field, Filter, Formula, Held, Holder,
    Listener, MAX_ARGS, Moment, Reference, Term, Test, Thing, Turns, Whose,
};

use crate::state::Position;
use crate::state::layout::{MAX_PLAYERS, word};

/// A listener that an event reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heard {
    /// Index into `listeners`.
    pub listener: usize,
    /// The token that has it; 0: the game.
    pub token: i32,
    /// The player whom it serves; 0: nobody.
    pub player: i32,
    /// The number `x` of the listener.
    pub x: i32,
}

/// The values of an event's arguments, then a token and a player for each target; 0 is a missing one.
pub type EventArgs = [i32; MAX_ARGS];

/// The place from which a filter or a formula is evaluated.
#[derive(Debug, Clone, Copy, Default)]
pub struct Viewpoint {
    /// The token that has it; 0: none.
    pub this: i32,
    /// The player whom it serves; 0: nobody.
    pub you: i32,
    /// The arguments of the event.
    pub args: EventArgs,
    /// The number `x`.
    pub x: i32,
}

impl<W: Deref<Target = [i32]>> Position<'_, W> {
    /// The player in whose zone a token is; in a zone of the game or in none, the player to whose set it belongs; 0:
    /// nobody.
    #[must_use]
    pub fn player_of(&self, token: i32) -> i32 {
        let Some(index) = self.index_of(token) else { return 0 };
        let holder = self.pile_of(token).map_or(0, |pile| self.layout.piles[pile].holder);
        if holder == 0 { self.layout.tokens[index].owner } else { holder }
    }

    /// Finds the listeners of an event at a moment, in the order in which they act: those of the game, then those of
    /// each player from the one on turn. `back`: only those that look back, or only the others.
    pub fn hear(
        &self,
        d: &Declarations,
        event: usize,
        moment: Moment,
        args: EventArgs,
        back: Option<bool>,
        heard: &mut Vec<Heard>,
    ) {
        let reactions = &self.layout.reactions;
        let Some(moments) = reactions.by_event.get(event) else { return };
        let Some((_, base)) = d.events.get_index(event) else { return };
        heard.clear();
        for &index in &moments[moment as usize] {
            if back.is_some_and(|back| back != reactions.looks_back[index]) {
                continue;
            }
            let listener = &d.listeners[index];
            let mut try_one = |token: i32, player: i32| {
                // What lies before everybody serves the player of the event.
                let player = if player == 0 { self.concerned(base, &args) } else { player };
                let mut from = Viewpoint { this: token, you: player, args, x: 0 };
                if self.reaches(d, listener, &from) {
                    from.x = listener.x.as_ref().map_or(0, |x| self.number(d, x, &from));
                    heard.push(Heard { listener: index, token, player, x: from.x });
                }
            };
            if listener.bearer == Bearer::Game {
                try_one(0, self.concerned(base, &args));
                continue;
            }
            if listener.bearer == Bearer::Players {
                self.each_player(d, |player| try_one(0, player));
                continue;
            }
            if let Some((held, number)) = reactions.held_by_listeners[index] {
                self.each_holder(held, number, |player| try_one(0, player));
                continue;
            }
            let is_ability = matches!(listener.bearer, Bearer::Definition(_));
            if let Some(arg) = reactions.own_args[index] {
                let token = args.get(arg).copied().unwrap_or(0);
                let is_bearer = self.index_of(token).is_some_and(|at| self.bears(d, listener.bearer, at));
                if is_bearer && self.acts(&listener.zones, token, is_ability) {
                    try_one(token, self.player_of(token));
                }
                continue;
            }
            if self.has_copies(d, listener.bearer) && !listener.zones.is_empty() {
                self.each_in(&listener.zones, |token| {
                    if self.bears(d, listener.bearer, token as usize - 1) && self.acts(&[], token, true) {
                        try_one(token, self.player_of(token));
                    }
                });
                continue;
            }
            for &token in &reactions.bearers_of_listeners[index] {
                if is_ability && !self.bears(d, listener.bearer, token as usize - 1) {
                    continue;
                }
                if self.acts(&listener.zones, token, is_ability) {
                    try_one(token, self.player_of(token));
                }
            }
        }
        if heard.len() > 1 {
            let seats = self.words[word::PLAYERS].max(1);
            let turn = self.player_on_turn(d).max(1);
            let rank = |heard: &Heard| match heard.player {
                _ if heard.token == 0 => -1,
                0 => seats,
                player => (player - turn).rem_euclid(seats),
            };
            heard.sort_by_key(|heard| (rank(heard), heard.listener, heard.token));
        }
    }

    /// The player on turn; in a phase without turns the one who begins, if the phase says so; 0: nobody.
    #[must_use]
    pub fn player_on_turn(&self, d: &Declarations) -> i32 {
        let phase = usize::try_from(self.words[word::PHASE]).ok().and_then(|phase| d.phases.get_index(phase));
        match phase {
            Some((_, phase)) if matches!(phase.turns, Turns::None | Turns::Priority) && phase.first.is_some() => {
                phase.first.and_then(|counter| self.counter(counter, 0)).unwrap_or(0)
            }
            _ => self.words[word::ORDER + (self.words[word::TURN].max(0) as usize).min(MAX_PLAYERS - 1)],
        }
    }

    /// The player whom an event concerns: its first player, or the one of its first token; 0: nobody.
    #[must_use]
    pub fn concerned(&self, event: &Event, args: &EventArgs) -> i32 {
        let of = |wanted: EventArg| {
            let all = event.args.values().zip(args);
            all.filter(move |(of, value)| **of == wanted && **value > 0).map(|(_, value)| *value).next()
        };
        of(EventArg::Player).or_else(|| of(EventArg::Token).map(|token| self.player_of(token))).unwrap_or(0)
    }

    /// The definition (index into `definitions`) of a token (index): the one that it is a copy of, or its own.
    #[must_use]
    pub fn definition_of(&self, d: &Declarations, index: usize) -> usize {
        let info = &self.layout.tokens[index];
        let copied =
            self.layout.reactions.becomes[info.kind].and_then(|counter| self.counter(counter, index as i32 + 1));
        match copied {
            Some(number @ 1..) => d.kinds[info.kind].first + number as usize - 1,
            _ => info.definition,
        }
    }

    /// Whether other tokens may become copies of a bearer, which is a definition.
    pub(super) fn has_copies(&self, d: &Declarations, bearer: Bearer) -> bool {
        match bearer {
            Bearer::Definition(index) => self.layout.reactions.becomes[d.definitions[index].kind].is_some(),
            Bearer::Game | Bearer::Players | Bearer::Kind(_) => false,
        }
    }

    /// Whether a token (index) is of a definition or a kind.
    pub(super) fn bears(&self, d: &Declarations, bearer: Bearer, index: usize) -> bool {
        let info = &self.layout.tokens[index];
        match bearer {
            Bearer::Game | Bearer::Players => false,
            Bearer::Definition(definition) => self.definition_of(d, index) == definition,
            Bearer::Kind(kind) => d.is_of(Holder::Token(kind), info.kind),
        }
    }

    /// Visits the tokens in these zones, or all tokens of the match if there are none.
    pub(super) fn each_in(&self, zones: &[usize], mut visit: impl FnMut(i32)) {
        if zones.is_empty() {
            for (number, info) in (1..).zip(&self.layout.tokens) {
                if info.owner <= self.words[word::PLAYERS] {
                    visit(number);
                }
            }
            return;
        }
        for slot in zones.iter().map(|zone| &self.layout.zones[*zone]) {
            for pile in slot.pile..slot.pile + slot.len {
                self.tokens(pile).iter().for_each(|&token| visit(token));
            }
        }
    }

    /// Visits the players who are in the game, from the one on turn.
    pub(super) fn each_player(&self, d: &Declarations, visit: impl FnMut(i32)) {
        let seats = self.words[word::PLAYERS].max(1);
        let first = self.player_on_turn(d).max(1) - 1;
        let players = (0..seats).map(|step| (first + step) % seats + 1);
        players.filter(|player| self.words[word::OUT] >> (player - 1) & 1 == 0).for_each(visit);
    }

    /// Visits the holders of a definition without tokens (`number`, from 0; `None`: of any of the kind): players, or the
    /// game (0).
    pub(super) fn each_holder(&self, held: Held, number: Option<usize>, mut visit: impl FnMut(i32)) {
        let (counter, wanted) = match (held, number) {
            (Held::One(counter), number) => (counter, number.map(|number| number as i32 + 1)),
            (Held::Family(first), number) => (first + number.unwrap_or(0), None),
        };
        let Some(slot) = self.layout.counters.get(counter) else { return };
        let seats = self.words[word::PLAYERS] as usize;
        for index in 0..slot.len.min(if slot.first == 0 { 1 } else { seats }) {
            let value = self.words[slot.offset + index];
            if wanted.map_or(value != 0, |wanted| value == wanted) {
                visit(slot.first + index as i32);
            }
        }
    }

    /// Whether a token acts: it takes part, is in one of the zones (none given: anywhere), and has its abilities.
    pub(super) fn acts(&self, zones: &[usize], token: i32, is_ability: bool) -> bool {
        let Some(index) = self.index_of(token) else { return false };
        if self.layout.tokens[index].owner > self.words[word::PLAYERS] {
            return false;
        }
        if !zones.is_empty() {
            let zone = self.pile_of(token).map(|pile| self.layout.piles[pile].zone);
            if zone.is_none_or(|zone| !zones.contains(&zone)) {
                return false;
            }
        }
        !is_ability
            || self.layout.reactions.abilities[index].is_none_or(|attribute| self.attribute(attribute, token) != 0)
    }

    fn reaches(&self, d: &Declarations, listener: &Listener, from: &Viewpoint) -> bool {
        let part = d.events.get_index(listener.event).map(|(_, event)| event.filters.as_slice()).unwrap_or_default();
        let passes = |filter| self.argument_passes(d, filter, from);
        part.iter().chain(&listener.filters).all(passes) && self.holds(d, &listener.conditions, from)
    }

    /// The parts of an event that these arguments make it. `back`: those that ask where a token came from, to be tried
    /// before it moves, or only the others.
    pub fn parts(&self, d: &Declarations, event: usize, args: EventArgs, back: bool) -> Vec<usize> {
        let Some((_, base)) = d.events.get_index(event) else { return Vec::new() };
        let from = base.args.get_index_of("from");
        let you = self.concerned(base, &args);
        let happens = |(_, part): &(usize, &Event)| {
            let looks_back = part.filters.iter().any(|(arg, _)| Some(*arg) == from);
            let passes = |filter| self.argument_passes(d, filter, &Viewpoint { you, args, ..Viewpoint::default() });
            part.of == Some(event) && looks_back == back && part.filters.iter().all(passes)
        };
        d.events.values().enumerate().filter(happens).map(|(index, _)| index).collect()
    }

    fn argument_passes(&self, d: &Declarations, (arg, filter): &(usize, ArgFilter), from: &Viewpoint) -> bool {
        let value = from.args.get(*arg).copied().unwrap_or(0);
        match filter {
            ArgFilter::Range(min, max) => (*min..=*max).contains(&value),
            ArgFilter::OneOf(values) => values.contains(&value),
            ArgFilter::Player(filter) => self.player_passes(d, filter, value, from),
            ArgFilter::Token(filter) => self.token_passes(d, filter, value, from),
        }
    }

    /// Whether all conditions hold.
    pub(super) fn holds(&self, d: &Declarations, conditions: &[Condition], from: &Viewpoint) -> bool {
        let holds = |one: &Condition| {
            let number = self.number(d, &one.formula, from);
            match one.equals {
                Some(reference) => number == self.referred(reference, from),
                None => (one.min..=one.max).contains(&number) && self.bound(d, one.bounds.as_deref(), number, from),
            }
        };
        conditions.iter().all(holds)
    }

    /// The value of a formula.
    #[must_use]
    pub fn number(&self, d: &Declarations, formula: &Formula, from: &Viewpoint) -> i32 {
        let term = |term: &Term| match term {
            Term::X => from.x,
            Term::Argument(arg) => from.args.get(*arg).copied().unwrap_or(0),
            Term::Read(thing, field) => self.read(*thing, *field, from),
            Term::Count(filter) => self.count(d, filter, from),
            Term::Least(pair) => self.number(d, &pair[0], from).min(self.number(d, &pair[1], from)),
            Term::Most(pair) => self.number(d, &pair[0], from).max(self.number(d, &pair[1], from)),
            Term::Round => self.words[word::ROUND],
            Term::Players => self.words[word::PLAYERS],
            Term::Number(reference) => self.referred(*reference, from),
            Term::Option(index) => self.layout.reactions.options.get(*index).map_or(0, |at| self.words[*at]),
        };
        let sum = |sum: i32, (factor, of): &(i32, Term)| sum.saturating_add(factor.saturating_mul(term(of)));
        formula.terms.iter().fold(formula.constant, sum)
    }

    fn count(&self, d: &Declarations, filter: &Filter, from: &Viewpoint) -> i32 {
        let mut count = 0;
        self.each_selected(d, filter, from, |_| count += 1);
        count
    }

    /// Visits the tokens that a filter selects. A filter without zones selects tokens where their kinds are active.
    pub(super) fn each_selected(
        &self,
        d: &Declarations,
        filter: &Filter,
        from: &Viewpoint,
        mut visit: impl FnMut(i32),
    ) {
        if let Some(reference) = filter.is {
            let token = self.referred(reference, from);
            if token > 0 && self.token_passes(d, filter, token, from) {
                visit(token);
            }
            return;
        }
        let reactions = &self.layout.reactions;
        let zones = if filter.zones.is_empty() { &reactions.active_zones } else { &filter.zones };
        self.each_in(zones, |token| {
            let active = &reactions.active[self.layout.tokens[token as usize - 1].kind];
            if filter.zones.is_empty() && !active.is_empty() {
                let zone = self.pile_of(token).map(|pile| self.layout.piles[pile].zone);
                if zone.is_none_or(|zone| !active.contains(&zone)) {
                    return;
                }
            }
            if self.token_passes(d, filter, token, from) {
                visit(token);
            }
        });
    }

    fn read(&self, thing: Thing, field: Field, from: &Viewpoint) -> i32 {
        let (holder, is_player) = match thing {
            Thing::This => (from.this, false),
            Thing::You => (from.you, true),
            Thing::Game => (0, true),
            Thing::TokenOf(arg) => (from.args.get(arg).copied().unwrap_or(0), false),
            Thing::PlayerOf(arg) => (from.args.get(arg).copied().unwrap_or(0), true),
        };
        if holder <= 0 && thing != Thing::Game {
            return 0;
        }
        self.field(holder, is_player, field)
    }

    /// A value of a token, of a player, or of the game (holder 0); 0 if it has none.
    fn field(&self, holder: i32, is_player: bool, field: Field) -> i32 {
        match field {
            Field::Attribute(attribute) if !is_player => self.attribute(attribute, holder),
            Field::Owner if !is_player => self.index_of(holder).map_or(0, |index| self.layout.tokens[index].owner),
            Field::Holder if !is_player => self.player_of(holder),
            Field::Attribute(_) | Field::Owner | Field::Holder => 0,
            Field::Counter(counter) => self.counter(counter, holder).unwrap_or(0),
            Field::Zone(zone) => self.layout.pile(zone, holder).map_or(0, |pile| self.tokens(pile).len() as i32),
        }
    }

    /// The current value of an attribute (index into `read_attributes`) of a token.
    #[must_use]
    pub fn attribute(&self, attribute: usize, token: i32) -> i32 {
        let Some(index) = self.index_of(token) else { return 0 };
        match self.layout.reactions.current[attribute] {
            Some(first) => self.words[first + index],
            None => match self.layout.reactions.becomes[self.layout.tokens[index].kind] {
                None => self.layout.reactions.printed[attribute][index],
                Some(copied) => self.printed_of(copied, attribute, token, index),
            },
        }
    }

    /// The printed value of a token that may be a copy.
    fn printed_of(&self, copied: usize, attribute: usize, token: i32, index: usize) -> i32 {
        let reactions = &self.layout.reactions;
        let first = reactions.first_of_kind[self.layout.tokens[index].kind];
        match self.counter(copied, token) {
            Some(number @ 1..) => reactions.printed_on[attribute][first + number as usize - 1],
            _ => reactions.printed[attribute][index],
        }
    }

    fn referred(&self, reference: Reference, from: &Viewpoint) -> i32 {
        match reference {
            Reference::Thing(Thing::This) => from.this,
            Reference::Thing(Thing::You) => from.you,
            Reference::Thing(Thing::Game) => 0,
            Reference::Thing(Thing::TokenOf(arg) | Thing::PlayerOf(arg)) => from.args.get(arg).copied().unwrap_or(0),
            Reference::Counter(thing, counter) => self.read(thing, Field::Counter(counter), from),
        }
    }

    /// The tokens that a filter selects, for a token (0: none) and a player (0: nobody).
    pub fn select(&self, d: &Declarations, filter: &Filter, this: i32, you: i32, list: &mut Vec<i32>) {
        list.clear();
        self.each_selected(d, filter, &Viewpoint { this, you, ..Viewpoint::default() }, |token| list.push(token));
    }

    /// Whether a token passes a filter.
    #[must_use]
    pub fn token_passes(&self, d: &Declarations, filter: &Filter, token: i32, from: &Viewpoint) -> bool {
        let Some(index) = self.index_of(token) else { return false };
        let info = self.layout.tokens[index];
        let like = &self.layout.reactions.like[info.kind];
        if !filter.kinds.is_empty() && !filter.kinds.iter().any(|kind| like.contains(kind)) {
            return false;
        }
        let is_one = |&(kind, number): &(usize, usize)| {
            kind == info.kind && d.kinds[kind].first + number == self.definition_of(d, index)
        };
        if !filter.definitions.is_empty() && !filter.definitions.iter().any(is_one) {
            return false;
        }
        if !filter.zones.is_empty() {
            let zone = self.pile_of(token).map(|pile| self.layout.piles[pile].zone);
            if zone.is_none_or(|zone| !filter.zones.contains(&zone)) {
                return false;
            }
        }
        let whose = || self.player_of(token);
        self.passes(filter, token, whose, from)
            && filter.tests.iter().all(|test| self.fits(d, test, self.field(token, false, test.field), from))
    }

    fn player_passes(&self, d: &Declarations, filter: &Filter, player: i32, from: &Viewpoint) -> bool {
        player > 0
            && self.passes(filter, player, || player, from)
            && filter.tests.iter().all(|test| self.fits(d, test, self.field(player, true, test.field), from))
    }

    fn fits(&self, d: &Declarations, test: &Test, value: i32, from: &Viewpoint) -> bool {
        (test.min..=test.max).contains(&value) && self.bound(d, test.bounds.as_deref(), value, from)
    }

    /// Whether a value is within computed ends.
    fn bound(&self, d: &Declarations, bounds: Option<&Bounds>, value: i32, from: &Viewpoint) -> bool {
        let Some(Bounds { min, max }) = bounds else { return true };
        min.as_ref().is_none_or(|min| value >= self.number(d, min, from))
            && max.as_ref().is_none_or(|max| value <= self.number(d, max, from))
    }

    /// The conditions that tokens and players share.
    fn passes(&self, filter: &Filter, thing: i32, player: impl Fn() -> i32, from: &Viewpoint) -> bool {
        let whose = match filter.whose {
            None => true,
            Some(Whose::Yours) => from.you > 0 && player() == from.you,
            Some(Whose::Others) => player() > 0 && player() != from.you,
            Some(Whose::Nobodys) => player() == 0,
        };
        whose
            && filter.is.is_none_or(|reference| self.referred(reference, from) == thing)
            && filter.is_not.is_none_or(|reference| self.referred(reference, from) != thing)
    }
}
