//! Infers the values of variables and expressions without running the script.

use full_moon::ast::{BinOp, Expression, FunctionArgs, FunctionCall, UnOp, Var};
use full_moon::tokenizer::TokenReference;

use crate::script::resolve::{Initializer, ResolvedNames};
use crate::script::returned::Returned;
use crate::script::signature::{ListResult, SIGNATURES, Signature, ValueType};
use crate::script::source_map::SourceMap;
use crate::script::token::{callee, literal, plain_call};
use motherlode_content::declare::{AttributeType, Declarations};

/// The known value of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KnownValue {
    /// A number.
    Number,
    /// The id of a definition.
    Id,
    /// A text from a known set.
    Text(TextSet),
    /// The function of the script with this index.
    Function(usize),
    /// The arguments of the verb with this index.
    Args(usize),
    /// Any value.
    Unknown,
}

/// A known set of texts; indices into the declarations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextSet {
    /// The value of an option.
    Option(usize),
    /// The name of a zone.
    Zone,
    /// The name of a kind.
    Kind,
    /// The id of a definition of any kind.
    Id,
    /// The name of a value of this counter.
    Value(usize),
    /// The name of a phase.
    Phase,
    /// The value of this attribute: indices of a kind that has it, and of the attribute in the kind.
    Attribute(usize, usize),
    /// The answer to a question with this prompt: one of its labels.
    Label(usize),
}

/// The known values of a script's variables.
#[derive(Debug)]
pub struct VariableValues {
    holds: Vec<KnownValue>,
}

impl VariableValues {
    /// Infers the value of each variable from its declaration, or from the hook whose parameter it is.
    pub fn of(names: &ResolvedNames<'_>, returned: &Returned<'_>, d: &Declarations) -> Self {
        let mut values = Self { holds: Vec::with_capacity(names.variables.len()) };
        // One pass is enough: a value uses only variables declared before it.
        for variable in &names.variables {
            let at = variable.token.map(SourceMap::start);
            let args = || at.and_then(|at| returned.verb_args.get(&at)).map(|verb| KnownValue::Args(*verb));
            let choice = || at.and_then(|at| returned.choices.get(&at)).map(|prompt| TextSet::Label(*prompt));
            let holds = match variable.initializer {
                Initializer::Value(value) => {
                    values.texts(names, d, value).map_or(KnownValue::Unknown, KnownValue::Text)
                }
                Initializer::Function(index) => KnownValue::Function(index),
                Initializer::Number => KnownValue::Number,
                Initializer::Element(position, list) => match element(names, list) {
                    Some(_) if position == 0 => KnownValue::Number,
                    Some(element) => element,
                    None => KnownValue::Unknown,
                },
                Initializer::Nothing => KnownValue::Unknown,
                Initializer::Unknown => {
                    args().or_else(|| choice().map(KnownValue::Text)).unwrap_or(KnownValue::Unknown)
                }
            };
            values.holds.push(holds);
        }
        values
    }

    /// Returns the initial value of a variable.
    pub fn of_variable(&self, variable: usize) -> KnownValue {
        self.holds.get(variable).copied().unwrap_or(KnownValue::Unknown)
    }

    /// Returns the value of a variable that is never assigned later.
    pub fn of_constant(&self, names: &ResolvedNames<'_>, token: &TokenReference) -> Option<KnownValue> {
        names.constant(token).map(|variable| self.of_variable(variable))
    }

    /// Returns the value of an expression, if it is a number or a variable.
    pub fn of_expression(&self, names: &ResolvedNames<'_>, value: &Expression) -> KnownValue {
        match value {
            Expression::Number(_) => KnownValue::Number,
            Expression::Parentheses { expression, .. } => self.of_expression(names, expression),
            Expression::Var(Var::Name(token)) => {
                names.variable(token).map_or(KnownValue::Unknown, |variable| self.of_variable(variable))
            }
            _ => KnownValue::Unknown,
        }
    }

    /// Returns the set of texts that contains a value, if known.
    pub fn texts(&self, names: &ResolvedNames<'_>, d: &Declarations, value: &Expression) -> Option<TextSet> {
        match value {
            Expression::Parentheses { expression, .. } | Expression::TypeAssertion { expression, .. } => {
                self.texts(names, d, expression)
            }
            Expression::Var(Var::Name(token)) => match self.of_constant(names, token)? {
                KnownValue::Text(texts) => Some(texts),
                KnownValue::Id => Some(TextSet::Id),
                _ => None,
            },
            Expression::FunctionCall(call) => texts_of_call(names, d, call),
            _ => None,
        }
    }

    /// Returns the type of an expression, if known.
    pub fn value_type(&self, names: &ResolvedNames<'_>, value: &Expression) -> Option<ValueType> {
        match value {
            Expression::Number(_) => Some(ValueType::Number),
            Expression::String(_) | Expression::InterpolatedString(_) => Some(ValueType::Text),
            Expression::TableConstructor(_) => Some(ValueType::Table),
            Expression::Function(_) => Some(ValueType::Function),
            Expression::Symbol(token) => match token.token().to_string().as_str() {
                "true" | "false" => Some(ValueType::Boolean),
                "nil" => Some(ValueType::Nil),
                _ => None,
            },
            Expression::Parentheses { expression, .. } => self.value_type(names, expression),
            Expression::UnaryOperator { unop, .. } => match unop {
                UnOp::Not(_) => Some(ValueType::Boolean),
                UnOp::Minus(_) | UnOp::Hash(_) => Some(ValueType::Number),
                _ => None,
            },
            Expression::BinaryOperator { binop, .. } => operator_type(binop),
            Expression::Var(Var::Name(token)) => self.name_type(names, token),
            Expression::FunctionCall(_) => accessor(names, callee(value)?)?.result,
            _ => None,
        }
    }

    fn name_type(&self, names: &ResolvedNames<'_>, token: &TokenReference) -> Option<ValueType> {
        if names.variable(token).is_none() {
            let signature = accessor(names, token)?;
            return if signature.is_function { Some(ValueType::Function) } else { signature.result };
        }
        match self.of_constant(names, token)? {
            KnownValue::Number => Some(ValueType::Number),
            // An answer may be a number or a label, and the value of an option may have any type.
            KnownValue::Text(TextSet::Label(_) | TextSet::Option(_)) => None,
            KnownValue::Id | KnownValue::Text(_) => Some(ValueType::Text),
            KnownValue::Function(_) => Some(ValueType::Function),
            KnownValue::Args(_) | KnownValue::Unknown => None,
        }
    }
}

fn operator_type(operator: &BinOp) -> Option<ValueType> {
    match operator {
        BinOp::And(_) | BinOp::Or(_) => None,
        BinOp::TwoDots(_) => Some(ValueType::Text),
        BinOp::Plus(_)
        | BinOp::Minus(_)
        | BinOp::Star(_)
        | BinOp::Slash(_)
        | BinOp::DoubleSlash(_)
        | BinOp::Percent(_)
        | BinOp::Caret(_) => Some(ValueType::Number),
        _ => Some(ValueType::Boolean),
    }
}

/// Finds the accessor of a name.
fn accessor(names: &ResolvedNames<'_>, token: &TokenReference) -> Option<&'static Signature> {
    SIGNATURES.get(names.free(token)?)
}

/// Returns the known value of the elements of a list that an accessor returns.
pub fn element(names: &ResolvedNames<'_>, list: &Expression) -> Option<KnownValue> {
    match accessor(names, callee(list)?)?.list_result {
        ListResult::Numbers => Some(KnownValue::Number),
        ListResult::Ids => Some(KnownValue::Id),
        ListResult::Other => None,
    }
}

fn texts_of_call(names: &ResolvedNames<'_>, d: &Declarations, call: &FunctionCall) -> Option<TextSet> {
    let (token, arguments) = plain_call(call)?;
    let text = |index: usize| text_of(arguments, index).and_then(literal);
    match names.free(token)? {
        "option" => d.options.get_index_of(text(0)?).map(TextSet::Option),
        "zone_of" => Some(TextSet::Zone),
        "kind" => Some(TextSet::Kind),
        "id" => Some(TextSet::Id),
        "phase" => Some(TextSet::Phase),
        "attr" => attribute(d, text(1)?),
        "def" => {
            let (kind, _, declared) = d.kinds.get_full(text(0)?)?;
            let (index, _, attribute) = declared.attributes.get_full(text(2)?)?;
            is_name(&attribute.of).then_some(TextSet::Attribute(kind, index))
        }
        "name_of" => d.counters.get_index_of(text(0)?).map(TextSet::Value),
        "ask" | "choose" => d.prompts.get_index_of(text(1)?).map(TextSet::Label),
        _ => None,
    }
}

/// Returns the set of the values of an attribute, if it is a name and every attribute of this name has the same type.
fn attribute(d: &Declarations, name: &str) -> Option<TextSet> {
    let mut all = d.kinds.values().enumerate().filter_map(|(at, kind)| Some((at, kind.attributes.get_full(name)?)));
    let (kind, (index, _, first)) = all.next()?;
    (is_name(&first.of) && all.all(|(_, (_, _, other))| other.of == first.of))
        .then_some(TextSet::Attribute(kind, index))
}

/// Whether all values of an attribute are known names.
fn is_name(of: &AttributeType) -> bool {
    matches!(of, AttributeType::Id(_)) || matches!(of, AttributeType::Text(values) if !values.is_empty())
}

/// Returns the string literal in an argument of a call.
fn text_of(arguments: &FunctionArgs, index: usize) -> Option<&TokenReference> {
    match arguments {
        FunctionArgs::Parentheses { arguments, .. } => match arguments.iter().nth(index)? {
            Expression::String(token) => Some(token),
            _ => None,
        },
        FunctionArgs::String(token) if index == 0 => Some(token),
        _ => None,
    }
}
