//! Choices by the names that content gives them: `shipment`, `action=mine`, `equipment.*`, `price=3..`, `token:tools.drill@hand`.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use motherlode::declare::{AttributeType, Definition, Domain, Kind, Value};
use motherlode::tools::nearest;
use motherlode::{Decision, Game, Match};

/// Which choices are meant. A word means everything that is called so; `*` stands for any letters.
///
/// | pattern | choices |
/// | --- | --- |
/// | `shipment` | the label, the card (or space, building ...) with this id, all cards of this kind, the cell of this name |
/// | `tools.drill` | the card with this id of this kind |
/// | `3`, `2..`, `..4`, `2..4` | numbers, and the player of this number |
/// | `most`, `least` | the largest or the smallest number there is |
/// | `action=shipment` | the same, at this prompt alone; `action=*` is every choice at it |
/// | `price=3..`, `colour=red` | cards with this value of an attribute; of a list or of amounts, those that hold the name |
/// | `card:drill`, `label:drill`, `cell:b3` | the one and not the other |
/// | `token:tools.drill@hand.1` | the key of a choice ([`Choice::key`](motherlode::Choice::key)); what stands behind `@` and in brackets may be left out |
#[derive(Debug, Clone, PartialEq)]
pub struct Pattern {
    text: String,
    atoms: Vec<Atom>,
}

/// A pattern that names nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} `{name}`{}", help.as_ref().map(|help| format!("; {help}")).unwrap_or_default())]
pub struct PatternError {
    /// What was looked for.
    what: String,
    /// The name that is unknown.
    name: String,
    /// What may be meant.
    pub help: Option<String>,
}

impl PatternError {
    /// What is wrong, without the help.
    #[must_use]
    pub fn message(&self) -> String {
        format!("{} `{}`", self.what, self.name)
    }
}

#[derive(Debug, Clone, PartialEq)]
struct Atom {
    /// The only prompt at which it holds.
    prompt: Option<usize>,
    what: What,
}

#[derive(Debug, Clone, PartialEq)]
enum What {
    Any,
    Most,
    Least,
    /// Indices into the game's labels.
    Labels(BTreeSet<usize>),
    /// Indices of definitions.
    Definitions(BTreeSet<usize>),
    /// Places of a grid.
    Cells(usize, BTreeSet<usize>),
    Numbers(RangeInclusive<i32>),
    /// Of a key.
    Key(String),
}

/// The word for cards and whatever else is defined, chosen as a token or by its kind.
const CARD: &str = "card";

/// Words for the ends of what numbers are offered.
const EXTREMES: [&str; 2] = ["most", "least"];

/// Words that begin keys of choices.
const KEYS: [&str; 7] = ["label", "definition", "token", "place", "cell", "player", "number"];

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// The game has nothing of this name.
    pub fn new(game: &Game, text: &str) -> Result<Self, PatternError> {
        let text = text.trim();
        let atoms = Reader { game }.read(text)?;
        Ok(Self { text: text.to_owned(), atoms })
    }

    /// Reads several.
    ///
    /// # Errors
    /// The game has nothing of one of these names.
    pub fn all(game: &Game, texts: &[String]) -> Result<Vec<Self>, PatternError> {
        texts.iter().map(|text| Self::new(game, text)).collect()
    }

    /// What is forbidden and demanded alike.
    #[must_use]
    pub fn both<'p>(never: &'p [Self], always: &[Self]) -> Option<&'p str> {
        never.iter().map(Self::text).find(|text| always.iter().any(|other| other.text == *text))
    }

    /// As it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Adds to `found` those of the choices `among` that are meant, in their order.
    pub fn select(&self, view: &View<'_>, among: &[usize], found: &mut Vec<usize>) {
        let atoms = || self.atoms.iter().filter(|atom| atom.prompt.is_none_or(|prompt| prompt == view.prompt));
        let numbers = || among.iter().filter(|choice| view.number(**choice).is_some());
        let furthest =
            |sign: i64| numbers().copied().max_by_key(|choice| view.number(*choice).map(|n| sign * i64::from(n)));
        let meant = |choice: usize| {
            atoms().any(|atom| match &atom.what {
                What::Any => true,
                What::Most => furthest(1) == Some(choice),
                What::Least => furthest(-1) == Some(choice),
                What::Labels(labels) => view.label(choice).is_some_and(|label| labels.contains(&label)),
                What::Definitions(all) => view.definitions[choice].is_some_and(|one| all.contains(&one)),
                What::Cells(grid, places) => view.cell(choice, *grid).is_some_and(|place| places.contains(&place)),
                What::Numbers(range) => view.number_or_player(choice).is_some_and(|number| range.contains(&number)),
                What::Key(glob) => view.keys.get(choice).is_some_and(|key| is_key(glob, key)),
            })
        };
        if atoms().next().is_some() {
            found.extend(among.iter().copied().filter(|choice| meant(*choice)));
        }
    }

    /// A pattern for each thing that this one names: each label at each prompt that has it, each card. Of `action=*` these are the labels of the
    /// prompt and what is chosen at it by its kind; cards must be named, because any may be offered.
    #[must_use]
    pub fn parts(&self, game: &Game) -> Vec<Self> {
        let d = game.declarations();
        let mut parts = Vec::new();
        let mut part = |text: String, prompt, what| parts.push(Self { text, atoms: vec![Atom { prompt, what }] });
        for atom in &self.atoms {
            let prompts = || (0..d.prompts.len()).filter(|prompt| atom.prompt.is_none_or(|only| only == *prompt));
            match &atom.what {
                What::Labels(labels) => {
                    for label in labels {
                        let id = &game.labels()[*label];
                        for prompt in prompts().filter(|prompt| d.prompts[*prompt].labels.contains_key(id)) {
                            let text = format!("{}={id}", d.prompts.keys()[prompt]);
                            part(text, Some(prompt), What::Labels(BTreeSet::from([*label])));
                        }
                    }
                }
                What::Definitions(definitions) => {
                    for index in definitions {
                        let definition = &d.definitions[*index];
                        let text = format!("{}.{}", d.kinds.keys()[definition.kind], definition.id);
                        part(text, atom.prompt, What::Definitions(BTreeSet::from([*index])));
                    }
                }
                What::Any if atom.prompt.is_some() => {
                    let Some(prompt) = atom.prompt else { continue };
                    let (name, declared) = (&d.prompts.keys()[prompt], &d.prompts[prompt]);
                    for (index, id) in game.labels().iter().enumerate() {
                        if declared.labels.contains_key(id) {
                            part(format!("{name}={id}"), Some(prompt), What::Labels(BTreeSet::from([index])));
                        }
                    }
                    if let Domain::Definition(kind) = declared.domain {
                        let kind = &d.kinds[kind];
                        for index in kind.first..kind.first + kind.len {
                            let text = format!("{name}={}", d.definitions[index].id);
                            part(text, Some(prompt), What::Definitions(BTreeSet::from([index])));
                        }
                    }
                }
                what => part(self.text.clone(), atom.prompt, what.clone()),
            }
        }
        parts
    }

    /// The cards that it names (indices of definitions).
    pub fn definitions(&self) -> impl Iterator<Item = usize> {
        let of = |atom: &Atom| match &atom.what {
            What::Definitions(all) => all.iter().copied().collect::<Vec<_>>(),
            _ => Vec::new(),
        };
        self.atoms.iter().flat_map(of)
    }

    fn needs_keys(&self) -> bool {
        self.atoms.iter().any(|atom| matches!(atom.what, What::Key(_)))
    }
}

/// What patterns look at in a decision.
pub struct View<'m> {
    played: &'m Match,
    prompt: usize,
    domain: Domain,
    definitions: Vec<Option<usize>>,
    keys: Vec<String>,
}

impl<'m> View<'m> {
    /// The choices of this decision, for these patterns.
    pub fn new<'p>(played: &'m Match, decision: Decision, patterns: impl IntoIterator<Item = &'p Pattern>) -> Self {
        let prompt = decision.prompt_index();
        let domain = played.game().declarations().prompts.get_index(prompt).map(|(_, prompt)| prompt.domain);
        let mut definitions = Vec::new();
        played.choice_definitions(&mut definitions);
        // Keys are texts, which take long to make.
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

/// Finds what patterns name.
struct Reader<'g> {
    game: &'g Game,
}

impl Reader<'_> {
    fn read(&self, text: &str) -> Result<Vec<Atom>, PatternError> {
        if text.is_empty() {
            let help = Some("name a choice, such as `pass`, `action=pass` or `*`".to_owned());
            return Err(PatternError { what: "nothing is named by".to_owned(), name: text.to_owned(), help });
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
            return Err(unknown("unknown sort of choice", sort, KEYS.into_iter().chain([CARD])));
        }
        let key = || Ok(vec![Atom { prompt: None, what: What::Key(text.to_owned()) }]);
        let name = &text[sort.len() + 1..];
        // What tells more than a name is looked up in the key; the name must exist in any case.
        let plain = name.split(['@', '[', ' ']).next().unwrap_or_default();
        let plain = if sort == "cell" { plain.split('.').next().unwrap_or_default() } else { plain };
        let of_sort = |what: &What| match sort {
            "label" => matches!(what, What::Labels(_)),
            "cell" => matches!(what, What::Cells(..)),
            CARD | "token" | "definition" => matches!(what, What::Definitions(_)),
            _ => false,
        };
        if matches!(sort, "place" | "player" | "number") {
            return key();
        }
        let mut atoms = self.word(None, plain)?;
        atoms.retain(|atom| atom.what == What::Any || of_sort(&atom.what));
        match atoms.is_empty() {
            true => Err(unknown(&format!("no {sort} is called"), plain, [])),
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
            return of_prompt
                .unwrap_or_else(|| Err(unknown("there is no prompt or attribute", name, names().map(String::as_str))));
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
            (!definitions.is_empty()).then_some(Atom { prompt: None, what: What::Definitions(definitions) });
        match (of_prompt, of_attribute) {
            (Some(Ok(mut atoms)), of_attribute) => {
                atoms.extend(of_attribute);
                Ok(atoms)
            }
            (_, Some(atom)) => Ok(vec![atom]),
            (_, None) => {
                if let Some(error) = reversed(value) {
                    return Err(error);
                }
                let known: BTreeSet<String> = kinds().flat_map(|kind| self.values(kind, name)).collect();
                Err(unknown(&format!("no card has `{name}`"), value, known.iter().map(String::as_str)))
            }
        }
    }

    /// The names that an attribute has on cards.
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

    /// Everything that is called so, at one prompt or at all of them.
    fn word(&self, prompt: Option<usize>, word: &str) -> Result<Vec<Atom>, PatternError> {
        let domain = prompt.map(|prompt| self.game.declarations().prompts[prompt].domain);
        let atom = |what| Atom { prompt, what };
        match word {
            "*" => return Ok(vec![atom(What::Any)]),
            "most" if self.takes_numbers(domain) => return Ok(vec![atom(What::Most)]),
            "least" if self.takes_numbers(domain) => return Ok(vec![atom(What::Least)]),
            _ => {}
        }
        if let Some(error) = reversed(word) {
            return Err(error);
        }
        let mut atoms = Vec::new();
        let labels: BTreeSet<usize> =
            self.labels(prompt).filter(|(_, label)| glob(word, label)).map(|(index, _)| index).collect();
        if !labels.is_empty() {
            atoms.push(atom(What::Labels(labels)));
        }
        let is_called = |of: &Definition| match word.split_once('.') {
            Some((kind, id)) => glob(kind, self.kind_name(of.kind)) && glob(id, &of.id),
            None => glob(word, self.kind_name(of.kind)) || glob(word, &of.id),
        };
        let definitions: BTreeSet<usize> =
            self.definitions(domain).filter(|(_, of)| is_called(of)).map(|(index, _)| index).collect();
        if !definitions.is_empty() {
            atoms.push(atom(What::Definitions(definitions)));
        }
        for (grid, names) in self.grids(domain) {
            let places: BTreeSet<usize> =
                names.enumerate().filter(|(_, name)| glob(word, name)).map(|(place, _)| place).collect();
            if !places.is_empty() {
                atoms.push(atom(What::Cells(grid, places)));
            }
        }
        if domain.is_none_or(|domain| matches!(domain, Domain::Number | Domain::Player))
            && let Some(range) = range(word)
        {
            atoms.push(atom(What::Numbers(range)));
        }
        if atoms.is_empty() { Err(self.unknown_word(prompt, domain, word)) } else { Ok(atoms) }
    }

    /// Why nothing is called so, and what may have been meant.
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
            None => "no choice is called".to_owned(),
        };
        let mut error = unknown(&what, word, known.iter().map(String::as_str));
        // Somebody may know the card by the name that is printed on it.
        if let Some(of) = definitions().find(|of| of.name.eq_ignore_ascii_case(word)) {
            error.help = Some(format!("did you mean `{}`?", of.id));
        } else if prompt.is_none() && d.prompts.contains_key(word) {
            error.help = Some(format!("it is a prompt: `{word}=*` means all its choices"));
        } else if domain == Some(Domain::Number) && error.help.is_none() {
            error.help = Some("it takes numbers: `3`, `2..4`, `most`, `least`".to_owned());
        }
        error
    }

    /// Whether numbers are chosen at prompts of this domain; `None`: at any prompt.
    fn takes_numbers(&self, domain: Option<Domain>) -> bool {
        match domain {
            Some(domain) => domain == Domain::Number,
            None => self.game.declarations().prompts.values().any(|prompt| prompt.domain == Domain::Number),
        }
    }

    /// The labels of a prompt, or of all of them, each with its index.
    fn labels(&self, prompt: Option<usize>) -> impl Iterator<Item = (usize, &str)> {
        let prompts = &self.game.declarations().prompts;
        let is_own = move |label: &str| match prompt {
            Some(prompt) => prompts[prompt].labels.contains_key(label),
            None => prompts.values().any(|prompt| prompt.labels.contains_key(label)),
        };
        let labels = self.game.labels().iter().map(String::as_str).enumerate();
        labels.filter(move |(_, label)| is_own(label))
    }

    /// The definitions that are chosen at prompts of this domain, each with its index.
    fn definitions(&self, domain: Option<Domain>) -> impl Iterator<Item = (usize, &Definition)> {
        let all = self.game.declarations().definitions.iter().enumerate();
        all.filter(move |(_, of)| may_be_of(domain, of.kind))
    }

    /// The boards whose cells are chosen at prompts of this domain, each with the names of its cells.
    fn grids(&self, domain: Option<Domain>) -> impl Iterator<Item = (usize, impl Iterator<Item = &str>)> {
        let grids = self.game.layout().grids.iter().enumerate();
        let chosen = grids.filter(move |(grid, _)| domain.is_none_or(|domain| domain == Domain::Cell(*grid)));
        chosen.map(|(grid, board)| (grid, (0..board.places()).map(|place| board.name(place))))
    }

    fn kind_name(&self, kind: usize) -> &str {
        self.game.declarations().kinds.get_index(kind).map_or("", |(name, _)| name.as_str())
    }
}

/// Whether tokens or definitions of this kind are chosen at prompts of this domain. At a prompt for cards they may be of any kind.
fn may_be_of(domain: Option<Domain>, kind: usize) -> bool {
    match domain {
        Some(Domain::Definition(only)) => only == kind,
        None | Some(Domain::Token) => true,
        _ => false,
    }
}

fn unknown<'n>(what: &str, name: &str, known: impl IntoIterator<Item = &'n str>) -> PatternError {
    const MOST_LISTED: usize = 12;
    let known: BTreeSet<&str> = known.into_iter().collect();
    let help = match nearest(name, known.iter().copied()) {
        Some(near) => Some(format!("did you mean `{near}`?")),
        None if known.is_empty() || known.len() > MOST_LISTED => None,
        None => Some(format!("there are {}", known.into_iter().collect::<Vec<_>>().join(", "))),
    };
    PatternError { what: what.to_owned(), name: name.to_owned(), help }
}

/// Whether a value of an attribute is this one, or holds it.
fn holds(held: &Value, wanted: &str) -> bool {
    match held {
        Value::Boolean(held) => wanted == held.to_string(),
        Value::Integer(held) => range(wanted).is_some_and(|range| range.contains(held)),
        Value::Text(held) => glob(wanted, held),
        Value::List(list) => list.iter().any(|held| holds(held, wanted)),
        Value::Map(map) => map.keys().any(|name| glob(wanted, name)),
    }
}

/// `3`, `2..`, `..4`, `2..4`: both ends included.
fn range(text: &str) -> Option<RangeInclusive<i32>> {
    let end = |text: &str, open: i32| if text.is_empty() { Some(open) } else { text.parse().ok() };
    match text.split_once("..") {
        Some(("", "")) => None,
        Some((low, high)) => Some(end(low, i32::MIN)?..=end(high, i32::MAX)?),
        None => text.parse().ok().map(|number| number..=number),
    }
}

/// What is wrong with a range whose ends are the wrong way round: `4..2`.
fn reversed(text: &str) -> Option<PatternError> {
    range(text).filter(RangeInclusive::is_empty)?;
    let (high, low) = text.split_once("..")?;
    let help = Some(format!("did you mean `{low}..{high}`?"));
    Some(PatternError { what: "no number lies in".to_owned(), name: text.to_owned(), help })
}

/// Whether a text is a word in which `*` stands for any letters.
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

/// Whether a key is meant: wholly, or as far as it names the thing and not where it lies or what tells it from copies.
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
    fn a_star_stands_for_any_letters() {
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
    fn a_range_holds_both_ends() {
        assert_eq!(range("2..4"), Some(2..=4));
        assert_eq!(range("..4"), Some(i32::MIN..=4));
        assert_eq!(range("3"), Some(3..=3));
        assert_eq!((range(".."), range("a"), range("1..b")), (None, None, None));
    }

    #[test]
    fn keys_may_leave_out_where_a_card_lies() {
        let key = "token:tools.drill@hand.2[load=3]";
        assert!(is_key("token:tools.drill", key) && is_key("token:tools.*@hand.2", key) && is_key(key, key));
        assert!(!is_key("token:tools.drill@shop", key) && !is_key("token:tools.saw", key));
    }
}
