//! Parts of an observation by name. In JSON, the members of a family form a table of their own: `"raw": {"gold": 1}`.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use indexmap::IndexMap;
use motherlode_content::declare::MEMBER;
use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Counters or zones by full name (`gold`, `raw.gold`), in declaration order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ByName<T>(IndexMap<String, T>);

impl<T> Deref for ByName<T> {
    type Target = IndexMap<String, T>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<T> FromIterator<(String, T)> for ByName<T> {
    fn from_iter<I: IntoIterator<Item = (String, T)>>(entries: I) -> Self {
        Self(entries.into_iter().collect())
    }
}

impl<'a, T> IntoIterator for &'a ByName<T> {
    type Item = (&'a String, &'a T);
    type IntoIter = indexmap::map::Iter<'a, String, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// The members of one family.
struct Members<'a, T>(Vec<(&'a str, &'a T)>);

impl<T: Serialize> Serialize for Members<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

impl<T: Serialize> Serialize for ByName<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let mut rest = self.0.iter().peekable();
        while let Some((name, value)) = rest.next() {
            let Some((family, id)) = name.split_once(MEMBER) else {
                map.serialize_entry(name, value)?;
                continue;
            };
            let mut members = vec![(id, value)];
            let of_family = |name: &str| name.split_once(MEMBER).is_some_and(|(other, _)| other == family);
            while let Some((name, value)) = rest.next_if(|(name, _)| of_family(name)) {
                members.extend(name.split_once(MEMBER).map(|(_, id)| (id, value)));
            }
            map.serialize_entry(family, &Members(members))?;
        }
        map.end()
    }
}

/// A value, or the members of a family.
#[derive(Deserialize)]
#[serde(untagged)]
enum Entry<T> {
    One(T),
    Family(IndexMap<String, T>),
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for ByName<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Entries<T> {
            type Value = ByName<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table by names")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut all = IndexMap::new();
                while let Some((name, entry)) = map.next_entry::<String, Entry<T>>()? {
                    match entry {
                        Entry::One(value) => drop(all.insert(name, value)),
                        Entry::Family(members) => {
                            all.extend(members.into_iter().map(|(id, value)| (format!("{name}{MEMBER}{id}"), value)));
                        }
                    }
                }
                Ok(ByName(all))
            }
        }
        deserializer.deserialize_map(Entries(PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::observe::{CounterView, ZoneView};

    #[test]
    fn members_form_a_table_of_their_own() {
        let counters: ByName<CounterView> = [
            ("gold".to_owned(), CounterView::Number(3)),
            ("raw.gold".to_owned(), CounterView::Number(1)),
            ("raw.iron".to_owned(), CounterView::Hidden),
            ("chief".to_owned(), CounterView::Player { seat: Some(1) }),
            ("of.seat".to_owned(), CounterView::Name("none".to_owned())),
        ]
        .into_iter()
        .collect();
        let json = serde_json::to_string(&counters).unwrap();
        assert_eq!(json, r#"{"gold":3,"raw":{"gold":1,"iron":null},"chief":{"seat":1},"of":{"seat":"none"}}"#);
        assert_eq!(serde_json::from_str::<ByName<CounterView>>(&json).unwrap(), counters);
        let zones: ByName<ZoneView> = [("site.one".to_owned(), ZoneView::default())].into_iter().collect();
        let json = serde_json::to_string(&zones).unwrap();
        assert_eq!(json, r#"{"site":{"one":{"count":null,"tokens":[]}}}"#);
        assert_eq!(serde_json::from_str::<ByName<ZoneView>>(&json).unwrap(), zones);
    }
}
