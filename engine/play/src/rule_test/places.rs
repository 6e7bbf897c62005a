//! `t.put`: which tokens are meant by their ids.

use std::collections::BTreeMap;

use super::case::Case;
use super::names::Names;
use super::values::Word;

/// Where a token lies: how readily it is taken from there, and how deep it lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rest {
    from: From,
    depth: usize,
}

/// Where all tokens lie that lie somewhere, with their zone and its holder.
type Rests = BTreeMap<i32, (Rest, (usize, i32))>;

/// From where tokens are taken, most readily first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum From {
    /// It lies in the zone already.
    Same,
    /// It lies nowhere.
    Nowhere,
    /// It lies in a zone of the game: a deck, a discard.
    Game,
    /// It lies with a player.
    Player,
}

/// Makes a zone hold exactly these tokens, bottom first. A token meant by its id is taken from where it is missed least: this zone,
/// nowhere, zones of the game, zones of players; from each the lowest one. One that the test has put elsewhere stays there, unless
/// it is meant by its number (`mine#2`).
pub(super) fn put(case: &mut Case, zone: usize, holder: i32, words: &[Word]) -> Result<(), String> {
    let rests = rests(case, zone, holder)?;
    case.placed.retain(|token, place| *place != (zone, holder) && rests.get(token).is_some_and(|(_, at)| at == place));
    // Those that are meant one by one are nobody else's.
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

/// Where all tokens lie that lie somewhere.
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

/// The token that an id means: the one that is missed least.
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
