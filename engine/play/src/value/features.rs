//! Features: a seat's view of a position as a list of numbers, derived from the declarations. No feature is written
//! by hand.
//!
//! Each feature is named after the content, so that a value from one version of a game works in another. Features
//! never include hidden information: of secret zones and counters, a seat gets only its own.

use std::fmt::Write as _;

use motherlode::declare::{AttributeType, Counter, Declarations, Domain, Holder, Value, Visibility};
use motherlode::tools::{Layout, word};
use motherlode::{Game, Match};

use super::board::{BoardFeatures, MOST_CELLS, boards};
use super::sets::{MOST_VALUES, SetFeatures, sets};

/// Values tested for zero at once.
const CHUNK: usize = 16;
/// Rounds that count as 1 in the round feature.
const ROUNDS: f32 = 10.0;

/// The features of one game and where each is read from, computed once per game.
#[derive(Debug)]
pub(crate) struct Features {
    game: Game,
    names: Vec<String>,
    flow: FlowFeatures,
    counters: Vec<CounterFeatures>,
    zones: Vec<ZoneFeatures>,
    told: Vec<ToldFeatures>,
    boards: Vec<BoardFeatures>,
    sets: Vec<SetFeatures>,
    /// Per definition, its numeric attributes: index among the traits of its kind, and value.
    traits: Vec<Vec<(u16, f32)>>,
}

/// Indices of the features of the game's flow.
#[derive(Debug, Default)]
struct FlowFeatures {
    round: usize,
    phases: usize,
    prompts: usize,
    turn: usize,
    passed: usize,
}

/// The encoding of a counter's value as features.
#[derive(Debug, Clone, Copy)]
enum Encoding {
    /// The value itself.
    Plain,
    /// One feature per value.
    Values(usize),
    /// The seat that the value names, relative to the observing seat.
    Seat,
    /// Whether the value names anything.
    Thing,
}

#[derive(Debug)]
struct CounterFeatures {
    /// Word of the first holder.
    offset: usize,
    /// Holders per player, or of the game.
    len: usize,
    kind: Encoding,
    holder: Owner,
    /// Other seats see the counter.
    is_public: bool,
    /// Feature of the first cell, if each cell has its own.
    cells: Option<usize>,
    out: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    Game,
    Player,
}

#[derive(Debug)]
struct ZoneFeatures {
    /// Word of the first holder's length.
    offset: usize,
    stride: usize,
    owner: Owner,
    /// The owner sees the length.
    is_own_counted: bool,
    is_counted: bool,
    /// Other seats see the tokens.
    is_public: bool,
    /// The zone holds tokens that belong to players.
    holds_owned: bool,
    /// Features per kind of token.
    definitions: Vec<KindFeatures>,
    out: usize,
}

/// Features of one kind in a zone.
#[derive(Debug)]
struct KindFeatures {
    kind: usize,
    first: usize,
    /// Index of the first definition's feature, for own tokens.
    out: usize,
    /// Index of the first trait's feature, for own tokens; those of other seats follow.
    traits: usize,
    traits_len: usize,
}

/// Features of the statements about the tokens in a zone: how many tokens something was told about, and of how many
/// the value is known.
#[derive(Debug)]
struct ToldFeatures {
    /// Word and number of the first token with the counter, and the number of tokens.
    words: usize,
    first: i32,
    len: usize,
    /// The bits of all values.
    all: i32,
    /// Word of the first holder's length.
    zone: usize,
    stride: usize,
    holders: usize,
    out: usize,
}

impl Encoding {
    fn of(d: &Declarations, counter: &Counter) -> Self {
        let values = match counter.means {
            Domain::Player => return Self::Seat,
            Domain::Token | Domain::Cell(_) => return Self::Thing,
            Domain::Definition(kind) => d.definitions_of(kind).len() + 1,
            Domain::Number => counter.values.len(),
        };
        if (1..=MOST_VALUES).contains(&values) { Self::Values(values) } else { Self::Plain }
    }

    fn width(self, players: usize) -> usize {
        match self {
            Self::Plain | Self::Thing => 1,
            Self::Values(values) => values,
            Self::Seat => players,
        }
    }
}

/// Allocates features and names them.
struct FeatureNames {
    names: Vec<String>,
}

impl FeatureNames {
    fn one(&mut self, name: impl Into<String>) -> usize {
        self.names.push(name.into());
        self.names.len() - 1
    }

    /// Consecutive features of these names.
    fn all(&mut self, names: Vec<String>) -> usize {
        let at = self.names.len();
        self.names.extend(names);
        at
    }

    /// Consecutive features, each with its own name.
    fn row<T: std::fmt::Display>(&mut self, of: &str, each: impl IntoIterator<Item = T>) -> usize {
        let at = self.names.len();
        self.names.extend(each.into_iter().map(|one| format!("{of}={one}")));
        at
    }
}

impl Features {
    /// Derives the features from a game's declarations.
    pub fn new(game: &Game) -> Self {
        let (d, layout) = (game.declarations(), game.layout());
        let mut names = FeatureNames { names: Vec::new() };
        let flow = FlowFeatures {
            round: names.one("round"),
            phases: names.row("phase", d.phases.keys()),
            prompts: names.row("asked", d.prompts.keys()),
            turn: names.row("turns before", 0..layout.players),
            passed: names.row("passed", ["own", "others"]),
        };
        let counters =
            (0..d.counters.len()).filter_map(|index| counter_features(d, layout, index, &mut names)).collect();
        let zones = (0..d.zones.len()).map(|index| zone_features(d, layout, index, &mut names)).collect();
        let told = told_features(d, layout, &mut names);
        let (mut boards, mut sets) = (boards(d, layout), sets(d, layout));
        boards.iter_mut().for_each(|board| board.out = names.all(board.names()));
        sets.iter_mut().for_each(|set| set.out = names.all(set.names()));
        let traits =
            d.definitions.iter().map(|definition| traits(d, definition.kind, &definition.attributes)).collect();
        Self { game: game.clone(), names: names.names, flow, counters, zones, told, boards, sets, traits }
    }

    /// The game of the features.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// FeatureNames of the features, for example `vp.own`.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Replaces `out` with the seat's view of the position.
    pub fn fill(&self, m: &Match, seat: u8, out: &mut Vec<f32>) {
        out.clear();
        out.resize(self.names.len(), 0.0);
        let words = m.state().words();
        let players = usize::from(m.setup().players);
        let me = usize::from(seat);
        self.fill_flow(m, words, players, me, out);
        for counter in &self.counters {
            counter.fill(words, players, me, out);
        }
        for zone in &self.zones {
            self.fill_zone(zone, words, players, me, out);
        }
        for told in &self.told {
            told.fill(words, players, me, out);
        }
        let tokens = &self.game.layout().tokens;
        // The feature `turns before=0` says whose turn it is.
        let is_to_move = !self.boards.is_empty() && out[self.flow.turn] != 0.0;
        self.boards.iter().for_each(|board| board.fill(words, tokens, me, is_to_move, out));
        self.sets.iter().for_each(|set| set.fill(words, tokens, players, me, out));
    }

    fn fill_flow(&self, m: &Match, words: &[i32], players: usize, me: usize, out: &mut [f32]) {
        let flow = &self.flow;
        out[flow.round] = words[word::ROUND] as f32 / ROUNDS;
        if let Some(phase) =
            usize::try_from(words[word::PHASE]).ok().filter(|&phase| phase < flow.prompts - flow.phases)
        {
            out[flow.phases + phase] = 1.0;
        }
        // In a simultaneous phase, the order of the questions has no meaning.
        let together = m.is_simultaneous();
        if let Some(decision) = m.decision().filter(|decision| together || usize::from(decision.seat) == me) {
            out[flow.prompts + decision.prompt_index()] = 1.0;
        }
        let order = &words[word::ORDER..word::ORDER + players];
        if let Some(place) = order.iter().position(|&player| player == me as i32 + 1).filter(|_| !together) {
            let turn = usize::try_from(words[word::TURN]).unwrap_or(0) % players.max(1);
            out[flow.turn + (place + players - turn) % players] = 1.0;
        }
        let passed = words[word::PASSED].cast_unsigned();
        out[flow.passed] = f32::from(u8::from(passed >> me & 1 == 1));
        out[flow.passed + 1] = passed.count_ones() as f32 - out[flow.passed];
    }

    fn fill_zone(&self, zone: &ZoneFeatures, words: &[i32], players: usize, me: usize, out: &mut [f32]) {
        let layout = self.game.layout();
        let holders = if zone.owner == Owner::Game { 1 } else { players };
        let others = 1.0 / (players.max(2) - 1) as f32;
        for holder in 0..holders {
            let offset = zone.offset + holder * zone.stride;
            let len = (words[offset].max(0) as usize).min(zone.stride - 1);
            let own = zone.owner == Owner::Game || holder == me;
            if own && zone.is_own_counted {
                out[zone.out] += len as f32;
            } else if zone.is_counted {
                out[zone.out + 1] += len as f32 * others;
            }
            if zone.definitions.is_empty() && !zone.holds_owned || !own && !zone.is_public {
                continue;
            }
            for &token in &words[offset + 1..=offset + len] {
                let Some(info) = layout.tokens.get((token - 1) as usize) else { continue };
                if zone.holds_owned && zone.owner == Owner::Game && info.owner != 0 {
                    let place = usize::from(info.owner != me as i32 + 1);
                    out[zone.out + 1 + place] += if place == 0 { 1.0 } else { others };
                }
                let Some(range) = zone.definitions.iter().find(|range| range.kind == info.kind) else { continue };
                if own {
                    out[range.out + info.definition - range.first] += 1.0;
                }
                let (at, share) = if own { (range.traits, 1.0) } else { (range.traits + range.traits_len, others) };
                for &(place, value) in &self.traits[info.definition] {
                    out[at + usize::from(place)] += value * share;
                }
            }
        }
    }
}

impl CounterFeatures {
    fn fill(&self, words: &[i32], players: usize, me: usize, out: &mut [f32]) {
        let width = self.kind.width(players);
        match self.holder {
            Owner::Game => {
                let words = &words[self.offset..self.offset + self.len];
                self.add_all(words, 1.0, players, me, &mut out[self.out..]);
                let Some(cells) = self.cells else { return };
                match self.kind {
                    Encoding::Plain | Encoding::Thing => {
                        out[cells..].iter_mut().zip(words).for_each(|(out, &value)| *out = value as f32);
                    }
                    Encoding::Seat => out[cells..].iter_mut().zip(words).for_each(|(out, &value)| {
                        *out = f32::from(i8::from(value == me as i32 + 1)) * 2.0 - f32::from(i8::from(value > 0));
                    }),
                    Encoding::Values(_) => {
                        let places = out[cells..].chunks_exact_mut(width).zip(words);
                        places.for_each(|(out, &value)| self.add(value, 1.0, players, me, out));
                    }
                }
            }
            Owner::Player => {
                let own = &words[self.offset + me * self.len..][..self.len];
                self.add_all(own, 1.0, players, me, &mut out[self.out..]);
                if !self.is_public || players < 2 {
                    return;
                }
                let share = 1.0 / (players - 1) as f32;
                let mut most = f32::MIN;
                for other in (0..players).filter(|&other| other != me) {
                    let of = &words[self.offset + other * self.len..][..self.len];
                    self.add_all(of, share, players, me, &mut out[self.out + width..]);
                    if matches!(self.kind, Encoding::Plain) {
                        most = most.max(of.iter().map(|&value| value as f32).sum());
                    }
                }
                if matches!(self.kind, Encoding::Plain) {
                    out[self.out + 2] = most;
                }
            }
        }
    }

    /// Adds values to their features.
    fn add_all(&self, values: &[i32], share: f32, players: usize, me: usize, out: &mut [f32]) {
        let mut zeros = values.len();
        for (_, chunk) in nonzero_chunks(values, i32::cast_unsigned) {
            zeros -= chunk.len();
            chunk.iter().for_each(|&value| self.add(value, share, players, me, out));
        }
        if matches!(self.kind, Encoding::Values(_)) {
            // Repeated addition, because a product would be rounded differently.
            (0..zeros).for_each(|_| out[0] += share);
        }
    }

    /// Adds one value to its features.
    fn add(&self, value: i32, share: f32, players: usize, me: usize, out: &mut [f32]) {
        match self.kind {
            Encoding::Plain => out[0] += value as f32 * share,
            Encoding::Thing => out[0] += if value == 0 { 0.0 } else { share },
            Encoding::Values(values) => {
                if let Some(place) = usize::try_from(value).ok().filter(|&place| place < values) {
                    out[place] += share;
                }
            }
            Encoding::Seat => {
                if let Some(seat) = usize::try_from(value - 1).ok().filter(|&seat| seat < players) {
                    out[(seat + players - me) % players] += share;
                }
            }
        }
    }
}

impl ToldFeatures {
    fn fill(&self, words: &[i32], players: usize, me: usize, out: &mut [f32]) {
        let others = 1.0 / (players.max(2) - 1) as f32;
        for holder in 0..self.holders.min(players) {
            let is_own = self.holders == 1 || holder == me;
            let (at, share) = if is_own { (self.out, 1.0) } else { (self.out + 2, others) };
            let offset = self.zone + holder * self.stride;
            let len = (words[offset].max(0) as usize).min(self.stride - 1);
            for &token in &words[offset + 1..=offset + len] {
                let index = usize::try_from(token - self.first).ok().filter(|&index| index < self.len);
                let ruled_out = index.map_or(0, |index| words[self.words + index]);
                out[at] += if ruled_out == 0 { 0.0 } else { share };
                out[at + 1] += if (self.all & !ruled_out).count_ones() == 1 { share } else { 0.0 };
            }
        }
    }
}

/// Statements are public, so they count in every zone whose tokens a seat can count, except those in plain view.
fn told_features(d: &Declarations, layout: &Layout, names: &mut FeatureNames) -> Vec<ToldFeatures> {
    let mut all = Vec::new();
    for ((name, counter), slot) in d.counters.iter().zip(&layout.counters).filter(|((_, one), _)| one.tells.is_some()) {
        for ((zone, declared), place) in d.zones.iter().zip(&layout.zones) {
            let is_hidden = matches!(declared.visible, Visibility::Owner | Visibility::Others | Visibility::Count);
            if declared.internal || !is_hidden || !declared.holds.iter().any(|&kind| d.is_of(counter.per, kind)) {
                continue;
            }
            let out = names.row(&format!("{name}.{zone}"), ["told own", "known own", "told others", "known others"]);
            all.push(ToldFeatures {
                words: slot.offset,
                first: slot.first,
                len: slot.len,
                all: counter.max,
                zone: place.offset,
                stride: place.capacity + 1,
                holders: place.len,
                out,
            });
        }
    }
    all
}

fn counter_features(
    d: &Declarations,
    layout: &Layout,
    index: usize,
    names: &mut FeatureNames,
) -> Option<CounterFeatures> {
    let (name, counter) = d.counters.get_index(index)?;
    let slot = &layout.counters[index];
    let (holder, len, grid) = match counter.per {
        Holder::Game => (Owner::Game, 1, None),
        Holder::Player => (Owner::Player, 1, None),
        Holder::Cell(grid) if d.grids[grid].per == Holder::Player => (Owner::Player, slot.places, Some(grid)),
        Holder::Cell(grid) => (Owner::Game, slot.len, Some(grid)),
        Holder::Token(_) => return None,
    };
    let is_public = counter.visible == Visibility::Public;
    let seen = is_public || counter.visible == Visibility::Owner && holder == Owner::Player;
    if counter.internal || !seen || slot.len == 0 || len == 0 {
        return None;
    }
    let kind = Encoding::of(d, counter);
    let width = kind.width(layout.players);
    let mut row = |of: &str| match kind {
        Encoding::Plain | Encoding::Thing => names.one(of),
        Encoding::Values(_) | Encoding::Seat => names.row(of, 0..width),
    };
    let out = match holder {
        Owner::Game => row(name),
        Owner::Player => {
            let out = row(&format!("{name}.own"));
            if is_public {
                row(&format!("{name}.others"));
                if matches!(kind, Encoding::Plain) {
                    row(&format!("{name}.best"));
                }
            }
            out
        }
    };
    let cells = grid.filter(|_| holder == Owner::Game && len <= MOST_CELLS).map(|_| {
        let values = if matches!(kind, Encoding::Values(_)) { width } else { 1 };
        let at = names.names.len();
        for place in 0..len {
            names.row(&format!("{name}.{place}"), 0..values);
        }
        at
    });
    Some(CounterFeatures { offset: slot.offset, len, kind, holder, is_public, cells, out })
}

fn zone_features(d: &Declarations, layout: &Layout, index: usize, names: &mut FeatureNames) -> ZoneFeatures {
    let (name, zone) = (&d.zones.keys()[index], &d.zones[index]);
    let slot = &layout.zones[index];
    let owner = if zone.per == Holder::Player { Owner::Player } else { Owner::Game };
    let visible = zone.visible;
    let is_public = visible == Visibility::Public && !zone.internal;
    let is_counted = !zone.internal && !matches!(visible, Visibility::Secret | Visibility::Nobody);
    let is_own_counted = is_counted || visible == Visibility::Secret && owner == Owner::Player && !zone.internal;
    let holds_owned =
        zone.holds.iter().any(|&kind| d.kinds[kind].per == Holder::Player) && owner == Owner::Game && is_public;
    let out = names.one(format!("{name}.own"));
    names.one(format!("{name}.others"));
    if holds_owned {
        names.one(format!("{name}.of others"));
    }
    let of_owner =
        owner == Owner::Player && matches!(visible, Visibility::Public | Visibility::Owner | Visibility::Secret);
    // Of public zones, only displays count: they show what can be had now.
    let display = owner == Owner::Game && is_public && zone.size.is_some();
    let wanted = if (of_owner || display) && !zone.internal { zone.holds.as_slice() } else { &[] };
    let mut definitions = Vec::new();
    for &kind in wanted {
        let (first, named) = (d.kinds[kind].first, &d.kinds.keys()[kind]);
        let ids = d.definitions_of(kind).iter().map(|definition| definition.id.as_str());
        let at = names.row(&format!("{name}:{named}"), ids);
        let traits_names = trait_names(d, kind);
        let traits = names.row(&format!("{name}:{named}.own"), &traits_names);
        names.row(&format!("{name}:{named}.others"), &traits_names);
        definitions.push(KindFeatures { kind, first, out: at, traits, traits_len: traits_names.len() });
    }
    ZoneFeatures {
        offset: slot.offset,
        stride: slot.capacity + 1,
        owner,
        is_own_counted,
        is_counted,
        is_public,
        holds_owned,
        definitions,
        out,
    }
}

/// The traits of a kind: numeric and boolean attributes, and one per value of small enumerations.
fn trait_names(d: &Declarations, kind: usize) -> Vec<String> {
    let mut names = Vec::new();
    for (name, attribute) in d.kinds[kind].attributes.iter().filter(|(_, attribute)| attribute.learned) {
        match &attribute.of {
            AttributeType::Integer { .. } | AttributeType::Boolean => names.push(name.clone()),
            AttributeType::Text(values) if values.len() <= MOST_VALUES => {
                names.extend(values.iter().map(|value| format!("{name}.{value}")));
            }
            AttributeType::Amounts(keys) if keys.len() <= MOST_VALUES => {
                names.extend(keys.iter().map(|key| format!("{name}.{key}")));
            }
            AttributeType::Id(of) if d.kinds[*of].len <= MOST_VALUES => {
                names.extend(d.definitions_of(*of).iter().map(|one| format!("{name}.{}", one.id)));
            }
            _ => {}
        }
    }
    names
}

/// The traits of one definition: index among the traits of its kind, and value.
fn traits(d: &Declarations, kind: usize, values: &[Value]) -> Vec<(u16, f32)> {
    let names = trait_names(d, kind);
    let mut found = Vec::new();
    let mut name_of = String::new();
    let mut note = |name: &str, value: f32| {
        if let Some(place) = names.iter().position(|other| other == name).filter(|_| value != 0.0) {
            found.push((u16::try_from(place).unwrap_or(u16::MAX), value));
        }
    };
    for (name, value) in d.kinds[kind].attributes.keys().zip(values) {
        match value {
            Value::Integer(value) => note(name, *value as f32),
            Value::Boolean(value) => note(name, f32::from(u8::from(*value))),
            Value::Text(text) => {
                name_of.clear();
                // Writing to a string cannot fail.
                let _ = write!(name_of, "{name}.{text}");
                note(&name_of, 1.0);
            }
            Value::Map(map) => {
                for (key, value) in map {
                    if let Value::Integer(value) = value {
                        note(&format!("{name}.{key}"), *value as f32);
                    }
                }
            }
            Value::List(_) | Value::Formula(_) => {}
        }
    }
    found
}
/// Chunks that are not all 0, with their offsets: most features are 0, and most cells of a board are empty.
pub(super) fn nonzero_chunks<T: Copy>(list: &[T], bits: impl Fn(T) -> u32) -> impl Iterator<Item = (usize, &[T])> {
    let stretches = (0..).step_by(CHUNK).zip(list.chunks(CHUNK));
    stretches.filter(move |(_, chunk)| chunk.iter().fold(0, |any, &value| any | bits(value)) != 0)
}

#[cfg(test)]
mod tests {
    use motherlode::Pack;

    use super::*;

    /// The names of all features of a game with two attributes of cards.
    fn names(learned: bool) -> Vec<String> {
        let game = format!(
            "name = 'T'\nversion = '1.0.0'\nplayers = {{ min = 1, max = 1 }}\nseats = [{{ name = 'A' }}]\nrounds = 1\n\
             [counters]\ngold = {{ per = 'player' }}\n[outcome]\nscore = 'gold'\n\
             [zones]\nhand = {{ per = 'player', holds = 'cards' }}\n[kinds.cards]\nper = 'player'\nzone = 'hand'\n\
             [kinds.cards.attributes]\ncost = {{ type = 'integer' }}\nrow = {{ type = 'integer', learned = {learned} }}\n"
        );
        let files = [
            ("content/t/game.toml", game.as_str()),
            ("content/t/phases.toml", "[play]\n"),
            ("content/t/cards.toml", "[mine]\nname = 'Mine'\ncost = 2\nrow = 3\n"),
            ("scripts/t/phases.luau", "return { play = { run = function() end } }"),
        ];
        Features::new(&Game::load(&Pack::from_files("t", files)).unwrap()).names().to_vec()
    }

    #[test]
    fn an_attribute_that_is_not_learned_is_no_feature() {
        let (with, without) = (names(true), names(false));
        assert!(with.iter().any(|name| name.contains("row")), "{with:?}");
        let others: Vec<String> = with.into_iter().filter(|name| !name.contains("row")).collect();
        assert_eq!(without, others);
        assert!(without.iter().any(|name| name.contains("cost")), "{without:?}");
    }
}
