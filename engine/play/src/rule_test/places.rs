//! `t.put`: which tokens are meant by their ids.

use std::collections::BTreeMap;

use super::case::Case;
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
/// nowhere, zones of the game, zones of players; from each the lowest one. One that the test has put elsewhere stays there.
pub(super) fn put(case: &mut Case, zone: usize, holder: i32, words: &[Word]) -> Result<(), String> {
    let rests = rests(case, zone, holder)?;
    case.placed.retain(|token, place| *place != (zone, holder) && rests.get(token).is_some_and(|(_, at)| at == place));
    let mut tokens: Vec<i32> = Vec::with_capacity(words.len());
    for word in words {
        let token = match word {
            Word::Number(token) => *token,
            Word::Text(text) => token(case, zone, holder, text, &rests, &tokens)?,
            word @ Word::Boolean(_) => return Err(format!("expected ids of tokens, got `{word}`")),
        };
        tokens.push(token);
    }
    case.engine(|table| table.put(zone, holder, &tokens))?;
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

fn token(case: &mut Case, zone: usize, holder: i32, text: &str, rests: &Rests, taken: &[i32]) -> Result<i32, String> {
    let kinds =
        case.game.declarations().zones.get_index(zone).map(|(_, declared)| declared.holds.clone()).unwrap_or_default();
    let all = case.names(|names| names.tokens_of(text, &kinds, holder))?;
    let free = all.iter().copied().filter(|token| !taken.contains(token) && !case.placed.contains_key(token));
    let nowhere = Rest { from: From::Nowhere, depth: 0 };
    free.min_by_key(|token| (rests.get(token).map_or(nowhere, |(rest, _)| *rest), *token)).ok_or_else(|| {
        match all.len() {
            0 => format!("there is no token `{text}` that this zone could hold"),
            count => format!("no token `{text}` is left: this test has used all {count}"),
        }
    })
}
