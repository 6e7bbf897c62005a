//! Types of fields of known tables.

use crate::script::native::known::{Access, Constants, Known, KnownTable};
use crate::script::native::ty::{Mask, Set, Ty, as_int, bit, tag};

/// The tags of the keys of a known table.
#[must_use]
pub fn key_tags(table: &KnownTable) -> Mask {
    table.fields.values().fold(0, |mask, (key, _)| mask | Ty::mask_of(*key))
}

/// The keys that a lookup in these tables can use: those of the key's tags that the tables have.
#[must_use]
pub fn usable_key(constants: &Constants, tables: &[u32], key: &Ty) -> Ty {
    let tags = tables.iter().fold(0, |mask, table| mask | key_tags(constants.table(*table)));
    let usable = key.only_tags(tags);
    if usable.mask != 0 { usable } else { key.only_tags(!bit(tag::NUMBER)) }
}

/// The type of a field; `None`: no lookup succeeds.
#[must_use]
pub fn field(constants: &Constants, tables: &[u32], key: &Ty) -> Option<Ty> {
    let (mut values, mut is_nil) = (Vec::new(), false);
    for &table in tables {
        let known = constants.table(table);
        let mut found = 0;
        if let Some(only) = key.only() {
            if let Some(value) = constants.field(table, only) {
                values.push(value);
                found = 1;
            }
        } else if let Set::Of(texts) = &key.texts
            && key.is(bit(tag::TEXT))
        {
            for &text in texts.iter() {
                if let Some(value) = constants.field(table, Known::Text(text)) {
                    values.push(value);
                    found += 1;
                }
            }
        } else {
            for (own, value) in known.fields.values() {
                if includes(key, *own) {
                    values.push(*value);
                    found += 1;
                }
            }
        }
        if known.access == Access::Plain && found < size(key) {
            is_nil = true;
        }
    }
    let mut out = Ty::union(values);
    if is_nil {
        out = out.join(&Ty::nil());
    }
    (out.mask != 0).then_some(out)
}

/// The number of values of a type, at most 2^32.
fn size(ty: &Ty) -> u64 {
    match ty.tag() {
        Some(tag::INT) => (ty.range.1 - ty.range.0 + 1).min(1 << 32) as u64,
        Some(tag::TEXT) => match &ty.texts {
            Set::Of(texts) => texts.len() as u64,
            Set::All => 1 << 32,
        },
        Some(tag::NIL | tag::FALSE | tag::TRUE) => 1,
        _ => 1 << 32,
    }
}

fn includes(ty: &Ty, value: Known) -> bool {
    if !ty.may(Ty::mask_of(value)) {
        return false;
    }
    match value {
        Known::Number(n) => as_int(n).is_none_or(|n| (ty.range.0..=ty.range.1).contains(&n)),
        Known::Text(text) => match &ty.texts {
            Set::Of(texts) => texts.binary_search(&text).is_ok(),
            Set::All => true,
        },
        _ => true,
    }
}

/// The types of the keys and values of known tables, in iterations; `is_list`: of their lists only.
#[must_use]
pub fn items(constants: &Constants, tables: &[u32], is_list: bool) -> (Ty, Ty) {
    let fields = || {
        tables.iter().flat_map(|table| {
            let known = constants.table(*table);
            known.fields.values().take(if is_list { known.length } else { usize::MAX })
        })
    };
    (Ty::union(fields().map(|(key, _)| *key)), Ty::union(fields().map(|(_, value)| *value)))
}
