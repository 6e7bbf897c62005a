//! Entries of a seat's history, and the facts of a step as the seat may know them.

use indexmap::IndexMap;
use serde::Serialize;

use crate::script::machine::fact::Fact;
use crate::state::layout::{SEEN, word};
use crate::state::observe::{CounterView, Observation};
use crate::state::sight::Sight;
use motherlode_content::declare::{Counter, EventArg, Holder, OptionValue, Visibility};

/// The place of a token in no zone.
const NOWHERE: &str = "-";
/// Some place that the seat cannot count.
const UNSEEN: &str = "?";

/// One entry of a seat's history. In JSON, `type` is its name in snake case (`{"type":"shuffle","zone":"deck"}`), and
/// absent fields are omitted.
///
/// Tokens are definition ids, with a number if their kind has counters, as in an [`Observation`]. A place is a zone
/// (`deck`, `hand.2`), or a place in it from 1 at the bottom (`row#3`); `-` is no zone, and `?` a zone that the seat
/// cannot count.
///
/// ```
/// # use motherlode::{Entry, Match};
/// fn draws(m: &Match, seat: u8) -> usize {
///     let is_draw = |entry: &&Entry| matches!(entry, Entry::Move { from, .. } if from == "deck");
///     m.history(seat).into_iter().flatten().filter(is_draw).count()
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Entry {
    /// The position before the first hook, as the seat sees it.
    Start {
        /// The observation.
        observation: Box<Observation>,
    },
    /// A round began.
    Round {
        /// Its number, from 1.
        round: i32,
    },
    /// A phase began.
    Phase {
        /// Its id.
        phase: String,
    },
    /// A turn began.
    Turn {
        /// The seat on turn, from 0.
        seat: u8,
    },
    /// The turn order changed.
    Order {
        /// The seats in turn order.
        seats: Vec<u8>,
    },
    /// A seat passed.
    Passed {
        /// The seat, from 0.
        seat: u8,
    },
    /// A seat left the game.
    Out {
        /// The seat, from 0.
        seat: u8,
    },
    /// A seat answered a question, or the engine took its only choice.
    Answer {
        /// The seat, from 0.
        seat: u8,
        /// Id of the prompt.
        prompt: String,
        /// [`Choice::key`](crate::Choice::key). Other seats read it without brackets.
        choice: String,
        /// The question, if its text has values; other seats do not read it.
        #[serde(skip_serializing_if = "Option::is_none")]
        question: Option<String>,
    },
    /// The seat is asked a question. A history has only answers; this entry completes the information state.
    Asked {
        /// Id of the prompt.
        prompt: String,
        /// The question, with its values.
        question: String,
        /// [`Choice::key`](crate::Choice::key)s.
        choices: Vec<String>,
    },
    /// Another seat answered secret questions.
    Answered {
        /// The seat, from 0.
        seat: u8,
    },
    /// A line of the transcript from the content.
    Log {
        /// Its text.
        text: String,
        /// The only seat that reads it.
        #[serde(skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
    },
    /// Tokens moved.
    Move {
        /// Definition id; `None`: the seat could not identify them.
        token: Option<String>,
        /// Number of the token.
        #[serde(skip_serializing_if = "Option::is_none")]
        number: Option<i32>,
        /// Former place.
        from: String,
        /// New place.
        to: String,
        /// How many tokens moved in a row.
        count: usize,
    },
    /// A zone was shuffled.
    Shuffle {
        /// The zone.
        zone: String,
        /// A zone whose tokens were added before.
        #[serde(skip_serializing_if = "Option::is_none")]
        with: Option<String>,
    },
    /// The seat identified a token in its place.
    Reveal {
        /// Definition id.
        token: String,
        /// Number of the token.
        #[serde(skip_serializing_if = "Option::is_none")]
        number: Option<i32>,
        /// Its place.
        at: String,
    },
    /// A token was turned.
    Turned {
        /// Definition id; `None`: the seat could not identify it.
        token: Option<String>,
        /// Its place.
        at: String,
        /// Whether it is face up now.
        up: bool,
    },
    /// A token was shown to other seats.
    Shown {
        /// Definition id; `None`: the seat could not identify it.
        token: Option<String>,
        /// Its place.
        at: String,
        /// The seats, from 0.
        seats: Vec<u8>,
    },
    /// A counter changed.
    Counter {
        /// Name of the counter.
        counter: String,
        /// Its player, or the player whose board has the cell, from 0.
        #[serde(skip_serializing_if = "Option::is_none")]
        seat: Option<u8>,
        /// Its cell.
        #[serde(skip_serializing_if = "Option::is_none")]
        cell: Option<String>,
        /// Definition id of its token.
        #[serde(skip_serializing_if = "Option::is_none")]
        token: Option<String>,
        /// Number of its token.
        #[serde(skip_serializing_if = "Option::is_none")]
        number: Option<i32>,
        /// Place of its token, if the seat cannot identify it.
        #[serde(skip_serializing_if = "Option::is_none")]
        at: Option<String>,
        /// Value before; hidden if the seat did not see it.
        from: CounterView,
        /// Value after.
        to: CounterView,
    },
    /// An event of the game happened.
    Event {
        /// Its name.
        event: String,
        /// Its arguments, hidden where the seat could not identify a token.
        args: IndexMap<String, CounterView>,
    },
    /// The match is over.
    End,
}

/// Writes entries for one seat.
#[derive(Debug, Clone, Copy)]
pub(super) struct EntryWriter<'a> {
    /// The present position, as the seat sees it.
    pub sight: Sight<'a>,
    /// The seat, from 0.
    pub seat: u8,
    /// The options of the match.
    pub options: &'a IndexMap<String, OptionValue>,
}

impl EntryWriter<'_> {
    /// Whether the seat is among these players (bits).
    fn is_among(&self, players: i32) -> bool {
        players >> (self.seat + 1) & 1 == 1
    }

    /// Whether the seat can count a pile that the observation has.
    fn counts(&self, pile: usize) -> bool {
        let zone = self.sight.layout.piles[pile].zone;
        !self.sight.declared.zones[zone].internal && self.sight.counts(pile)
    }

    fn place(&self, pile: Option<usize>, index: Option<usize>) -> String {
        match pile {
            None => NOWHERE.to_owned(),
            Some(pile) if self.counts(pile) => self.sight.place_name(pile, index),
            Some(_) => UNSEEN.to_owned(),
        }
    }

    /// Definition id of a token.
    fn id(&self, token: i32) -> String {
        let definition = self.sight.layout.tokens[token as usize - 1].definition;
        self.sight.declared.definitions[definition].id.clone()
    }

    /// The number of a token whose kind has counters that seats see.
    fn number(&self, token: i32) -> Option<i32> {
        let (d, kind) = (self.sight.declared, self.sight.layout.tokens[token as usize - 1].kind);
        d.counters.values().any(|counter| !counter.internal && d.is_of(counter.per, kind)).then_some(token)
    }

    /// Writes the entries of a fact; most facts have one entry or none.
    pub fn fact(&self, fact: &Fact, out: &mut Vec<Entry>) {
        match *fact {
            Fact::Round(round) => out.push(Entry::Round { round }),
            Fact::Phase(phase) => {
                let name = self.sight.declared.phases.get_index(phase).map(|(name, _)| name.clone());
                out.extend(name.map(|phase| Entry::Phase { phase }));
            }
            Fact::Turn(player) => out.extend(u8::try_from(player - 1).ok().map(|seat| Entry::Turn { seat })),
            Fact::Line(ref line) => {
                out.extend(line.seen_by(self.seat).map(|text| Entry::Log { text: text.to_owned(), seat: line.seat() }))
            }
            Fact::Event { event, args, known } => out.extend(self.event(event, &args, &known)),
            Fact::Move { token, from, to, known } => {
                let (from, to) = (self.place(from, None), self.place(to, None));
                if from != UNSEEN || to != UNSEEN {
                    let is_known = self.is_among(known);
                    let (token, number) = (is_known.then(|| self.id(token)), self.number(token).filter(|_| is_known));
                    push(out, Entry::Move { token, number, from, to, count: 1 });
                }
            }
            Fact::Shuffle { pile, with } => {
                let with = with.map(|with| self.place(Some(with), None));
                if self.counts(pile) {
                    out.push(Entry::Shuffle { zone: self.sight.place_name(pile, None), with });
                }
            }
            Fact::Seen { token, pile, place, known, seen } => {
                let at = self.place(Some(pile), Some(place));
                self.seen(token, pile, at, known, seen, out);
            }
            Fact::Together { ref facts, .. } => {
                let mut together = Vec::new();
                facts.iter().for_each(|fact| self.fact(fact, &mut together));
                // The order of the tokens would tell their numbers.
                together.sort_by_cached_key(text);
                together.into_iter().for_each(|entry| push(out, entry));
            }
            Fact::Answer { seat, prompt, ref own, ref public, ref question } => {
                let choice = if seat == self.seat { Some(own) } else { public.as_ref() };
                let prompt = self.sight.declared.prompts.get_index(prompt);
                push(
                    out,
                    match (prompt, choice.cloned()) {
                        (Some((prompt, _)), Some(choice)) => {
                            let question = question.clone().filter(|_| seat == self.seat);
                            Entry::Answer { seat, prompt: prompt.clone(), choice, question }
                        }
                        _ => Entry::Answered { seat },
                    },
                );
            }
            // The flow replaces these by answers.
            Fact::Forced(_) => {}
        }
    }

    /// A token that was turned or shown.
    fn seen(&self, token: i32, pile: usize, at: String, known: [i32; 2], seen: [i32; 2], out: &mut Vec<Entry>) {
        let [was, is] = known.map(|known| self.is_among(known));
        let name = (was || is).then(|| self.id(token));
        if is && !was {
            out.push(Entry::Reveal { token: self.id(token), number: self.number(token), at: at.clone() });
        }
        let changed = seen[0] ^ seen[1];
        let place = self.sight.layout.piles[pile];
        if changed & 1 == 1 && self.counts(pile) && self.sight.sees_faces(place) {
            out.push(Entry::Turned { token: name.clone(), at: at.clone(), up: seen[1] & 1 == 1 });
        }
        let witnesses = changed & seen[1] & SEEN & !1 & !(1 << (self.seat + 1));
        if witnesses != 0 && place.open_looks && self.counts(pile) {
            let seats = (0..31).filter(|seat| witnesses >> (seat + 1) & 1 == 1).collect();
            out.push(Entry::Shown { token: name, at, seats });
        }
    }

    /// An event of the game; the engine's own events have entries of their own. An event about tokens that the seat
    /// cannot identify is omitted.
    fn event(&self, event: usize, args: &[i32], known: &[i32]) -> Option<Entry> {
        let d = self.sight.declared;
        let (name, declared) = d.events.get_index(event).filter(|(_, event)| !event.standard)?;
        let is_token = |at: &usize| declared.args[*at] == EventArg::Token && args[*at] > 0;
        let tokens: Vec<bool> = (0..declared.args.len()).filter(is_token).map(|at| self.is_among(known[at])).collect();
        let knows_all = tokens.iter().all(|known| *known);
        if !knows_all && !tokens.contains(&true) {
            return None;
        }
        let named = |name: Option<&String>| name.map_or(CounterView::Hidden, |name| CounterView::Name(name.clone()));
        let index = |value: i32| usize::try_from(value - 1).unwrap_or(usize::MAX);
        let view = |at: usize, of: EventArg, value: i32| match of {
            EventArg::Integer if knows_all => CounterView::Number(value),
            EventArg::Token if self.is_among(known[at]) => CounterView::Name(self.id(value)),
            EventArg::Integer | EventArg::Token => CounterView::Hidden,
            EventArg::Player => CounterView::Player { seat: u8::try_from(value - 1).ok() },
            EventArg::Zone => named(d.zones.get_index(index(value)).map(|(name, _)| name)),
            EventArg::Counter => named(d.counters.get_index(index(value)).map(|(name, _)| name)),
            EventArg::Phase => named(d.phases.get_index(index(value)).map(|(name, _)| name)),
        };
        let given = |at: &usize, of: EventArg| args[*at] != 0 || of == EventArg::Integer;
        let shown = declared.args.iter().enumerate().filter(|(at, (_, of))| given(at, **of));
        let args = shown.map(|(at, (name, of))| (name.clone(), view(at, *of, args[at]))).collect();
        Some(Entry::Event { event: name.clone(), args })
    }

    /// Writes the changes of counters and of public words since an earlier position.
    pub fn changes(&self, before: &Sight<'_>, out: &mut Vec<Entry>) {
        let players = u8::try_from(self.sight.players()).unwrap_or(u8::MAX);
        for (index, (name, declared)) in self.sight.declared.counters.iter().enumerate() {
            let of_token = matches!(declared.per, Holder::Token(_));
            let slot = &self.sight.layout.counters[index];
            let words = slot.offset..slot.offset + slot.len;
            if declared.internal
                || !declared.only.holds(players, self.options)
                || !of_token && before.words[words.clone()] == self.sight.words[words]
            {
                continue;
            }
            let holders = self.sight.holders(index).filter(|&holder| self.sight.sees_counter(index, holder));
            let mut holders: Vec<i32> = holders.collect();
            if of_token {
                // The numbers of tokens that the seat cannot identify must not show, not even by their order.
                holders.sort_by_cached_key(|&token| match self.sight.identifies(token) {
                    true => (false, (None, None), token),
                    false => (true, self.pile_and_place(token), 0),
                });
            }
            for holder in holders {
                let (from, to) = (self.former(before, index, declared, holder), self.sight.counter(index, holder));
                let Some(to) = to.filter(|to| from != Some(*to)) else { continue };
                if from.is_none() && to == declared.starts_at(self.options) {
                    continue;
                }
                out.push(self.counter((name, declared), holder, before, (from, to)));
            }
        }
        self.flow(before.words, out);
    }

    fn pile_and_place(&self, token: i32) -> (Option<usize>, Option<usize>) {
        let pile = self.sight.pile_of(token);
        (pile, pile.and_then(|pile| self.sight.tokens(pile).iter().position(|&other| other == token)))
    }

    /// The former value that the seat saw of a counter: that of a token, or of the token in its place if the seat
    /// cannot identify it.
    fn former(&self, before: &Sight<'_>, counter: usize, declared: &Counter, holder: i32) -> Option<i32> {
        if !matches!(declared.per, Holder::Token(_)) {
            return before.counter(counter, holder).filter(|_| before.sees_counter(counter, holder));
        }
        if self.sight.identifies(holder) {
            let saw = before.identifies(holder) && before.sees_counter(counter, holder);
            return before.counter(counter, holder).filter(|_| saw && before.pile_of(holder).is_some());
        }
        let pile = self.sight.pile_of(holder)?;
        let place = self.sight.tokens(pile).iter().position(|&token| token == holder)?;
        let token = *before.tokens(pile).get(place)?;
        before.counter(counter, token).filter(|_| before.sees_counter(counter, token))
    }

    fn counter(
        &self,
        (name, declared): (&String, &Counter),
        holder: i32,
        before: &Sight<'_>,
        (from, to): (Option<i32>, i32),
    ) -> Entry {
        let (sight, index) = (self.sight, usize::try_from(holder - 1).unwrap_or_default());
        let (mut seat, mut cell, mut token, mut number, mut at) = (None, None, None, None, None);
        match declared.per {
            Holder::Game => {}
            Holder::Player => seat = u8::try_from(index).ok(),
            Holder::Cell(grid) => {
                let places = sight.layout.grids[grid].places().max(1);
                cell = Some(sight.layout.grids[grid].name(index % places).to_owned());
                if sight.declared.grids[grid].per == Holder::Player {
                    seat = u8::try_from(index / places).ok();
                }
            }
            Holder::Token(_) if sight.identifies(holder) => {
                (token, number) = (Some(self.id(holder)), Some(holder));
            }
            Holder::Token(_) => {
                let (pile, place) = self.pile_and_place(holder);
                at = Some(self.place(pile, place));
            }
        }
        let from = from.map_or(CounterView::Hidden, |from| CounterView::new(before, declared, from));
        let to = CounterView::new(&sight, declared, to);
        Entry::Counter { counter: name.clone(), seat, cell, token, number, at, from, to }
    }

    /// Writes the changes of the turn order, and the seats that have passed or left.
    fn flow(&self, before: &[i32], out: &mut Vec<Entry>) {
        let now = self.sight.words;
        let order = word::ORDER..word::END;
        if before[order.clone()] != now[order.clone()] {
            let seats = now[order].iter().filter_map(|player| u8::try_from(player - 1).ok()).collect();
            out.push(Entry::Order { seats });
        }
        let newly = |at: usize| (0..31).filter(move |seat| (now[at] & !before[at]) >> seat & 1 == 1);
        out.extend(newly(word::PASSED).map(|seat| Entry::Passed { seat }));
        out.extend(newly(word::OUT).map(|seat| Entry::Out { seat }));
    }
}

/// Whether everybody can count a zone with this visibility.
pub(super) fn is_counted_by_all(visible: Visibility) -> bool {
    !matches!(visible, Visibility::Secret | Visibility::Nobody)
}

/// An entry as JSON.
pub(super) fn text(entry: &Entry) -> String {
    // Entries have names as keys, so this cannot fail.
    serde_json::to_string(entry).unwrap_or_default()
}

/// Adds an entry. Equal moves in a row become one, and so do secret answers of a seat.
fn push(out: &mut Vec<Entry>, mut entry: Entry) {
    match (out.last_mut(), &mut entry) {
        (Some(Entry::Answered { seat: last }), Entry::Answered { seat }) if last == seat => {}
        (Some(last @ Entry::Move { .. }), Entry::Move { count, .. }) => {
            let before = if let Entry::Move { count, .. } = last { *count } else { 0 };
            let added = std::mem::replace(count, before);
            if *last == entry {
                if let Entry::Move { count, .. } = last {
                    *count += added;
                }
            } else {
                if let Entry::Move { count, .. } = &mut entry {
                    *count = added;
                }
                out.push(entry);
            }
        }
        _ => out.push(entry),
    }
}
