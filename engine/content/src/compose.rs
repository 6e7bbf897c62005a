//! Texts of definitions, composed of the sentences of their verbs in the form that their kind declares.

use indexmap::IndexMap;

use super::declare::{
    AttributeType, Declarations, Definition, Field, Filter, Formula, Kind, MAX_EVENT_ARGS, Reference, Term, Thing,
    Value, VerbCall, list_hook,
};
use super::document::Document;
use super::limits::MAX_COMPOSED;
use super::names::label_of;
use super::placeholder::Form;
use super::sentence::{self, Values, fill, list, number, within};

/// Placeholder for the sentences of all verbs in the text of a definition.
pub const VERBS: &str = "verbs";

/// Sets the composed and the displayed text of every definition. Reports texts that are too long. `reactions`: the sentences
/// of a definition's listeners and modifiers.
pub(crate) fn compose(
    d: &mut Declarations,
    docs: &IndexMap<&str, Document<'_>>,
    reactions: impl Fn(&Declarations, usize) -> Vec<String>,
) {
    let composed: Vec<(String, String)> =
        d.definitions.iter().enumerate().map(|(index, one)| texts(d, one, &reactions(d, index))).collect();
    for (definition, (mut says, mut text)) in d.definitions.iter_mut().zip(composed) {
        if says.len().max(text.len()) > MAX_COMPOSED {
            let kind = d.kinds.get_index(definition.kind).and_then(|(name, _)| docs.get(name.as_str()));
            if let Some(doc) = kind {
                let message = format!("the text composed for `{}` is longer than {MAX_COMPOSED} bytes", definition.id);
                let help = "use fewer verbs, or write `text` without the placeholders that repeat them".to_owned();
                doc.fault(doc.span_of_line(&definition.place), "too-large", message, Some(help));
            }
            (says, text) = (String::new(), String::new());
        }
        (definition.says, definition.text) = (says, text);
    }
}

/// The composed sentences of a definition's verbs and reactions, and its full text.
fn texts(d: &Declarations, definition: &Definition, reactions: &[String]) -> (String, String) {
    let Some((_, kind)) = d.kinds.get_index(definition.kind) else {
        return (String::new(), definition.written.clone());
    };
    let mut fields = Fields { d, kind, definition, says: String::new() };
    let mut says = match &kind.reads {
        Some(template) => fill(template, &fields).trim().to_owned(),
        None => {
            let sentences = kind.hooks.keys().map(|hook| match kind.list_of(hook) {
                Some((_, place)) => fields.numbered(hook, place),
                None => fields.hook(hook),
            });
            sentences.filter(|said| !said.is_empty()).collect::<Vec<_>>().join(" ")
        }
    };
    if !definition.aims.is_empty() && kind.reads.as_deref() != Some("") {
        says = aimed_text(d, &definition.aims, &says);
    }
    for said in reactions.iter().filter(|_| kind.reads.as_deref() != Some("")) {
        if !says.is_empty() {
            says.push(' ');
        }
        says.push_str(said);
    }
    if definition.written.is_empty() {
        return (says.clone(), says);
    }
    fields.says = says;
    let text = sentence::placeholders_filled(&definition.written, &fields);
    (fields.says, text)
}

/// Sentences with the targets (indices into `aims`) before them: `Aim at a creature: deal 1 damage to the target.`
pub(crate) fn aimed_text(d: &Declarations, aims: &[usize], said: &str) -> String {
    let noun = |aim: &usize| {
        let filter = &d.aims.get(*aim)?.filter;
        Some(match (filter.name.as_str(), filter.text.as_str()) {
            ("", "") => "a target".to_owned(),
            (_, "") => filter_noun(filter),
            _ => format!("one of the {}", filter_noun(filter)),
        })
    };
    let targets = list(&aims.iter().filter_map(noun).collect::<Vec<_>>());
    if said.is_empty() { format!("Aim at {targets}.") } else { format!("Aim at {targets}: {}", within(said)) }
}

/// The tokens of a declared filter in words: `goblins in play`.
pub(crate) fn filter_noun(filter: &Filter) -> String {
    within(&if filter.text.is_empty() { label_of(&filter.name) } else { filter.text.clone() })
}

/// The sentences of a list of verbs. A cost ends with a colon if an effect follows: `Pay 2 coins: draw 1 card.`
#[must_use]
pub fn sentences(d: &Declarations, calls: &[VerbCall]) -> String {
    let is_cost = |call: &VerbCall| d.verbs.get(&call.verb).is_some_and(|verb| verb.cost);
    let mut out = String::new();
    for (at, call) in calls.iter().enumerate() {
        let mut said = sentence_of(d, call);
        if out.len() > MAX_COMPOSED {
            break;
        }
        // A text that begins with a value, such as a name, keeps its case.
        if out.ends_with(':') && d.verbs.get(&call.verb).is_some_and(|verb| !verb.text.starts_with(['{', '['])) {
            said = within(&said);
        }
        if is_cost(call) && calls.get(at + 1).is_some_and(|next| !is_cost(next)) && said.ends_with('.') {
            said.pop();
            said.push(':');
        }
        if !out.is_empty() && !said.is_empty() {
            out.push(' ');
        }
        out.push_str(&said);
    }
    out
}

/// The text of a verb with the values of its arguments.
#[must_use]
pub fn sentence_of(d: &Declarations, call: &VerbCall) -> String {
    d.verbs.get(&call.verb).map(|verb| fill(&verb.text, &Arguments { d, call })).unwrap_or_default()
}

/// The sentence of an impossible verb: `You cannot pay 3 coins.`
#[must_use]
pub fn cannot(d: &Declarations, call: &VerbCall) -> String {
    format!("You cannot {}", within(&sentence_of(d, call)))
}

/// The arguments of a verb.
struct Arguments<'d> {
    d: &'d Declarations,
    call: &'d VerbCall,
}

impl Values for Arguments<'_> {
    fn shown(&self, value: &str, form: Form<'_>) -> String {
        let arg = self.d.verbs.get(&self.call.verb).and_then(|verb| verb.args.get(value));
        match (arg, self.call.args.get(value)) {
            (Some(arg), Some(value)) => shown(self.d, value, &arg.of, form),
            _ => String::new(),
        }
    }

    fn is_usual(&self, value: &str) -> bool {
        let arg = self.d.verbs.get(&self.call.verb).and_then(|verb| verb.args.get(value));
        arg.is_none_or(|arg| arg.default.as_ref() == self.call.args.get(value))
    }
}

/// The attributes of a definition, and its hooks as sentences.
struct Fields<'d> {
    d: &'d Declarations,
    kind: &'d Kind,
    definition: &'d Definition,
    says: String,
}

impl Fields<'_> {
    fn hook(&self, hook: &str) -> String {
        let said = self.definition.verbs.get(hook).map(|calls| sentences(self.d, calls)).unwrap_or_default();
        match self.definition.hook_aims.get(hook) {
            Some(aims) => aimed_text(self.d, aims, &said),
            None => said,
        }
    }

    /// The sentences of a hook after its place in its list: `3: Take 2 coins.`
    fn numbered(&self, hook: &str, place: usize) -> String {
        let said = self.hook(hook);
        if said.is_empty() { said } else { format!("{place}: {said}") }
    }

    /// The sentences of a hook, or of all hooks of a list.
    fn hooks(&self, name: &str) -> String {
        let Some(length) = self.kind.lists.get(name) else { return self.hook(name) };
        let all = (1..=*length).map(|place| self.numbered(&list_hook(name, place), place));
        all.filter(|said| !said.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

impl Values for Fields<'_> {
    fn shown(&self, value: &str, form: Form<'_>) -> String {
        match self.kind.attributes.get_full(value) {
            Some((at, _, attribute)) => match self.definition.attributes.get(at) {
                Some(value) => shown(self.d, value, &attribute.of, form),
                None => String::new(),
            },
            None if value == VERBS => self.says.clone(),
            None => self.hooks(value),
        }
    }

    fn is_usual(&self, value: &str) -> bool {
        match self.kind.attributes.get_full(value) {
            Some((at, _, attribute)) => attribute.default.as_ref() == self.definition.attributes.get(at),
            None => self.hooks(value).is_empty(),
        }
    }
}

/// A value in a sentence: definitions by name, counters and zones by label, amounts with their nouns.
fn shown(d: &Declarations, value: &Value, of: &AttributeType, form: Form<'_>) -> String {
    match (value, of) {
        (Value::Integer(n), _) => number(*n, form),
        (Value::Boolean(set), _) => match form {
            Form::Noun(words) | Form::Count(words) => if *set { words.one } else { words.many }.to_owned(),
            Form::Plain | Form::Name(_) => set.to_string(),
        },
        (Value::Text(id), AttributeType::Id(kind)) => {
            let of_kind = |one: &&Definition| one.kind == *kind && one.id == *id;
            d.definitions.iter().find(of_kind).map_or_else(|| id.clone(), |one| one.name.clone())
        }
        (Value::Text(name), AttributeType::CounterName) => {
            d.counters.get(name).map_or_else(|| name.clone(), |counter| within(&counter.text))
        }
        (Value::Text(name), AttributeType::ZoneName) => {
            d.zones.get(name).map_or_else(|| name.clone(), |zone| within(&zone.text))
        }
        (Value::Text(text), _) => text.clone(),
        (Value::List(values), AttributeType::List(of, _)) => {
            list(&values.iter().map(|value| shown(d, value, of, Form::Plain)).collect::<Vec<_>>())
        }
        (Value::List(values), _) => {
            list(&values.iter().map(|value| shown(d, value, of, Form::Plain)).collect::<Vec<_>>())
        }
        (Value::Map(amounts), _) => amounts_shown(d, amounts),
        (Value::Formula(written), _) => match form {
            Form::Count(words) => format!("{} {}", formula_text(d, &written.formula), words.many),
            Form::Noun(words) => words.many.to_owned(),
            Form::Plain | Form::Name(_) => formula_text(d, &written.formula),
        },
    }
}

/// A value of an attribute, for people.
#[must_use]
pub fn value_text(d: &Declarations, value: &Value, of: &AttributeType) -> String {
    shown(d, value, of, Form::Plain)
}

/// The amounts as text: `2 coins and 1 ore`.
fn amounts_shown(d: &Declarations, amounts: &IndexMap<String, Value>) -> String {
    let one = |(name, value): (&String, &Value)| match value {
        Value::Integer(n) => amount(d, name, *n),
        Value::Formula(written) => {
            let label = d.counters.get(name).map_or_else(|| label_of(name), |counter| counter.text.clone());
            format!("{} {}", formula_text(d, &written.formula), within(&label))
        }
        _ => String::new(),
    };
    list(&amounts.iter().map(one).collect::<Vec<_>>())
}

/// A formula in words: `X`, `the number of goblins plus 1`.
#[must_use]
pub fn formula_text(d: &Declarations, formula: &Formula) -> String {
    let name_of = |index: usize| d.read_attributes.get_index(index).map_or("", |(name, _)| name.as_str());
    let field = |field: Field| match field {
        Field::Attribute(index) => within(&label_of(name_of(index))),
        Field::Counter(index) => {
            d.counters.get_index(index).map_or_else(String::new, |(_, counter)| within(&counter.text))
        }
        Field::Owner => "owner".to_owned(),
        Field::Holder => "holder".to_owned(),
        Field::Zone(index) => d.zones.get_index(index).map_or_else(String::new, |(_, zone)| within(&zone.text)),
    };
    let term = |term: &Term| match term {
        Term::X => "X".to_owned(),
        Term::Argument(_) => "that many".to_owned(),
        Term::Read(Thing::This, of) => format!("its {}", field(*of)),
        Term::Read(Thing::You, of @ Field::Zone(_)) => format!("the number of cards in your {}", field(*of)),
        Term::Read(Thing::You, of) => format!("your {}", field(*of)),
        Term::Read(Thing::TokenOf(MAX_EVENT_ARGS..) | Thing::PlayerOf(MAX_EVENT_ARGS..), of) => {
            format!("the {} of the target", field(*of))
        }
        Term::Read(_, of) => format!("the {}", field(*of)),
        Term::Count(filter) => format!("the number of {}", filter_noun(filter)),
        Term::Least(pair) => format!("the lesser of {}", pair_text(d, pair)),
        Term::Most(pair) => format!("the greater of {}", pair_text(d, pair)),
        Term::Option(_) => "the option".to_owned(),
        Term::Round => "the round".to_owned(),
        Term::Players => "the number of players".to_owned(),
        Term::Number(Reference::Thing(Thing::This)) => "this".to_owned(),
        Term::Number(Reference::Thing(Thing::You)) => "you".to_owned(),
        Term::Number(_) => "that one".to_owned(),
    };
    let mut parts: Vec<String> = formula
        .terms
        .iter()
        .map(|(factor, of)| match factor {
            1 => term(of),
            2 => format!("twice {}", term(of)),
            factor => format!("{factor} times {}", term(of)),
        })
        .collect();
    if formula.constant < 0 && !parts.is_empty() {
        return format!("{} minus {}", parts.join(" plus "), formula.constant.unsigned_abs());
    }
    if formula.constant != 0 || parts.is_empty() {
        parts.push(formula.constant.to_string());
    }
    parts.join(" plus ")
}

fn pair_text(d: &Declarations, pair: &[Formula; 2]) -> String {
    list(&pair.each_ref().map(|formula| formula_text(d, formula)))
}

/// An amount of a counter in the counter's own words; for other names, the number and the name.
#[must_use]
pub fn amount(d: &Declarations, name: &str, n: i32) -> String {
    match d.counters.get(name) {
        Some(counter) if !counter.amount.is_empty() => fill(&counter.amount, &Amount(n)),
        Some(counter) => format!("{n} {}", within(&counter.text)),
        None => format!("{n} {}", within(&label_of(name))),
    }
}

/// The value `{n}` in the amount of a counter.
struct Amount(i32);

impl Values for Amount {
    fn shown(&self, _: &str, form: Form<'_>) -> String {
        number(self.0, form)
    }

    fn is_usual(&self, _: &str) -> bool {
        false
    }
}
