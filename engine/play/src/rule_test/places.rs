//! `t.put`: chooses the tokens that ids mean.

use std::collections::BTreeMap;

use super::case::Case;
use super::names::Names;
use super::values::Word;

/// Where a token is: how readily it is taken from there, and how deep it lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rest {
    from: From,
    depth: usize,
}

/// Where the tokens are that are in a zone, with the zone and its holder.
type Rests = BTreeMap<i32, (Rest, (usize, i32))>;

/// Where tokens are taken from, most readily first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum From {
    /// It is in the zone already.
    Same,
    /// It is in no zone.
    Nowhere,
    /// It is in a zone of the game: a deck, a discard pile.
    Game,
    /// It is in a zone of a player.
    Player,
}

/// Makes a zone hold exactly these tokens, bottom first. A token named by its id is taken from this zone, else from outside all zones,
/// else from zones of the game, else from zones of players; from each the lowest one. One that the test has put elsewhere stays
/// there, unless it is named by its number (`mine#2`).
pub(super) fn put(case: &mut Case, zone: usize, holder: i32, words: &[Word]) -> Result<(), String> {
    let rests = rests(case, zone, holder)?;
    case.placed.retain(|token, place| *place != (zone, holder) && rests.get(token).is_some_and(|(_, at)| at == place));
    // Tokens named by number are not available for ids.
    let mut exact: Vec<Option<i32>> = Vec::with_capacity(words.len());
    for word in words {
        exact.push(match word {
            Word::Number(token) => Some(*token),
            Word::Text(text) => Names::numbered(text, &meant(case, zone, holder, text)?)?,
            word @ Word::Boolean(_) => return Err(format!("expected ids of tokens, got `{word}`")),
        });
    }
    let mut taken: Vec<i32> = exact.iter().copied().flatten().collect();
    let mut tokens: Vec<i32> = Vec::with_capacity(words.len());
    for (word, exact) in words.iter().zip(exact) {
        let token = match (exact, word) {
            (None, Word::Text(text)) => free(case, zone, holder, text, &rests, &taken)?,
            (exact, _) => exact.unwrap_or_default(),
        };
        taken.push(token);
        tokens.push(token);
    }
    case.engine(|table| table.edit().set_zone(zone, holder, &tokens))?;
    case.placed.extend(tokens.into_iter().map(|token| (token, (zone, holder))));
    Ok(())
}

/// Where the tokens are that are in a zone.
fn rests(case: &mut Case, zone: usize, holder: i32) -> Result<Rests, String> {
    let game = case.game.clone();
    let table = case.table()?;
    let mut rests = BTreeMap::new();
    for pile in &game.layout().piles {
        let from = match pile.holder {
            _ if (pile.zone, pile.holder) == (zone, holder) => From::Same,
            0 => From::Game,
            _ => From::Player,
        };
        for (depth, token) in table.zone(pile.zone, pile.holder).unwrap_or_default().into_iter().enumerate() {
            rests.insert(token, (Rest { from, depth }, (pile.zone, pile.holder)));
        }
    }
    Ok(rests)
}

/// The tokens that an id may mean in a zone.
fn meant(case: &mut Case, zone: usize, holder: i32, text: &str) -> Result<Vec<i32>, String> {
    let kinds =
        case.game.declarations().zones.get_index(zone).map(|(_, declared)| declared.holds.clone()).unwrap_or_default();
    case.names(|names| names.tokens_of(text, &kinds, holder))
}

/// The free token that an id means: the one taken most readily.
fn free(case: &mut Case, zone: usize, holder: i32, text: &str, rests: &Rests, taken: &[i32]) -> Result<i32, String> {
    let all = meant(case, zone, holder, text)?;
    let free = all.iter().copied().filter(|token| !taken.contains(token) && !case.placed.contains_key(token));
    let nowhere = Rest { from: From::Nowhere, depth: 0 };
    free.min_by_key(|token| (rests.get(token).map_or(nowhere, |(rest, _)| *rest), *token)).ok_or_else(|| {
        match all.len() {
            0 => format!("there is no token `{text}` that this zone could hold"),
            count => format!("no token `{text}` is left: this test has used all {count}"),
        }
    })
}
