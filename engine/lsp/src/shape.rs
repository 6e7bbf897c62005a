//! JSON Schemas at a path: the keys, names and descriptions that an editor offers.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use crate::cursor::ELEMENT;

/// The schemas that may apply at a path.
pub(crate) fn at<'s>(root: &'s Json, path: &[String]) -> Vec<&'s Json> {
    let mut here = vec![root];
    for step in path {
        let mut next = Vec::new();
        for schema in expand(root, &here) {
            if step == ELEMENT {
                next.extend(schema.get("items"));
                continue;
            }
            let own = schema.get("properties").and_then(|all| all.get(step));
            next.extend(own.or_else(|| schema.get("additionalProperties").filter(|one| one.is_object())));
        }
        here = next;
    }
    expand(root, &here)
}

/// The schemas with all parts that they refer to.
fn expand<'s>(root: &'s Json, schemas: &[&'s Json]) -> Vec<&'s Json> {
    let mut all: Vec<&Json> = Vec::new();
    let mut open: Vec<&Json> = schemas.to_vec();
    while let Some(schema) = open.pop() {
        // The same part may be reached twice.
        if all.iter().any(|known| std::ptr::eq(*known, schema)) {
            continue;
        }
        all.push(schema);
        let target = schema.get("$ref").and_then(Json::as_str).and_then(|path| root.pointer(path.strip_prefix('#')?));
        open.extend(target);
        open.extend(["then", "else"].iter().filter_map(|part| schema.get(part)));
        let several = ["anyOf", "allOf"].iter().filter_map(|part| schema.get(part)?.as_array());
        open.extend(several.flatten());
    }
    all
}

/// The keys of tables at a place, with their descriptions.
pub(crate) fn keys(schemas: &[&Json]) -> BTreeMap<String, String> {
    let properties = schemas.iter().filter_map(|schema| schema.get("properties")?.as_object());
    properties.flatten().map(|(key, schema)| (key.clone(), description(schema))).collect()
}

/// The names and words of values at a place, with their descriptions.
pub(crate) fn words(schemas: &[&Json]) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for schema in schemas {
        let names = schema.get("enum").and_then(Json::as_array).into_iter().flatten();
        let names = names.chain(schema.get("const")).filter_map(Json::as_str);
        let texts = schema.pointer("/x-taplo/docs/enumValues").and_then(Json::as_array);
        for (at, name) in names.enumerate().filter(|(_, name)| !name.is_empty()) {
            let text = texts.and_then(|texts| texts.get(at)?.as_str()).unwrap_or_default();
            all.insert(name.to_owned(), text.to_owned());
        }
    }
    all
}

/// Whether a value at a place may be `true` or `false`.
pub(crate) fn is_boolean(schemas: &[&Json]) -> bool {
    schemas.iter().any(|schema| match schema.get("type") {
        Some(Json::Array(all)) => all.iter().any(|one| one == "boolean"),
        one => one.is_some_and(|one| one == "boolean"),
    })
}

/// The description of a schema.
pub(crate) fn description(schema: &Json) -> String {
    schema.get("description").and_then(Json::as_str).unwrap_or_default().to_owned()
}
