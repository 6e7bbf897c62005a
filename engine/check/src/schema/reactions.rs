//! Schemas of events, listeners, modifiers, filters and formulas.

use serde_json::{Map, Value as Json, json};

use super::{KEY, SchemaBuilder, integer, name_enum, shared, with_description};
use motherlode_content::declare::{Event, EventArg, Holder, Moment};
use motherlode_content::keys::{self, TableSpec};
use motherlode_content::sort::NameKind;

/// Pattern of formulas, and of the values in them.
const FORMULA: &str = "^[a-z0-9_.,()*+ -]+$";
/// Pattern of references to a player: `you`, `event.player`.
const REFERENCE: &str = "^[a-z][a-z0-9_.]*$";

impl SchemaBuilder<'_> {
    /// Builds the schema of `reactions.toml`.
    pub(super) fn reactions(&self) -> Json {
        let mut schema = self.table(&keys::events());
        let properties = &mut schema["properties"];
        let listener = self.with_event(&keys::named_listener(), &Moment::ALL.map(Moment::word));
        properties["listeners"]["additionalProperties"] = listener;
        properties["events"]["additionalProperties"] = self.with_event(&keys::event(), &["of"]);
        properties["filters"]["additionalProperties"] = self.filter_table(true);
        schema["definitions"] = self.shared();
        schema
    }

    /// Builds the schemas that several keys of a file share: calls of verbs, filters, and a listener for each event.
    pub(super) fn shared(&self) -> Json {
        let mut all = Map::new();
        all.insert("call".to_owned(), self.call());
        all.insert("tokens".to_owned(), self.filter());
        all.insert(
            "players".to_owned(),
            table_or(self.filter_table(false), json!({ "type": "string", "pattern": REFERENCE })),
        );
        for (name, event) in &self.0.events {
            let mut table = self.table(&keys::listener());
            if let (Json::Object(properties), Json::Object(own)) = (&mut table["properties"], self.event_keys(event)) {
                properties.extend(own);
            }
            all.insert(format!("{name}_listener"), or_list(table));
        }
        Json::Object(all)
    }

    /// Builds the schema of a table whose `where` and `set` fit the event that one of its keys names.
    fn with_event(&self, shape: &TableSpec, moments: &[&str]) -> Json {
        let mut schema = self.table(shape);
        let of_event = |(name, event): (&String, &Event)| {
            let named =
                |moment: &&str| json!({ "properties": { (*moment): { "const": name } }, "required": [*moment] });
            let named: Vec<Json> = moments.iter().map(named).collect();
            json!({ "if": { "anyOf": named }, "then": { "properties": self.event_keys(event) } })
        };
        schema["allOf"] = self.0.events.iter().map(of_event).collect();
        schema
    }

    /// Builds the schema of listeners by event: a table, or a list of tables.
    pub(super) fn listeners(&self) -> Json {
        let of_event = |(name, event): (&String, &Event)| {
            (name.clone(), with_description(shared(&format!("{name}_listener")), &event.text))
        };
        closed(self.0.events.iter().map(of_event).collect())
    }

    /// Builds the schemas of `where` and `set` for an event.
    fn event_keys(&self, event: &Event) -> Json {
        let conditions: Map<String, Json> =
            event.args.iter().map(|(name, of)| (name.clone(), self.argument(*of))).collect();
        let set = |(name, of): (&String, &EventArg)| match of {
            EventArg::Integer | EventArg::Token | EventArg::Player => Some((name.clone(), formula())),
            EventArg::Zone => Some((name.clone(), name_enum(self.sort(NameKind::Zone)))),
            EventArg::Counter | EventArg::Phase => None,
        };
        let set: Map<String, Json> = event.args.iter().filter_map(set).collect();
        json!({ "where": closed(conditions), "set": closed(set) })
    }

    /// Builds the schema of a condition on an argument of an event.
    fn argument(&self, of: EventArg) -> Json {
        let names = |sort: NameKind| self.sort(sort);
        let one_or_more = |names: Vec<(String, String)>| {
            let one = name_enum(names);
            json!({ "if": { "type": "array" }, "then": { "type": "array", "items": one.clone() }, "else": one })
        };
        match of {
            EventArg::Integer => range(),
            EventArg::Token => shared("tokens"),
            EventArg::Player => shared("players"),
            EventArg::Zone => one_or_more(names(NameKind::Zone)),
            EventArg::Counter => one_or_more([names(NameKind::Counter), names(NameKind::CounterFamily)].concat()),
            EventArg::Phase => one_or_more(names(NameKind::Phase)),
        }
    }

    /// Builds the schema of a filter of tokens: a table, `"this"`, `"other"`, or the name of a filter.
    fn filter(&self) -> Json {
        let words = ["this", "other"].map(|word| (word.to_owned(), String::new()));
        table_or(self.filter_table(true), name_enum(words.into_iter().chain(self.sort(NameKind::Filter)).collect()))
    }

    /// Builds the schema of a table of conditions on tokens or on players.
    fn filter_table(&self, of_tokens: bool) -> Json {
        let d = self.0;
        let mut properties = Map::new();
        for key in keys::filter().keys {
            if of_tokens || !["kind", "id", "zone"].contains(&key.name) {
                properties.insert(key.name.to_owned(), with_description(self.of(&key.of), key.text));
            }
        }
        let has = |per: Holder| if of_tokens { matches!(per, Holder::Token(_)) } else { per == Holder::Player };
        let counters = d.counters.iter().filter(|(_, one)| has(one.per)).map(|(name, one)| (name, one.text.as_str()));
        let zones = d.zones.iter().filter(|(_, zone)| !of_tokens && has(zone.per));
        let zones = zones.map(|(name, zone)| (name, zone.text.as_str()));
        let attributes = d.kinds.values().filter(|_| of_tokens).flat_map(|kind| &kind.attributes);
        let attributes = attributes.map(|(name, attribute)| (name, attribute.text.as_str()));
        for (name, text) in counters.chain(zones).chain(attributes) {
            properties.entry(name.clone()).or_insert_with(|| with_description(range_or_text(), text));
        }
        closed(properties)
    }
}

/// Builds the schema of a formula: a whole number or a text.
pub(super) fn formula() -> Json {
    json!({ "type": ["integer", "string"], "pattern": FORMULA })
}

/// Lets whole numbers in the arguments of a verb be formulas.
pub(super) fn computed(mut schema: Json) -> Json {
    match schema.get("type").and_then(Json::as_str) {
        Some("integer") => {
            schema["type"] = json!(["integer", "string"]);
            schema["pattern"] = json!(FORMULA);
        }
        Some("object") => {
            for key in ["properties", "additionalProperties"] {
                match (key, schema.get_mut(key)) {
                    ("properties", Some(Json::Object(all))) => {
                        all.values_mut().for_each(|one| *one = computed(one.take()));
                    }
                    (_, Some(one @ Json::Object(_))) => *one = computed(one.take()),
                    _ => {}
                }
            }
        }
        _ => {}
    }
    schema
}

/// Builds the schema of formulas with ranges.
pub(super) fn conditions() -> Json {
    json!({ "type": "object", "propertyNames": { "pattern": FORMULA }, "additionalProperties": range_or_text() })
}

/// Builds the schema of a table by name with this pattern.
pub(super) fn by_name(names: Vec<(String, String)>, each: &Json) -> Json {
    if names.is_empty() {
        return json!({ "type": "object", "propertyNames": { "pattern": KEY }, "additionalProperties": each });
    }
    closed(names.into_iter().map(|(name, text)| (name, with_description(each.clone(), &text))).collect())
}

/// A number, a boolean, a table of `min` and `max`, or a list of numbers.
fn range() -> Json {
    range_with(&["integer", "boolean"], &integer(i32::MIN, i32::MAX), integer(i32::MIN, i32::MAX))
}

/// A range, or a text that an attribute may have, or that names a token or a player; in a list, numbers or such texts.
fn range_or_text() -> Json {
    range_with(&["integer", "boolean", "string"], &formula(), json!({ "type": ["integer", "string"] }))
}

fn range_with(types: &[&str], end: &Json, of_list: Json) -> Json {
    let table = closed(Map::from_iter(["min", "max"].map(|key| (key.to_owned(), end.clone()))));
    let list = json!({ "type": "array", "items": of_list, "minItems": 1 });
    table_or(table, json!({ "if": { "type": "array" }, "then": list, "else": { "type": types } }))
}

/// A value or a list of such values. An error is that of the value, not of the choice.
fn or_list(one: Json) -> Json {
    json!({ "if": { "type": "array" }, "then": { "type": "array", "items": one.clone() }, "else": one })
}

/// A table, or another value.
fn table_or(table: Json, other: Json) -> Json {
    json!({ "if": { "type": "object" }, "then": table, "else": other })
}

/// A table with these keys alone.
fn closed(properties: Map<String, Json>) -> Json {
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}
