//! What the engine offers to every game, each feature in a pack of a few lines.

use std::collections::BTreeSet;

use motherlode::{Game, Match, MatchError, Outcome, Pack};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use serde_json::{Value, json};

/// A pack in pieces; what is left out is empty.
#[derive(Default, Clone, Copy)]
struct Pieces<'a> {
    game: &'a str,
    phases: &'a str,
    prompts: &'a str,
    verbs: &'a str,
    cards: &'a str,
    /// Files of scripts: `phases`, `verbs`, `cards`, `game`.
    phases_luau: &'a str,
    verbs_luau: &'a str,
    cards_luau: &'a str,
    game_luau: &'a str,
}

const HEAD: &str = r#"
name = "Pieces"
version = "1.0.0"
text = "A game for one test."
players = { min = 1, max = 4, default = 2 }
[[seats]]
name = "Ada"
[[seats]]
name = "Bob"
[[seats]]
name = "Cy"
[[seats]]
name = "Di"
[counters.gold]
text = "Gold"
per = "player"
start = 3
max = 100
[counters.log]
text = "Digits that tell what happened in what order"
per = "game"
max = 2000000000
[outcome]
score = "gold"
"#;

const PROMPTS: &str = r#"
[pick]
text = "{player}, pick."
labels = { done = "Done", more = "More", pass = "Pass" }
[whom]
text = "Whom?"
choices = "player"
[sure]
text = "Sure?"
auto = true
labels = { yes = "Yes", no = "No" }
"#;

const CARDS: &str = r#"
[red]
name = "Red"
copies = 3
[blue]
name = "Blue"
copies = 2
"#;

/// A kind of cards and a deck of them.
const DECK: &str = r#"
[kinds.cards]
text = "Cards"
zone = "deck"
[zones.deck]
per = "game"
text = "Deck"
holds = "cards"
visible = "count"
"#;

impl Pieces<'_> {
    fn pack(&self) -> Pack {
        let game = if self.game.contains("name =") && self.game.contains("players =") {
            self.game.to_owned()
        } else {
            // Plain keys must stand before the first table.
            let (keys, tables) = self.game.split_at(self.game.find('[').unwrap_or(self.game.len()));
            let (name, rest) = HEAD.split_once("[[seats]]").unwrap();
            let outcome = if tables.contains("[outcome]") { rest.split_once("[outcome]").unwrap().0 } else { rest };
            format!("{name}{keys}\n[[seats]]{outcome}\n{tables}")
        };
        let mut files = vec![("content/pieces/game.toml".to_owned(), game)];
        let prompts = format!("{PROMPTS}{}", self.prompts);
        let cards = if self.cards.is_empty() && self.game.contains("[kinds.cards]") { CARDS } else { self.cards };
        for (path, text) in [
            ("content/pieces/phases.toml", self.phases),
            ("content/pieces/prompts.toml", prompts.as_str()),
            ("content/pieces/verbs.toml", self.verbs),
            ("content/pieces/cards.toml", cards),
            ("scripts/pieces/phases.luau", self.phases_luau),
            ("scripts/pieces/verbs.luau", self.verbs_luau),
            ("scripts/pieces/cards.luau", self.cards_luau),
            ("scripts/pieces/game.luau", self.game_luau),
        ] {
            if !text.is_empty() {
                files.push((path.to_owned(), text.to_owned()));
            }
        }
        Pack::from_files("pieces", files)
    }

    fn game(&self) -> Game {
        Game::load(&self.pack()).unwrap_or_else(|faults| panic!("{faults}"))
    }

    fn play(&self, players: u8) -> Match {
        self.play_with(players, &[])
    }

    fn play_with(&self, players: u8, options: &[(&str, &str)]) -> Match {
        let game = self.game();
        let options: Vec<(String, String)> = options.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect();
        Match::new(&game, &game.setup(Some(players), &options, 5).unwrap()).unwrap_or_else(|error| panic!("{error}"))
    }
}

/// Index of a counter or zone by name.
fn counter(m: &Match, name: &str) -> usize {
    m.game().declarations().counters.get_index_of(name).unwrap()
}

fn value(m: &Match, name: &str, holder: i32) -> i32 {
    m.counter(holder, counter(m, name)).unwrap()
}

fn ids(m: &Match, zone: &str, holder: i32) -> Vec<String> {
    let index = m.game().declarations().zones.get_index_of(zone).unwrap();
    let layout = m.game().layout();
    let id = |token: i32| m.game().declarations().definitions[layout.tokens[token as usize - 1].definition].id.clone();
    m.zone(index, holder).unwrap().into_iter().map(id).collect()
}

fn choices(m: &Match) -> Vec<String> {
    m.choices().iter().map(|&raw| m.describe(raw).id).collect()
}

fn seat(m: &Match) -> u8 {
    m.decision().expect("somebody is asked").seat
}

/// Answers with the choice of this id. On the way it proves that the match can be left and taken up at this decision: a
/// snapshot put back, a fork and a second snapshot after both give the same position.
fn answer(m: &mut Match, id: &str) {
    let index = choices(m).iter().position(|choice| choice == id);
    let index = index.unwrap_or_else(|| panic!("no choice {id} among {:?}", choices(m)));
    let before = (m.state().hash(), m.decision(), m.choices().to_vec(), m.round());
    let snapshot = m.snapshot();
    let mut fork = m.fork().unwrap();
    m.answer(index).unwrap();
    let after = (m.state().hash(), m.decision(), m.choices().to_vec(), m.round());
    m.restore(&snapshot).unwrap();
    assert_eq!((m.state().hash(), m.decision(), m.choices().to_vec(), m.round()), before, "put back");
    m.answer(index).unwrap();
    assert_eq!((m.state().hash(), m.decision(), m.choices().to_vec(), m.round()), after, "continued");
    assert_eq!((fork.state().hash(), fork.decision(), fork.choices().to_vec(), fork.round()), before, "forked");
    fork.answer(index).unwrap();
    assert_eq!((fork.state().hash(), fork.decision(), fork.choices().to_vec(), fork.round()), after, "fork continued");
    assert_eq!(fork.observe(None), m.observe(None));
}

fn outcome(m: &Match) -> Outcome {
    m.outcome().expect("the match is over")
}

fn error(pieces: &Pieces<'_>, players: u8) -> String {
    let game = pieces.game();
    match Match::new(&game, &game.setup(Some(players), &[], 5).unwrap()) {
        Ok(_) => panic!("this should fail"),
        Err(error) => error.to_string(),
    }
}

fn seen(m: &Match, seat: Option<u8>) -> Value {
    serde_json::to_value(m.observe(seat)).unwrap()
}

/// A game that is one `run` and asks at its end, so that the position can be looked at.
fn after_run(game: &str, run: &str) -> Match {
    let script = format!("return {{ p = {{ run = function()\n{run}\nchoose(1, \"pick\", {{ \"done\", \"more\" }})\nend }} }}");
    Pieces { game, phases: "[p]\nname = \"P\"\n", phases_luau: &script, ..Pieces::default() }.play(2)
}

// --- zones

const ZONES: &str = r#"
[kinds.cards]
text = "Cards"
[zones.public]
per = "game"
text = "Public"
holds = "cards"
[zones.owner]
text = "Owner"
per = "player"
holds = "cards"
visible = "owner"
[zones.secret]
text = "Secret"
per = "player"
holds = "cards"
visible = "secret"
[zones.count]
per = "game"
text = "Count"
holds = "cards"
visible = "count"
[zones.nobody]
per = "game"
text = "Nobody"
holds = "cards"
visible = "nobody"
[zones.face]
per = "game"
text = "Face"
holds = "cards"
visible = "face"
"#;

#[test]
fn zones_show_what_is_declared() {
    let m = after_run(
        ZONES,
        "local t = tokens(\"cards\")
        move(t[1], \"public\") move(t[2], \"owner\", 1) move(t[3], \"secret\", 1) move(t[4], \"count\") move(t[5], \"nobody\")",
    );
    let all = json!({ "count": 1, "tokens": ["red"] });
    let hidden = json!({ "count": null, "tokens": [] });
    let counted = json!({ "count": 1, "tokens": [null] });
    for (who, owner, secret) in [(Some(0), &all, &all), (Some(1), &counted, &hidden), (None, &all, &all)] {
        let view = seen(&m, who);
        assert_eq!(view["zones"]["public"], all);
        assert_eq!(&view["players"][0]["zones"]["owner"], owner, "{who:?}");
        assert_eq!(&view["players"][0]["zones"]["secret"], secret, "{who:?}");
        let blue = json!({ "count": 1, "tokens": ["blue"] });
        assert_eq!(view["zones"]["count"], if who.is_none() { blue.clone() } else { counted.clone() });
        assert_eq!(view["zones"]["nobody"], if who.is_none() { blue } else { hidden.clone() });
    }
}

#[test]
fn faces_and_what_was_shown() {
    let m = after_run(
        ZONES,
        "local t = tokens(\"cards\")
        for i = 1, 3 do move(t[i], \"face\") end
        turn_up(t[1]) turn_up(t[2]) turn_down(t[2]) show(t[3], 2)
        assert(is_up(t[1]) and not is_up(t[2]) and not is_up(t[3]))
        assert(knows(2, t[3]) and not knows(1, t[3]) and not knows(1, t[1]))
        move(t[4], \"nobody\") show(t[4], 1)",
    );
    let view = |who| seen(&m, who)["zones"]["face"].clone();
    assert_eq!(view(Some(0)), json!({ "count": 3, "tokens": ["red", null, null], "up": [true, false, false] }));
    assert_eq!(view(Some(1)), json!({ "count": 3, "tokens": ["red", null, "red"], "up": [true, false, false] }));
    // Nobody sees the zone, but a token in it can be known.
    assert_eq!(seen(&m, Some(0))["zones"]["nobody"]["count"], Value::Null);
}

#[test]
fn moving_drawing_and_limits() {
    let game = format!("{DECK}
[zones.hand]\ntext = \"Hand\"\nper = \"player\"\nholds = \"cards\"\nvisible = \"owner\"\nsize = 2
[zones.discard]\nper = \"game\"\ntext = \"Discard\"\nholds = \"cards\"");
    let m = after_run(
        &game,
        "assert(count(\"deck\") == 5 and id(at(\"deck\", 1)) == \"red\" and id(top(\"deck\")) == \"blue\")
        assert(at(\"deck\", 6) == nil and at(\"deck\", 0) == nil and top(\"discard\") == nil)
        local t = draw(\"deck\", nil, \"hand\", 1)
        assert(id(t) == \"blue\" and zone_of(t) == \"hand\" and holder_of(t) == 1 and is_at(t, \"hand\", 1))
        assert(not is_at(t, \"hand\", 2) and not is_at(t, \"deck\") and kind(t) == \"cards\" and owner(t) == game)
        move(t, \"discard\") assert(holder_of(t) == game)
        move_under(t, \"deck\") assert(at(\"deck\", 1) == t and count(\"deck\") == 5)
        move_under(top(\"deck\"), \"deck\") assert(at(\"deck\", 2) == t)
        draw(\"deck\", nil, \"hand\", 2) draw(\"deck\", nil, \"hand\", 2)
        local ok, why = pcall(function() draw(\"deck\", nil, \"hand\", 2) end)
        assert(not ok and string.find(why, \"zone `hand` is full (2 tokens)\", 1, true), why)
        assert(count(\"deck\") == 3 and count(\"hand\", 2) == 2)
        move(at(\"hand\", 1, 2), \"hand\", 2)
        for i = 1, 3 do draw(\"deck\", nil, \"discard\") end
        assert(draw(\"deck\", nil, \"discard\") == nil and #cards(\"deck\") == 0)",
    );
    assert_eq!(ids(&m, "discard", 0).len(), 3);
}

#[test]
fn an_empty_zone_is_refilled_from_its_reserve() {
    let game = "
[kinds.cards]\ntext = \"Cards\"\nzone = \"discard\"
[zones.deck]\nper = \"game\"\ntext = \"Deck\"\nholds = \"cards\"\nvisible = \"count\"\nreshuffle = \"discard\"
[zones.discard]\nper = \"game\"\ntext = \"Discard\"\nholds = \"cards\"
[zones.hand]\ntext = \"Hand\"\nper = \"player\"\nholds = \"cards\"\nvisible = \"owner\"";
    let m = after_run(
        game,
        "for _, t in tokens(\"cards\") do show(t, 1) turn_up(t) end
        local t = draw(\"deck\", nil, \"hand\", 1)
        assert(count(\"discard\") == 0 and count(\"deck\") == 4 and count(\"hand\", 1) == 1)
        for _, t in cards(\"deck\") do assert(not knows(1, t) and not is_up(t), \"a shuffle forgets\") end
        assert(not knows(1, t))
        for _ = 1, 4 do draw(\"deck\", nil, \"hand\", 1) end
        assert(draw(\"deck\", nil, \"hand\", 1) == nil)",
    );
    assert_eq!(ids(&m, "hand", 1).len(), 5);
}

#[test]
fn displays_are_filled_up_after_every_hook() {
    let game = "
[kinds.cards]\ntext = \"Cards\"\nzone = \"deck\"
[zones.deck]\nper = \"game\"\ntext = \"Deck\"\nholds = \"cards\"\nvisible = \"count\"
[zones.market]\nper = \"game\"\ntext = \"Market\"\nholds = \"cards\"\nsize = 2\nrefill = \"deck\"
[zones.hand]\ntext = \"Hand\"\nper = \"player\"\nholds = \"cards\"\nvisible = \"owner\"";
    let script = "return { p = {
        offer = function() choice_zone(\"market\") choice(\"done\") end,
        act = function(player, x) if x ~= \"done\" then move(x, \"hand\", player) assert(count(\"market\") < 2) else end_game() end end,
    } }";
    let phases = "[p]\nname = \"P\"\nturns = \"around\"\nprompt = \"take\"\n";
    let prompts = "[take]\ntext = \"Take\"\nchoices = \"token\"\nlabels = { done = \"Done\" }\n";
    let mut m = Pieces { game, phases, prompts, phases_luau: script, ..Pieces::default() }.play(2);
    assert_eq!(choices(&m), ["blue", "blue", "done"]);
    answer(&mut m, "blue");
    assert_eq!(choices(&m), ["blue", "red", "done"]);
    answer(&mut m, "blue");
    answer(&mut m, "red");
    assert_eq!((choices(&m), ids(&m, "deck", 0).len()), (vec!["red".into(), "red".into(), "done".into()], 0));
    answer(&mut m, "red");
    assert_eq!(choices(&m), ["red", "done"], "nothing is left to fill up with");
    answer(&mut m, "done");
    assert_eq!(outcome(&m).reason, "script");
}

#[test]
fn tokens_have_counters_and_players_have_sets_of_their_own() {
    let game = "
[kinds.cards]\ntext = \"Cards\"\nper = \"player\"\nzone = \"hand\"
[counters.wear]\ntext = \"Wear\"\nper = \"cards\"\nstart = 1\nmax = 5
[zones.hand]\ntext = \"Hand\"\nper = \"player\"\nholds = \"cards\"\nvisible = \"owner\"";
    let m = after_run(
        game,
        "assert(count(\"hand\", 1) == 5 and count(\"hand\", 2) == 5 and #tokens(\"cards\") == 20)
        local mine, yours = at(\"hand\", 1, 1), at(\"hand\", 1, 2)
        assert(owner(mine) == 1 and owner(yours) == 2 and mine ~= yours)
        gain(mine, \"wear\", 3) assert(get(mine, \"wear\") == 4 and get(yours, \"wear\") == 1)
        local ok, why = pcall(function() gain(mine, \"wear\", 2) end)
        assert(not ok and string.find(why, \"cannot go above 5, it would be 6\", 1, true))
        move(mine, \"hand\", 2) assert(owner(mine) == 1 and holder_of(mine) == 2)",
    );
    let view = seen(&m, None);
    assert_eq!(view["players"].as_array().unwrap().len(), 2);
    assert_eq!(view["tokens"].as_object().unwrap().len(), 10, "tokens of seats that are not at the table are not there");
    assert_eq!(view["tokens"]["1"]["wear"], 4);
    assert!(seen(&m, Some(0))["tokens"].get("1").is_none(), "it lies in the other's hand");
    assert_eq!(seen(&m, Some(1))["tokens"]["1"]["wear"], 4);
}

// --- grids

#[test]
fn square_grids() {
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
fn hexagonal_and_shifted_grids() {
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
        local ok, why = pcall(function() return lines(\"wall\", \"a\") end)
        assert(not ok or why == nil)",
    );
}

#[test]
fn every_player_can_have_a_grid() {
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
        local ok, why = pcall(function() return count_cells(\"farm\", \"field\", 4) end)
        assert(not ok and string.find(why, \"this grid belongs to players\", 1, true), why)",
    );
    let farms = |who| seen(&m, who)["grids"]["farm"].clone();
    assert_eq!(farms(Some(1)).as_array().unwrap().len(), 2);
    assert_eq!(farms(Some(1))[1]["cells"]["a1"]["field"], 4);
    assert_eq!(farms(Some(0))[1]["cells"]["a1"]["field"], Value::Null);
}

#[test]
fn cells_as_choices() {
    let game = "
[counters.ore]\ntext = \"Ore\"\nper = \"board\"\nvalues = [\"none\", \"gold\"]
[grids.board]\ntext = \"Board\"\nshape = \"square\"\ncolumns = 2\nrows = 2";
    let prompts = "[dig]\ntext = \"Dig\"\nchoices = \"board\"\nlabels = { done = \"Done\" }\n";
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
    assert_eq!(m.describe(m.choices()[0]).cell, Some(4));
}

// --- verbs and hooks of definitions

#[test]
fn verbs_of_the_engine_and_of_the_game() {
    let game = format!("{DECK}
[kinds.cards.attributes]\ncost = {{ type = \"integer\", max = 9, default = 1 }}
[kinds.cards.hooks]\noperate = [\"player\"]\nbonus = [\"player\", \"factor\"]
[zones.hand]\ntext = \"Hand\"\nper = \"player\"\nholds = \"cards\"\nvisible = \"owner\"");
    let cards = "
[red]\nname = \"Red\"\ncopies = 3\noperate = [{ gain = { gold = 5 } }, { pay = { gold = 1 } }, { draw = { from = \"deck\", to = \"hand\", count = 2 } }, { twice = { gold = 2 } }]
[blue]\nname = \"Blue\"\ncopies = 2\ncost = 4\n";
    let verbs = "[twice]\ntext = \"Twice {gold}.\"\nargs = { gold = { type = \"integer\", min = 1, max = 9 } }\n";
    let verbs_luau = "return { twice = function(player, args) gain(player, \"gold\", args.gold * 2) end }";
    let cards_luau = "return {
        blue = {
            operate = function(token, player) gain(player, \"gold\", attr(token, \"cost\")) return 7 end,
            bonus = function(token, player, factor) return player * 10 + factor + token end,
        },
    }";
    let script = "return { p = { run = function()
        local red, blue = at(\"deck\", 1), top(\"deck\")
        run(red, \"operate\", 1)
        assert(get(1, \"gold\") == 3 + 5 - 1 + 4 and count(\"hand\", 1) == 2, get(1, \"gold\"))
        assert(run(blue, \"operate\", 2) == 7 and get(2, \"gold\") == 7)
        assert(run(blue, \"bonus\", 2, 3) == 23 + blue and run(red, \"bonus\", 2, 3) == nil)
        assert(run_def(\"cards\", \"blue\", \"bonus\", 1, 1) == 11 and run_def(\"cards\", \"red\", \"bonus\", 1, 1) == nil)
        assert(has_hook(red, \"operate\") and not has_hook(red, \"bonus\") and has_hook(blue, \"bonus\"))
        do_verb(\"twice\", 2, { gold = 3 }) assert(get(2, \"gold\") == 13)
        do_verb(\"gain\", 2, { amounts = { gold = 1 } }) do_verb(\"pay\", 2, { amounts = { gold = 4 } })
        assert(get(2, \"gold\") == 10 and has(2, \"gold\", 10) and not has(2, \"gold\", 11))
        assert(def(\"cards\", \"blue\", \"cost\") == 4 and def(\"cards\", \"red\", \"name\") == \"Red\" and number_of(\"cards\", \"blue\") == 2)
        assert(table.concat(defs(\"cards\"), \" \") == \"red blue\")
        choose(1, \"pick\", { \"done\" })
    end } }";
    let pieces = Pieces { game: &game, cards, verbs, verbs_luau, cards_luau, phases: "[p]\nname = \"P\"\n", phases_luau: script, ..Pieces::default() };
    pieces.play(2);
    let poor = Pieces { phases_luau: "return { p = { run = function()\n    set(1, \"gold\", 0)\n    do_verb(\"pay\", 1, { amounts = { gold = 1 } })\nend } }", ..pieces };
    assert!(error(&poor, 2).contains("phases.luau:3: counter `gold` cannot go below 0, it would be -1"), "{}", error(&poor, 2));
}

// --- phases

/// Writes one digit to the game's log.
const NOTE: &str = "local function note(n) set(game, \"log\", get(game, \"log\") * 10 + n) end\n";

fn phases(phases: &str, script: &str) -> Match {
    phases_of(3, phases, script)
}

fn phases_of(players: u8, phases: &str, script: &str) -> Match {
    let script = format!("{NOTE}return {{ {script} }}");
    let first = "[counters.starter]\ntext = \"Starter\"\nper = \"game\"\nstart = 2\nmin = 1\nmax = 4\n";
    Pieces { game: first, phases, phases_luau: &script, ..Pieces::default() }.play(players)
}

#[test]
fn the_order_of_hooks() {
    let mut m = phases(
        "[a]\nname = \"A\"\nwhen = \"setup\"\n[b]\nname = \"B\"\ntimes = 2\n[c]\nname = \"C\"\n[d]\nname = \"D\"\nwhen = \"end\"\n",
        "a = { run = function() assert(round() == 0) note(1) end },
        b = { start = function() note(2) end, run = function() note(3) end, finish = function() note(4) end },
        c = { applies = function() return round() == 1 end, run = function() note(5) end_after_round() end },
        d = { run = function() note(6) choose(1, \"pick\", { \"done\" }) end }",
    );
    assert_eq!((value(&m, "log", 0), m.round(), m.phase()), (1_234_234_56, 1, "d"));
    answer(&mut m, "done");
    assert_eq!((outcome(&m).reason.as_str(), outcome(&m).rounds), ("after round", 1));
}

#[test]
fn a_phase_that_does_not_apply_is_left_out() {
    let mut m = phases(
        "[a]\nname = \"A\"\nturns = \"once\"\n[b]\nname = \"B\"\n",
        "a = { applies = function() return round() ~= 1 end, turn = function(p) choose(p, \"pick\", { \"done\" }) end },
        b = { run = function() note(round()) end }",
    );
    assert_eq!((value(&m, "log", 0), m.round(), seat(&m)), (1, 2, 0));
    for next in [1, 2] {
        answer(&mut m, "done");
        assert_eq!(seat(&m), next);
    }
    answer(&mut m, "done");
    assert_eq!((value(&m, "log", 0), m.round(), seat(&m)), (12, 3, 0));
}

/// Seats that are asked one after the other until somebody is asked twice or so many were asked.
fn seats(m: &mut Match, most: usize) -> Vec<u8> {
    let mut out = Vec::new();
    while let Some(decision) = m.decision() {
        if out.len() == most {
            break;
        }
        out.push(decision.seat);
        answer(m, "done");
    }
    out
}

#[test]
fn who_begins_and_in_what_order() {
    let turn = "turn = function(p) choose(p, \"pick\", { \"done\" }) end";
    let once = "[a]\nname = \"A\"\nturns = \"once\"\n";
    assert_eq!(seats(&mut phases(once, &format!("a = {{ {turn} }}")), 3), [0, 1, 2]);
    let first = "[a]\nname = \"A\"\nturns = \"once\"\nfirst = \"starter\"\n";
    assert_eq!(seats(&mut phases(first, &format!("a = {{ {turn} }}")), 3), [1, 2, 0]);
    let order = "order = function() return { 3, 1 } end";
    assert_eq!(seats(&mut phases(first, &format!("a = {{ {order}, {turn} }}")), 4), [2, 0, 2, 0]);
    let skip = "skip = function(p) return p == 2 end";
    assert_eq!(seats(&mut phases(once, &format!("a = {{ {skip}, {turn} }}")), 4), [0, 2, 0, 2]);
    let out = "start = function() if round() == 1 then eliminate(2) end end";
    assert_eq!(seats(&mut phases(once, &format!("a = {{ {out}, {turn} }}")), 4), [0, 2, 0, 2]);
    let around = "[a]\nname = \"A\"\nturns = \"around\"\nfirst = \"starter\"\n";
    assert_eq!(seats(&mut phases(around, &format!("a = {{ {turn} }}")), 5), [1, 2, 0, 1, 2]);
    assert_eq!(seats(&mut phases(around, &format!("a = {{ {order}, {skip}, {turn} }}")), 5), [2, 0, 2, 0, 2]);
}

#[test]
fn a_starter_who_is_out_is_passed_over() {
    let m = phases(
        "[a]\nname = \"A\"\nturns = \"once\"\nfirst = \"starter\"\n",
        "a = { start = function() if round() == 1 then eliminate(2) end end, turn = function(p) choose(p, \"pick\", { \"done\" }) end }",
    );
    assert_eq!(seat(&m), 2);
    assert_eq!(seen(&m, None)["players"][1]["in"], false);
}

#[test]
fn passing_until_all_have_passed() {
    let mut m = phases(
        "[a]\nname = \"A\"\nturns = \"passes\"\nprompt = \"pick\"\n[b]\nname = \"B\"\n",
        "a = {
            offer = function(p) if get(p, \"gold\") > 0 then choice(\"more\") choice(\"pass\") end end,
            act = function(p, x) if x == \"pass\" then pass(p) else pay(p, \"gold\", 1) end note(p) end,
        },
        b = { run = function() note(9) choose(1, \"pick\", { \"done\" }) end }",
    );
    // Ada plays, Bob passes, Cy plays, Ada plays, Cy plays ... Cy runs out and passes without a question; Ada goes on alone.
    for (who, id) in [(0, "more"), (1, "pass"), (2, "more"), (0, "more"), (2, "more"), (0, "pass"), (2, "more")] {
        assert_eq!(seat(&m), who);
        answer(&mut m, id);
    }
    assert_eq!((value(&m, "log", 0), m.phase()), (12_313_139, "b"));
    answer(&mut m, "done");
    assert_eq!((m.round(), seat(&m)), (2, 0), "passes are forgotten");
}

#[test]
fn the_last_one_goes_on_alone() {
    let mut m = phases(
        "[a]\nname = \"A\"\nturns = \"passes\"\nprompt = \"pick\"\n[b]\nname = \"B\"\n",
        "a = {
            offer = function() choice(\"more\") choice(\"pass\") end,
            act = function(p, x) if x == \"pass\" then pass(p) end end,
        },
        b = { run = function() end_game() end }",
    );
    for (who, id) in [(0, "pass"), (1, "more"), (2, "pass"), (1, "more"), (1, "more"), (1, "pass")] {
        assert_eq!(seat(&m), who);
        answer(&mut m, id);
    }
    assert!(m.is_over());
}

#[test]
fn ending_a_phase_and_the_game() {
    let mut m = phases(
        "[a]\nname = \"A\"\nturns = \"around\"\nprompt = \"pick\"\n[b]\nname = \"B\"\nturns = \"once\"\nprompt = \"pick\"\n[c]\nname = \"C\"\nwhen = \"end\"\n",
        "a = {
            offer = function() choice(\"more\") choice(\"done\") end,
            act = function(p, x) note(p) if x == \"done\" then end_phase() end end,
            finish = function() note(7) end,
        },
        b = {
            offer = function() choice(\"more\") choice(\"done\") end,
            act = function(p, x) note(p) if x == \"done\" then end_game() end end,
            finish = function() note(8) end,
        },
        c = { run = function() note(9) end }",
    );
    for id in ["more", "more", "done", "more", "done"] {
        answer(&mut m, id);
    }
    assert_eq!(value(&m, "log", 0), 1_237_12, "the game ends at once: no finish, no phase of the end");
    assert_eq!((outcome(&m).reason.as_str(), outcome(&m).rounds), ("script", 1));
    assert_eq!(m.answer(0), Err(MatchError::NoDecision));
}

#[test]
fn a_last_round_is_played_to_its_end() {
    let mut m = phases_of(
        2,
        "[a]\nname = \"A\"\nturns = \"once\"\n",
        "a = { turn = function(p) choose(p, \"pick\", { \"done\" }) if round() == 2 and p == 1 then end_after_round() end note(p) end }",
    );
    for _ in 0..4 {
        assert!(!m.is_over());
        answer(&mut m, "done");
    }
    assert_eq!((value(&m, "log", 0), outcome(&m).reason.as_str(), outcome(&m).rounds), (1212, "after round", 2));
}

#[test]
fn rounds_are_limited_by_the_game_and_by_the_engine() {
    let pieces = Pieces {
        game: "rounds = \"length\"\n[options.length]\ntext = \"Rounds\"\ndefault = 3\nmin = 1\nmax = 9\n",
        phases: "[a]\nname = \"A\"\nturns = \"once\"\n[z]\nname = \"Z\"\nwhen = \"end\"\n",
        phases_luau: "return { a = { turn = function(p) choose(p, \"pick\", { \"done\" }) end }, z = { run = function() gain(1, \"gold\", round()) end } }",
        ..Pieces::default()
    };
    let mut m = pieces.play(1);
    assert_eq!(seats(&mut m, 99).len(), 3);
    assert_eq!((outcome(&m).reason.as_str(), outcome(&m).rounds, outcome(&m).scores), ("last round", 3, vec![6]));
    assert_eq!(seats(&mut pieces.play_with(1, &[("length", "5")]), 99).len(), 5);
    let endless = Pieces { game: "", phases: "[a]\nname = \"A\"\nturns = \"once\"\n", phases_luau: "return { a = { turn = function(p) choose(p, \"pick\", { \"done\" }) end } }", ..Pieces::default() };
    let mut m = endless.play(1);
    m.limits_mut().rounds = 4;
    for _ in 0..3 {
        m.answer(0).unwrap();
    }
    let hash = m.state().hash();
    assert_eq!(m.answer(0).unwrap_err().to_string(), "the match did not end within 4 rounds");
    assert_eq!((m.state().hash(), m.round(), m.choices().len()), (hash, 4, 1));
}

#[test]
fn elimination_to_the_last() {
    let mut m = phases(
        "[a]\nname = \"A\"\nturns = \"around\"\nprompt = \"whom\"\n",
        "a = {
            offer = function(p) for _, q in players() do if q ~= p then choice(q) end end end,
            act = function(p, q)
                eliminate(q)
                assert(not is_in(q) and is_in(p) and player_count() == 3 and next_player(p) ~= q)
                if #players() == 1 then assert(next_player(p) == p) end_game() end
            end,
        }",
    );
    assert_eq!(choices(&m), ["2", "3"]);
    answer(&mut m, "2");
    assert_eq!((seat(&m), choices(&m)), (2, vec!["1".to_owned()]));
    answer(&mut m, "1");
    assert!(m.is_over());
}

#[test]
fn everybody_may_leave() {
    for turns in ["once", "around", "passes", "sealed"] {
        let game = phases(
            &format!("[a]\nname = \"A\"\nturns = \"{turns}\"\n[z]\nname = \"Z\"\n"),
            "a = {
                start = function() for p = 1, 3 do eliminate(p) end assert(#players() == 0) end,
                turn = function(p) error(\"nobody is in\") end,
            },
            z = { run = function() choose(1, \"pick\", { \"done\" }) end }",
        );
        assert_eq!((game.phase(), game.round()), ("z", 1), "{turns}");
    }
}

// --- questions

#[test]
fn questions_in_every_hook() {
    let mut m = Pieces {
        phases: "[a]\nname = \"A\"\nturns = \"once\"\n[b]\nname = \"B\"\nwhen = \"end\"\n",
        phases_luau: &format!("{NOTE}return {{
            a = {{
                start = function() note(choose(1, \"pick\", {{ 1, 2 }})) end,
                turn = function(p) note(choose(p, \"pick\", {{ 3, 4 }})) note(choose(3 - p, \"pick\", {{ 5, 6 }})) end,
                finish = function() note(choose(2, \"pick\", {{ 7, 8 }})) end_after_round() end,
            }},
            b = {{ run = function() note(choose(2, \"whom\", {{ 1, 2 }})) end }},
        }}"),
        game_luau: &format!("{NOTE}return {{
            setup = function() note(choose(2, \"pick\", {{ 8, 9 }})) end,
            finish = function() set(1, \"gold\", choose(1, \"pick\", {{ 50, 60 }})) end,
        }}"),
        ..Pieces::default()
    }
    .play(2);
    for (who, id) in [(1, "9"), (0, "2"), (0, "3"), (1, "6"), (1, "4"), (0, "5"), (1, "8"), (1, "1"), (0, "60")] {
        assert_eq!(seat(&m), who, "{:?}", value(&m, "log", 0));
        answer(&mut m, id);
    }
    assert_eq!((value(&m, "log", 0), outcome(&m).scores), (92_364_581, vec![60, 3]));
}

#[test]
fn single_choices_are_taken_where_the_prompt_says_so() {
    let mut m = after_run(
        "",
        "assert(choose(1, \"sure\", { \"yes\" }) == \"yes\")
        if choose(2, \"sure\", { \"no\", \"yes\" }) == \"yes\" then gain(2, \"gold\", 1) end
        assert(choose(1, \"sure\", { 7 }) == 7)",
    );
    assert_eq!((seat(&m), choices(&m)), (1, vec!["no".to_owned(), "yes".to_owned()]));
    answer(&mut m, "yes");
    assert_eq!((seat(&m), value(&m, "gold", 2)), (0, 4));
    let auto = "offer = function(p) choice(\"yes\") if get(p, \"gold\") > 4 then choice(\"no\") end end, act = function(p, x) assert(x == \"yes\") gain(p, \"gold\", 1) end";
    let mut m = phases("[a]\nname = \"A\"\nturns = \"around\"\nprompt = \"sure\"\n", &format!("a = {{ {auto} }}"));
    assert_eq!((seat(&m), value(&m, "gold", 1), value(&m, "gold", 3)), (0, 5, 5));
    answer(&mut m, "yes");
    assert_eq!((seat(&m), value(&m, "gold", 1)), (1, 6));
}

#[test]
fn numbers_labels_and_tokens_in_one_list() {
    let mut m = {
        let game = DECK;
        let prompts = "[take]\ntext = \"Take\"\nchoices = \"token\"\nlabels = { none = \"Nothing\" }\n";
        let script = "return { p = { run = function()
            local x = choose(1, \"take\", { \"none\", top(\"deck\"), at(\"deck\", 1) })
            if x ~= \"none\" then move_under(x, \"deck\") end
            choose(2, \"take\", { x })
        end } }";
        Pieces { game, prompts, phases: "[p]\nname = \"P\"\n", phases_luau: script, ..Pieces::default() }.play(2)
    };
    assert_eq!(choices(&m), ["none", "blue", "red"]);
    assert_eq!(m.describe(m.choices()[0]).label, "Nothing");
    assert_eq!(m.describe(m.choices()[1]).token, Some(5));
    let snapshot = m.snapshot();
    answer(&mut m, "none");
    assert_eq!((seat(&m), choices(&m)), (1, vec!["none".to_owned()]));
    m.restore(&snapshot).unwrap();
    answer(&mut m, "blue");
    assert_eq!((choices(&m), ids(&m, "deck", 0)[0].as_str()), (vec!["blue".to_owned()], "blue"));
}

#[test]
fn the_text_of_a_question() {
    let m = after_run("", "");
    assert_eq!(m.prompt_text(&m.decision().unwrap()), "Ada, pick.");
}

// --- sealed phases

#[test]
fn sealed_answers_come_in_any_order_and_show_at_once() {
    let script = "return {
        a = { turn = function(p)
            local n = choose(p, \"pick\", { 10, 20 })
            if n == 20 then n += choose(p, \"pick\", { 1, 2 }) end
            gain(p, \"gold\", n)
        end },
    }";
    let pieces = Pieces { phases: "[a]\nname = \"A\"\nturns = \"sealed\"\n", phases_luau: script, ..Pieces::default() };
    let reached: BTreeSet<u64> = [[0, 1, 2], [2, 1, 0], [1, 2, 0]]
        .into_iter()
        .map(|order| {
            let mut m = pieces.play(3);
            assert_eq!(m.pending().len(), 3);
            let before = seen(&m, Some(2));
            for who in order {
                m.focus(who).unwrap();
                if who == 1 {
                    answer(&mut m, "20");
                    assert_eq!(m.decision().map(|d| d.seat), Some(who), "the same seat is asked again");
                    answer(&mut m, "2");
                } else {
                    answer(&mut m, "10");
                }
                if m.round() == 1 {
                    assert_eq!(m.answer_as(who, 0), Err(MatchError::NotPending { seat: who }));
                    if who != 2 && !order[..order.iter().position(|&w| w == who).unwrap()].contains(&2) {
                        assert_eq!(seen(&m, Some(2)), before, "nothing shows before the end");
                    }
                }
            }
            assert_eq!(m.round(), 2);
            assert_eq!([value(&m, "gold", 1), value(&m, "gold", 2), value(&m, "gold", 3)], [13, 25, 13]);
            m.state().hash()
        })
        .collect();
    assert_eq!(reached.len(), 1, "the order of answers does not matter");
}

// --- outcome

#[test]
fn ties_are_broken_in_order_and_ranks_are_shared() {
    let game = "
[counters.wood]\ntext = \"Wood\"\nper = \"player\"
[counters.won]\ntext = \"Won\"\nper = \"player\"\nmin = -5
[outcome]\nscore = \"gold\"\nrank = [\"won\", \"gold\", \"wood\"]";
    let rank = |rows: [[i32; 3]; 4]| {
        let sets: String = (1..)
            .zip(rows)
            .map(|(p, [won, gold, wood])| format!("set({p}, \"won\", {won}) set({p}, \"gold\", {gold}) set({p}, \"wood\", {wood})\n"))
            .collect();
        let script = format!("return {{ p = {{ run = function()\n{sets} end_game()\nend }} }}");
        let m = Pieces { game, phases: "[p]\nname = \"P\"\n", phases_luau: &script, ..Pieces::default() }.play(4);
        (outcome(&m).ranks, outcome(&m).scores)
    };
    assert_eq!(rank([[0, 5, 1], [1, 0, 0], [0, 5, 2], [0, 4, 9]]), (vec![3, 1, 2, 4], vec![5, 0, 5, 4]));
    assert_eq!(rank([[0, 5, 1], [0, 5, 1], [0, 4, 0], [-1, 9, 9]]).0, [1, 1, 3, 4]);
    assert_eq!(rank([[2, 2, 2]; 4]).0, [1, 1, 1, 1]);
}

// --- options, setup

#[test]
fn options_in_amounts_and_in_scripts() {
    let pieces = Pieces {
        game: "
[options.purse]\ntext = \"Gold at the start\"\ndefault = 4\nmin = 0\nmax = 9
[options.fast]\ntext = \"Fast\"\ndefault = false
[options.map]\ntext = \"Map\"\ndefault = \"small\"\nvalues = { small = \"Small\", large = \"Large\" }\nplayers = [2]
[counters.silver]\ntext = \"Silver\"\nper = \"player\"\nstart = \"purse\"",
        phases: "[p]\nname = \"P\"\n",
        phases_luau: "return { p = { run = function()
            gain(1, \"gold\", if option(\"fast\") then 1 else 0)
            if option(\"map\") == \"large\" then gain(1, \"gold\", 10) end
            choose(1, \"pick\", { \"done\" })
        end } }",
        ..Pieces::default()
    };
    let m = pieces.play(2);
    assert_eq!((value(&m, "silver", 1), value(&m, "silver", 2), value(&m, "gold", 1)), (4, 4, 3));
    let mut m = pieces.play_with(2, &[("purse", "7"), ("fast", "on"), ("map", "large")]);
    assert_eq!((value(&m, "silver", 1), value(&m, "gold", 1)), (7, 14));
    // The same host with other options.
    let setup = m.game().setup(Some(3), &[("purse".into(), "0".into())], 9).unwrap();
    m.restart(&setup).unwrap();
    assert_eq!((value(&m, "silver", 3), value(&m, "gold", 1)), (0, 3));
    let game = pieces.game();
    let refused = |players, key: &str, text: &str| {
        game.setup(Some(players), &[(key.into(), text.into())], 1).unwrap_err().to_string()
    };
    assert_eq!(refused(2, "purs", "1"), "unknown option `purs`; did you mean `purse`?");
    assert_eq!(refused(2, "purse", "10"), "option `purse` takes 0 to 9, not 10");
    assert_eq!(refused(2, "purse", "x"), "option `purse` takes a whole number, not `x`");
    assert_eq!(refused(2, "purse", "99999999999999999999"), "option `purse` takes a whole number, not `99999999999999999999`");
    assert_eq!(refused(2, "fast", "perhaps"), "option `fast` is on or off (true or false), not `perhaps`");
    assert_eq!(refused(2, "map", "larg"), "option `map` has no value `larg`; did you mean `large`?");
    assert_eq!(refused(3, "map", "large"), "option `map` = large is offered for 2 players only, not 3");
    assert_eq!(refused(5, "purse", "1"), "Pieces takes 1 to 4 players, not 5");
    assert_eq!(refused(0, "purse", "1"), "Pieces takes 1 to 4 players, not 0");
    // A setup that was tampered with on its way.
    let mut setup = game.setup(None, &[], 1).unwrap();
    setup.players = 9;
    assert!(matches!(Match::new(&game, &setup), Err(MatchError::Setup(_))));
    let mut setup = game.setup(None, &[], 1).unwrap();
    setup.options.shift_remove("fast");
    assert!(matches!(Match::new(&game, &setup), Err(MatchError::Setup(_))));
    assert!(m.restart(&setup).is_err());
}

// --- positions from outside

#[test]
fn positions_can_be_set_up() {
    let game = format!("{DECK}\n[zones.hand]\ntext = \"Hand\"\nper = \"player\"\nholds = \"cards\"\nvisible = \"owner\"\nsize = 3\n[zones.stones]\nper = \"game\"\ntext = \"Stones\"\nholds = \"stones\"\n[kinds.stones]\ntext = \"Stones\"");
    let script = "return {
        a = { offer = function(p) for n = 1, get(p, \"gold\") do choice(n) end end, act = function(p, n) pay(p, \"gold\", n) end },
        b = { turn = function(p) choose(p, \"pick\", { round(), 7 }) end },
        c = { turn = function(p) gain(p, \"gold\", choose(p, \"pick\", { 1, 2 })) end },
        d = { run = function() error(\"broken\") end },
    }";
    let phases = "[a]\nname = \"A\"\nturns = \"once\"\nprompt = \"pick\"\n[b]\nname = \"B\"\nturns = \"once\"\n[c]\nname = \"C\"\nturns = \"sealed\"\n[d]\nname = \"D\"\n";
    let pieces = Pieces { game: &game, phases, phases_luau: script, ..Pieces::default() };
    let files = pieces.pack().files.into_iter().map(|f| (f.path, f.text));
    let stones = ("content/pieces/stones.toml".to_owned(), "[stone]\nname = \"Stone\"\n".to_owned());
    let game = Game::load(&Pack::from_files("pieces", files.chain([stones]))).unwrap_or_else(|e| panic!("{e}"));
    let mut m = Match::new(&game, &game.setup(Some(2), &[], 1).unwrap()).unwrap();
    let gold = counter(&m, "gold");
    assert_eq!(choices(&m), ["1", "2", "3"]);
    m.set_counter(1, gold, 5).unwrap();
    assert_eq!(choices(&m).len(), 5, "the offer is listed again");
    for (holder, counter, value) in [(1, gold, 101), (1, gold, -1), (0, gold, 1), (9, gold, 1), (-1, gold, 1), (i32::MIN, gold, 1), (1, 99, 1)] {
        let hash = m.state().hash();
        assert!(matches!(m.set_counter(holder, counter, value), Err(MatchError::Position(_))));
        assert_eq!(m.state().hash(), hash);
    }
    let zone = |name: &str| game.declarations().zones.get_index_of(name).unwrap();
    m.put(zone("hand"), 1, &[1, 5]).unwrap();
    assert_eq!((ids(&m, "hand", 1), ids(&m, "deck", 0).len()), (vec!["red".to_owned(), "blue".to_owned()], 3));
    m.put(zone("hand"), 1, &[2]).unwrap();
    assert_eq!((ids(&m, "hand", 1).len(), ids(&m, "deck", 0).len()), (1, 2), "what was there lies nowhere");
    for (zone, holder, tokens) in [
        (zone("hand"), 1, vec![1, 2, 3, 4]),
        (zone("hand"), 0, vec![1]),
        (zone("hand"), 9, vec![1]),
        (99, 0, vec![1]),
        (zone("hand"), 1, vec![0]),
        (zone("hand"), 1, vec![-1]),
        (zone("hand"), 1, vec![99]),
        (zone("hand"), 1, vec![1, 1]),
        (zone("stones"), 0, vec![1]),
    ] {
        let hash = m.state().hash();
        assert!(matches!(m.put(zone, holder, &tokens), Err(MatchError::Position(_))), "{tokens:?} into {zone}");
        assert_eq!(m.state().hash(), hash);
    }
    m.go(1, Some(4), Some(1)).unwrap();
    assert_eq!((m.phase(), m.round(), seat(&m), choices(&m)), ("b", 4, 1, vec!["4".to_owned(), "7".to_owned()]));
    answer(&mut m, "7");
    assert_eq!((m.phase(), seat(&m)), ("c", 0), "the seat that began was the second of two");
    let before = (m.state().hash(), m.pending());
    assert!(m.go(99, None, None).is_err());
    let error = m.go(3, None, None).unwrap_err().to_string();
    assert!(error.contains("broken"), "{error}");
    assert_eq!((m.state().hash(), m.pending()), before);
    m.set_counter(2, gold, 50).unwrap();
    answer(&mut m, "2");
    m.go(2, None, None).unwrap();
    assert_eq!((m.pending().len(), value(&m, "gold", 1)), (2, 5), "sealed answers were forgotten");
}

// --- what a search deals again

#[test]
fn hidden_counters_are_pooled_or_kept() {
    let game = "
[counters.bid]\ntext = \"Bid\"\nper = \"player\"\nvisible = \"owner\"\nmax = 20
[counters.vault]\ntext = \"Vault\"\nper = \"player\"\nvisible = \"owner\"\nredeal = \"keep\"";
    let m = after_run(game, "for p = 1, 2 do set(p, \"bid\", 5 * p) set(p, \"vault\", 7) end");
    let mut seen_bids = BTreeSet::new();
    for seed in 0..20 {
        let mut other = m.fork().unwrap();
        other.redeal(0, &mut Pcg64Mcg::seed_from_u64(seed)).unwrap();
        assert_eq!((value(&other, "bid", 1), value(&other, "vault", 2)), (5, 7));
        assert_eq!(seen(&other, Some(0)), seen(&m, Some(0)));
        seen_bids.insert(value(&other, "bid", 2));
    }
    // One hidden holder: its pool is its own.
    assert_eq!(seen_bids, [10].into());
    let game = game.replace("[counters.vault]", "[counters.other]\ntext = \"Other\"\nper = \"player\"\n[counters.vault]");
    let m = Pieces { game: &game, phases: "[p]\nname = \"P\"\n", phases_luau: "return { p = { run = function() for p = 1, 4 do set(p, \"bid\", p) end choose(1, \"pick\", { \"done\" }) end } }", ..Pieces::default() }.play(4);
    let mut dealt = BTreeSet::new();
    for seed in 0..30 {
        let mut other = m.fork().unwrap();
        other.redeal(0, &mut Pcg64Mcg::seed_from_u64(seed)).unwrap();
        let bids = [2, 3, 4].map(|p| value(&other, "bid", p));
        assert_eq!(bids.iter().sum::<i32>(), 9);
        dealt.insert(bids);
    }
    assert!(dealt.len() > 10, "{dealt:?}");
}

#[test]
fn a_redealt_match_plays_on() {
    let game = format!("{DECK}\n[zones.hand]\ntext = \"Hand\"\nper = \"player\"\nholds = \"cards\"\nvisible = \"owner\"");
    let script = "return { p = { turn = function(p)
        local t = draw(\"deck\", nil, \"hand\", p)
        if t == nil then end_game() return end
        if choose(p, \"pick\", { \"done\", \"more\" }) == \"more\" then gain(p, \"gold\", choose(p, \"pick\", { 1, 2 })) end
    end } }";
    let mut m = Pieces { game: &game, phases: "[p]\nname = \"P\"\nturns = \"around\"\n", phases_luau: script, ..Pieces::default() }.play(2);
    answer(&mut m, "more");
    m.redeal(1, &mut Pcg64Mcg::seed_from_u64(3)).unwrap();
    assert!(m.restore(&m.snapshot()).is_err(), "in the middle of a hook it has no beginning");
    m.answer(1).unwrap();
    m.restore(&m.snapshot()).unwrap();
    let all = |m: &Match| {
        let mut all = [ids(m, "deck", 0), ids(m, "hand", 1), ids(m, "hand", 2)].concat();
        all.sort();
        all
    };
    assert_eq!(all(&m), ["blue", "blue", "red", "red", "red"]);
    while !m.is_over() {
        m.answer(0).unwrap();
    }
    assert_eq!(all(&m).len(), 5);
}

// --- small things

#[test]
fn answers_that_are_none() {
    let mut m = after_run("", "");
    assert_eq!(m.answer(2), Err(MatchError::BadChoice { index: 2, count: 2 }));
    assert_eq!(m.answer(usize::MAX), Err(MatchError::BadChoice { index: usize::MAX, count: 2 }));
    assert_eq!(m.answer_as(1, 0), Err(MatchError::NotPending { seat: 1 }));
    assert_eq!(m.answer_as(200, 0), Err(MatchError::NotPending { seat: 200 }));
    assert!(m.answers().is_empty());
    let other = after_run(ZONES, "");
    assert!(matches!(m.restore(&other.snapshot()), Err(MatchError::Snapshot(_))));
    assert_eq!(m.choices().len(), 2);
}

#[test]
fn the_generator_is_the_matchs_own() {
    let run = "for _ = 1, 200 do local n = random(6) assert(n >= 1 and n <= 6 and n % 1 == 0) set(game, \"log\", (get(game, \"log\") * 7 + n) % 1000003) end assert(random(1) == 1)";
    let m = after_run("", run);
    let mut fork = m.fork().unwrap();
    assert_eq!(fork.state().hash(), m.state().hash());
    let mut setup = m.setup().clone();
    fork.restart(&setup).unwrap();
    assert_eq!(fork.state().hash(), m.state().hash());
    setup.seed += 1;
    fork.restart(&setup).unwrap();
    assert_ne!(value(&fork, "log", 0), value(&m, "log", 0));
    setup.seed -= 1;
    fork.restart(&setup).unwrap();
    assert_eq!(fork.state().hash(), m.state().hash());
}
