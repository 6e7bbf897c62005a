//! `t.put`: selects the tokens that ids mean.

use std::collections::BTreeMap;

use super::case::Case;
use super::names::Names;
use super::values::Word;

/// The location of a token: its source rank and its depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Location {
    source: Source,
    depth: usize,
}

/// Locations of all tokens in zones, with zone and holder.
type Locations = BTreeMap<i32, (Location, (usize, i32))>;

/// Sources of tokens, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    /// The target zone.
    Same,
    /// No zone.
    Nowhere,
    /// A zone of the game, such as a draw pile or discard pile.
    Game,
    /// A zone of a player.
    Player,
}

/// Makes a zone hold exactly these tokens, bottom first.
///
/// An id takes a token from this zone, else from outside all zones, else from zones of the game, else from zones of
/// players; from each, the lowest one. Tokens that the test has placed elsewhere stay there, unless a number selects
/// them (`mine#2`).
pub(super) fn put(case: &mut Case, zone: usize, holder: i32, words: &[Word]) -> Result<(), String> {
    let locations = locations(case, zone, holder)?;
    case.placed
        .retain(|token, place| *place != (zone, holder) && locations.get(token).is_some_and(|(_, at)| at == place));
    // Tokens selected by number are not available for ids.
    let mut exact: Vec<Option<i32>> = Vec::with_capacity(words.len());
    for word in words {
        exact.push(match word {
            Word::Number(token) => Some(*token),
            Word::Text(text) => Names::numbered(text, &candidates(case, zone, holder, text)?)?,
            word @ Word::Boolean(_) => return Err(format!("expected ids of tokens, got `{word}`")),
        });
    }
    let mut taken: Vec<i32> = exact.iter().copied().flatten().collect();
    let mut tokens: Vec<i32> = Vec::with_capacity(words.len());
    for (word, exact) in words.iter().zip(exact) {
        let token = match (exact, word) {
            (None, Word::Text(text)) => free(case, zone, holder, text, &locations, &taken)?,
            (exact, _) => exact.unwrap_or_default(),
        };
        taken.push(token);
        tokens.push(token);
    }
    case.engine(|m| m.edit().set_zone(zone, holder, &tokens))?;
    case.placed.extend(tokens.into_iter().map(|token| (token, (zone, holder))));
    Ok(())
}

/// Locations of all tokens in zones.
fn locations(case: &mut Case, zone: usize, holder: i32) -> Result<Locations, String> {
    let game = case.game.clone();
    let m = case.current_match()?;
    let mut locations = BTreeMap::new();
    for pile in &game.layout().piles {
        let from = match pile.holder {
            _ if (pile.zone, pile.holder) == (zone, holder) => Source::Same,
            0 => Source::Game,
            _ => Source::Player,
        };
        for (depth, token) in m.zone(pile.zone, pile.holder).unwrap_or_default().into_iter().enumerate() {
            locations.insert(token, (Location { source: from, depth }, (pile.zone, pile.holder)));
        }
    }
    Ok(locations)
}

/// The tokens that an id may mean in a zone.
fn candidates(case: &mut Case, zone: usize, holder: i32, text: &str) -> Result<Vec<i32>, String> {
    case.names(|names| {
        let Some((name, declared)) = names.declarations().zones.get_index(zone) else { return Ok(Vec::new()) };
        match names.other_places(text, &declared.holds) {
            Some(places) => Err(format!("zone `{name}` does not hold {places}")),
            None => names.tokens_of(text, &declared.holds, holder),
        }
    })
}

/// The best free token that an id means.
fn free(
    case: &mut Case,
    zone: usize,
    holder: i32,
    text: &str,
    locations: &Locations,
    taken: &[i32],
) -> Result<i32, String> {
    let all = candidates(case, zone, holder, text)?;
    let free = all.iter().copied().filter(|token| !taken.contains(token) && !case.placed.contains_key(token));
    let nowhere = Location { source: Source::Nowhere, depth: 0 };
    free.min_by_key(|token| (locations.get(token).map_or(nowhere, |(location, _)| *location), *token)).ok_or_else(
        || match all.len() {
            0 => format!("no token `{text}` fits this zone"),
            count => format!("no token `{text}` is left: this test has put all {count} into zones, where they stay"),
        },
    )
}
