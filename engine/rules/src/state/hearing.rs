//! Evaluates filters and formulas, and finds the listeners of an event.
//!
//! Filters and formulas are data, so a position evaluates them without a script.

use std::ops::Deref;

use motherlode_content::declare::{
    ArgFilter, Bearer, Bounds, Condition, Declarations, Event, EventArg, Field, Filter, Formula, Held, Listener,
    MAX_ARGS, Moment, Reference, Term, Thing, Turns, ValueRange, Whose,
};

use crate::state::Position;
use crate::state::bearers::BearerIndex;
use crate::state::filters::CompiledFilter;
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

/// The place of a token.
#[derive(Clone, Copy)]
struct Place {
    /// Its zone.
    zone: Option<usize>,
    /// The player whose zone it is; 0: nobody.
    holder: i32,
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
        let mut is_wanted = false;
        let mut part = (event, true);
        let mut try_one = |index: usize, token: i32, player: i32| {
            let listener = &d.listeners[index];
            // A token without a player serves the player of the event.
            let player = if player == 0 { self.concerned(base, &args) } else { player };
            let mut from = Viewpoint { this: token, you: player, args, x: 0 };
            if self.reaches(d, listener, &from) {
                from.x = listener.x.as_ref().map_or(0, |x| self.number(x, &from));
                heard.push(Heard { listener: index, token, player, x: from.x });
            }
        };
        for &index in &moments[moment as usize] {
            let listener = &d.listeners[index];
            if listener.event != part.0 {
                part = (listener.event, self.is_part(d, listener.event, &args));
            }
            let is_other = back.is_some_and(|back| back != reactions.looks_back[index]);
            if is_other || !part.1 || !listener.filters.iter().all(|filter| number_passes(filter, &args)) {
                continue;
            }
            if reactions.is_indexed_listener[index] {
                is_wanted = true;
                continue;
            }
            if listener.bearer == Bearer::Game {
                try_one(index, 0, self.concerned(base, &args));
                continue;
            }
            if listener.bearer == Bearer::Players {
                self.each_player(d, |player| try_one(index, 0, player));
                continue;
            }
            if let Some((held, number)) = reactions.held_by_listeners[index] {
                self.each_holder(held, number, |player| try_one(index, 0, player));
                continue;
            }
            let is_ability = matches!(listener.bearer, Bearer::Definition(_));
            let mut try_token = |token: i32| {
                let is_bearer = self.index_of(token).is_some_and(|at| self.bears(listener.bearer, at));
                if is_bearer && self.acts(&listener.zones, token, is_ability) {
                    try_one(index, token, self.player_of(token));
                }
            };
            match reactions.own_args[index] {
                Some(arg) => try_token(args.get(arg).copied().unwrap_or(0)),
                None => reactions.bearers_of_listeners[index].iter().for_each(|token| try_token(*token)),
            }
        }
        if is_wanted {
            self.each_bearer(&reactions.indexed_listeners[event][moment as usize], |index, token, zone| {
                let listener = &d.listeners[index];
                let is_other = back.is_some_and(|back| back != reactions.looks_back[index]);
                let is_ability = matches!(listener.bearer, Bearer::Definition(_));
                if !is_other && listener.zones.contains(&zone) && self.acts(&[], token, is_ability) {
                    try_one(index, token, self.player_of(token));
                }
            });
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
    #[inline]
    pub fn definition_of(&self, index: usize) -> usize {
        self.copied(index).unwrap_or(self.layout.tokens[index].definition)
    }

    /// The definition that a token (index) is a copy of.
    #[inline(always)]
    pub(super) fn copied(&self, index: usize) -> Option<usize> {
        let reactions = &self.layout.reactions;
        match reactions.copy_words[index] {
            0 => None,
            word => match self.words[word] {
                number @ 1.. => Some(reactions.first_of_kind[self.layout.tokens[index].kind] + number as usize - 1),
                _ => None,
            },
        }
    }

    /// Whether a token (index) is of a definition or a kind.
    pub(super) fn bears(&self, bearer: Bearer, index: usize) -> bool {
        match bearer {
            Bearer::Game | Bearer::Players => false,
            Bearer::Definition(definition) => self.definition_of(index) == definition,
            Bearer::Kind(kind) => self.layout.reactions.like[self.layout.tokens[index].kind][kind],
        }
    }

    /// Visits the listeners or modifiers of an index that tokens in its zones have: number, token and zone.
    pub(super) fn each_bearer(&self, index: &BearerIndex, mut visit: impl FnMut(usize, i32, usize)) {
        self.each_in(&index.zones, |token, zone, _| {
            for &one in &index.of[self.definition_of(token as usize - 1)] {
                visit(one, token, zone);
            }
        });
    }

    /// Visits the tokens in these zones: token, zone and holder.
    pub(super) fn each_in(&self, zones: &[usize], mut visit: impl FnMut(i32, usize, i32)) {
        for &zone in zones {
            let slot = &self.layout.zones[zone];
            for (holder, pile) in (slot.first..).zip(slot.pile..slot.pile + slot.len) {
                self.tokens(pile).iter().for_each(|&token| visit(token, zone, holder));
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
        let passes = |filter| self.argument_passes(filter, from);
        part.iter().chain(&listener.filters).all(passes) && self.holds(&listener.conditions, from)
    }

    /// Whether an event with these arguments may be a part of it: tests the filters that do not depend on the listener.
    fn is_part(&self, d: &Declarations, part: usize, args: &EventArgs) -> bool {
        let filters = d.events.get_index(part).map(|(_, event)| event.filters.as_slice()).unwrap_or_default();
        filters.iter().all(|filter| match filter {
            (_, ArgFilter::Token(Filter { whose: None, is: None, is_not: None, tests, .. }))
                if tests.iter().all(|test| test.range.bounds.is_none()) =>
            {
                self.argument_passes(filter, &Viewpoint { args: *args, ..Viewpoint::default() })
            }
            _ => number_passes(filter, args),
        })
    }

    /// The parts of an event that these arguments make it. `back`: those that ask where a token came from, to be tried
    /// before it moves, or only the others.
    pub fn parts(&self, d: &Declarations, event: usize, args: EventArgs, back: bool) -> Vec<usize> {
        let Some((_, base)) = d.events.get_index(event) else { return Vec::new() };
        let from = base.args.get_index_of("from");
        let you = self.concerned(base, &args);
        let happens = |(_, part): &(usize, &Event)| {
            let looks_back = part.filters.iter().any(|(arg, _)| Some(*arg) == from);
            let passes = |filter| self.argument_passes(filter, &Viewpoint { you, args, ..Viewpoint::default() });
            part.of == Some(event) && looks_back == back && part.filters.iter().all(passes)
        };
        d.events.values().enumerate().filter(happens).map(|(index, _)| index).collect()
    }

    fn argument_passes(&self, (arg, filter): &(usize, ArgFilter), from: &Viewpoint) -> bool {
        let value = from.args.get(*arg).copied().unwrap_or(0);
        match filter {
            ArgFilter::Range(range) => range.contains(value),
            ArgFilter::OneOf(values) => values.contains(&value),
            ArgFilter::Player(filter) => self.player_passes(filter, value, from),
            ArgFilter::Token(filter) => self.token_passes(filter, value, from),
        }
    }

    /// Whether all conditions hold.
    pub(super) fn holds(&self, conditions: &[Condition], from: &Viewpoint) -> bool {
        let holds = |one: &Condition| {
            let number = self.number(&one.formula, from);
            match one.equals {
                Some(reference) => number == self.referred(reference, from),
                None => self.is_within(&one.range, number, from),
            }
        };
        conditions.iter().all(holds)
    }

    /// The value of a formula.
    #[must_use]
    pub fn number(&self, formula: &Formula, from: &Viewpoint) -> i32 {
        let term = |term: &Term| match term {
            Term::X => from.x,
            Term::Argument(arg) => from.args.get(*arg).copied().unwrap_or(0),
            Term::Read(thing, field) => self.read(*thing, *field, from),
            Term::Count(filter) => self.count(filter, from),
            Term::Least(pair) => self.number(&pair[0], from).min(self.number(&pair[1], from)),
            Term::Most(pair) => self.number(&pair[0], from).max(self.number(&pair[1], from)),
            Term::Round => self.words[word::ROUND],
            Term::Players => self.words[word::PLAYERS],
            Term::Number(reference) => self.referred(*reference, from),
            Term::Option(index) => self.layout.reactions.options.get(*index).map_or(0, |at| self.words[*at]),
        };
        let sum = |sum: i32, (factor, of): &(i32, Term)| sum.saturating_add(factor.saturating_mul(term(of)));
        formula.terms.iter().fold(formula.constant, sum)
    }

    fn count(&self, filter: &Filter, from: &Viewpoint) -> i32 {
        let mut count = 0;
        self.each_selected(filter, None, from, |_| count += 1);
        count
    }

    /// Visits the tokens that a filter selects. A filter without zones selects tokens where their kinds are active.
    pub(super) fn each_selected(
        &self,
        filter: &Filter,
        compiled: Option<&CompiledFilter>,
        from: &Viewpoint,
        mut visit: impl FnMut(i32),
    ) {
        if let Some(reference) = filter.is {
            let token = self.referred(reference, from);
            if self.token_passes(filter, token, from) {
                visit(token);
            }
            return;
        }
        let reactions = &self.layout.reactions;
        let is_anywhere = filter.zones.is_empty();
        let zones = if is_anywhere { &reactions.active_zones } else { &filter.zones };
        if zones.is_empty() {
            return self.each_active(|index, place| {
                if self.passes_at(filter, index, place, from) {
                    visit(index as i32 + 1);
                }
            });
        }
        for &zone in zones {
            let slot = &self.layout.zones[zone];
            let piles = (slot.first..).zip(slot.pile..slot.pile + slot.len);
            for (holder, pile) in piles.filter(|(holder, _)| *holder == 0 || is_whose(filter.whose, *holder, from.you))
            {
                for &token in self.tokens(pile) {
                    let index = token as usize - 1;
                    let passes = match compiled {
                        Some(compiled) => self.passes_compiled(filter, compiled, index, holder, from),
                        None => self.passes_at(filter, index, Place { zone: Some(zone), holder }, from),
                    };
                    if passes && (!is_anywhere || reactions.active[self.layout.tokens[index].kind][zone]) {
                        visit(token);
                    }
                }
            }
        }
    }

    /// Visits the tokens (indices) that are active where they are, with their places.
    fn each_active(&self, mut visit: impl FnMut(usize, Place)) {
        let reactions = &self.layout.reactions;
        for (index, info) in self.layout.tokens.iter().enumerate() {
            let place = self.place_of(index as i32 + 1);
            let is_active =
                place.zone.map_or(reactions.acts_nowhere[info.kind], |zone| reactions.active[info.kind][zone]);
            if info.owner <= self.words[word::PLAYERS] && is_active {
                visit(index, place);
            }
        }
    }

    fn place_of(&self, token: i32) -> Place {
        let pile = self.pile_of(token).map(|pile| &self.layout.piles[pile]);
        pile.map_or(Place { zone: None, holder: 0 }, |pile| Place { zone: Some(pile.zone), holder: pile.holder })
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
        let reactions = &self.layout.reactions;
        match reactions.current[attribute] {
            Some(first) => self.words[first + index],
            None => match self.copied(index) {
                Some(definition) => reactions.printed_on[attribute][definition],
                None => reactions.printed[attribute][index],
            },
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

    /// The tokens that a declared filter (index into `filters`) selects, for a token (0: none) and a player (0: nobody).
    pub fn select(&self, d: &Declarations, filter: usize, this: i32, you: i32, list: &mut Vec<i32>) {
        list.clear();
        let from = Viewpoint { this, you, ..Viewpoint::default() };
        let compiled = self.layout.reactions.filters.get(filter);
        self.each_selected(&d.filters[filter], compiled, &from, |token| list.push(token));
    }

    /// Whether a token passes a filter.
    #[must_use]
    pub fn token_passes(&self, filter: &Filter, token: i32, from: &Viewpoint) -> bool {
        self.index_of(token).is_some_and(|index| self.passes_at(filter, index, self.place_of(token), from))
    }

    /// Whether a token (index) at this place passes a filter.
    fn passes_at(&self, filter: &Filter, index: usize, place: Place, from: &Viewpoint) -> bool {
        let reactions = &self.layout.reactions;
        let info = &self.layout.tokens[index];
        let token = index as i32 + 1;
        if !filter.kinds.is_empty() && !filter.kinds.iter().any(|kind| reactions.like[info.kind][*kind]) {
            return false;
        }
        let is_one = |&(kind, number): &(usize, usize)| {
            kind == info.kind && reactions.first_of_kind[kind] + number == self.definition_of(index)
        };
        if !filter.definitions.is_empty() && !filter.definitions.iter().any(is_one) {
            return false;
        }
        if !filter.zones.is_empty() && place.zone.is_none_or(|zone| !filter.zones.contains(&zone)) {
            return false;
        }
        let player = if place.holder == 0 { info.owner } else { place.holder };
        self.passes(filter, token, player, from)
            && filter.tests.iter().all(|test| self.is_within(&test.range, self.field(token, false, test.field), from))
    }

    /// The same of a token in one of the zones of the filter, if it has any, by its compiled form.
    #[inline(always)]
    fn passes_compiled(
        &self,
        filter: &Filter,
        compiled: &CompiledFilter,
        index: usize,
        holder: i32,
        from: &Viewpoint,
    ) -> bool {
        let token = index as i32 + 1;
        if !compiled.definitions[self.definition_of(index)] || !compiled.fits(&self.words, token) {
            return false;
        }
        let player = if holder == 0 { self.layout.tokens[index].owner } else { holder };
        (compiled.is_of_all || self.passes(filter, token, player, from))
            && compiled
                .others
                .iter()
                .all(|test| self.is_within(&test.range, self.field(token, false, test.field), from))
    }

    fn player_passes(&self, filter: &Filter, player: i32, from: &Viewpoint) -> bool {
        player > 0
            && self.passes(filter, player, player, from)
            && filter.tests.iter().all(|test| self.is_within(&test.range, self.field(player, true, test.field), from))
    }

    fn is_within(&self, range: &ValueRange, value: i32, from: &Viewpoint) -> bool {
        let is_within = |Bounds { min, max }: &Bounds| {
            min.as_ref().is_none_or(|min| value >= self.number(min, from))
                && max.as_ref().is_none_or(|max| value <= self.number(max, from))
        };
        range.contains(value) && range.bounds.as_deref().is_none_or(is_within)
    }

    /// The conditions that tokens and players share.
    fn passes(&self, filter: &Filter, thing: i32, player: i32, from: &Viewpoint) -> bool {
        is_whose(filter.whose, player, from.you)
            && filter.is.is_none_or(|reference| self.referred(reference, from) == thing)
            && filter.is_not.is_none_or(|reference| self.referred(reference, from) != thing)
    }
}

/// Whether something of a player (0: nobody's) is that of the player `you`, of others or nobody's.
#[inline]
fn is_whose(whose: Option<Whose>, player: i32, you: i32) -> bool {
    match whose {
        None => true,
        Some(Whose::Yours) => you > 0 && player == you,
        Some(Whose::Others) => player > 0 && player != you,
        Some(Whose::Nobodys) => player == 0,
    }
}

/// Whether an argument passes a filter on numbers; true for other filters.
fn number_passes((arg, filter): &(usize, ArgFilter), args: &EventArgs) -> bool {
    let value = args.get(*arg).copied().unwrap_or(0);
    match filter {
        ArgFilter::Range(range) => range.contains(value),
        ArgFilter::OneOf(values) => values.contains(&value),
        ArgFilter::Player(_) | ArgFilter::Token(_) => true,
    }
}
