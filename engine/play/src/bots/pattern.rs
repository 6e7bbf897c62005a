//! Patterns for choices by their names in the content: `shipment`, `action=mine`, `equipment.*`, `price=3..`,
//! `token:tools.drill@hand`.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use motherlode::declare::{AttributeType, Definition, Domain, Kind, Value};
use motherlode::tools::nearest;
use motherlode::{Decision, Game, Match};

/// A pattern that matches choices. A word matches everything of that name; `*` matches any characters.
///
/// | pattern | choices |
/// | --- | --- |
/// | `shipment` | the label, the card (or space, building, ...) with this id, all cards of this kind, the cell of this name |
/// | `tools.drill` | the card of this kind with this id |
/// | `3`, `2..`, `..4`, `2..4` | numbers, and the player with this number |
/// | `most`, `least` | the largest or smallest number offered |
/// | `action=shipment` | the same, at this prompt only; `action=*` is every choice at the prompt |
/// | `price=3..`, `colour=red` | cards with this value of an attribute; for a list or amounts, cards that contain the name |
/// | `card:drill`, `label:drill`, `cell:b3` | only choices of this sort |
/// | `token:tools.drill@hand.1` | the key of a choice ([`Choice::key`](motherlode::Choice::key)); `@...` and `[...]` are optional |
#[derive(Debug, Clone, PartialEq)]
pub struct Pattern {
    text: String,
    atoms: Vec<Atom>,
}

/// A pattern that matches nothing in the game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} `{name}`{}", help.as_ref().map(|help| format!("; {help}")).unwrap_or_default())]
pub struct PatternError {
    /// The problem, for example `no choice is named`.
    what: String,
    /// The unknown name.
    name: String,
    /// A suggestion.
    pub help: Option<String>,
}

impl PatternError {
    /// The problem, without the suggestion.
    #[must_use]
    pub fn message(&self) -> String {
        format!("{} `{}`", self.what, self.name)
    }
}

#[derive(Debug, Clone, PartialEq)]
struct Atom {
    /// The only prompt to which the atom applies; `None` for all.
    prompt: Option<usize>,
    matcher: Matcher,
}

#[derive(Debug, Clone, PartialEq)]
enum Matcher {
    Any,
    Most,
    Least,
    /// Indices into the game's labels.
    Labels(BTreeSet<usize>),
    /// Indices of definitions.
    Definitions(BTreeSet<usize>),
    /// A grid, and places on it.
    Cells(usize, BTreeSet<usize>),
    Numbers(RangeInclusive<i32>),
    /// A glob over choice keys.
    Key(String),
}

/// The word for any definition, chosen as a token or by its kind.
const CARD: &str = "card";

/// Words for the largest and smallest offered number.
const EXTREMES: [&str; 2] = ["most", "least"];

/// First words of choice keys.
const KEYS: [&str; 7] = ["label", "definition", "token", "place", "cell", "player", "number"];

impl Pattern {
    /// Parses a pattern.
    ///
    /// # Errors
    /// The game has nothing of this name.
    pub fn new(game: &Game, text: &str) -> Result<Self, PatternError> {
        let text = text.trim();
        let atoms = PatternReader { game }.read(text)?;
        Ok(Self { text: text.to_owned(), atoms })
    }

    /// Parses several patterns.
    ///
    /// # Errors
    /// The game has nothing of one of these names.
    pub fn all(game: &Game, texts: &[String]) -> Result<Vec<Self>, PatternError> {
        texts.iter().map(|text| Self::new(game, text)).collect()
    }

    /// The first pattern that is both forbidden and compulsory.
    #[must_use]
    pub fn both<'p>(never: &'p [Self], always: &[Self]) -> Option<&'p str> {
        never.iter().map(Self::text).find(|text| always.iter().any(|other| other.text == *text))
    }

    /// The pattern as written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Appends the matching choices of `among` to `found`, in order.
    pub fn select(&self, view: &View<'_>, among: &[usize], found: &mut Vec<usize>) {
        let atoms = || self.atoms.iter().filter(|atom| atom.prompt.is_none_or(|prompt| prompt == view.prompt));
        let numbers = || among.iter().filter(|choice| view.number(**choice).is_some());
        let furthest =
            |sign: i64| numbers().copied().max_by_key(|choice| view.number(*choice).map(|n| sign * i64::from(n)));
        let meant = |choice: usize| {
            atoms().any(|atom| match &atom.matcher {
                Matcher::Any => true,
                Matcher::Most => furthest(1) == Some(choice),
                Matcher::Least => furthest(-1) == Some(choice),
                Matcher::Labels(labels) => view.label(choice).is_some_and(|label| labels.contains(&label)),
                Matcher::Definitions(all) => view.definitions[choice].is_some_and(|one| all.contains(&one)),
                Matcher::Cells(grid, places) => view.cell(choice, *grid).is_some_and(|place| places.contains(&place)),
                Matcher::Numbers(range) => view.number_or_player(choice).is_some_and(|number| range.contains(&number)),
                Matcher::Key(glob) => view.keys.get(choice).is_some_and(|key| is_key(glob, key)),
            })
        };
        if atoms().next().is_some() {
            found.extend(among.iter().copied().filter(|choice| meant(*choice)));
        }
    }

    /// One pattern for each thing that this pattern matches: each label at each prompt that has it, each card. For
    /// `action=*` these are the labels of the prompt and the definitions it declares. Cards must be named, because
    /// any card may be offered.
    #[must_use]
    pub fn parts(&self, game: &Game) -> Vec<Self> {
        let d = game.declarations();
        let mut parts = Vec::new();
        let mut part = |text: String, prompt, matcher| parts.push(Self { text, atoms: vec![Atom { prompt, matcher }] });
        for atom in &self.atoms {
            let prompts = || (0..d.prompts.len()).filter(|prompt| atom.prompt.is_none_or(|only| only == *prompt));
            match &atom.matcher {
                Matcher::Labels(labels) => {
                    for label in labels {
                        let id = &game.labels()[*label];
                        for prompt in prompts().filter(|prompt| d.prompts[*prompt].labels.contains_key(id)) {
                            let text = format!("{}={id}", d.prompts.keys()[prompt]);
                            part(text, Some(prompt), Matcher::Labels(BTreeSet::from([*label])));
                        }
                    }
                }
                Matcher::Definitions(definitions) => {
                    for index in definitions {
                        let definition = &d.definitions[*index];
                        let text = format!("{}.{}", d.kinds.keys()[definition.kind], definition.id);
                        part(text, atom.prompt, Matcher::Definitions(BTreeSet::from([*index])));
                    }
                }
                Matcher::Any if atom.prompt.is_some() => {
                    let Some(prompt) = atom.prompt else { continue };
                    let (name, declared) = (&d.prompts.keys()[prompt], &d.prompts[prompt]);
                    for (index, id) in game.labels().iter().enumerate() {
                        if declared.labels.contains_key(id) {
                            part(format!("{name}={id}"), Some(prompt), Matcher::Labels(BTreeSet::from([index])));
                        }
                    }
                    if let Domain::Definition(kind) = declared.domain {
                        let kind = &d.kinds[kind];
                        for index in kind.first..kind.first + kind.len {
                            let text = format!("{name}={}", d.definitions[index].id);
                            part(text, Some(prompt), Matcher::Definitions(BTreeSet::from([index])));
                        }
                    }
                }
                matcher => part(self.text.clone(), atom.prompt, matcher.clone()),
            }
        }
        parts
    }

    /// Indices of the definitions that the pattern matches.
    pub fn definitions(&self) -> impl Iterator<Item = usize> {
        let of = |atom: &Atom| match &atom.matcher {
            Matcher::Definitions(all) => all.iter().copied().collect::<Vec<_>>(),
            _ => Vec::new(),
        };
        self.atoms.iter().flat_map(of)
    }

    fn needs_keys(&self) -> bool {
        self.atoms.iter().any(|atom| matches!(atom.matcher, Matcher::Key(_)))
    }
}

/// The choices of a decision, as patterns see them.
pub struct View<'m> {
    played: &'m Match,
    prompt: usize,
    domain: Domain,
    definitions: Vec<Option<usize>>,
    keys: Vec<String>,
}

impl<'m> View<'m> {
    /// The choices of this decision, prepared for these patterns.
    pub fn new<'p>(played: &'m Match, decision: Decision, patterns: impl IntoIterator<Item = &'p Pattern>) -> Self {
        let prompt = decision.prompt_index();
        let domain = played.game().declarations().prompts.get_index(prompt).map(|(_, prompt)| prompt.domain);
        let mut definitions = Vec::new();
        played.choice_definitions(&mut definitions);
        // Keys are strings and slow to build.
        let keys = if patterns.into_iter().any(Pattern::needs_keys) {
            played.legal().iter().map(|choice| choice.key().to_owned()).collect()
        } else {
            Vec::new()
        };
        Self { played, prompt, domain: domain.unwrap_or_default(), definitions, keys }
    }

    fn raw(&self, choice: usize) -> i32 {
        self.played.choices()[choice]
    }

    fn label(&self, choice: usize) -> Option<usize> {
        let number = usize::try_from(-(i64::from(self.raw(choice)) + 1)).ok()?;
        Some(number % self.played.game().labels().len().max(1))
    }

    fn cell(&self, choice: usize, grid: usize) -> Option<usize> {
        let index = usize::try_from(self.raw(choice)).ok()?.checked_sub(1)?;
        (self.domain == Domain::Cell(grid)).then(|| index % self.played.game().layout().grids[grid].places().max(1))
    }

    fn number(&self, choice: usize) -> Option<i32> {
        Some(self.raw(choice)).filter(|raw| *raw >= 0 && self.domain == Domain::Number)
    }

    fn number_or_player(&self, choice: usize) -> Option<i32> {
        let is_number = matches!(self.domain, Domain::Number | Domain::Player);
        Some(self.raw(choice)).filter(|raw| *raw >= 0 && is_number)
    }
}

/// Resolves the names in patterns.
struct PatternReader<'g> {
    game: &'g Game,
}

impl PatternReader<'_> {
    fn read(&self, text: &str) -> Result<Vec<Atom>, PatternError> {
        if text.is_empty() {
            let help = Some("name a choice, such as `pass`, `action=pass` or `*`".to_owned());
            return Err(PatternError { what: "empty pattern".to_owned(), name: text.to_owned(), help });
        }
        if let Some((sort, _)) = text.split_once(':') {
            return self.of_sort(text, sort);
        }
        match text.split_once('=') {
            Some((name, value)) => self.with_value(name, value),
            None => self.word(None, text),
        }
    }

    /// `label:pass`, `card:drill`, `token:tools.drill@hand`.
    fn of_sort(&self, text: &str, sort: &str) -> Result<Vec<Atom>, PatternError> {
        if sort != CARD && !KEYS.contains(&sort) {
            return Err(unknown_error("unknown kind of choice", sort, KEYS.into_iter().chain([CARD])));
        }
        let key = || Ok(vec![Atom { prompt: None, matcher: Matcher::Key(text.to_owned()) }]);
        let name = &text[sort.len() + 1..];
        // A more specific key is matched as a glob, but its name must exist.
        let plain = name.split(['@', '[', ' ']).next().unwrap_or_default();
        let plain = if sort == "cell" { plain.split('.').next().unwrap_or_default() } else { plain };
        let of_sort = |matcher: &Matcher| match sort {
            "label" => matches!(matcher, Matcher::Labels(_)),
            "cell" => matches!(matcher, Matcher::Cells(..)),
            CARD | "token" | "definition" => matches!(matcher, Matcher::Definitions(_)),
            _ => false,
        };
        if matches!(sort, "place" | "player" | "number") {
            return key();
        }
        let mut atoms = self.word(None, plain)?;
        atoms.retain(|atom| atom.matcher == Matcher::Any || of_sort(&atom.matcher));
        match atoms.is_empty() {
            true => Err(unknown_error(&format!("no {sort} is named"), plain, [])),
            false if plain.len() < name.len() || plain == "*" => key(),
            false => Ok(atoms),
        }
    }

    /// `PROMPT=CHOICE` or `ATTRIBUTE=VALUE`.
    fn with_value(&self, name: &str, value: &str) -> Result<Vec<Atom>, PatternError> {
        let d = self.game.declarations();
        let of_prompt = d.prompts.get_index_of(name).map(|prompt| self.word(Some(prompt), value));
        let kinds = || d.kinds.values().filter(|kind| kind.attributes.contains_key(name));
        if kinds().next().is_none() {
            let names = || d.prompts.keys().chain(d.kinds.values().flat_map(|kind| kind.attributes.keys()));
            return of_prompt.unwrap_or_else(|| {
                Err(unknown_error("no prompt or attribute is named", name, names().map(String::as_str)))
            });
        }
        let held = |kind: &Kind| -> BTreeSet<usize> {
            let at = kind.attributes.get_index_of(name);
            let of = kind.first..kind.first + kind.len;
            of.filter(|index| {
                at.and_then(|at| d.definitions[*index].attributes.get(at)).is_some_and(|held| holds(held, value))
            })
            .collect()
        };
        let definitions: BTreeSet<usize> = kinds().flat_map(held).collect();
        let of_attribute =
            (!definitions.is_empty()).then_some(Atom { prompt: None, matcher: Matcher::Definitions(definitions) });
        match (of_prompt, of_attribute) {
            (Some(Ok(mut atoms)), of_attribute) => {
                atoms.extend(of_attribute);
                Ok(atoms)
            }
            (_, Some(atom)) => Ok(vec![atom]),
            (_, None) => {
                if let Some(error) = reversed_range_error(value) {
                    return Err(error);
                }
                let known: BTreeSet<String> = kinds().flat_map(|kind| self.values(kind, name)).collect();
                Err(unknown_error(&format!("no card has `{name}`"), value, known.iter().map(String::as_str)))
            }
        }
    }

    /// All values of an attribute, as names.
    fn values(&self, kind: &Kind, name: &str) -> Vec<String> {
        let d = self.game.declarations();
        let Some((at, _, attribute)) = kind.attributes.get_full(name) else { return Vec::new() };
        if let AttributeType::Text(values) = &attribute.of
            && !values.is_empty()
        {
            return values.clone();
        }
        let mut found = Vec::new();
        for definition in &d.definitions[kind.first..kind.first + kind.len] {
            match definition.attributes.get(at) {
                Some(Value::Text(text)) => found.push(text.clone()),
                Some(Value::Integer(number)) => found.push(number.to_string()),
                Some(Value::Map(map)) => found.extend(map.keys().cloned()),
                Some(Value::List(list)) => found.extend(list.iter().filter_map(|one| match one {
                    Value::Text(text) => Some(text.clone()),
                    _ => None,
                })),
                _ => {}
            }
        }
        found
    }

    /// Everything with this name, at one prompt or at all.
    fn word(&self, prompt: Option<usize>, word: &str) -> Result<Vec<Atom>, PatternError> {
        let domain = prompt.map(|prompt| self.game.declarations().prompts[prompt].domain);
        let atom = |matcher| Atom { prompt, matcher };
        match word {
            "*" => return Ok(vec![atom(Matcher::Any)]),
            "most" if self.takes_numbers(domain) => return Ok(vec![atom(Matcher::Most)]),
            "least" if self.takes_numbers(domain) => return Ok(vec![atom(Matcher::Least)]),
            _ => {}
        }
        if let Some(error) = reversed_range_error(word) {
            return Err(error);
        }
        let mut atoms = Vec::new();
        let labels: BTreeSet<usize> =
            self.labels(prompt).filter(|(_, label)| glob(word, label)).map(|(index, _)| index).collect();
        if !labels.is_empty() {
            atoms.push(atom(Matcher::Labels(labels)));
        }
        let is_called = |of: &Definition| match word.split_once('.') {
            Some((kind, id)) => glob(kind, self.kind_name(of.kind)) && glob(id, &of.id),
            None => glob(word, self.kind_name(of.kind)) || glob(word, &of.id),
        };
        let definitions: BTreeSet<usize> =
            self.definitions(domain).filter(|(_, of)| is_called(of)).map(|(index, _)| index).collect();
        if !definitions.is_empty() {
            atoms.push(atom(Matcher::Definitions(definitions)));
        }
        for (grid, names) in self.grids(domain) {
            let places: BTreeSet<usize> =
                names.enumerate().filter(|(_, name)| glob(word, name)).map(|(place, _)| place).collect();
            if !places.is_empty() {
                atoms.push(atom(Matcher::Cells(grid, places)));
            }
        }
        if domain.is_none_or(|domain| matches!(domain, Domain::Number | Domain::Player))
            && let Some(range) = parse_range(word)
        {
            atoms.push(atom(Matcher::Numbers(range)));
        }
        if atoms.is_empty() { Err(self.unknown_word(prompt, domain, word)) } else { Ok(atoms) }
    }

    /// The error for an unknown name, with a suggestion.
    fn unknown_word(&self, prompt: Option<usize>, domain: Option<Domain>, word: &str) -> PatternError {
        let d = self.game.declarations();
        let definitions = || self.definitions(domain).map(|(_, of)| of);
        let mut known: Vec<String> = self.labels(prompt).map(|(_, label)| label.to_owned()).collect();
        match word.contains('.') {
            true => known.extend(definitions().map(|of| format!("{}.{}", self.kind_name(of.kind), of.id))),
            false => {
                let kinds = (0..d.kinds.len()).filter(|kind| may_be_of(domain, *kind));
                known.extend(kinds.map(|kind| self.kind_name(kind).to_owned()));
                known.extend(definitions().map(|of| of.id.clone()));
            }
        }
        known.extend(self.grids(domain).flat_map(|(_, names)| names).map(str::to_owned));
        if self.takes_numbers(domain) {
            known.extend(nearest(word, EXTREMES).map(str::to_owned));
        }
        let what = match prompt.and_then(|prompt| d.prompts.get_index(prompt)) {
            Some((name, _)) => format!("prompt `{name}` has no choice"),
            None => "no choice is named".to_owned(),
        };
        let mut error = unknown_error(&what, word, known.iter().map(String::as_str));
        // The user may know the card by its printed name.
        if let Some(of) = definitions().find(|of| of.name.eq_ignore_ascii_case(word)) {
            error.help = Some(format!("did you mean `{}`?", of.id));
        } else if prompt.is_none() && d.prompts.contains_key(word) {
            error.help = Some(format!("`{word}` is a prompt: use `{word}=*` for all its choices"));
        } else if domain == Some(Domain::Number) && error.help.is_none() {
            error.help = Some("use a number or range: `3`, `2..4`, `most`, `least`".to_owned());
        }
        error
    }

    /// Whether prompts of this domain offer numbers; `None` stands for any prompt.
    fn takes_numbers(&self, domain: Option<Domain>) -> bool {
        match domain {
            Some(domain) => domain == Domain::Number,
            None => self.game.declarations().prompts.values().any(|prompt| prompt.domain == Domain::Number),
        }
    }

    /// The labels of a prompt, or of all prompts, with their indices.
    fn labels(&self, prompt: Option<usize>) -> impl Iterator<Item = (usize, &str)> {
        let prompts = &self.game.declarations().prompts;
        let is_own = move |label: &str| match prompt {
            Some(prompt) => prompts[prompt].labels.contains_key(label),
            None => prompts.values().any(|prompt| prompt.labels.contains_key(label)),
        };
        let labels = self.game.labels().iter().map(String::as_str).enumerate();
        labels.filter(move |(_, label)| is_own(label))
    }

    /// The definitions that prompts of this domain offer, with their indices.
    fn definitions(&self, domain: Option<Domain>) -> impl Iterator<Item = (usize, &Definition)> {
        let all = self.game.declarations().definitions.iter().enumerate();
        all.filter(move |(_, of)| may_be_of(domain, of.kind))
    }

    /// The boards whose cells prompts of this domain offer, with the names of their cells.
    fn grids(&self, domain: Option<Domain>) -> impl Iterator<Item = (usize, impl Iterator<Item = &str>)> {
        let grids = self.game.layout().grids.iter().enumerate();
        let chosen = grids.filter(move |(grid, _)| domain.is_none_or(|domain| domain == Domain::Cell(*grid)));
        chosen.map(|(grid, board)| (grid, (0..board.places()).map(|place| board.name(place))))
    }

    fn kind_name(&self, kind: usize) -> &str {
        self.game.declarations().kinds.get_index(kind).map_or("", |(name, _)| name.as_str())
    }
}

/// Whether prompts of this domain offer tokens or definitions of this kind. A token prompt may offer any kind.
fn may_be_of(domain: Option<Domain>, kind: usize) -> bool {
    match domain {
        Some(Domain::Definition(only)) => only == kind,
        None | Some(Domain::Token) => true,
        _ => false,
    }
}

fn unknown_error<'n>(what: &str, name: &str, known: impl IntoIterator<Item = &'n str>) -> PatternError {
    const MOST_LISTED: usize = 12;
    let known: BTreeSet<&str> = known.into_iter().collect();
    let help = match nearest(name, known.iter().copied()) {
        Some(near) => Some(format!("did you mean `{near}`?")),
        None if known.is_empty() || known.len() > MOST_LISTED => None,
        None => Some(format!("use one of {}", known.into_iter().collect::<Vec<_>>().join(", "))),
    };
    PatternError { what: what.to_owned(), name: name.to_owned(), help }
}

/// Whether an attribute's value equals or contains the wanted one.
fn holds(held: &Value, wanted: &str) -> bool {
    match held {
        Value::Boolean(held) => wanted == held.to_string(),
        Value::Integer(held) => parse_range(wanted).is_some_and(|range| range.contains(held)),
        Value::Text(held) => glob(wanted, held),
        Value::Formula(held) => glob(wanted, &held.text),
        Value::List(list) => list.iter().any(|held| holds(held, wanted)),
        Value::Map(map) => map.keys().any(|name| glob(wanted, name)),
    }
}

/// Parses `3`, `2..`, `..4` or `2..4`; bounds are inclusive.
fn parse_range(text: &str) -> Option<RangeInclusive<i32>> {
    let end = |text: &str, open: i32| if text.is_empty() { Some(open) } else { text.parse().ok() };
    match text.split_once("..") {
        Some(("", "")) => None,
        Some((low, high)) => Some(end(low, i32::MIN)?..=end(high, i32::MAX)?),
        None => text.parse().ok().map(|number| number..=number),
    }
}

/// The error for a range with swapped bounds, such as `4..2`.
fn reversed_range_error(text: &str) -> Option<PatternError> {
    parse_range(text).filter(RangeInclusive::is_empty)?;
    let (high, low) = text.split_once("..")?;
    let help = Some(format!("did you mean `{low}..{high}`?"));
    Some(PatternError { what: "empty range".to_owned(), name: text.to_owned(), help })
}

/// Whether `text` matches `word`, in which `*` matches any characters.
fn glob(word: &str, text: &str) -> bool {
    let mut parts = word.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// Whether a pattern matches a key; `@...` and `[...]` of the key count only if the pattern has them.
fn is_key(pattern: &str, key: &str) -> bool {
    let before =
        |sign: char| if pattern.contains(sign) { None } else { key.split_once(sign).map(|(before, _)| before) };
    let key = before('[').unwrap_or(key);
    let key = if pattern.contains('@') { key } else { key.split_once('@').map_or(key, |(before, _)| before) };
    glob(pattern, key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_matches_any_characters() {
        for (word, text) in
            [("*", ""), ("a*", "abc"), ("*c", "abc"), ("a*c", "abc"), ("a*b*c", "a1b2c"), ("abc", "abc")]
        {
            assert!(glob(word, text), "{word} {text}");
        }
        for (word, text) in [("a*", "ba"), ("*a", "ab"), ("a*a", "a"), ("abc", "abcd"), ("a*b*c", "acb")] {
            assert!(!glob(word, text), "{word} {text}");
        }
    }

    #[test]
    fn range_bounds_are_inclusive() {
        assert_eq!(parse_range("2..4"), Some(2..=4));
        assert_eq!(parse_range("..4"), Some(i32::MIN..=4));
        assert_eq!(parse_range("3"), Some(3..=3));
        assert_eq!((parse_range(".."), parse_range("a"), parse_range("1..b")), (None, None, None));
    }

    #[test]
    fn location_and_state_of_a_key_are_optional() {
        let key = "token:tools.drill@hand.2[load=3]";
        assert!(is_key("token:tools.drill", key) && is_key("token:tools.*@hand.2", key) && is_key(key, key));
        assert!(!is_key("token:tools.drill@shop", key) && !is_key("token:tools.saw", key));
    }
}
