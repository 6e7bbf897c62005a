//! Generates JSON Schemas of the content files, for editors that complete and check TOML (Taplo, Even Better TOML).
//!
//! Keys come from [`keys`], the list that the reader uses. Names come from the game.
//!
//! Direction: self <- reactions

mod reactions;

use serde_json::{Map, Value as Json, json};

use motherlode_content::declare::{Attribute, AttributeType, Declarations, Kind, MEMBER, Value, Verb, list_hook};
use motherlode_content::keys::{self, KeySpec, TableSpec, ValueSpec};
use motherlode_content::sort::NameKind;

/// Draft of JSON Schema that editors support.
const DRAFT: &str = "http://json-schema.org/draft-07/schema#";
/// Pattern of declared names.
const NAME: &str = "^[a-z][a-z0-9_]*$";
/// Pattern of keys that are not declared names: values of an option, numbers of a product, members of families.
const KEY: &str = "^[a-z0-9_.]+$";

/// Builds the schema of every TOML file of a game, with the file's stem.
#[must_use]
pub fn schemas(d: &Declarations) -> Vec<(String, Json)> {
    let builder = SchemaBuilder(d);
    let mut verbs = builder.named(&keys::verbs());
    verbs["definitions"] = builder.shared();
    let fixed = [
        ("look", builder.table(&keys::look())),
        ("phases", builder.named(&keys::phases())),
        ("prompts", builder.named(&keys::prompts())),
        (
            "texts",
            builder.entries(
                json!({ "type": "string" }),
                "A line of the transcript, with placeholders such as {1:player} and {2:coin|coins}",
            ),
        ),
        ("verbs", verbs),
    ];
    let mut all =
        vec![("game".to_owned(), builder.table(&keys::game())), ("reactions".to_owned(), builder.reactions())];
    all.extend(fixed.map(|(stem, schema)| (stem.to_owned(), schema)));
    for (name, kind) in &d.kinds {
        let mut schema = builder.entries(builder.definition(kind), &kind.text);
        schema["definitions"] = builder.shared();
        all.push((name.clone(), schema));
    }
    for (stem, schema) in &mut all {
        set_title(schema, &format!("{stem}.toml of {}", d.name));
    }
    all
}

/// Builds the schema of `mod.toml`.
#[must_use]
pub fn mod_schema() -> Json {
    let declarations = Declarations::default();
    let mut schema = SchemaBuilder(&declarations).table(&keys::manifest());
    set_title(&mut schema, "mod.toml");
    schema
}

/// Builds the schema of `balance.toml`.
#[must_use]
pub fn balance_schema(d: &Declarations) -> Json {
    let mut schema = SchemaBuilder(d).table(&keys::balance());
    set_title(&mut schema, &format!("balance.toml of {}", d.name));
    schema
}

/// Relaxes a schema for a file of a mod, which sets single fields: no key is required.
#[must_use]
pub fn patch_schema(mut schema: Json) -> Json {
    fn relax(schema: &mut Json) {
        match schema {
            Json::Object(object) => {
                // A property may be named `required`. The keyword itself holds a list.
                if object.get("required").is_some_and(Json::is_array) {
                    object.remove("required");
                }
                object.values_mut().for_each(relax);
            }
            Json::Array(list) => list.iter_mut().for_each(relax),
            _ => {}
        }
    }
    relax(&mut schema);
    schema
}

fn set_title(schema: &mut Json, title: &str) {
    if let Json::Object(schema) = schema {
        schema.insert("$schema".to_owned(), json!(DRAFT));
        schema.insert("title".to_owned(), json!(title));
        schema.insert("$comment".to_owned(), json!("made by `lode schema`"));
    }
}

/// Keyword with the sorts of the names in an `enum`, for `references`.
pub(crate) const SORTS: &str = "x-lode-names";
/// Keyword with the sorts of the names that are keys of a table.
pub(crate) const KEYS: &str = "x-lode-keys";

/// Sort of the arguments of verbs in [`KEYS`], before the name of the verb.
pub(crate) const ARGUMENT: &str = "argument";

/// Returns the word for a sort of names in the keywords of a schema.
pub(crate) fn sort_word(sort: NameKind) -> &'static str {
    match sort {
        NameKind::Counter => "counter",
        NameKind::CounterFamily | NameKind::ZoneFamily | NameKind::Family => "family",
        NameKind::Zone => "zone",
        NameKind::Grid => "grid",
        NameKind::Prompt => "prompt",
        NameKind::Text => "text",
        NameKind::Kind => "kind",
        NameKind::Option => "option",
        NameKind::Verb => "verb",
        NameKind::Hook | NameKind::HookList => "hook",
        NameKind::Attribute => "attribute",
        NameKind::Label => "label",
        NameKind::Phase => "phase",
        NameKind::Event => "event",
        NameKind::Filter => "filter",
    }
}

/// Returns the sort of the definitions of a kind (index into `kinds`): `id:cards`.
pub(crate) fn sort_of_kind(d: &Declarations, kind: usize) -> String {
    format!("id:{}", d.kinds.get_index(kind).map_or("", |(name, _)| name.as_str()))
}

/// Builds schemas with the names of a game.
struct SchemaBuilder<'d>(&'d Declarations);

impl SchemaBuilder<'_> {
    /// Builds the schema of a file whose keys are names, each with a table of this shape.
    fn named(&self, shape: &TableSpec) -> Json {
        self.entries(self.table(shape), &format!("One table for each {}", shape.name))
    }

    fn entries(&self, each: Json, text: &str) -> Json {
        json!({
            "type": "object",
            "description": text,
            "propertyNames": { "pattern": NAME },
            "additionalProperties": each,
        })
    }

    fn table(&self, shape: &TableSpec) -> Json {
        let properties: Map<String, Json> =
            shape.keys.iter().map(|key| (key.name.to_owned(), with_description(self.of(&key.of), key.text))).collect();
        // A table with `like` inherits the required keys.
        let alike = shape.keys.iter().any(|key| key.name == "like");
        let needed = shape.keys.iter().filter(|key| key.required && !alike).map(|key: &KeySpec| key.name);
        let needed: Vec<&str> = needed.collect();
        json!({ "type": "object", "properties": properties, "required": needed, "additionalProperties": false })
    }

    fn of(&self, of: &ValueSpec) -> Json {
        match of {
            ValueSpec::Text => json!({ "type": "string" }),
            ValueSpec::Boolean => json!({ "type": "boolean" }),
            ValueSpec::Integer(min, max) => integer(*min, *max),
            ValueSpec::Words(words) => json!({ "enum": words }),
            ValueSpec::Name(sorts, words) => {
                let names = sorts.iter().flat_map(|sort| self.sort(*sort));
                let names = words.iter().map(|word| ((*word).to_owned(), String::new())).chain(names);
                with_sorts(name_enum(names.collect()), SORTS, sorts.iter().map(|sort| sort_word(*sort)))
            }
            ValueSpec::Anything => json!({}),
            ValueSpec::Either(several) => either(several.iter().map(|of| self.of(of)).collect()),
            ValueSpec::List(of) => json!({ "type": "array", "items": self.of(of) }),
            ValueSpec::Table(shape) => self.table(&shape()),
            ValueSpec::Tables(shape) => self.entries(self.table(&shape()), ""),
            ValueSpec::Map(of) => {
                json!({ "type": "object", "propertyNames": { "pattern": KEY }, "additionalProperties": self.of(of) })
            }
            ValueSpec::MapOf(sort, of) => {
                with_sorts(reactions::by_name(self.sort(*sort), &self.of(of)), KEYS, [sort_word(*sort)])
            }
            ValueSpec::Formula => reactions::formula(),
            ValueSpec::Conditions => reactions::conditions(),
            ValueSpec::Filter => shared("tokens"),
            // The event decides.
            ValueSpec::Arguments => json!({ "type": "object" }),
            ValueSpec::Verb => shared("call"),
            ValueSpec::Verbs => {
                let list = json!({ "type": "array", "items": shared("call") });
                json!({ "if": { "type": "string" }, "then": { "enum": ["script"] }, "else": list })
            }
            ValueSpec::Listeners(_) => self.listeners(),
        }
    }

    /// Returns the declared names of a sort, each with its description.
    fn sort(&self, sort: NameKind) -> Vec<(String, String)> {
        let d = self.0;
        let pairs: Vec<(&String, &str)> = match sort {
            NameKind::Counter => d.counters.iter().map(|(name, one)| (name, one.text.as_str())).collect(),
            NameKind::CounterFamily => d.counter_families.keys().map(|name| (name, "")).collect(),
            NameKind::ZoneFamily => d.zone_families.keys().map(|name| (name, "")).collect(),
            NameKind::Family => {
                d.counter_families.keys().chain(d.zone_families.keys()).map(|name| (name, "")).collect()
            }
            NameKind::Zone => d.zones.iter().map(|(name, one)| (name, one.text.as_str())).collect(),
            NameKind::Grid => d.grids.iter().map(|(name, one)| (name, one.text.as_str())).collect(),
            NameKind::Prompt => d.prompts.iter().map(|(name, one)| (name, one.text.as_str())).collect(),
            NameKind::Text => d.texts.iter().map(|(name, text)| (name, text.as_str())).collect(),
            NameKind::Kind => d.kinds.iter().map(|(name, one)| (name, one.text.as_str())).collect(),
            NameKind::Option => d.options.iter().map(|(name, one)| (name, one.text.as_str())).collect(),
            NameKind::Verb => d.verbs.iter().map(|(name, one)| (name, one.text.as_str())).collect(),
            NameKind::HookList => d.kinds.values().flat_map(|kind| kind.lists.keys().map(|name| (name, ""))).collect(),
            NameKind::Hook => d.kinds.values().flat_map(|kind| kind.hooks.keys().map(|name| (name, ""))).collect(),
            NameKind::Attribute => {
                let of_kind = |kind: &'_ Kind| kind.attributes.clone();
                let all: Vec<(String, String)> =
                    d.kinds.values().flat_map(of_kind).map(|(name, one)| (name, one.text)).collect();
                return all;
            }
            NameKind::Phase => d.phases.iter().map(|(name, one)| (name, one.text.as_str())).collect(),
            NameKind::Filter => d.filters.keys().map(|name| (name, "")).collect(),
            NameKind::Event => d.events.iter().map(|(name, one)| (name, one.text.as_str())).collect(),
            NameKind::Label => d.prompts.values().flat_map(|p| p.labels.iter().map(|(n, t)| (n, t.as_str()))).collect(),
        };
        pairs.into_iter().map(|(name, text)| (name.clone(), text.to_owned())).collect()
    }

    /// Builds the schema of a definition of a kind.
    fn definition(&self, kind: &Kind) -> Json {
        let mut properties = Map::new();
        let mut needed = Vec::new();
        let shape = keys::definition();
        for key in shape.keys.iter().filter(|key| kind.tokens || key.name != "copies") {
            properties.insert(key.name.to_owned(), with_description(self.of(&key.of), key.text));
            // The kind may set the names. A table may also change a definition that the kind's product generates.
            let required = key.required && kind.name.is_empty() && kind.product.is_empty();
            needed.extend(required.then_some(key.name));
        }
        for (name, attribute) in &kind.attributes {
            properties.insert(name.clone(), self.attribute(attribute));
            let required = attribute.default.is_none() && kind.product.is_empty();
            needed.extend(required.then_some(name.as_str()));
        }
        for (hook, args) in kind.hooks.iter().filter(|(hook, _)| kind.list_of(hook).is_none()) {
            properties.insert(hook.clone(), with_description(self.effect(), &effect_text(args)));
        }
        for (list, length) in &kind.lists {
            let args = kind.hooks.get(&list_hook(list, 1)).map_or(&[][..], Vec::as_slice);
            let effects = json!({ "type": "array", "items": self.effect(), "maxItems": length });
            properties.insert(list.clone(), with_description(effects, &effect_text(args)));
        }
        json!({ "type": "object", "properties": properties, "required": needed, "additionalProperties": false })
    }

    /// Builds the schema of the effect of a hook: verbs, perhaps with targets, or the word for a script.
    fn effect(&self) -> Json {
        let script = json!({ "const": "script" });
        let list = json!({ "type": "array", "items": shared("call") });
        let done = json!({ "if": { "type": "string" }, "then": script, "else": list });
        let aimed = json!({
            "type": "object",
            "properties": { "aim": self.of(&keys::aim()), "do": done },
            "required": ["aim", "do"],
            "additionalProperties": false,
        });
        json!({ "if": { "type": "object" }, "then": aimed, "else": done })
    }

    /// Builds the schema of a verb call: `"raise"`, `{ coins = 2 }`, `{ recruit = { n = 1, faction = "scots" } }`.
    fn call(&self) -> Json {
        let verb = |name: &str, verb: &Verb| {
            let properties: Map<String, Json> =
                verb.args.iter().map(|(name, arg)| (name.clone(), reactions::computed(self.attribute(arg)))).collect();
            let needed: Vec<&String> =
                verb.args.iter().filter(|(_, arg)| arg.default.is_none()).map(|(name, _)| name).collect();
            let table = json!({ "type": "object", "properties": properties, "required": needed, "additionalProperties": false });
            let table = with_sorts(table, KEYS, [format!("{ARGUMENT}:{name}")]);
            match verb.only_arg() {
                // Built-in verbs with one argument take it directly. Completion of the long form would only distract.
                Some((_, arg)) if verb.standard => reactions::computed(self.attribute(arg)),
                Some((_, arg)) if matches!(arg.of, AttributeType::Amounts(_)) => {
                    // As the reader decides: a table of amounts has no key that is the name of an argument.
                    let named: Vec<Json> = verb.args.keys().map(|name| json!({ "required": [name] })).collect();
                    json!({ "if": { "anyOf": named }, "then": table, "else": reactions::computed(self.attribute(arg)) })
                }
                Some((_, arg)) => {
                    let short = reactions::computed(self.attribute(arg));
                    json!({ "if": { "type": "object" }, "then": table, "else": short })
                }
                None => table,
            }
        };
        let verbs: Map<String, Json> = self
            .0
            .verbs
            .iter()
            .map(|(name, one)| (name.clone(), with_description(verb(name, one), &one.text)))
            .collect();
        let alone = |verb: &Verb| verb.args.values().all(|arg| arg.default.is_some());
        let words =
            self.0.verbs.iter().filter(|(_, one)| alone(one)).map(|(name, one)| (name.clone(), one.text.clone()));
        let words: Vec<(String, String)> = words.collect();
        let table = json!({
            "type": "object",
            "minProperties": 1,
            "maxProperties": 1,
            "properties": verbs,
            "additionalProperties": false,
        });
        let table = with_sorts(table, KEYS, ["verb"]);
        if words.is_empty() {
            table
        } else {
            let words = with_sorts(name_enum(words), SORTS, ["verb"]);
            json!({ "if": { "type": "string" }, "then": words, "else": table })
        }
    }

    fn attribute(&self, attribute: &Attribute) -> Json {
        let mut schema = self.value(&attribute.of);
        if attribute.default == Some(Value::none())
            && let Some(names) = schema.get_mut("enum").and_then(Json::as_array_mut)
        {
            names.push(json!(""));
            if let Some(texts) = schema.pointer_mut("/x-taplo/docs/enumValues").and_then(Json::as_array_mut) {
                texts.push(json!("None"));
            }
        }
        let mut schema = with_description(schema, &attribute.text);
        if let (Some(default), Json::Object(schema)) = (&attribute.default, &mut schema) {
            schema.insert("default".to_owned(), to_json(default));
        }
        schema
    }

    fn value(&self, of: &AttributeType) -> Json {
        let plain = |names: &[String]| names.iter().map(|name| (name.clone(), String::new())).collect();
        match of {
            AttributeType::Integer { min, max } => integer(*min, *max),
            AttributeType::Boolean => json!({ "type": "boolean" }),
            AttributeType::Text(values) => name_enum(plain(values)),
            AttributeType::List(of, length) => {
                let mut schema = json!({ "type": "array", "items": self.value(of) });
                if let Some(length) = length {
                    schema["minItems"] = json!(length);
                    schema["maxItems"] = json!(length);
                }
                schema
            }
            AttributeType::Amounts(names) if names.is_empty() => {
                json!({ "type": "object", "additionalProperties": integer(i32::MIN, i32::MAX) })
            }
            AttributeType::Amounts(names) => {
                let mut amounts: Map<String, Json> = Map::new();
                for name in names {
                    let number = integer(i32::MIN, i32::MAX);
                    let Some((family, id)) = name.split_once(MEMBER) else {
                        amounts.insert(name.clone(), number);
                        continue;
                    };
                    let members = amounts.entry(family).or_insert_with(|| {
                        let members = json!({ "type": "object", "properties": {}, "additionalProperties": false });
                        with_sorts(members, KEYS, self.sort_of_members(family))
                    });
                    members["properties"][id] = number;
                }
                let amounts = json!({ "type": "object", "properties": amounts, "additionalProperties": false });
                with_sorts(amounts, KEYS, [self.sort_of_amounts(names)])
            }
            AttributeType::Id(kind) => {
                let of_kind = self.0.definitions.iter().filter(|definition| definition.kind == *kind);
                let names = name_enum(of_kind.map(|one| (one.id.clone(), one.name.clone())).collect());
                with_sorts(names, SORTS, [sort_of_kind(self.0, *kind)])
            }
            AttributeType::CounterName => with_sorts(name_enum(self.sort(NameKind::Counter)), SORTS, ["counter"]),
            AttributeType::ZoneName => with_sorts(name_enum(self.sort(NameKind::Zone)), SORTS, ["zone"]),
        }
    }

    /// Returns the sort of the names of a family's members: definitions of its kind.
    fn sort_of_members(&self, family: &str) -> Option<String> {
        self.0.counter_families.get(family).map(|family| sort_of_kind(self.0, family.kind))
    }

    /// Returns the sort of the names of amounts: definitions of a kind, or counters.
    fn sort_of_amounts(&self, names: &[String]) -> String {
        let d = self.0;
        let has_all = |kind: &Kind| {
            let ids = || d.definitions[kind.first..kind.first + kind.len].iter().map(|one| &one.id);
            kind.len == names.len() && names.iter().all(|name| ids().any(|id| id == name))
        };
        match d.kinds.values().position(has_all) {
            Some(kind) => sort_of_kind(d, kind),
            None => sort_word(NameKind::Counter).to_owned(),
        }
    }
}

/// Describes a hook in a definition.
fn effect_text(args: &[String]) -> String {
    let args = [&["token".to_owned()], args].concat().join(", ");
    format!("Effect as verbs, or `\"script\"`: then the script has function({args})")
}

/// Refers to a schema that several keys of a file share.
fn shared(name: &str) -> Json {
    json!({ "$ref": format!("#/definitions/{name}") })
}

/// Builds an enum of names with descriptions for editors; any text if there are no names.
fn name_enum(names: Vec<(String, String)>) -> Json {
    let mut seen: Vec<(String, String)> = Vec::new();
    for (name, text) in names {
        if !seen.iter().any(|(known, _)| *known == name) {
            seen.push((name, text));
        }
    }
    if seen.is_empty() {
        return json!({ "type": "string" });
    }
    let (names, texts): (Vec<String>, Vec<String>) = seen.into_iter().unzip();
    if texts.iter().all(String::is_empty) {
        return json!({ "enum": names });
    }
    json!({ "enum": names, "x-taplo": { "docs": { "enumValues": texts } } })
}

/// Adds the sorts of names to a schema.
fn with_sorts<T: Into<Json>>(mut schema: Json, keyword: &str, sorts: impl IntoIterator<Item = T>) -> Json {
    if let Json::Object(schema) = &mut schema {
        schema.insert(keyword.to_owned(), sorts.into_iter().map(Into::into).collect());
    }
    schema
}

/// Builds the schema of one of several values. The type of a value selects its schema, so that a mistake is one error; only values of the
/// same type are alternatives.
fn either(several: Vec<Json>) -> Json {
    let types: Vec<Vec<&'static str>> = several.iter().map(types_of).collect();
    let is_clear = types
        .iter()
        .enumerate()
        .all(|(at, own)| !own.is_empty() && types[..at].concat().iter().all(|of| !own.contains(of)));
    if !is_clear {
        return json!({ "anyOf": several });
    }
    let mut rest = several.into_iter().zip(types).rev();
    let last = rest.next().map_or_else(|| json!({}), |(last, _)| last);
    rest.fold(last, |other, (one, types)| json!({ "if": { "type": types }, "then": one, "else": other }))
}

/// Returns the types that a schema accepts; none: it may accept any.
fn types_of(schema: &Json) -> Vec<&'static str> {
    const TYPES: [&str; 5] = ["integer", "boolean", "string", "array", "object"];
    let known = |name: &Json| TYPES.into_iter().find(|of| name.as_str() == Some(of));
    match (schema.get("type"), schema.get("enum"), schema.get("if")) {
        (Some(Json::Array(list)), ..) => list.iter().filter_map(known).collect(),
        (Some(one), ..) => known(one).into_iter().collect(),
        (None, Some(_), _) => vec!["string"],
        (None, None, Some(_)) => ["then", "else"].iter().flat_map(|part| types_of(&schema[*part])).collect(),
        _ => Vec::new(),
    }
}

fn integer(min: i32, max: i32) -> Json {
    let mut schema = json!({ "type": "integer" });
    if min > i32::MIN {
        schema["minimum"] = json!(min);
    }
    if max < i32::MAX {
        schema["maximum"] = json!(max);
    }
    schema
}

/// Adds a description to a schema.
fn with_description(mut schema: Json, text: &str) -> Json {
    if let Json::Object(schema) = &mut schema
        && !text.is_empty()
    {
        schema.insert("description".to_owned(), json!(text));
    }
    schema
}

fn to_json(value: &Value) -> Json {
    // This never fails: a value is plain data with text keys.
    serde_json::to_value(value).unwrap_or_default()
}
