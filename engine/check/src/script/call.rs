//! Collects the calls and field reads of a script.

use full_moon::ast::{
    Call as Suffixed, Expression, Field, FunctionArgs, FunctionBody, Index, Suffix, TableConstructor,
};
use full_moon::node::Node;
use full_moon::tokenizer::TokenReference;

use crate::script::lib_file::{self, VisibleLibs};
use crate::script::library;
use crate::script::resolve::{Chain, ResolvedNames};
use crate::script::signature::{SIGNATURES, Signature, ValueType};
use crate::script::token::{callee, identifier, literal};
use crate::script::value::{KnownValue, VariableValues};
use motherlode_content::declare::{Declarations, EventArg};

/// One argument of a call.
#[derive(Debug, Clone, Copy)]
pub enum Argument<'a> {
    /// `f(x)`
    Expression(&'a Expression),
    /// `f "x"`
    Text(&'a TokenReference),
    /// `f { x }`
    Table(&'a TableConstructor),
}

impl Argument<'_> {
    /// Byte range in the script.
    pub fn span(self) -> (usize, usize) {
        let range = match self {
            Self::Expression(expression) => expression.range(),
            Self::Text(token) => token.range(),
            Self::Table(table) => table.range(),
        };
        range.map_or((0, 0), |(start, end)| (start.bytes(), end.bytes()))
    }

    /// Type of the value; `None`: unknown.
    pub fn value_type(self, names: &ResolvedNames<'_>, values: &VariableValues) -> Option<ValueType> {
        match self {
            Self::Expression(expression) => values.value_type(names, expression),
            Self::Text(_) => Some(ValueType::Text),
            Self::Table(_) => Some(ValueType::Table),
        }
    }
}

/// The function in a call.
#[derive(Debug, Clone, Copy)]
pub enum Callee<'a> {
    /// An accessor of the engine.
    Accessor(&'static str, &'static Signature),
    /// A function of Luau's library, with its table; `""` for a global function.
    Library(&'a str),
    /// Index of a function of the script.
    Own(usize),
    /// A function of `lib`, with its body if known.
    Lib(Option<&'a FunctionBody>),
}

/// A call.
#[derive(Debug)]
pub struct Call<'a> {
    /// Function that is called.
    pub callee: Callee<'a>,
    /// Token with the function's name.
    pub at: &'a TokenReference,
    /// Name of the function.
    pub name: &'a str,
    /// The arguments.
    pub arguments: Vec<Argument<'a>>,
    /// Whether the number of arguments is certain. `...` or a call as the last argument may yield any number.
    pub is_exact: bool,
}

/// An argument of an event in `emit("storm", { player = player })`.
#[derive(Debug)]
pub struct EmittedArgument<'a> {
    /// Token with its name.
    pub name: &'a TokenReference,
    /// Its value.
    pub value: &'a Expression,
    /// Its type; `None`: the event does not declare it.
    pub of: Option<EventArg>,
}

/// The number of arguments that a function takes.
#[derive(Debug)]
pub struct ArgumentLimits {
    /// Minimum number of arguments.
    pub min_arguments: usize,
    /// Maximum number of arguments.
    pub max_arguments: usize,
    /// Signature for messages, if known.
    pub usage: Option<String>,
}

impl Call<'_> {
    /// Returns the name of the function as written.
    pub fn callee_name(&self) -> String {
        match self.callee {
            Callee::Library(table) if !table.is_empty() => format!("{table}.{}", self.name),
            Callee::Lib(_) => format!("lib.{}", self.name),
            _ => self.name.to_owned(),
        }
    }

    /// Returns the limits if the call has too few or too many arguments.
    pub fn violated_limits(&self, names: &ResolvedNames<'_>) -> Option<ArgumentLimits> {
        let body = match self.callee {
            Callee::Own(index) => Some(names.functions[index].body),
            Callee::Lib(body) => body,
            _ => None,
        };
        let (min_arguments, max_arguments) = match self.callee {
            Callee::Accessor(_, signature) if !signature.is_function => return None,
            Callee::Accessor(_, signature) => (signature.min_arguments, signature.max_arguments),
            Callee::Library(table) => library::argument_limits(table, self.name)?,
            Callee::Own(_) | Callee::Lib(_) => lib_file::argument_limits(body?),
        };
        let given = self.arguments.len();
        if given <= max_arguments && !(self.is_exact && given < min_arguments) {
            return None;
        }
        let usage = match self.callee {
            Callee::Accessor(_, signature) => Some(signature.text.to_owned()),
            _ => body.map(|body| lib_file::usage(&self.callee_name(), body)),
        };
        Some(ArgumentLimits { min_arguments, max_arguments, usage })
    }
}

impl<'a> Call<'a> {
    /// Returns the verb (index) and each argument name in `do_verb("advance", player, { steps = 1 })`.
    pub fn given_arguments(&self, d: &Declarations) -> Vec<(usize, &'a TokenReference)> {
        let Callee::Accessor("do_verb" | "can_do", _) = self.callee else { return Vec::new() };
        let [
            Argument::Expression(Expression::String(verb)),
            _,
            Argument::Expression(Expression::TableConstructor(table)),
        ] = self.arguments[..]
        else {
            return Vec::new();
        };
        let verb = literal(verb).and_then(|name| d.verbs.get_index_of(name));
        let key = |field: &'a Field| match field {
            Field::NameKey { key, .. } => Some((verb?, key)),
            _ => None,
        };
        table.fields().iter().filter_map(key).collect()
    }
}

impl<'a> Call<'a> {
    /// Returns the event in `emit("storm", { player = player })`, if it is written as text.
    pub fn emitted_event(&self) -> Option<&'a str> {
        match (self.callee, *self.arguments.first()?) {
            (Callee::Accessor("emit", _), Argument::Expression(Expression::String(event)) | Argument::Text(event)) => {
                literal(event)
            }
            _ => None,
        }
    }

    /// Returns the arguments of an event that the call passes by name.
    pub fn emitted_arguments(&self, event: &str, d: &Declarations) -> Vec<EmittedArgument<'a>> {
        let Some(Argument::Expression(Expression::TableConstructor(table))) = self.arguments.get(1) else {
            return Vec::new();
        };
        let declared = d.events.get(event).map(|event| &event.args);
        let argument = |field: &'a Field| match field {
            Field::NameKey { key, value, .. } => {
                let of = declared.and_then(|args| args.get(identifier(key)?)).copied();
                Some(EmittedArgument { name: key, value, of })
            }
            _ => None,
        };
        table.fields().iter().filter_map(argument).collect()
    }
}

/// Calls and field reads of a script.
#[derive(Debug, Default)]
pub struct Calls<'a> {
    /// Calls of known functions.
    pub list: Vec<Call<'a>>,
    /// Fields that are read, including called methods.
    pub fields: Vec<&'a TokenReference>,
    /// Functions read from a known table: `math.floor`, `lib.price`.
    pub function_references: Vec<FunctionReference<'a>>,
    /// Reads of a verb's arguments: index of the verb and field.
    pub verb_args: Vec<(usize, &'a TokenReference)>,
    /// Method calls on `lib`: `lib:price()`.
    pub lib_methods: Vec<&'a TokenReference>,
    /// Whether the script uses `lib` itself as a value, so it may call any function of `lib`.
    pub has_escaped_lib: bool,
}

/// A read of a function from a table: `lib.price`.
#[derive(Debug)]
pub struct FunctionReference<'a> {
    /// Table that holds the function.
    pub table: FunctionTable<'a>,
    /// Name of the function.
    pub field: &'a TokenReference,
}

/// A table of functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FunctionTable<'a> {
    /// A table of Luau's library: `math`.
    Library(&'a str),
    /// The shared `lib`.
    Lib,
    /// The table that this `lib.luau` fills and returns.
    OwnLib,
}

impl<'a> Calls<'a> {
    /// Reads every name with its suffixes.
    pub fn read(names: &ResolvedNames<'a>, values: &VariableValues, libs: VisibleLibs<'_, 'a>) -> Self {
        let mut calls = Self::default();
        for chain in &names.chains {
            let fields_from = match chain.variable {
                None => calls.read_free_name(names, chain, libs),
                Some(variable) => Some(calls.read_variable(names, values, chain, variable, libs)),
            };
            // An unknown name gets one finding: skip the fields after it.
            if let Some(from) = fields_from {
                calls.fields.extend(chain.suffixes.iter().skip(from).filter_map(|suffix| field(suffix)));
            }
        }
        let lib_itself = names.free.iter().filter(|free| free.name == "lib").count();
        let followed = names.chains.iter().filter(|chain| is_lib_with_field(chain)).count();
        calls.has_escaped_lib = lib_itself > followed;
        calls
    }

    /// Reads the suffixes of a name that is no variable. Returns the number of suffixes read; `None`: unknown name.
    fn read_free_name(
        &mut self,
        names: &ResolvedNames<'a>,
        chain: &Chain<'a>,
        libs: VisibleLibs<'_, 'a>,
    ) -> Option<usize> {
        let Chain { token, name, suffixes, .. } = chain;
        match suffixes.first()? {
            Suffix::Index(Index::Dot { name: field, .. }) if *name == "lib" && !libs.seen.is_empty() => {
                self.function_references.push(FunctionReference { table: FunctionTable::Lib, field });
                let callee = Callee::Lib(libs.body(identifier(field)?));
                self.add(names, callee, field, suffixes.get(1));
                Some(1)
            }
            Suffix::Call(Suffixed::MethodCall(call)) if *name == "lib" && !libs.seen.is_empty() => {
                self.lib_methods.push(call.name());
                Some(1)
            }
            first @ Suffix::Call(Suffixed::AnonymousCall(_)) => {
                let callee = match SIGNATURES.get_key_value(*name) {
                    Some((name, signature)) => Callee::Accessor(name, signature),
                    None => Callee::Library(""),
                };
                self.add(names, callee, token, Some(first));
                Some(1)
            }
            Suffix::Index(Index::Dot { name: field, .. }) if library::fields(name).is_some() => {
                self.function_references.push(FunctionReference { table: FunctionTable::Library(name), field });
                self.add(names, Callee::Library(name), field, suffixes.get(1));
                Some(1)
            }
            _ => None,
        }
    }

    /// Reads the suffixes of a variable. Returns the number of suffixes read.
    fn read_variable(
        &mut self,
        names: &ResolvedNames<'a>,
        values: &VariableValues,
        chain: &Chain<'a>,
        variable: usize,
        libs: VisibleLibs<'_, 'a>,
    ) -> usize {
        let Chain { token, name, suffixes, .. } = chain;
        let constant = !names.variables[variable].is_assigned;
        match (suffixes.first(), values.of_variable(variable)) {
            (Some(first @ Suffix::Call(Suffixed::AnonymousCall(_))), KnownValue::Function(index)) if constant => {
                self.add(names, Callee::Own(index), token, Some(first));
                1
            }
            (Some(Suffix::Index(Index::Dot { name: field, .. })), KnownValue::Args(verb)) => {
                self.verb_args.push((verb, field));
                1
            }
            (Some(Suffix::Index(Index::Dot { name: field, .. })), _) => {
                let Some(own) = libs.own.filter(|own| own.table_variable == Some(name)) else { return 0 };
                self.function_references.push(FunctionReference { table: FunctionTable::OwnLib, field });
                let function = identifier(field).and_then(|name| own.functions.get(name));
                self.add(names, Callee::Lib(function.and_then(|function| function.body)), field, suffixes.get(1));
                1
            }
            _ => 0,
        }
    }

    fn add(
        &mut self,
        names: &ResolvedNames<'a>,
        callee: Callee<'a>,
        at: &'a TokenReference,
        suffix: Option<&&'a Suffix>,
    ) {
        let (Some(Suffix::Call(Suffixed::AnonymousCall(given))), Some(name)) = (suffix, identifier(at)) else { return };
        let arguments: Vec<Argument<'a>> = match given {
            FunctionArgs::Parentheses { arguments, .. } => arguments.iter().map(Argument::Expression).collect(),
            FunctionArgs::String(token) => vec![Argument::Text(token)],
            FunctionArgs::TableConstructor(table) => vec![Argument::Table(table)],
            _ => return,
        };
        let is_exact = arguments.last().is_none_or(|last| !is_open(names, *last));
        let callee = match callee {
            Callee::Accessor(name, signature) => Callee::Accessor(name, signature.of_call(arguments.len())),
            other => other,
        };
        self.list.push(Call { callee, at, name, arguments, is_exact });
    }
}

/// Whether an argument, in the last place, may expand to any number of values.
fn is_open(names: &ResolvedNames<'_>, argument: Argument<'_>) -> bool {
    match argument {
        Argument::Expression(Expression::Symbol(token)) => token.token().to_string() == "...",
        Argument::Expression(expression @ Expression::FunctionCall(_)) => {
            // Nearly all accessors return at most one value.
            let name = callee(expression).and_then(|token| names.free(token));
            !name.is_some_and(|name| SIGNATURES.get(name).is_some_and(|signature| signature.is_single_value))
        }
        _ => false,
    }
}

/// Returns the field that a suffix reads. Methods of strings are not fields.
fn field(suffix: &Suffix) -> Option<&TokenReference> {
    match suffix {
        Suffix::Index(Index::Dot { name, .. }) => Some(name),
        Suffix::Call(Suffixed::MethodCall(call)) => {
            let name = identifier(call.name())?;
            let of_texts = library::fields("string").is_some_and(|methods| methods.contains(&name));
            (!of_texts).then(|| call.name())
        }
        _ => None,
    }
}

fn is_lib_with_field(chain: &Chain<'_>) -> bool {
    let with_field = matches!(
        chain.suffixes.first(),
        Some(Suffix::Index(Index::Dot { .. }) | Suffix::Call(Suffixed::MethodCall(_)))
    );
    chain.variable.is_none() && chain.name == "lib" && with_field
}
