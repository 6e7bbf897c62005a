//! Translates names in tests to engine numbers, and back.

use motherlode::Game;
use motherlode::declare::{Declarations, Domain, Family, Holder, MEMBER};
use motherlode::tools::cell_name;

use super::suggest::did_you_mean;
use super::values::Word;

/// The names of a game, for a number of players.
pub(super) struct Names<'g> {
    game: &'g Game,
    players: i32,
}

/// Maximum ids in a message.
const MAX_LISTED: usize = 20;

/// A reference to a token, `mine#2@1`: id, number among several, owner.
struct Reference<'w> {
    id: &'w str,
    which: Option<usize>,
    owner: Option<i32>,
}

impl<'w> Reference<'w> {
    fn parse(text: &'w str) -> Result<Self, String> {
        let (rest, owner) = split_number(text, '@')?;
        let (id, which) = split_number(rest, '#')?;
        let which = which
            .map(|which| usize::try_from(which).ok().filter(|which| *which > 0).ok_or("`#` counts from 1"))
            .transpose()?;
        Ok(Self { id, which, owner })
    }
}

fn split_number(text: &str, mark: char) -> Result<(&str, Option<i32>), String> {
    let Some((rest, number)) = text.split_once(mark) else { return Ok((text, None)) };
    let number = number.parse().map_err(|_| format!("`{text}`: expected a number after `{mark}`"))?;
    Ok((rest, Some(number)))
}

impl<'g> Names<'g> {
    pub(super) fn new(game: &'g Game, players: u8) -> Self {
        Self { game, players: i32::from(players) }
    }

    pub(super) fn declarations(&self) -> &'g Declarations {
        self.game.declarations()
    }

    pub(super) fn counter(&self, name: &str) -> Result<usize, String> {
        let d = self.declarations();
        let family = || d.counter_families.get(name).map(|family| self.is_family(name, family));
        let attribute = || {
            d.kinds.values().find(|kind| kind.attributes.contains_key(name)).map(|_| {
                format!("`{name}` is an attribute: use `t.current` for its current value, `t.attr` for a definition's")
            })
        };
        let wrong = || family().or_else(attribute).unwrap_or_else(|| unknown("counter", name, d.counters.keys()));
        d.counters.get_index_of(name).ok_or_else(wrong)
    }

    pub(super) fn zone(&self, name: &str) -> Result<usize, String> {
        let d = self.declarations();
        let family = || d.zone_families.get(name).map(|family| self.is_family(name, family));
        d.zones.get_index_of(name).ok_or_else(|| family().unwrap_or_else(|| unknown("zone", name, d.zones.keys())))
    }

    /// The error for a family's name in place of a member's.
    fn is_family(&self, name: &str, family: &Family) -> String {
        let id = self.declarations().definitions_of(family.kind).first().map_or("", |definition| &definition.id);
        format!("`{name}` is a family: name a member, such as `{name}{MEMBER}{id}`")
    }

    pub(super) fn phase(&self, name: &str) -> Result<usize, String> {
        let phases = &self.declarations().phases;
        phases.get_index_of(name).ok_or_else(|| unknown("phase", name, phases.keys()))
    }

    pub(super) fn prompt(&self, name: &str) -> Result<usize, String> {
        let prompts = &self.declarations().prompts;
        prompts.get_index_of(name).ok_or_else(|| unknown("prompt", name, prompts.keys()))
    }

    /// A seat, from 0.
    pub(super) fn seat(&self, player: i32) -> Result<u8, String> {
        let seat = u8::try_from(player - 1).ok().filter(|_| (1..=self.players).contains(&player));
        seat.ok_or_else(|| format!("unknown player {player}: use 1 to {}", self.players))
    }

    pub(super) fn player(&self, word: &Word) -> Result<i32, String> {
        match word {
            Word::Number(player) => self.seat(*player).map(|_| *player),
            word => Err(format!("expected the number of a player, got `{word}`")),
        }
    }

    /// The holder of a counter: the game, a player, a token or a cell.
    pub(super) fn holder(&self, word: &Word, counter: usize) -> Result<i32, String> {
        let (name, declared) = self.declarations().counters.get_index(counter).ok_or("no such counter")?;
        match (declared.per, word) {
            (Holder::Game, Word::Text(text)) if text == "game" => Ok(0),
            (Holder::Game, word) => {
                Err(format!("counter `{name}` belongs to the game: write \"game\" instead of {word}"))
            }
            (Holder::Player, word) => {
                self.player(word).map_err(|error| format!("counter `{name}` belongs to players: {error}"))
            }
            (Holder::Token(_) | Holder::Cell(_), Word::Number(number)) => Ok(*number),
            (Holder::Token(_), Word::Text(text)) => {
                let d = self.declarations();
                let kinds: Vec<usize> = (0..d.kinds.len()).filter(|&kind| d.is_of(declared.per, kind)).collect();
                self.only_token(text, &kinds)
            }
            (Holder::Cell(grid), Word::Text(text)) => self.cell(text, grid),
            (_, word) => Err(format!("`{word}` holds no counter `{name}`")),
        }
    }

    /// A token, by its number or a reference.
    pub(super) fn token(&self, word: &Word) -> Result<i32, String> {
        let kinds = &self.declarations().kinds;
        match word {
            Word::Number(number) => Ok(*number),
            Word::Text(text) => {
                let of: Vec<usize> =
                    kinds.values().enumerate().filter(|(_, kind)| kind.tokens).map(|(kind, _)| kind).collect();
                self.only_token(text, &of)
            }
            word @ Word::Boolean(_) => Err(format!("expected the id of a token, got `{word}`")),
        }
    }

    /// All tokens that a word may mean, wherever they are.
    pub(super) fn tokens(&self, word: &Word) -> Result<Vec<i32>, String> {
        let Word::Text(text) = word else { return self.token(word).map(|token| vec![token]) };
        let kinds = self.declarations().kinds.values().enumerate().filter(|(_, kind)| kind.tokens);
        let all = self.tokens_of(text, &kinds.map(|(kind, _)| kind).collect::<Vec<_>>(), 0)?;
        Ok(Self::numbered(text, &all)?.map_or(all, |token| vec![token]))
    }

    /// The number of a cell in the named grid, or in the only grid that has the cell.
    pub(super) fn any_cell(&self, text: &str, player: Option<i32>, grid: Option<&str>) -> Result<i32, String> {
        let grids = &self.declarations().grids;
        let having = match grid {
            Some(name) => vec![grids.get_index_of(name).ok_or_else(|| unknown("grid", name, grids.keys()))?],
            None => {
                let cell = text.split('@').next().unwrap_or_default();
                let has = |grid: &usize| self.cell_index(cell, *grid).is_some();
                let of_players = player.is_some() || text.contains('@');
                let all: Vec<usize> = (0..grids.len()).filter(has).collect();
                let fits = |grid: &usize| (grids[*grid].per == Holder::Player) == of_players;
                let right: Vec<usize> = all.iter().copied().filter(fits).collect();
                if right.is_empty() { all } else { right }
            }
        };
        match having[..] {
            [] => Err(format!("no grid has a cell `{text}`")),
            [grid] => match player {
                Some(player) if !text.contains('@') => self.cell(&format!("{text}@{player}"), grid),
                _ => self.cell(text, grid),
            },
            _ => {
                let names: Vec<&str> =
                    having.iter().filter_map(|grid| Some(grids.get_index(*grid)?.0.as_str())).collect();
                Err(format!("several grids have a cell `{text}`: pass one of these as the grid: {}", names.join(", ")))
            }
        }
    }

    /// The token that a reference with `#` selects from `tokens`; `None` without `#`.
    pub(super) fn numbered(text: &str, tokens: &[i32]) -> Result<Option<i32>, String> {
        let Some(which) = Reference::parse(text)?.which else { return Ok(None) };
        let token = tokens.get(which - 1).copied();
        token.map(Some).ok_or_else(|| format!("`{text}`: there are only {}", tokens.len()))
    }

    /// The only token that a reference means.
    fn only_token(&self, text: &str, kinds: &[usize]) -> Result<i32, String> {
        let reference = Reference::parse(text)?;
        let tokens = self.tokens_of(text, kinds, 0)?;
        match (Self::numbered(text, &tokens)?, tokens.as_slice()) {
            (_, []) => Err(format!("no token `{text}` is in this match")),
            (Some(token), _) => Ok(token),
            (None, [token]) => Ok(*token),
            (None, tokens) => {
                Err(format!("there are {} tokens `{text}`: {}", tokens.len(), self.one_of(&reference, tokens)))
            }
        }
    }

    /// How to name one of several tokens that a reference without `#` means.
    fn one_of(&self, reference: &Reference<'_>, tokens: &[i32]) -> String {
        let id = reference.id;
        if let Some(owner) = reference.owner {
            return format!("write `{id}#1@{owner}` for the first");
        }
        let owner_of = |token: &i32| usize::try_from(token - 1).ok().and_then(|at| self.game.layout().tokens.get(at));
        let owner = tokens.first().and_then(owner_of).map_or(0, |info| info.owner);
        let own = tokens.iter().filter(|token| owner_of(token).is_some_and(|info| info.owner == owner)).count();
        match (owner, own) {
            (0, _) => format!("write `{id}#1` for the first"),
            (owner, 1) => format!("write `{id}@{owner}` for player {owner}'s own"),
            (owner, _) => format!("write `{id}#1@{owner}` for the first of player {owner}"),
        }
    }

    /// All tokens of these kinds that a reference may mean, by number: those without an owner and those of `owner` (0
    /// for any). Ignores `#`.
    pub(super) fn tokens_of(&self, text: &str, kinds: &[usize], owner: i32) -> Result<Vec<i32>, String> {
        let reference = Reference::parse(text)?;
        let d = self.declarations();
        let all = || d.definitions.iter().enumerate().filter(|(_, definition)| kinds.contains(&definition.kind));
        // Two kinds may have the same id.
        let meant_ones: Vec<usize> =
            all().filter(|(_, definition)| definition.id == reference.id).map(|(index, _)| index).collect();
        if meant_ones.is_empty() {
            let ids = all().map(|(_, definition)| definition.id.as_str());
            let kinds: Vec<&str> =
                kinds.iter().filter_map(|kind| d.kinds.get_index(*kind)).map(|(name, _)| name.as_str()).collect();
            let near = did_you_mean(reference.id, ids.clone());
            let ids: Vec<&str> = if near.is_empty() { ids.take(MAX_LISTED + 1).collect() } else { Vec::new() };
            let list = match ids.len() {
                1..=MAX_LISTED => format!("; use one of: {}", ids.join(", ")),
                _ => String::new(),
            };
            return Err(format!("unknown id `{}` in {}{near}{list}", reference.id, kinds.join(", ")));
        }
        let wanted = reference.owner.unwrap_or(owner);
        let tokens = self.game.layout().tokens.iter().zip(1..);
        let fits = |owner: i32| {
            if wanted == 0 {
                owner <= self.players
            } else {
                owner == wanted || (owner == 0 && reference.owner.is_none())
            }
        };
        Ok(tokens
            .filter(|(info, _)| meant_ones.contains(&info.definition) && fits(info.owner))
            .map(|(_, token)| token)
            .collect())
    }

    /// The kind of an id that none of these kinds has, with the zones that hold it: `blue (cards): use hand`.
    pub(super) fn other_places(&self, text: &str, kinds: &[usize]) -> Option<String> {
        let d = self.declarations();
        let id = Reference::parse(text).ok()?.id;
        let mut found = d.definitions.iter().filter(|one| one.id == id && d.kinds[one.kind].tokens).map(|one| one.kind);
        if d.definitions.iter().any(|one| one.id == id && kinds.contains(&one.kind)) {
            return None;
        }
        let kind = found.next()?;
        let zones = d.zones.iter().filter(|(_, zone)| zone.holds.contains(&kind));
        let zones: Vec<&str> = zones.map(|(name, _)| name.as_str()).collect();
        let (kind, _) = d.kinds.get_index(kind)?;
        let place = if zones.is_empty() { String::new() } else { format!(": use {}", zones.join(", ")) };
        Some(format!("`{id}` ({kind}){place}"))
    }

    /// The index of a cell by its coordinate, or by the id of the definition that names it.
    fn cell_index(&self, text: &str, grid: usize) -> Option<usize> {
        let (d, geometry) = (self.declarations(), &self.game.layout().grids[grid]);
        let by_coordinate = geometry.cell_named(text).filter(|cell| !geometry.is_hole(*cell));
        by_coordinate.or_else(|| {
            let names = d.definitions_of(d.grids.get_index(grid)?.1.names?);
            let at = names.iter().position(|definition| definition.id == text)?;
            geometry.cells().get(at).map(|cell| usize::from(*cell))
        })
    }

    /// The number of a named cell, counted from 1 over the grids of all players.
    fn cell(&self, text: &str, grid: usize) -> Result<i32, String> {
        let (name, declared) = self.declarations().grids.get_index(grid).ok_or("no such grid")?;
        let (cell, owner) = split_number(text, '@')?;
        let geometry = &self.game.layout().grids[grid];
        let index = self.cell_index(cell, grid);
        let index = index.ok_or_else(|| format!("grid `{name}` has no cell `{cell}`"))?;
        let before = match (declared.per, owner) {
            (Holder::Player, Some(player)) => usize::from(self.seat(player)?) * geometry.places(),
            (Holder::Player, None) => {
                return Err(format!("every player has a grid `{name}`: write for example `{cell}@1`"));
            }
            (_, None) => 0,
            (_, Some(_)) => return Err(format!("there is one grid `{name}`: write `{cell}`")),
        };
        i32::try_from(before + index + 1).map_err(|error| error.to_string())
    }

    /// A cell's name in test syntax.
    pub(super) fn cell_name(&self, grid: usize, cell: i32) -> String {
        let of_players = self.declarations().grids.get_index(grid).is_some_and(|(_, grid)| grid.per == Holder::Player);
        let name = cell_name(self.game.layout(), grid, cell);
        let places = i32::try_from(self.game.layout().grids[grid].places()).unwrap_or(1).max(1);
        if of_players { format!("{name}@{}", (cell - 1) / places + 1) } else { name }
    }

    /// The holder of a zone: 0 or a player.
    pub(super) fn zone_holder(&self, zone: usize, word: Option<&Word>) -> Result<i32, String> {
        let (name, declared) = self.declarations().zones.get_index(zone).ok_or("no such zone")?;
        match (declared.per, word) {
            (Holder::Player, None) => {
                Err(format!("every player has a zone `{name}`: name the player, from 1 to {}", self.players))
            }
            (Holder::Player, Some(Word::Number(player))) => self.seat(*player).map(|_| *player),
            (Holder::Player, Some(word)) => {
                Err(format!("every player has a zone `{name}`: use 1 to {} instead of `{word}`", self.players))
            }
            (_, None) => Ok(0),
            (_, Some(Word::Text(text))) if text == "game" => Ok(0),
            (_, Some(word)) => Err(format!("zone `{name}` belongs to the game: leave out {word}")),
        }
    }

    /// The value of a counter: a number, the name of an enumerated value, or `true` and `false` for 1 and 0.
    pub(super) fn value(&self, counter: usize, word: &Word) -> Result<i32, String> {
        let (name, declared) = self.declarations().counters.get_index(counter).ok_or("no such counter")?;
        match word {
            Word::Number(number) => Ok(*number),
            Word::Boolean(boolean) => Ok(i32::from(*boolean)),
            Word::Text(text) if text == "none" && declared.means != Domain::Number => Ok(0),
            Word::Text(text) if matches!(declared.means, Domain::Cell(_) | Domain::Token | Domain::Player) => {
                self.thing(declared.means, text)
            }
            Word::Text(text) => {
                let value = declared.values.iter().position(|value| value == text);
                value.and_then(|value| i32::try_from(value).ok()).ok_or_else(|| match declared.values.as_slice() {
                    [] => format!("counter `{name}` is a plain number and has no value `{text}`"),
                    values => format!(
                        "counter `{name}` has no value `{text}`{}; use one of: {}",
                        did_you_mean(text, values.iter().map(String::as_str)),
                        values.join(", ")
                    ),
                })
            }
        }
    }

    /// The number of a named player, cell or token.
    fn thing(&self, means: Domain, text: &str) -> Result<i32, String> {
        match means {
            Domain::Cell(grid) => self.cell(text, grid),
            Domain::Token => self.token(&Word::Text(text.to_owned())),
            _ => {
                let seats = self.declarations().seats.iter().take(usize::try_from(self.players).unwrap_or(0));
                let names: Vec<&str> = seats.map(|seat| seat.name.as_str()).collect();
                let player = names.iter().position(|name| *name == text).and_then(|seat| i32::try_from(seat + 1).ok());
                player.ok_or_else(|| format!("unknown player `{text}`{}", did_you_mean(text, names.iter().copied())))
            }
        }
    }

    /// A counter's value in test syntax.
    pub(super) fn show_value(&self, counter: usize, value: i32) -> String {
        let declared = self.declarations().counters.get_index(counter).map(|(_, declared)| declared);
        match declared.map(|declared| declared.means) {
            Some(Domain::Cell(_) | Domain::Token) if value == 0 => return "none".to_owned(),
            Some(Domain::Cell(grid)) => return self.cell_name(grid, value),
            Some(Domain::Token) => return self.id(value).to_owned(),
            _ => {}
        }
        let names = declared.map(|declared| declared.values.as_slice()).unwrap_or_default();
        usize::try_from(value).ok().and_then(|value| names.get(value)).cloned().unwrap_or_else(|| value.to_string())
    }

    /// Describes a counter: `gold of player 2`.
    pub(super) fn show_counter(&self, counter: usize, word: &Word) -> String {
        let Some((name, declared)) = self.declarations().counters.get_index(counter) else { return String::new() };
        match declared.per {
            Holder::Game => name.clone(),
            Holder::Player => format!("{name} of player {word}"),
            Holder::Token(_) | Holder::Cell(_) => format!("{name} of {word}"),
        }
    }

    /// Describes a zone: `hand of player 2`.
    pub(super) fn show_zone(&self, zone: usize, holder: i32) -> String {
        let name = self.declarations().zones.get_index(zone).map(|(name, _)| name.as_str()).unwrap_or_default();
        if holder == 0 { name.to_owned() } else { format!("{name} of player {holder}") }
    }

    /// The id of a token's definition.
    pub(super) fn id(&self, token: i32) -> &'g str {
        let info = usize::try_from(token - 1).ok().and_then(|index| self.game.layout().tokens.get(index));
        let definition = info.and_then(|info| self.declarations().definitions.get(info.definition));
        definition.map_or("?", |definition| definition.id.as_str())
    }
}

fn unknown<'a>(what: &str, name: &str, names: impl Iterator<Item = &'a String> + Clone) -> String {
    let near = did_you_mean(name, names.clone().map(String::as_str));
    if !near.is_empty() {
        return format!("unknown {what} `{name}`{near}");
    }
    let all: Vec<&str> = names.map(String::as_str).collect();
    if all.is_empty() {
        format!("unknown {what} `{name}`")
    } else {
        format!("unknown {what} `{name}`; use one of: {}", all.join(", "))
    }
}
