//! Learned values: a function from a seat's view of a position to its expected reward, and the file that stores it.
//!
//! Direction: board, sets <- features <- self <- evaluator <- loaded

pub(crate) mod board;
pub(crate) mod evaluator;
pub(crate) mod features;
pub(crate) mod loaded;
mod sets;

use std::iter::{Peekable, Zip};
use std::ops::RangeFrom;
use std::str::Lines;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD as BASE64;

use crate::names_hash::names_hash;
use crate::value::features::{Features, nonzero_chunks};
use motherlode::declare::Goal;
use motherlode::tools::hidden;
use serde::{Deserialize, Serialize};

/// Maximum values in a file, each for some numbers of players.
const MOST_PARTS: usize = 16;
/// Version of the file format.
const FORMAT: u32 = 5;
/// First words of the file.
const TITLE: &str = "motherlode learned value";
/// The key and the word of values whose games were played with mixed strategies.
const STRATEGIES: &str = "strategies";
const MIXED: &str = "mixed";
/// Last line of the file.
const END: &str = "end";
/// Maximum size of a file, in bytes.
pub(crate) const MOST_BYTES: u64 = 4 << 20;
/// Maximum of a scaled feature, in standard deviations.
const FARTHEST: f32 = 8.0;
/// Minimum share of the file's features that the game must have.
const FEWEST_KNOWN: f64 = 0.6;

/// Hidden units. They model interactions between features, such as the worth of one card beside another.
pub(crate) const UNITS: usize = 16;

/// One number per hidden unit.
pub(crate) type Units = [f32; UNITS];

/// The weights of a value: a linear part, whose weights change linearly with the round, plus a layer of hidden units,
/// through a sigmoid.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Weights {
    /// The factor of each feature; 0 ignores the feature.
    pub scale: Vec<f32>,
    /// Per feature: its weight, and the change of that weight with time.
    pub weights: Vec<[f32; 2]>,
    pub bias: f32,
    /// Per feature: its weight for each hidden unit.
    pub into: Vec<Units>,
    /// The bias of each hidden unit.
    pub base: Units,
    /// The output weight of each hidden unit.
    pub out: Units,
}

/// The scaled features of a position.
#[derive(Debug, Clone, Default)]
pub(crate) struct Input {
    /// Index and value of each feature that is not 0.
    pub features: Vec<(u32, f32)>,
    /// The time, from the number of rounds.
    pub time: f32,
}

impl Weights {
    /// Weights before training.
    pub fn new(scale: Vec<f32>) -> Self {
        Self::all(0.0, scale)
    }

    /// Weights that all equal `number`.
    pub fn all(number: f32, scale: Vec<f32>) -> Self {
        let (weights, into) = (vec![[number; 2]; scale.len()], vec![[number; UNITS]; scale.len()]);
        Self { weights, bias: number, into, base: [number; UNITS], out: [number; UNITS], scale }
    }

    /// Scales features into `into`; the first feature is the time.
    pub fn scale_into(&self, features: &[f32], into: &mut Input) {
        into.features.clear();
        into.time = time(features.first().copied());
        for (at, values) in nonzero_chunks(features, f32::to_bits) {
            let scales = self.scale.get(at..).unwrap_or_default();
            for (place, (&value, &scale)) in (at..).zip(values.iter().zip(scales)) {
                if value != 0.0 && scale != 0.0 {
                    into.features.push((place as u32, scale_value(value, scale)));
                }
            }
        }
    }

    /// As [`Self::scale_into`], from the index and value of each feature that is not 0.
    pub fn scale_row_into(&self, row: &[(u32, f32)], into: &mut Input) {
        into.features.clear();
        into.time = time(row.first().filter(|first| first.0 == 0).map(|first| first.1));
        let known = row.iter().map(|&(place, value)| (place, value, self.scale[place as usize]));
        let known = known.filter(|known| known.2 != 0.0);
        into.features.extend(known.map(|(place, value, scale)| (place, scale_value(value, scale))));
    }

    /// The value, from 0 to 1.
    pub fn value(&self, input: &Input) -> f32 {
        let of = |&(place, value): &(u32, f32)| {
            let [weight, timed] = self.weights[place as usize];
            value * (weight + input.time * timed)
        };
        let sum: f32 = self.bias + input.features.iter().map(of).sum::<f32>();
        let units = self.units(input).map(softsign);
        let sum = sum + units.iter().zip(&self.out).map(|(unit, out)| unit * out).sum::<f32>();
        1.0 / (1.0 + (-sum).exp())
    }

    /// The inputs of the hidden units.
    pub fn units(&self, input: &Input) -> Units {
        let mut units = self.base;
        for &(place, value) in &input.features {
            units.iter_mut().zip(&self.into[place as usize]).for_each(|(unit, weight)| *unit += value * weight);
        }
        units
    }

    /// Rounds every number to the precision of the file, so that a stored value plays exactly like the tested one.
    pub fn round(&mut self) {
        let of_features =
            self.weights.iter_mut().flatten().chain(self.into.iter_mut().flatten()).chain(&mut self.scale);
        for number in of_features.chain(&mut self.base).chain(&mut self.out).chain([&mut self.bias]) {
            *number = truncate(*number);
        }
    }
}

/// The activation of a hidden unit (softsign), between -1 and 1.
pub(crate) fn softsign(number: f32) -> f32 {
    number / (1.0 + number.abs())
}

/// The time feature, roughly centred on 0.
fn time(rounds: Option<f32>) -> f32 {
    (rounds.unwrap_or(0.0) - 0.5).clamp(-0.5, 1.5)
}

fn scale_value(value: f32, scale: f32) -> f32 {
    (value * scale).clamp(-FARTHEST, FARTHEST)
}

/// Rounds a number to its upper 16 bits.
fn truncate(number: f32) -> f32 {
    let bits = number.to_bits();
    f32::from_bits(bits.saturating_add(0x8000) & 0xffff_0000)
}

/// Where a search with a learned value ends its playouts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Horizon {
    /// At a later turn, with the value of the position.
    Turn,
    /// At the end of the game; the value only orders the choices.
    End,
}

impl Horizon {
    /// The word in the file.
    fn word(self) -> &'static str {
        match self {
            Self::Turn => "turn",
            Self::End => "end",
        }
    }
}

/// The origin of a learned value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// Id of the game.
    pub game: String,
    /// The numbers of players it was trained with.
    pub players: Vec<u8>,
    /// The seed of the training.
    pub seed: u64,
    /// Games played in the training.
    pub games: u64,
    /// Whether its games were played with mixed strategies: see [`Training::is_mixed`](crate::Training::is_mixed).
    pub is_mixed: bool,
    /// The command that repeats the training: [`Training::command`](crate::Training::command).
    pub command: String,
}

/// A file without a usable value for this game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ValueError {
    /// The text is not a learned value.
    #[error("not a learned value: make one with `lode train`")]
    Foreign,
    /// A later version of the program wrote the file.
    #[error("the file has format {found:.100}; this program reads format {FORMAT}")]
    Format {
        /// The format of the file.
        found: String,
    },
    /// The file is damaged.
    #[error("line {line}: {message}")]
    Damaged {
        /// The line, from 1.
        line: usize,
        /// The fault in that line.
        message: String,
    },
    /// The value belongs to another game.
    #[error("the value is for `{found:.100}`, not for `{wanted}`")]
    Game {
        /// The game of the file.
        found: String,
        /// The current game.
        wanted: String,
    },
    /// The value estimates another goal.
    #[error(
        "the value is for the goal `{found:.100}`, but the game declares `{wanted}`: make a new value with `lode train`"
    )]
    Goal {
        /// The goal of the file.
        found: String,
        /// The goal of the game.
        wanted: &'static str,
    },
    /// The game's declarations have changed too much.
    #[error("the game has only {known} of the value's {features} features: make a new value with `lode train`")]
    Declarations {
        /// Features in the file.
        features: usize,
        /// Features that the game still has.
        known: usize,
    },
}

/// The declared goal of the game, which the value estimates.
fn goal(features: &Features) -> Goal {
    features.game().declarations().outcome.goal
}

/// The text of a value file, with one line per used feature.
pub(crate) fn write(features: &Features, weights: &Weights, horizon: Horizon, origin: &Origin) -> String {
    let players: Vec<String> = origin.players.iter().map(u8::to_string).collect();
    let goal = goal(features);
    let goal = if goal == Goal::Rank { String::new() } else { format!("goal {}\n", goal.name()) };
    let strategies = if origin.is_mixed { format!("{STRATEGIES} {MIXED}\n") } else { String::new() };
    let mut text = format!(
        "{TITLE} {FORMAT}\ngame {}\n{goal}players {}\nseed {}\ngames {}\nmade by {}\nplayouts {}\n{strategies}features {}\n",
        origin.game,
        players.join(" "),
        origin.seed,
        origin.games,
        origin.command,
        horizon.word(),
        names_hash(features.names().iter().map(String::as_str))
    );
    let mut line = |name: &str, numbers: &[f32]| {
        let bytes: Vec<u8> =
            numbers.iter().flat_map(|number| ((number.to_bits() >> 16) as u16).to_be_bytes()).collect();
        BASE64.encode_string(bytes, &mut text);
        text.push(' ');
        text.push_str(name);
        text.push('\n');
    };
    line("bias", &[weights.bias]);
    line("base", &weights.base);
    line("out", &weights.out);
    for (place, name) in features.names().iter().enumerate() {
        if weights.scale[place] != 0.0 {
            let [weight, timed] = weights.weights[place];
            let mut numbers = [0.0; 3 + UNITS];
            numbers[..3].copy_from_slice(&[weights.scale[place], weight, timed]);
            numbers[3..].copy_from_slice(&weights.into[place]);
            line(name, &numbers);
        }
    }
    text.push_str(END);
    text.push('\n');
    text
}

/// Reads the values of a file for a game: one or several, each for some numbers of players.
///
/// The reader ignores features that only the file has; features that only the game has get weight 0. Most edits of
/// the content therefore keep a value usable.
///
/// # Errors
/// The text is not a learned value, or belongs to another game.
pub(crate) fn read(text: &str, game: &str, features: &Features) -> Result<Vec<StoredValue>, ValueError> {
    let mut line = 1;
    let parts = split(text)?.into_iter().enumerate().map(|(place, part)| {
        let first = line;
        line += part.lines().count();
        if place == MOST_PARTS {
            return Err(damaged_error(first, &format!("a file holds at most {MOST_PARTS} values")));
        }
        read_one(part, first, game, features)
    });
    parts.collect()
}

/// The texts of the values of a file.
///
/// # Errors
/// The text does not begin with a value.
pub(crate) fn split(text: &str) -> Result<Vec<&str>, ValueError> {
    let mut starts: Vec<usize> = text.match_indices(TITLE).map(|(at, _)| at).filter(|&at| is_line(text, at)).collect();
    if starts.first() != Some(&0) {
        return Err(ValueError::Foreign);
    }
    starts.push(text.len());
    Ok(starts.windows(2).map(|part| &text[part[0]..part[1]]).collect())
}

/// A value read from a file.
pub(crate) type StoredValue = (Weights, Horizon, Origin);

/// Whether a line begins at this byte.
fn is_line(text: &str, at: usize) -> bool {
    at == 0 || text.as_bytes()[at - 1] == b'\n'
}

/// Reads one value, which begins at line `first` of the file.
fn read_one(text: &str, first: usize, game: &str, features: &Features) -> Result<StoredValue, ValueError> {
    let mut lines = text.lines().zip(first..);
    let last = first + text.lines().count() - 1;
    let version = lines.next().and_then(|(line, _)| line.strip_prefix(TITLE)).ok_or(ValueError::Foreign)?.trim();
    if version != FORMAT.to_string() {
        return Err(ValueError::Format { found: hidden::name(version) });
    }
    let mut head = HeadLines { lines: lines.peekable(), last };
    let (horizon, origin) = read_head(&mut head, game, features)?;
    let (schema, _) = head.read("features")?;
    let mut lines = head.lines;
    let mut weights = Weights::new(vec![0.0; features.names().len()]);
    let mut named = |key: &str| {
        let (text, line) = lines.next().unwrap_or(("", last));
        let digits = text.strip_suffix(key).and_then(|digits| digits.strip_suffix(' '));
        digits.map(|digits| (digits, line)).ok_or_else(|| damaged_error(line, &format!("missing `{key}`")))
    };
    let (digits, line) = named("bias")?;
    weights.bias = decode_numbers::<1>(digits, line)?[0];
    let (digits, line) = named("base")?;
    weights.base = decode_numbers(digits, line)?;
    let (digits, line) = named("out")?;
    weights.out = decode_numbers(digits, line)?;
    let places: std::collections::BTreeMap<&str, usize> =
        features.names().iter().map(String::as_str).zip(0..).collect();
    let (mut count, mut known) = (0usize, vec![false; features.names().len()]);
    let mut is_whole = false;
    for (text, line) in lines.by_ref() {
        if text == END {
            is_whole = true;
            break;
        }
        let (digits, name) = text.split_once(' ').ok_or_else(|| damaged_error(line, "missing feature name"))?;
        let numbers = decode_numbers::<{ 3 + UNITS }>(digits, line)?;
        count += 1;
        let Some(&place) = places.get(name) else { continue };
        if std::mem::replace(&mut known[place], true) {
            return Err(damaged_error(line, &format!("duplicate feature `{name}`")));
        }
        weights.scale[place] = numbers[0];
        weights.weights[place].copy_from_slice(&numbers[1..3]);
        weights.into[place].copy_from_slice(&numbers[3..]);
    }
    if !is_whole {
        return Err(damaged_error(last, "missing last line `end`"));
    }
    if let Some((_, line)) = lines.next() {
        return Err(damaged_error(line, "text after the last line `end`"));
    }
    let known = known.into_iter().filter(|known| *known).count();
    if schema == names_hash(features.names().iter().map(String::as_str)) && known < count {
        return Err(damaged_error(last, "unknown feature name"));
    }
    if (known as f64) < FEWEST_KNOWN * count as f64 {
        return Err(ValueError::Declarations { features: count, known });
    }
    Ok((weights, horizon, origin))
}

/// The lines before the weights: a key and a text each.
struct HeadLines<'t> {
    lines: Peekable<Zip<Lines<'t>, RangeFrom<usize>>>,
    /// The number of the last line.
    last: usize,
}

impl HeadLines<'_> {
    /// Whether the next line has this key.
    fn has(&mut self, key: &str) -> bool {
        self.lines.peek().is_some_and(|(text, _)| text_of(text, key).is_some())
    }

    /// The text of the next line, which must have this key, and its number.
    fn read(&mut self, key: &str) -> Result<(String, usize), ValueError> {
        let (text, line) = self.lines.next().unwrap_or(("", self.last));
        let missing = || damaged_error(line, &format!("missing `{key}`"));
        text_of(text, key).map(|text| (text.to_owned(), line)).ok_or_else(missing)
    }

    /// The number on the next line, which must have this key.
    fn number(&mut self, key: &str) -> Result<u64, ValueError> {
        let (text, line) = self.read(key)?;
        text.parse().map_err(|_| damaged_error(line, "expected a number"))
    }
}

/// The text after the key of a line.
fn text_of<'t>(line: &'t str, key: &str) -> Option<&'t str> {
    line.strip_prefix(key)?.strip_prefix(' ')
}

/// Reads the lines before the features.
fn read_head(head: &mut HeadLines<'_>, game: &str, features: &Features) -> Result<(Horizon, Origin), ValueError> {
    let (found, _) = head.read("game")?;
    if found != game {
        return Err(ValueError::Game { found: hidden::name(&found), wanted: game.to_owned() });
    }
    // Only values of another goal than `rank` have this line.
    let stored = if head.has("goal") { head.read("goal")?.0 } else { Goal::Rank.name().to_owned() };
    let wanted = goal(features).name();
    if stored != wanted {
        return Err(ValueError::Goal { found: hidden::name(&stored), wanted });
    }
    let (players, line) = head.read("players")?;
    let players: Result<Vec<u8>, _> = players.split(' ').map(str::parse).collect();
    let players = players.map_err(|_| damaged_error(line, "expected numbers of players"))?;
    let (seed, games) = (head.number("seed")?, head.number("games")?);
    let command = head.read("made by")?.0;
    let (word, line) = head.read("playouts")?;
    let horizon = [Horizon::Turn, Horizon::End].into_iter().find(|horizon| horizon.word() == word);
    let horizon = horizon.ok_or_else(|| damaged_error(line, "expected `turn` or `end`"))?;
    let is_mixed = head.has(STRATEGIES);
    if is_mixed {
        let (word, line) = head.read(STRATEGIES)?;
        if word != MIXED {
            return Err(damaged_error(line, &format!("expected `{MIXED}`")));
        }
    }
    Ok((horizon, Origin { game: found, players, seed, games, is_mixed, command }))
}

fn damaged_error(line: usize, message: &str) -> ValueError {
    ValueError::Damaged { line, message: hidden::name(message) }
}

/// Decodes the numbers of a line: the upper 16 bits of each, in Base64.
fn decode_numbers<const COUNT: usize>(digits: &str, line: usize) -> Result<[f32; COUNT], ValueError> {
    let wrong = || damaged_error(line, &format!("expected {COUNT} numbers in Base64"));
    let bytes = BASE64.decode(digits).map_err(|_| wrong())?;
    if bytes.len() != 2 * COUNT {
        return Err(wrong());
    }
    let mut numbers = [0.0; COUNT];
    for (number, bits) in numbers.iter_mut().zip(bytes.chunks_exact(2)) {
        *number = f32::from_bits(u32::from(u16::from_be_bytes([bits[0], bits[1]])) << 16);
    }
    if numbers.iter().all(|number| number.is_finite()) { Ok(numbers) } else { Err(wrong()) }
}
