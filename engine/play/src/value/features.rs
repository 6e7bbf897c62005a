//! What a seat sees of a position as a list of numbers, derived from declarations alone. Nobody writes a feature.
//!
//! Every feature has a name made of names in the content, so that a value learned from one version of a game can be used in another.
//! What others hold in secret is never among them: of secret zones and counters only those of the seat itself.

use std::fmt::Write as _;

use motherlode::declare::{AttributeType, Counter, Declarations, Domain, Holder, Value, Visibility};
use motherlode::tools::{Layout, word};
use motherlode::{Game, Match};

/// Most values of an enumerated counter that have features of their own.
const MOST_VALUES: usize = 40;
/// Most cells of a board whose cells have features of their own.
const MOST_CELLS: usize = 128;
/// Values that are looked at together.
const CHUNK: usize = 16;
/// Rounds that count as one.
const ROUNDS: f32 = 10.0;

/// The features of one game: where each is read from. What is worked out here is not worked out while a bot thinks.
#[derive(Debug)]
pub(crate) struct Features {
    game: Game,
    names: Vec<String>,
    flow: Flow,
    counters: Vec<OfCounter>,
    zones: Vec<OfZone>,
    /// For each definition, its attributes as numbers: place among those of its kind, and value.
    traits: Vec<Vec<(u16, f32)>>,
}

/// Places of the features of the flow.
#[derive(Debug, Default)]
struct Flow {
    round: usize,
    phases: usize,
    prompts: usize,
    turn: usize,
    passed: usize,
}

/// How a counter's value becomes features.
#[derive(Debug, Clone, Copy)]
enum Kind {
    /// The value itself.
    Plain,
    /// One feature for each of so many values.
    Values(usize),
    /// The seat it names, counted from one's own.
    Seat,
    /// Whether it is there at all.
    Thing,
}

#[derive(Debug)]
struct OfCounter {
    /// Word of the first holder.
    offset: usize,
    /// Holders in a row that belong to one player, or to the game.
    len: usize,
    kind: Kind,
    holder: Owner,
    /// Others see it, too.
    public: bool,
    /// Feature of the first cell, if each has its own.
    cells: Option<usize>,
    out: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    Game,
    Player,
}

#[derive(Debug)]
struct OfZone {
    /// Word of the first holder's length.
    offset: usize,
    stride: usize,
    owner: Owner,
    /// Its owner sees how many there are, and others do.
    own_counted: bool,
    counted: bool,
    /// Others see which.
    public: bool,
    /// Tokens of sets that belong to players lie here.
    owned: bool,
    /// The definitions from `first` have features from this place on.
    definitions: Vec<Range>,
    out: usize,
}

/// Features of one kind in a zone.
#[derive(Debug)]
struct Range {
    kind: usize,
    first: usize,
    /// Of the first definition, for one's own.
    out: usize,
    /// Of the first attribute, for one's own; those of the others follow.
    traits: usize,
    traits_len: usize,
}

impl Kind {
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

/// Gives out places for features, and names them.
struct Names {
    names: Vec<String>,
}

impl Names {
    fn one(&mut self, name: impl Into<String>) -> usize {
        self.names.push(name.into());
        self.names.len() - 1
    }

    /// Places in a row, each with a name of its own.
    fn row<T: std::fmt::Display>(&mut self, of: &str, each: impl IntoIterator<Item = T>) -> usize {
        let at = self.names.len();
        self.names.extend(each.into_iter().map(|one| format!("{of}={one}")));
        at
    }
}

impl Features {
    /// Reads the declarations of a game.
    pub fn new(game: &Game) -> Self {
        let (d, layout) = (game.declarations(), game.layout());
        let mut names = Names { names: Vec::new() };
        let flow = Flow {
            round: names.one("round"),
            phases: names.row("phase", d.phases.keys()),
            prompts: names.row("asked", d.prompts.keys()),
            turn: names.row("turns before", 0..layout.players),
            passed: names.row("passed", ["own", "others"]),
        };
        let counters = (0..d.counters.len()).filter_map(|index| of_counter(d, layout, index, &mut names)).collect();
        let zones = (0..d.zones.len()).map(|index| of_zone(d, layout, index, &mut names)).collect();
        let traits =
            d.definitions.iter().map(|definition| traits(d, definition.kind, &definition.attributes)).collect();
        Self { game: game.clone(), names: names.names, flow, counters, zones, traits }
    }

    /// The game of which they are.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// What they are called: `vp.own`.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Replaces `out` by what the seat sees.
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
    }

    fn fill_flow(&self, m: &Match, words: &[i32], players: usize, me: usize, out: &mut [f32]) {
        let flow = &self.flow;
        out[flow.round] = words[word::ROUND] as f32 / ROUNDS;
        if let Some(phase) =
            usize::try_from(words[word::PHASE]).ok().filter(|&phase| phase < flow.prompts - flow.phases)
        {
            out[flow.phases + phase] = 1.0;
        }
        // Where all are asked at once, it means nothing who is asked first.
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

    fn fill_zone(&self, zone: &OfZone, words: &[i32], players: usize, me: usize, out: &mut [f32]) {
        let layout = self.game.layout();
        let holders = if zone.owner == Owner::Game { 1 } else { players };
        let others = 1.0 / (players.max(2) - 1) as f32;
        for holder in 0..holders {
            let offset = zone.offset + holder * zone.stride;
            let len = (words[offset].max(0) as usize).min(zone.stride - 1);
            let own = zone.owner == Owner::Game || holder == me;
            if own && zone.own_counted {
                out[zone.out] += len as f32;
            } else if zone.counted {
                out[zone.out + 1] += len as f32 * others;
            }
            if zone.definitions.is_empty() && !zone.owned || !own && !zone.public {
                continue;
            }
            for &token in &words[offset + 1..=offset + len] {
                let Some(info) = layout.tokens.get((token - 1) as usize) else { continue };
                if zone.owned && zone.owner == Owner::Game && info.owner != 0 {
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

impl OfCounter {
    fn fill(&self, words: &[i32], players: usize, me: usize, out: &mut [f32]) {
        let width = self.kind.width(players);
        match self.holder {
            Owner::Game => {
                let words = &words[self.offset..self.offset + self.len];
                self.add_all(words, 1.0, players, me, &mut out[self.out..]);
                let Some(cells) = self.cells else { return };
                match self.kind {
                    Kind::Plain | Kind::Thing => {
                        out[cells..].iter_mut().zip(words).for_each(|(out, &value)| *out = value as f32);
                    }
                    Kind::Seat => out[cells..].iter_mut().zip(words).for_each(|(out, &value)| {
                        *out = f32::from(i8::from(value == me as i32 + 1)) * 2.0 - f32::from(i8::from(value > 0));
                    }),
                    Kind::Values(_) => {
                        let places = out[cells..].chunks_exact_mut(width).zip(words);
                        places.for_each(|(out, &value)| self.add(value, 1.0, players, me, out));
                    }
                }
            }
            Owner::Player => {
                let own = &words[self.offset + me * self.len..][..self.len];
                self.add_all(own, 1.0, players, me, &mut out[self.out..]);
                if !self.public || players < 2 {
                    return;
                }
                let share = 1.0 / (players - 1) as f32;
                let mut most = f32::MIN;
                for other in (0..players).filter(|&other| other != me) {
                    let of = &words[self.offset + other * self.len..][..self.len];
                    self.add_all(of, share, players, me, &mut out[self.out + width..]);
                    if matches!(self.kind, Kind::Plain) {
                        most = most.max(of.iter().map(|&value| value as f32).sum());
                    }
                }
                if matches!(self.kind, Kind::Plain) {
                    out[self.out + 2] = most;
                }
            }
        }
    }

    /// Adds values to their features.
    fn add_all(&self, values: &[i32], share: f32, players: usize, me: usize, out: &mut [f32]) {
        let mut zeros = values.len();
        for (_, chunk) in filled(values, i32::cast_unsigned) {
            zeros -= chunk.len();
            chunk.iter().for_each(|&value| self.add(value, share, players, me, out));
        }
        if matches!(self.kind, Kind::Values(_)) {
            // One by one: a product would be rounded otherwise.
            (0..zeros).for_each(|_| out[0] += share);
        }
    }

    /// Adds one value to its features.
    fn add(&self, value: i32, share: f32, players: usize, me: usize, out: &mut [f32]) {
        match self.kind {
            Kind::Plain => out[0] += value as f32 * share,
            Kind::Thing => out[0] += if value == 0 { 0.0 } else { share },
            Kind::Values(values) => {
                if let Some(place) = usize::try_from(value).ok().filter(|&place| place < values) {
                    out[place] += share;
                }
            }
            Kind::Seat => {
                if let Some(seat) = usize::try_from(value - 1).ok().filter(|&seat| seat < players) {
                    out[(seat + players - me) % players] += share;
                }
            }
        }
    }
}

fn of_counter(d: &Declarations, layout: &Layout, index: usize, names: &mut Names) -> Option<OfCounter> {
    let (name, counter) = d.counters.get_index(index)?;
    let slot = &layout.counters[index];
    let (holder, len, grid) = match counter.per {
        Holder::Game => (Owner::Game, 1, None),
        Holder::Player => (Owner::Player, 1, None),
        Holder::Cell(grid) if d.grids[grid].per == Holder::Player => (Owner::Player, slot.places, Some(grid)),
        Holder::Cell(grid) => (Owner::Game, slot.len, Some(grid)),
        Holder::Token(_) => return None,
    };
    let public = counter.visible == Visibility::Public;
    let seen = public || counter.visible == Visibility::Owner && holder == Owner::Player;
    if counter.internal || !seen || slot.len == 0 || len == 0 {
        return None;
    }
    let kind = Kind::of(d, counter);
    let width = kind.width(layout.players);
    let mut row = |of: &str| match kind {
        Kind::Plain | Kind::Thing => names.one(of),
        Kind::Values(_) | Kind::Seat => names.row(of, 0..width),
    };
    let out = match holder {
        Owner::Game => row(name),
        Owner::Player => {
            let out = row(&format!("{name}.own"));
            if public {
                row(&format!("{name}.others"));
                if matches!(kind, Kind::Plain) {
                    row(&format!("{name}.best"));
                }
            }
            out
        }
    };
    let cells = grid.filter(|_| holder == Owner::Game && len <= MOST_CELLS).map(|_| {
        let values = if matches!(kind, Kind::Values(_)) { width } else { 1 };
        let at = names.names.len();
        for place in 0..len {
            names.row(&format!("{name}.{place}"), 0..values);
        }
        at
    });
    Some(OfCounter { offset: slot.offset, len, kind, holder, public, cells, out })
}

fn of_zone(d: &Declarations, layout: &Layout, index: usize, names: &mut Names) -> OfZone {
    let (name, zone) = (&d.zones.keys()[index], &d.zones[index]);
    let slot = &layout.zones[index];
    let owner = if zone.per == Holder::Player { Owner::Player } else { Owner::Game };
    let visible = zone.visible;
    let public = visible == Visibility::Public && !zone.internal;
    let counted = !zone.internal && !matches!(visible, Visibility::Secret | Visibility::Nobody);
    let own_counted = counted || visible == Visibility::Secret && owner == Owner::Player && !zone.internal;
    let owned = zone.holds.iter().any(|&kind| d.kinds[kind].per == Holder::Player) && owner == Owner::Game && public;
    let out = names.one(format!("{name}.own"));
    names.one(format!("{name}.others"));
    if owned {
        names.one(format!("{name}.of others"));
    }
    let of_owner =
        owner == Owner::Player && matches!(visible, Visibility::Public | Visibility::Owner | Visibility::Secret);
    // Of what lies before everybody, only a display: what can be had now.
    let display = owner == Owner::Game && public && zone.size.is_some();
    let wanted = if (of_owner || display) && !zone.internal { zone.holds.as_slice() } else { &[] };
    let mut definitions = Vec::new();
    for &kind in wanted {
        let (first, named) = (d.kinds[kind].first, &d.kinds.keys()[kind]);
        let ids = d.definitions_of(kind).iter().map(|definition| definition.id.as_str());
        let at = names.row(&format!("{name}:{named}"), ids);
        let traits_names = trait_names(d, kind);
        let traits = names.row(&format!("{name}:{named}.own"), &traits_names);
        names.row(&format!("{name}:{named}.others"), &traits_names);
        definitions.push(Range { kind, first, out: at, traits, traits_len: traits_names.len() });
    }
    OfZone {
        offset: slot.offset,
        stride: slot.capacity + 1,
        owner,
        own_counted,
        counted,
        public,
        owned,
        definitions,
        out,
    }
}

/// What is counted of the attributes of a kind: numbers, switches, and each of a few names.
fn trait_names(d: &Declarations, kind: usize) -> Vec<String> {
    let mut names = Vec::new();
    for (name, attribute) in &d.kinds[kind].attributes {
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

/// Those of one definition: place among the names of its kind, and value.
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
                // Writing to a text cannot fail.
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
            Value::List(_) => {}
        }
    }
    found
}
/// Stretches of a list in which not all is 0, each with its place: most features are 0, and most cells of a board are empty.
pub(super) fn filled<T: Copy>(list: &[T], bits: impl Fn(T) -> u32) -> impl Iterator<Item = (usize, &[T])> {
    let stretches = (0..).step_by(CHUNK).zip(list.chunks(CHUNK));
    stretches.filter(move |(_, chunk)| chunk.iter().fold(0, |any, &value| any | bits(value)) != 0)
}
