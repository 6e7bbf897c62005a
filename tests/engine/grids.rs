//! Grids of all shapes, used by scripts.

use super::*;

#[test]
fn square_grids_have_their_cells_and_lines() {
    let game = "
[counters.ore]\ntext = \"Ore\"\nper = \"board\"\nvalues = [\"none\", \"gold\"]
[grids.board]\ntext = \"Board\"\nshape = \"square\"\ncolumns = 4\nrows = 3\nholes = [\"b2\"]";
    let m = after_run(
        game,
        "local function cellxy(x, y) return cell(\"board\", x, y) end
        assert(#cells(\"board\") == 11 and cellxy(1, 1) == 1 and cellxy(4, 3) == 12 and cellxy(2, 2) == nil)
        for _, p in { { 0, 1 }, { 5, 1 }, { 1, 0 }, { 1, 4 }, { -1, 1 }, { 1.5, 1 }, { 257, 0 }, { 257, 1 } } do
            assert(cellxy(p[1], p[2]) == nil)
        end
        local c = cellxy(3, 2) assert(column_of(\"board\", c) == 3 and row_of(\"board\", c) == 2)
        assert(table.concat(neighbours(\"board\", c), \" \") == \"3 8 11\")
        assert(table.concat(neighbours(\"board\", 1), \" \") == \"2 5\")
        assert(#lines(\"board\", \"row\") == 3 and #lines(\"board\", \"column\") == 4)
        assert(table.concat(lines(\"board\", \"row\")[2], \" \") == \"5 7 8\", \"a hole does not cut a line\")
        local n = #lines(\"board\", \"row\") + #lines(\"board\", \"column\") + #lines(\"board\", \"rising\") + #lines(\"board\", \"falling\")
        assert(#lines(\"board\") == n)
        for x = 1, 4 do set(cellxy(x, 1), \"ore\", value(\"ore\", \"gold\")) end
        assert(longest(1, \"ore\") == 4 and longest(12, \"ore\") >= 3 and count_cells(\"board\", \"ore\", 1) == 4)
        assert(count_cells(\"board\", \"ore\", 0) == 7 and name_of(\"ore\", get(1, \"ore\")) == \"gold\")",
    );
    let view = seen(&m, Some(0));
    assert_eq!(view["grids"]["board"]["cells"]["a1"], json!({ "ore": "gold" }));
    assert!(view["grids"]["board"]["cells"].get("b2").is_none(), "a hole");
}

#[test]
fn hexagonal_and_shifted_grids_have_their_cells_and_lines() {
    let game = "
[counters.ore]\ntext = \"Ore\"\nper = \"hive\"\nmax = 3
[counters.brick]\ntext = \"Brick\"\nper = \"wall\"\nmax = 3
[grids.hive]\ntext = \"Hive\"\nshape = \"hex\"\nside = 3
[grids.wall]\ntext = \"Wall\"\nshape = \"offset\"\ncolumns = 3\nrows = 3";
    after_run(
        game,
        "assert(#cells(\"hive\") == 19 and #cells(\"wall\") == 9)
        local middle = cell(\"hive\", 3, 3)
        assert(#neighbours(\"hive\", middle) == 6 and #neighbours(\"hive\", cell(\"hive\", 1, 1)) == 3)
        assert(cell(\"hive\", 4, 1) == nil and cell(\"hive\", 5, 3) ~= nil and cell(\"hive\", 1, 6) == nil)
        for _, way in { \"a\", \"b\", \"c\" } do
            local n = 0
            for _, line in lines(\"hive\", way) do n += #line end
            assert(#lines(\"hive\", way) == 5 and n == 19)
        end
        for _, c in neighbours(\"hive\", middle) do
            assert(table.find(neighbours(\"hive\", c), middle), \"neighbours are mutual\")
        end
        for x = 1, 5 do set(cell(\"hive\", x, 3), \"ore\", 2) end
        assert(longest(middle, \"ore\") == 5)
        assert(#neighbours(\"wall\", cell(\"wall\", 2, 2)) == 6 and #lines(\"wall\", \"row\") == 3)
        local ok, why = pcall(function() return lines(\"wall\", string.lower(\"A\")) end)
        assert(not ok and string.find(why, \"direction\", 1, true), why)",
    );
}

#[test]
fn each_player_can_have_a_grid() {
    let game = "
[counters.field]\ntext = \"Field\"\nper = \"farm\"\nmax = 9\nvisible = \"owner\"
[grids.farm]\ntext = \"Farm\"\nshape = \"square\"\ncolumns = 2\nrows = 2\nper = \"player\"";
    let m = after_run(
        game,
        "local mine, yours = cell(\"farm\", 2, 1, 1), cell(\"farm\", 2, 1, 2)
        assert(mine == 2 and yours == 6 and column_of(\"farm\", yours) == 2 and row_of(\"farm\", yours) == 1)
        assert(table.concat(cells(\"farm\", 2), \" \") == \"5 6 7 8\")
        assert(table.concat(neighbours(\"farm\", yours), \" \") == \"5 8\")
        for _, c in cells(\"farm\", 2) do set(c, \"field\", 4) end
        assert(count_cells(\"farm\", \"field\", 4, 2) == 4 and count_cells(\"farm\", \"field\", 4, 1) == 0)
        assert(longest(yours, \"field\") == 2 and table.concat(lines(\"farm\", \"row\", 2)[1], \" \") == \"5 6\")
        local farm = \"farm\"
        local ok, why = pcall(function() return count_cells(farm, \"field\", 4) end)
        assert(not ok and string.find(why, \"this grid belongs to players\", 1, true), why)",
    );
    let farms = |who| seen(&m, who)["grids"]["farm"].clone();
    assert_eq!(farms(Some(1)).as_array().unwrap().len(), 2);
    assert_eq!(farms(Some(1))[1]["cells"]["a1"]["field"], 4);
    assert_eq!(farms(Some(0))[1]["cells"]["a1"]["field"], Value::Null);
}

#[test]
fn cells_can_be_choices() {
    let game = "
[counters.ore]\ntext = \"Ore\"\nper = \"board\"\nvalues = [\"none\", \"gold\"]
[grids.board]\ntext = \"Board\"\nshape = \"square\"\ncolumns = 2\nrows = 2";
    let prompts = "[dig]\nauto = false\ntext = \"Dig\"\nchoices = \"board\"\nlabels = { done = \"Done\" }\n";
    let phases = "[p]\nname = \"P\"\nturns = \"around\"\nprompt = \"dig\"\n";
    let script = "return { p = {
        offer = function() choice_cells(\"board\", \"ore\", 0) end,
        act = function(player, c) set(c, \"ore\", 1) end,
    } }";
    let mut m = Pieces { game, prompts, phases, phases_luau: script, ..Pieces::default() }.play(2);
    for cell in ["b1", "a2", "a1"] {
        assert!(choices(&m).contains(&cell.to_owned()));
        answer(&mut m, cell);
    }
    assert_eq!(choices(&m), ["b2"]);
    assert_eq!(m.legal()[0].what, ChoiceItem::Cell { cell: 4, seat: None });
}
