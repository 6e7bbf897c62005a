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
                name_enum(names.collect())
            }
            ValueSpec::Anything => json!({}),
            ValueSpec::Either(several) if matches!(several.as_slice(), [_, ValueSpec::List(_)]) => {
                // An error is that of the value, not of the choice.
                json!({ "if": { "type": "array" }, "then": self.of(&several[1]), "else": self.of(&several[0]) })
            }
            ValueSpec::Either(several) => json!({ "anyOf": several.iter().map(|of| self.of(of)).collect::<Vec<_>>() }),
            ValueSpec::List(of) => json!({ "type": "array", "items": self.of(of) }),
            ValueSpec::Table(shape) => self.table(&shape()),
            ValueSpec::Tables(shape) => self.entries(self.table(&shape()), ""),
            ValueSpec::Map(of) => {
                json!({ "type": "object", "propertyNames": { "pattern": KEY }, "additionalProperties": self.of(of) })
            }
            ValueSpec::MapOf(sort, of) => reactions::by_name(self.sort(*sort), &self.of(of)),
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
        let verb = |verb: &Verb| {
            let properties: Map<String, Json> =
                verb.args.iter().map(|(name, arg)| (name.clone(), reactions::computed(self.attribute(arg)))).collect();
            let needed: Vec<&String> =
                verb.args.iter().filter(|(_, arg)| arg.default.is_none()).map(|(name, _)| name).collect();
            let table = json!({ "type": "object", "properties": properties, "required": needed, "additionalProperties": false });
            match verb.only_arg() {
                // Built-in verbs with one argument take it directly. Completion of the long form would only distract.
                Some((_, arg)) if verb.standard => reactions::computed(self.attribute(arg)),
                Some((_, arg)) if matches!(arg.of, AttributeType::Amounts(_)) => {
                    json!({ "anyOf": [reactions::computed(self.attribute(arg)), table] })
                }
                Some((_, arg)) => {
                    let short = reactions::computed(self.attribute(arg));
                    json!({ "if": { "type": "object" }, "then": table, "else": short })
                }
                None => table,
            }
        };
        let verbs: Map<String, Json> =
            self.0.verbs.iter().map(|(name, one)| (name.clone(), with_description(verb(one), &one.text))).collect();
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
        if words.is_empty() {
            table
        } else {
            json!({ "if": { "type": "string" }, "then": name_enum(words), "else": table })
        }
    }

    fn attribute(&self, attribute: &Attribute) -> Json {
        let mut schema = self.value(&attribute.of);
        if attribute.default == Some(Value::none()) && schema.get("enum").is_some() {
            schema = json!({ "anyOf": [schema, { "const": "" }] });
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
                    let members = amounts.entry(family).or_insert_with(
                        || json!({ "type": "object", "properties": {}, "additionalProperties": false }),
                    );
                    members["properties"][id] = number;
                }
                json!({ "type": "object", "properties": amounts, "additionalProperties": false })
            }
            AttributeType::Id(kind) => {
                let of_kind = self.0.definitions.iter().filter(|definition| definition.kind == *kind);
                name_enum(of_kind.map(|definition| (definition.id.clone(), definition.name.clone())).collect())
            }
            AttributeType::CounterName => name_enum(self.sort(NameKind::Counter)),
            AttributeType::ZoneName => name_enum(self.sort(NameKind::Zone)),
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
