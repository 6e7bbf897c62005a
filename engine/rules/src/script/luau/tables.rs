//! The plain tables behind the accessors, built once per VM from declarations and layout.

use mlua::{Lua, Table, Value as LuaValue};

use crate::script::luau::reactions;
use crate::state::Layout;
use crate::state::layout::GAME_HOLDER;
use crate::text::value_text;
use motherlode_content::Geometry;
use motherlode_content::declare::{AttributeType, Counter, Declarations, Domain, Holder, MEMBER, Value, list_hook};

/// The number of a holder in scripts.
fn holder(n: i32) -> i32 {
    if n == 0 { GAME_HOLDER } else { n }
}

/// A table with room for all holders in its array part.
fn by_holder(lua: &Lua, first: i32, len: usize) -> mlua::Result<Table> {
    lua.create_table_with_capacity(if first == 0 { GAME_HOLDER as usize } else { first as usize - 1 + len }, 0)
}

/// Fills the table used by the header of every script. Allocation is much faster without a memory limit, because it
/// cannot fail. So the memory in use is checked after each declaration: at most `most` bytes.
pub fn fill(
    lua: &Lua,
    t: &Table,
    d: &Declarations,
    layout: &Layout,
    labels: &[String],
    most: usize,
) -> mlua::Result<()> {
    let fits = &|| {
        let used = lua.used_memory();
        if used > most { Err(mlua::Error::MemoryError("not enough memory".to_owned())) } else { Ok(()) }
    };
    counters(lua, t, d, layout, fits)?;
    zones(lua, t, d, layout, fits)?;
    families(lua, t, d, fits)?;
    grids(lua, t, d, layout, fits)?;
    tokens(lua, t, d, layout, fits)?;
    definitions(lua, t, d, fits)?;
    reactions::fill(lua, t, d, layout)?;
    let prompts = lua.create_table()?;
    for (i, name) in d.prompts.keys().enumerate() {
        prompts.set(name.as_str(), i)?;
    }
    t.set("__PROMPT", prompts)?;
    let texts = lua.create_table()?;
    for (i, name) in d.texts.keys().enumerate() {
        texts.set(name.as_str(), i + 1)?;
    }
    t.set("__TEXT", texts)?;
    let (numbers, names) = (lua.create_table()?, lua.create_table()?);
    for (i, label) in labels.iter().enumerate() {
        numbers.set(label.as_str(), -(i as i32) - 1)?;
        names.set(i + 1, label.as_str())?;
    }
    t.set("__LABEL", numbers)?;
    t.set("__LABELS", names)?;
    fits()
}

/// Fails if the tables take too much memory.
type Fits<'a> = &'a dyn Fn() -> mlua::Result<()>;

fn counters(lua: &Lua, t: &Table, d: &Declarations, layout: &Layout, fits: Fits<'_>) -> mlua::Result<()> {
    let (offsets, min, max, index) =
        (lua.create_table()?, lua.create_table()?, lua.create_table()?, lua.create_table()?);
    let (values, names) = (lua.create_table()?, lua.create_table()?);
    for (i, (name, counter)) in d.counters.iter().enumerate() {
        fits()?;
        let slot = &layout.counters[i];
        let holders = by_holder(lua, slot.first, slot.len)?;
        for n in 0..slot.len {
            holders.raw_set(holder(slot.first + n as i32), (slot.offset + n) * 4)?;
        }
        offsets.set(name.as_str(), holders)?;
        min.set(name.as_str(), counter.min)?;
        max.set(name.as_str(), counter.max)?;
        index.set(name.as_str(), i)?;
        let (by_name, by_number) = values_of(lua, d, layout, counter)?;
        values.set(name.as_str(), by_name)?;
        names.set(name.as_str(), by_number)?;
    }
    statements(lua, t, d, layout)?;
    // The members of a family are alike, so the family's name gives the values' names.
    for (name, family) in &d.counter_families {
        let Some((_, counter)) = d.counters.get_index(family.first) else { continue };
        let (by_name, by_number) = values_of(lua, d, layout, counter)?;
        values.set(name.as_str(), by_name)?;
        names.set(name.as_str(), by_number)?;
        min.set(name.as_str(), counter.min)?;
        max.set(name.as_str(), counter.max)?;
    }
    t.set("__C", offsets)?;
    t.set("__MIN", min)?;
    t.set("__MAX", max)?;
    t.set("__INDEX", index)?;
    t.set("__VALUE", values)?;
    t.set("__NAME", names)
}

/// Adds the tables of counters that record statements: the bit of each value, and that of each token.
fn statements(lua: &Lua, t: &Table, d: &Declarations, layout: &Layout) -> mlua::Result<()> {
    let (stated, told) = (lua.create_table()?, lua.create_table()?);
    for (i, (name, counter)) in d.counters.iter().enumerate() {
        let Some(statements) = &counter.tells else { continue };
        let (by_value, by_token) = (lua.create_table()?, lua.create_table()?);
        let Holder::Token(kind) = counter.per else { continue };
        let of = d.kinds[kind].attributes.get(&statements.attribute).map(|attribute| &attribute.of);
        for (at, value) in statements.values.iter().enumerate() {
            match (of, value.parse::<i32>()) {
                (Some(AttributeType::Integer { .. }), Ok(number)) => by_value.raw_set(number, 1_u32 << at)?,
                (Some(AttributeType::Boolean), _) => by_value.raw_set(value == "true", 1_u32 << at)?,
                _ => by_value.raw_set(value.as_str(), 1_u32 << at)?,
            }
        }
        for n in 0..layout.counters[i].len {
            let token = layout.counters[i].first + n as i32;
            let bit = statements.bits.get(layout.tokens[token as usize - 1].definition);
            by_token.raw_set(token, bit.copied().unwrap_or(0))?;
        }
        stated.set(name.as_str(), by_value)?;
        told.set(name.as_str(), by_token)?;
    }
    t.set("__STATED", stated)?;
    t.set("__TOLD", told)
}

/// The values of a counter by name, and their names by number.
fn values_of(lua: &Lua, d: &Declarations, layout: &Layout, counter: &Counter) -> mlua::Result<(Table, Table)> {
    let (by_name, by_number) = (lua.create_table()?, lua.create_table()?);
    for (v, value) in counter.values.iter().enumerate() {
        by_name.set(value.as_str(), v)?;
        by_number.raw_set(v, value.as_str())?;
    }
    let things = match counter.means {
        Domain::Player => Some(layout.players),
        Domain::Token => Some(layout.tokens.len()),
        Domain::Cell(grid) => {
            let copies = if d.grids[grid].per == Holder::Player { layout.players } else { 1 };
            Some(layout.grids[grid].places() * copies)
        }
        Domain::Number | Domain::Definition(_) => None,
    };
    if things.is_some() {
        by_name.set("none", 0)?;
    }
    for n in things.into_iter().flat_map(|most| 0..=most) {
        by_number.raw_set(n, value_text(d, layout, counter, n as i32))?;
    }
    Ok((by_name, by_number))
}

/// Adds the tables of families: the holders of each member, and the names of members, both by number and by id.
fn families(lua: &Lua, t: &Table, d: &Declarations, fits: Fits<'_>) -> mlua::Result<()> {
    let (offsets, members) = (lua.create_table()?, lua.create_table()?);
    let counters: Table = t.get("__C")?;
    for (name, family) in &d.counter_families {
        fits()?;
        let of_family = lua.create_table_with_capacity(family.len, family.len)?;
        for (n, index) in family.members().enumerate() {
            let Some((member, _)) = d.counters.get_index(index) else { continue };
            let holders: Table = counters.get(member.as_str())?;
            of_family.raw_set(n + 1, &holders)?;
            of_family.raw_set(id_of(member), holders)?;
        }
        offsets.set(name.as_str(), of_family)?;
    }
    let counter_name = |index: usize| d.counters.get_index(index).map(|(name, _)| name.as_str());
    let zone_name = |index: usize| d.zones.get_index(index).map(|(name, _)| name.as_str());
    let of_counters =
        d.counter_families.iter().map(|(name, family)| (name, family.members().map(counter_name).collect()));
    let of_zones = d.zone_families.iter().map(|(name, family)| (name, family.members().map(zone_name).collect()));
    for (name, names) in of_counters.chain(of_zones) {
        let names: Vec<Option<&str>> = names;
        let of_family = lua.create_table_with_capacity(names.len(), names.len())?;
        for (n, member) in names.into_iter().flatten().enumerate() {
            of_family.raw_set(n + 1, member)?;
            of_family.raw_set(id_of(member), member)?;
        }
        members.set(name.as_str(), of_family)?;
    }
    t.set("__F", offsets)?;
    t.set("__MEMBER", members)
}

/// The id in the name of a member.
fn id_of(member: &str) -> &str {
    member.split_once(MEMBER).map_or(member, |(_, id)| id)
}

fn zones(lua: &Lua, t: &Table, d: &Declarations, layout: &Layout, fits: Fits<'_>) -> mlua::Result<()> {
    let (offsets, piles, per_player) = (lua.create_table()?, lua.create_table()?, lua.create_table()?);
    let (pile_zone, pile_holder) = (lua.create_table()?, lua.create_table()?);
    for (i, (name, zone)) in d.zones.iter().enumerate() {
        fits()?;
        let slot = &layout.zones[i];
        let (at, number) = (by_holder(lua, slot.first, slot.len)?, by_holder(lua, slot.first, slot.len)?);
        for n in 0..slot.len {
            let pile = slot.pile + n;
            at.raw_set(holder(slot.first + n as i32), layout.piles[pile].offset * 4)?;
            number.raw_set(holder(slot.first + n as i32), pile)?;
            pile_zone.raw_set(pile + 1, name.as_str())?;
            pile_holder.raw_set(pile + 1, holder(slot.first + n as i32))?;
        }
        offsets.set(name.as_str(), at)?;
        piles.set(name.as_str(), number)?;
        per_player.set(name.as_str(), zone.per == Holder::Player)?;
    }
    t.set("__Z", offsets)?;
    t.set("__PILE", piles)?;
    t.set("__PILE_ZONE", pile_zone)?;
    t.set("__PILE_HOLDER", pile_holder)?;
    t.set("__ZONE_PER_PLAYER", per_player)
}

fn grids(lua: &Lua, t: &Table, d: &Declarations, layout: &Layout, fits: Fits<'_>) -> mlua::Result<()> {
    let (near, all, lines, xy) = (lua.create_table()?, lua.create_table()?, lua.create_table()?, lua.create_table()?);
    let (column, row, cell_counters) = (lua.create_table()?, lua.create_table()?, lua.create_table()?);
    let (numbers, ways) = (lua.create_table()?, lua.create_table()?);
    for (i, (name, grid)) in d.grids.iter().enumerate() {
        let geometry = &layout.grids[i];
        let places = geometry.places();
        let owners: Vec<i32> =
            if grid.per == Holder::Player { (1..=layout.players as i32).collect() } else { vec![GAME_HOLDER] };
        let (g_near, g_column, g_row) = (lua.create_table()?, lua.create_table()?, lua.create_table()?);
        let (g_cells, g_xy) = (lua.create_table()?, lua.create_table()?);
        for (block, &owner) in owners.iter().enumerate() {
            fits()?;
            let number = |cell: u16| block * places + usize::from(cell) + 1;
            let cells: Vec<usize> = geometry.cells().iter().map(|&c| number(c)).collect();
            g_cells.raw_set(owner, frozen(&lua.create_sequence_from(cells)?))?;
            let at = lua.create_table()?;
            for &cell in geometry.cells() {
                let c = usize::from(cell);
                let around: Vec<usize> = geometry.neighbours(c).iter().map(|&n| number(n)).collect();
                g_near.raw_set(number(cell), frozen(&lua.create_sequence_from(around)?))?;
                g_column.raw_set(number(cell), geometry.x(c))?;
                g_row.raw_set(number(cell), geometry.y(c))?;
                at.raw_set(u32::from(geometry.y(c)) * 65536 + u32::from(geometry.x(c)), number(cell))?;
            }
            g_xy.raw_set(owner, frozen(&at))?;
        }
        let counters = lua.create_table()?;
        for (c, (counter, declared)) in d.counters.iter().enumerate() {
            if declared.per == Holder::Cell(i) {
                counters.set(counter.as_str(), c)?;
            }
        }
        numbers.set(name.as_str(), i)?;
        let by_name = lua.create_table()?;
        for (way, name) in motherlode_content::geometry::ways(geometry.shape()).into_iter().enumerate() {
            by_name.set(name, way)?;
        }
        ways.set(name.as_str(), by_name)?;
        near.set(name.as_str(), g_near)?;
        column.set(name.as_str(), g_column)?;
        row.set(name.as_str(), g_row)?;
        all.set(name.as_str(), g_cells)?;
        xy.set(name.as_str(), g_xy)?;
        lines.set(name.as_str(), lines_of(lua, geometry, &owners, fits)?)?;
        cell_counters.set(name.as_str(), counters)?;
    }
    t.set("__GRID", numbers)?;
    t.set("__WAY", ways)?;
    t.set("__NEAR", near)?;
    t.set("__COLUMN", column)?;
    t.set("__ROW", row)?;
    t.set("__CELLS", all)?;
    t.set("__XY", xy)?;
    t.set("__LINES", lines)?;
    t.set("__CELL_COUNTER", cell_counters)
}

/// The lines of a grid: by direction (`all`: any direction), and by owner.
fn lines_of(lua: &Lua, geometry: &Geometry, owners: &[i32], fits: Fits<'_>) -> mlua::Result<Table> {
    let (lines, every) = (lua.create_table()?, lua.create_table()?);
    for &owner in owners {
        every.raw_set(owner, lua.create_table()?)?;
    }
    for (direction, way) in geometry.directions().enumerate() {
        let by_owner = lua.create_table()?;
        for (block, &owner) in owners.iter().enumerate() {
            fits()?;
            let list = lua.create_table()?;
            let rest: Table = every.raw_get(owner)?;
            for line in geometry.lines(direction) {
                let cells: Vec<usize> = line.iter().map(|&c| block * geometry.places() + usize::from(c) + 1).collect();
                let line = frozen(&lua.create_sequence_from(cells)?);
                list.raw_push(&line)?;
                rest.raw_push(line)?;
            }
            by_owner.raw_set(owner, frozen(&list))?;
        }
        lines.set(way, by_owner)?;
    }
    for &owner in owners {
        frozen(&every.raw_get(owner)?);
    }
    lines.set("all", every)?;
    Ok(lines)
}

fn tokens(lua: &Lua, t: &Table, d: &Declarations, layout: &Layout, fits: Fits<'_>) -> mlua::Result<()> {
    let (id, kind, owner) = (lua.create_table()?, lua.create_table()?, lua.create_table()?);
    let (by_kind, attributes) = (lua.create_table()?, lua.create_table()?);
    for name in d.kinds.keys() {
        by_kind.set(name.as_str(), lua.create_table()?)?;
    }
    for declared in d.kinds.values() {
        for attribute in declared.attributes.keys() {
            attributes.set(attribute.as_str(), lua.create_table_with_capacity(layout.tokens.len(), 0)?)?;
        }
    }
    for (i, info) in layout.tokens.iter().enumerate() {
        fits()?;
        let token = i + 1;
        let (name, declared) =
            d.kinds.get_index(info.kind).ok_or_else(|| mlua::Error::runtime("a token without a kind"))?;
        let definition = &d.definitions[info.definition];
        id.raw_set(token, definition.id.as_str())?;
        kind.raw_set(token, name.as_str())?;
        owner.raw_set(token, holder(info.owner))?;
        by_kind.get::<Table>(name.as_str())?.raw_push(token)?;
        for (attribute, value) in declared.attributes.keys().zip(&definition.attributes) {
            attributes.get::<Table>(attribute.as_str())?.raw_set(token, to_lua(lua, value)?)?;
        }
    }
    for list in by_kind.pairs::<String, Table>() {
        frozen(&list?.1);
    }
    t.set("__ID", id)?;
    t.set("__KIND", kind)?;
    t.set("__OWNER", owner)?;
    t.set("__TOKENS", by_kind)?;
    t.set("__ATTR", attributes)
}

fn definitions(lua: &Lua, t: &Table, d: &Declarations, fits: Fits<'_>) -> mlua::Result<()> {
    let (def, defs, number) = (lua.create_table()?, lua.create_table()?, lua.create_table()?);
    let printed = lua.create_table()?;
    for (name, kind) in &d.kinds {
        let (by_id, ids, numbers) = (lua.create_table()?, lua.create_table()?, lua.create_table()?);
        let shown = lua.create_table()?;
        for (n, definition) in d.definitions[kind.first..kind.first + kind.len].iter().enumerate() {
            fits()?;
            let values = lua.create_table()?;
            values.set("name", definition.name.as_str())?;
            values.set("text", definition.text.as_str())?;
            values.set("copies", definition.copies)?;
            for (attribute, value) in kind.attributes.keys().zip(&definition.attributes) {
                values.set(attribute.as_str(), to_lua(lua, value)?)?;
            }
            by_id.set(definition.id.as_str(), values)?;
            ids.raw_push(definition.id.as_str())?;
            numbers.set(definition.id.as_str(), n + 1)?;
            shown.set(definition.id.as_str(), definition.name.as_str())?;
            shown.raw_set(n + 1, definition.name.as_str())?;
        }
        def.set(name.as_str(), by_id)?;
        defs.set(name.as_str(), frozen(&ids))?;
        number.set(name.as_str(), numbers)?;
        printed.set(name.as_str(), shown)?;
    }
    let lists = lua.create_table()?;
    for (list, length) in d.kinds.values().flat_map(|kind| &kind.lists) {
        let known = lists.get::<Option<Table>>(list.as_str())?.map_or(0, |hooks| hooks.raw_len());
        if *length > known {
            lists.set(list.as_str(), lua.create_sequence_from((1..=*length).map(|place| list_hook(list, place)))?)?;
        }
    }
    t.set("__LIST", lists)?;
    t.set("__PRINTED", printed)?;
    t.set("__DEF", def)?;
    t.set("__DEFS", defs)?;
    t.set("__NUMBER", number)
}

/// All texts of definitions, which scripts can read.
pub(super) fn declared_texts(d: &Declarations) -> impl Iterator<Item = &str> {
    let attributes = d.definitions.iter().flat_map(|definition| &definition.attributes).flat_map(texts_of);
    let texts = d.definitions.iter().flat_map(|definition| [definition.name.as_str(), definition.text.as_str()]);
    texts.chain(attributes)
}

fn texts_of(value: &Value) -> Vec<&str> {
    match value {
        Value::Boolean(_) | Value::Integer(_) => Vec::new(),
        Value::Text(text) => vec![text],
        Value::List(list) => list.iter().flat_map(texts_of).collect(),
        Value::Map(map) => {
            map.iter().flat_map(|(key, item)| std::iter::once(key.as_str()).chain(texts_of(item))).collect()
        }
        Value::Formula(written) => vec![written.text.as_str()],
    }
}

/// A declared value as a Luau value; lists and maps are read-only.
pub fn to_lua(lua: &Lua, value: &Value) -> mlua::Result<LuaValue> {
    Ok(match value {
        Value::Boolean(b) => LuaValue::Boolean(*b),
        Value::Integer(n) => LuaValue::Number(f64::from(*n)),
        Value::Text(s) => LuaValue::String(lua.create_string(s)?),
        Value::List(list) => {
            let out = lua.create_table()?;
            for item in list {
                out.raw_push(to_lua(lua, item)?)?;
            }
            LuaValue::Table(frozen(&out))
        }
        Value::Map(map) => {
            let out = lua.create_table()?;
            for (key, item) in map {
                out.raw_set(key.as_str(), to_lua(lua, item)?)?;
            }
            LuaValue::Table(frozen(&out))
        }
        // Computed before each call.
        Value::Formula(_) => LuaValue::Number(0.0),
    })
}

fn frozen(t: &Table) -> Table {
    t.set_readonly(true);
    t.clone()
}
