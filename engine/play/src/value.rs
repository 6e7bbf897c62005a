//! A value that was learned: what a position is worth to a seat, and the file that keeps it.

use std::fmt::Write as _;

use crate::features::Features;
use crate::seeds::mix;

/// Units of the hidden layer.
pub(crate) const HIDDEN: usize = 16;
/// Version of the file.
const FORMAT: u32 = 1;
/// First words of the file.
const TITLE: &str = "motherlode learned value";
/// Largest file that is read.
pub(crate) const MOST_BYTES: u64 = 4 << 20;
/// Beyond so many deviations, a feature counts as so many.
const FARTHEST: f32 = 8.0;
/// The share of the features of the file that the game must have.
const FEWEST_KNOWN: f64 = 0.6;

/// A small network: a sum over the features, and a layer of [`HIDDEN`] rectified units beside it; the result goes through a sigmoid.
#[derive(Debug, Clone)]
pub(crate) struct Network {
    /// By which each feature is multiplied; 0: it does not count.
    pub scale: Vec<f32>,
    /// Of each feature, to the hidden layer.
    pub inner: Vec<[f32; HIDDEN]>,
    /// Of each feature, to the result.
    pub direct: Vec<f32>,
    pub inner_bias: [f32; HIDDEN],
    pub outer: [f32; HIDDEN],
    pub bias: f32,
}

impl Network {
    /// Nothing learned yet; the seed tells the units of the hidden layer apart.
    pub fn new(scale: Vec<f32>, seed: u64) -> Self {
        let features = scale.len();
        let mut number = 0;
        let mut small = |size: f32| {
            number += 1;
            // 24 bits make a fraction that is exact.
            size * ((mix(seed, number) >> 40) as f32 / (1 << 23) as f32 - 1.0)
        };
        Self {
            inner: (0..features).map(|_| std::array::from_fn(|_| small(0.05))).collect(),
            direct: vec![0.0; features],
            inner_bias: [0.0; HIDDEN],
            outer: std::array::from_fn(|_| small(0.3)),
            bias: 0.0,
            scale,
        }
    }

    /// The features that count, by their places, as they enter the network.
    pub fn enter(&self, features: &[f32], into: &mut Vec<(u16, f32)>) {
        into.clear();
        for (place, (&value, &scale)) in features.iter().zip(&self.scale).enumerate() {
            if value != 0.0 && scale != 0.0 {
                into.push((place as u16, scaled(value, scale)));
            }
        }
    }

    /// The same of features that are not 0, by their places.
    pub fn enter_row(&self, row: &[(u16, f32)], into: &mut Vec<(u16, f32)>) {
        into.clear();
        let known = row.iter().map(|&(place, value)| (place, value, self.scale[usize::from(place)]));
        into.extend(known.filter(|known| known.2 != 0.0).map(|(place, value, scale)| (place, scaled(value, scale))));
    }

    /// The hidden layer before it is rectified, and the result.
    pub fn forward(&self, input: &[(u16, f32)]) -> ([f32; HIDDEN], f32) {
        let (mut hidden, mut sum) = (self.inner_bias, self.bias);
        for &(place, value) in input {
            let place = usize::from(place);
            sum += value * self.direct[place];
            for (unit, weight) in hidden.iter_mut().zip(&self.inner[place]) {
                *unit += value * weight;
            }
        }
        for (unit, weight) in hidden.iter().zip(&self.outer) {
            sum += unit.max(0.0) * weight;
        }
        (hidden, 1.0 / (1.0 + (-sum).exp()))
    }

    /// Rounds every number to what the file keeps, so that what is written plays as what was tried.
    pub fn round(&mut self) {
        let inner = self.inner.iter_mut().flatten();
        let one = self.inner_bias.iter_mut().chain(&mut self.outer).chain([&mut self.bias]);
        for number in inner.chain(one).chain(&mut self.direct).chain(&mut self.scale) {
            *number = short(*number);
        }
    }
}

fn scaled(value: f32, scale: f32) -> f32 {
    (value * scale).clamp(-FARTHEST, FARTHEST)
}

/// Rounded to its upper 16 bits.
fn short(number: f32) -> f32 {
    let bits = number.to_bits();
    f32::from_bits(bits.saturating_add(0x8000) & 0xffff_0000)
}

/// How a value came to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// Id of the game.
    pub game: String,
    /// Players at the table.
    pub players: u8,
    /// Seed of the training.
    pub seed: u64,
    /// Games that were played for it.
    pub games: u64,
}

/// A file that holds no value, or none of this game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ValueError {
    /// It is something else.
    #[error("this is no learned value; `lode train` makes one")]
    Foreign,
    /// It is of a later version of the program.
    #[error("the file has format {found}, and this program reads format {FORMAT}")]
    Format {
        /// The format of the file.
        found: String,
    },
    /// It is damaged.
    #[error("line {line}: {message}")]
    Damaged {
        /// The line, from 1.
        line: usize,
        /// What is wrong there.
        message: String,
    },
    /// It was learned in another game.
    #[error("the value was learned in `{found}`, not in `{wanted}`")]
    Game {
        /// The game of the file.
        found: String,
        /// The game that is played.
        wanted: String,
    },
    /// The declarations have changed too much.
    #[error(
        "the value was learned from other declarations: of its {features} features, the game has {known}; `lode train` makes a new one"
    )]
    Declarations {
        /// Features in the file.
        features: usize,
        /// Those that the game still has.
        known: usize,
    },
}

/// The text of a file: a line for each feature that counts.
pub(crate) fn write(features: &Features, network: &Network, origin: &Origin) -> String {
    let mut text = format!(
        "{TITLE} {FORMAT}\ngame {}\nplayers {}\nseed {}\ngames {}\nfeatures {}\n",
        origin.game,
        origin.players,
        origin.seed,
        origin.games,
        fingerprint(features)
    );
    let mut line = |name: &str, numbers: &[f32]| {
        numbers.iter().for_each(|number| {
            // Writing to a text cannot fail.
            let _ = write!(text, "{:04x}", number.to_bits() >> 16);
        });
        text.push(' ');
        text.push_str(name);
        text.push('\n');
    };
    line("bias", &[network.bias]);
    line("inner bias", &network.inner_bias);
    line("outer", &network.outer);
    for (place, name) in features.names().iter().enumerate() {
        if network.scale[place] != 0.0 {
            let mut numbers = vec![network.scale[place], network.direct[place]];
            numbers.extend(network.inner[place]);
            line(name, &numbers);
        }
    }
    text
}

/// Reads a file for a game. Features that only the file has are left out, those that only the game has do not count: an edit of the
/// content seldom makes a value useless.
///
/// # Errors
/// The text is no value, or none of this game.
pub(crate) fn read(text: &str, game: &str, features: &Features) -> Result<(Network, Origin), ValueError> {
    let mut lines = text.lines().zip(1..);
    let version = lines.next().and_then(|(line, _)| line.strip_prefix(TITLE)).ok_or(ValueError::Foreign)?.trim();
    if version != FORMAT.to_string() {
        return Err(ValueError::Format { found: version.to_owned() });
    }
    let mut head = |key: &str| {
        let (text, line) = lines.next().unwrap_or(("", 0));
        let value = text.strip_prefix(key).and_then(|rest| rest.strip_prefix(' '));
        value.map(|value| (value.to_owned(), line)).ok_or_else(|| damaged(line, &format!("`{key}` is missing")))
    };
    let (found, _) = head("game")?;
    if found != game {
        return Err(ValueError::Game { found, wanted: game.to_owned() });
    }
    let number = |(text, line): (String, usize)| text.parse::<u64>().map_err(|_| damaged(line, "a number is missing"));
    let players = u8::try_from(number(head("players")?)?).map_err(|_| damaged(3, "so many players there are not"))?;
    let origin = Origin { game: found, players, seed: number(head("seed")?)?, games: number(head("games")?)? };
    let (schema, _) = head("features")?;
    let mut network = Network::new(vec![0.0; features.names().len()], 0);
    let mut row = |wanted: &str, count: usize| {
        let (text, line) = lines.next().unwrap_or(("", 0));
        let (digits, name) = text.split_once(' ').ok_or_else(|| damaged(line, &format!("`{wanted}` is missing")))?;
        if name != wanted {
            return Err(damaged(line, &format!("`{wanted}` is missing")));
        }
        numbers(digits, count, line)
    };
    network.bias = row("bias", 1)?[0];
    network.inner_bias.copy_from_slice(&row("inner bias", HIDDEN)?);
    network.outer.copy_from_slice(&row("outer", HIDDEN)?);
    let places: std::collections::BTreeMap<&str, usize> =
        features.names().iter().map(String::as_str).zip(0..).collect();
    let (mut count, mut known) = (0usize, 0usize);
    for (text, line) in lines {
        let (digits, name) = text.split_once(' ').ok_or_else(|| damaged(line, "a name is missing"))?;
        let numbers = numbers(digits, HIDDEN + 2, line)?;
        count += 1;
        let Some(&place) = places.get(name) else { continue };
        known += 1;
        network.scale[place] = numbers[0];
        network.direct[place] = numbers[1];
        network.inner[place].copy_from_slice(&numbers[2..]);
    }
    let same = schema == fingerprint(features);
    if count == 0 || same && known < count {
        return Err(damaged(text.lines().count(), "the end of the file is missing"));
    }
    if (known as f64) < FEWEST_KNOWN * count as f64 {
        return Err(ValueError::Declarations { features: count, known });
    }
    Ok((network, origin))
}

fn damaged(line: usize, message: &str) -> ValueError {
    ValueError::Damaged { line, message: message.to_owned() }
}

/// Numbers of four digits each.
fn numbers(digits: &str, count: usize, line: usize) -> Result<Vec<f32>, ValueError> {
    let wrong = || damaged(line, &format!("{count} numbers of four digits are expected"));
    if digits.len() != 4 * count || !digits.is_ascii() {
        return Err(wrong());
    }
    let of = |place: usize| {
        u32::from_str_radix(&digits[4 * place..4 * place + 4], 16).map(|bits| f32::from_bits(bits << 16))
    };
    let numbers: Vec<f32> = (0..count).map(of).collect::<Result<_, _>>().map_err(|_| wrong())?;
    if numbers.iter().all(|number| number.is_finite()) { Ok(numbers) } else { Err(wrong()) }
}

/// Hash of the names of all features in their order: of the schema, not of the numbers in the content.
fn fingerprint(features: &Features) -> String {
    let fold =
        |hash: u64, name: &String| name.bytes().fold(mix(hash, name.len() as u64), |hash, byte| mix(hash, byte.into()));
    format!("{:016x}", features.names().iter().fold(0, fold))
}
