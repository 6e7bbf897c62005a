//! The changes between two views as a player reads them: `You: +2 gold, −1 action`, `Drill moves to your hand`.

use motherlode_content::sentence::{list as listed, within};

use crate::change::{Changes, PileChange, RowChange};
use crate::view::{Card, Cell, Pile, View};

/// A single change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// A counter of a player, or of the table.
    Counter {
        /// The holder: `You`, `Ann`, `The table`.
        who: String,
        /// The change: `+2 gold`.
        what: String,
    },
    /// An open card that moves.
    Card {
        /// Name of the card.
        name: String,
        /// The pile that it leaves: `the market`.
        from: Option<String>,
        /// The pile to which it comes: `your hand`.
        to: Option<String>,
    },
    /// Another number of cards in a pile.
    Count {
        /// The pile: `your hand`.
        place: String,
        /// The difference.
        by: i64,
    },
    /// Any other change, as a sentence.
    Other(String),
}

impl Effect {
    /// The changes between two views of one seat, its own first.
    #[must_use]
    pub fn between(before: &View, now: &View) -> Vec<Self> {
        let changes = Changes::between(before, now);
        let mut effects = Vec::new();
        let own = |seat: u8| now.seat == Some(seat);
        let mut seats: Vec<u8> = now.seats.iter().map(|seat| seat.seat).collect();
        seats.sort_by_key(|&seat| !own(seat));
        for seat in seats {
            let who = if own(seat) { "You" } else { now.seat_name(seat) };
            let told = changes.rows.iter().flat_map(|row| counters(row, usize::from(seat)));
            effects.extend(told.map(|what| Self::Counter { who: who.to_owned(), what }));
        }
        let shared = changes.shared.iter().flat_map(|row| counters(row, 0));
        effects.extend(shared.map(|what| Self::Counter { who: "The table".to_owned(), what }));
        moves(now, &changes.piles, &mut effects);
        for change in &changes.piles {
            let difference = change.count.zip(change.before).map(|(now, before)| now as i64 - before as i64);
            let by = difference.unwrap_or_default();
            effects.extend((by != 0).then(|| Self::Count { place: place(now, change.pile), by }));
        }
        for (index, cells) in &changes.boards {
            let board = &now.boards[*index];
            let old = before.board(&board.id, board.seat);
            let whose = owner(now, board.seat).map(|whose| format!("{whose} ")).unwrap_or_default();
            let others =
                |cell: &&&Cell| old.and_then(|old| old.cell(&cell.id)).is_none_or(|old| old.words != cell.words);
            let told = cells.iter().filter(others).map(|cell| {
                let name = if cell.name.is_empty() { &cell.id } else { &cell.name };
                let contents = if cell.words.is_empty() { "empty".to_owned() } else { cell.words.join(", ") };
                Self::Other(format!("{whose}{name}: {contents}"))
            });
            effects.extend(told);
        }
        effects
    }

    /// The changes that all lists have in common, in the order of the first.
    #[must_use]
    pub fn in_all(lists: &[Vec<Self>]) -> Vec<Self> {
        let Some((first, others)) = lists.split_first() else { return Vec::new() };
        let mut left = others.to_vec();
        let take = |effect: &&Self| {
            let at: Vec<Option<usize>> =
                left.iter().map(|list| list.iter().position(|other| other == *effect)).collect();
            let common = at.iter().all(Option::is_some);
            for (list, at) in left.iter_mut().zip(at).filter(|_| common) {
                at.map(|at| list.remove(at));
            }
            common
        };
        first.iter().filter(take).cloned().collect()
    }

    /// Sentences about changes. A number of cards that the named cards explain is left out.
    #[must_use]
    pub fn sentences(effects: &[Self]) -> Vec<String> {
        let mut groups: Vec<(String, Vec<String>)> = Vec::new();
        let mut add = |group: String, what: String| match groups.iter_mut().find(|(known, _)| *known == group) {
            Some((_, list)) => list.push(what),
            None => groups.push((group, vec![what])),
        };
        let mut other = Vec::new();
        for effect in effects {
            match effect {
                Self::Counter { who, what } => add(format!("{who}:"), what.clone()),
                Self::Card { name, from, to: Some(to) } => {
                    add(format!("{} to {to}", if from.is_some() { "moves" } else { "comes" }), name.clone());
                }
                Self::Card { name, from, to: None } => {
                    add(format!("leaves {}", from.as_deref().unwrap_or_default()), name.clone());
                }
                Self::Count { place, by } => {
                    let unexplained = by - named(effects, place);
                    let cards = if unexplained.abs() == 1 { "card" } else { "cards" };
                    other.extend((unexplained != 0).then(|| format!("{} {cards} in {place}", signed(unexplained))));
                }
                Self::Other(text) => other.push(text.clone()),
            }
        }
        let sentence = |(group, list): (String, Vec<String>)| {
            if group.ends_with(':') {
                return format!("{group} {}", list.join(", "));
            }
            let (verb, rest) = group.split_once(' ').unwrap_or((&group, ""));
            let verb = if list.len() == 1 { verb } else { verb.trim_end_matches('s') };
            format!("{} {verb} {rest}", listed(&list))
        };
        groups.into_iter().map(sentence).chain(other).collect()
    }
}

/// How many named cards come to a place, less those that leave it.
fn named(effects: &[Effect], place: &str) -> i64 {
    let of = |effect: &Effect| match effect {
        Effect::Card { from, to, .. } => {
            i64::from(to.as_deref() == Some(place)) - i64::from(from.as_deref() == Some(place))
        }
        _ => 0,
    };
    effects.iter().map(of).sum()
}

/// Open cards that move, and those that change in their place.
fn moves(now: &View, piles: &[PileChange<'_>], effects: &mut Vec<Effect>) {
    let open = |card: &&&Card| card.face.is_some();
    let mut gone: Vec<(&Pile, &Card)> = Vec::new();
    for change in piles {
        gone.extend(change.removed.iter().filter(open).map(|card| (change.pile, *card)));
    }
    for change in piles {
        for card in change.added.iter().filter(open) {
            let source =
                gone.iter().position(|(pile, other)| other.face == card.face && !std::ptr::eq(*pile, change.pile));
            let from = source.map(|at| place(now, gone.remove(at).0));
            effects.push(Effect::Card { name: card.name.clone(), from, to: Some(place(now, change.pile)) });
        }
        let turned = change.turned.iter().filter(open).filter(|card| !card.told().is_empty());
        effects.extend(turned.map(|card| Effect::Other(format!("{}{}", card.name, card.told()))));
    }
    let left = gone.into_iter().map(|(pile, card)| Effect::Card {
        name: card.name.clone(),
        from: Some(place(now, pile)),
        to: None,
    });
    effects.extend(left);
}

/// A pile as a place: `your hand`, `Ann's hand`, `the market`.
fn place(now: &View, pile: &Pile) -> String {
    format!("{} {}", owner(now, pile.seat).unwrap_or_else(|| "the".to_owned()), within(&pile.label))
}

/// The owner of a pile or a board: `your`, `Ann's`; `None`: the game.
fn owner(now: &View, seat: Option<u8>) -> Option<String> {
    let whose = |seat| if now.seat == Some(seat) { "your".to_owned() } else { format!("{}'s", now.seat_name(seat)) };
    seat.map(whose)
}

/// The changed counters of a row for one holder: `+2 gold`, `home: b3`.
fn counters(change: &RowChange<'_>, holder: usize) -> Vec<String> {
    let (Some(now), Some(Some(before))) = (change.row.values.get(holder), change.before.get(holder)) else {
        return Vec::new();
    };
    let row = within(&change.row.label);
    let alone = now.amounts.len() == 1;
    let told = now.amounts.iter().zip(&before.amounts).filter(|(new, old)| new != old).map(|(new, old)| {
        let label = if alone { row.clone() } else { format!("{} ({row})", new.label) };
        match (new.number, old.number) {
            (Some(new), Some(old)) => format!("{} {label}", signed(i64::from(new) - i64::from(old))),
            _ => format!("{label}: {}", new.text),
        }
    });
    told.collect()
}

/// A difference with its sign.
fn signed(by: i64) -> String {
    if by < 0 { format!("−{}", by.unsigned_abs()) } else { format!("+{by}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counter(who: &str, what: &str) -> Effect {
        Effect::Counter { who: who.to_owned(), what: what.to_owned() }
    }

    fn card(name: &str, from: Option<&str>, to: Option<&str>) -> Effect {
        Effect::Card { name: name.to_owned(), from: from.map(str::to_owned), to: to.map(str::to_owned) }
    }

    fn count(place: &str, by: i64) -> Effect {
        Effect::Count { place: place.to_owned(), by }
    }

    #[test]
    fn changes_become_sentences_for_players() {
        let effects = [
            counter("You", "+2 gold"),
            counter("Ann", "−1 gold"),
            counter("You", "−1 action"),
            card("Tavern", Some("the market"), Some("your tableau")),
            card("Drill", Some("your hand"), Some("the discard")),
            card("Well", Some("your hand"), Some("the discard")),
            card("Mill", None, Some("the market")),
            card("Lamp", Some("the market"), None),
            count("the market", -1),
            count("your hand", 1),
            Effect::Other("b3: lake".to_owned()),
        ];
        let wanted = [
            "You: +2 gold, −1 action",
            "Ann: −1 gold",
            "Tavern moves to your tableau",
            "Drill and Well move to the discard",
            "Mill comes to the market",
            "Lamp leaves the market",
            "+3 cards in your hand",
            "b3: lake",
        ];
        assert_eq!(Effect::sentences(&effects), wanted);
    }

    #[test]
    fn equal_changes_are_counted_in_every_list() {
        let twice = vec![card("Drill", None, Some("your hand")), card("Drill", None, Some("your hand"))];
        assert_eq!(Effect::in_all(&[twice.clone(), twice.clone()]), twice);
        assert_eq!(Effect::in_all(&[twice.clone(), twice[..1].to_vec()]), twice[..1]);
        assert_eq!(Effect::in_all(&[]), []);
    }
}
