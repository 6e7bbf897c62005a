//! Zones, tokens, verbs and the hooks of definitions.

use super::*;

#[test]
fn zones_show_their_declared_information() {
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
fn faces_and_shown_tokens_are_known() {
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
    assert_eq!(
        view(Some(1)),
        json!({ "count": 3, "tokens": ["red", null, "red"], "up": [true, false, false], "shown": [[], [], [1]] })
    );
    // No seat sees the zone, but a seat can know a token in it.
    let nobody = |who| seen(&m, who)["zones"]["nobody"].clone();
    assert_eq!(nobody(Some(0))["known"].as_array().map(Vec::len), Some(1));
    assert_eq!((&nobody(Some(0))["count"], nobody(Some(1)).get("known")), (&Value::Null, None));
}

#[test]
fn moves_and_draws_respect_limits() {
    let game = format!(
        "{DECK}
[zones.hand]\ntext = \"Hand\"\nper = \"player\"\nholds = \"cards\"\nvisible = \"owner\"\nsize = 2
[zones.discard]\nper = \"game\"\ntext = \"Discard\"\nholds = \"cards\""
    );
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
        for above, place in { [0] = 5, [1] = 4, [3] = 2, [4] = 1, [9] = 1 } do
            move_under(t, \"deck\", nil, above) assert(at(\"deck\", place) == t and count(\"deck\") == 5)
        end
        local low, high = at(\"deck\", 4), top(\"deck\")
        move_under(t, \"deck\", game, 2) assert(at(\"deck\", 3) == t and at(\"deck\", 4) == low and top(\"deck\") == high)
        for _, wrong in { -1, 0.5, \"2\" } do assert(not pcall(move_under, t, \"deck\", nil, wrong)) end
        move_under(t, \"deck\", nil, nil) assert(at(\"deck\", 1) == t)
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
[zones.table]\nper = \"game\"\ntext = \"Table\"\nholds = \"cards\"
[zones.hand]\ntext = \"Hand\"\nper = \"player\"\nholds = \"cards\"\nvisible = \"owner\"";
    let m = after_run(
        game,
        "assert(count(\"hand\", 1) == 5 and count(\"hand\", 2) == 5 and #tokens(\"cards\") == 20)
        local mine, yours = at(\"hand\", 1, 1), at(\"hand\", 1, 2)
        assert(owner(mine) == 1 and owner(yours) == 2 and mine ~= yours)
        gain(mine, \"wear\", 3) assert(get(mine, \"wear\") == 4 and get(yours, \"wear\") == 1)
        local ok, why = pcall(function() gain(mine, \"wear\", 2) end)
        assert(not ok and string.find(why, \"cannot go above 5, it would be 6\", 1, true))
        move(yours, \"table\") move(mine, \"hand\", 2) assert(owner(mine) == 1 and holder_of(mine) == 2)",
    );
    let view = seen(&m, None);
    assert_eq!(view["players"].as_array().unwrap().len(), 2);
    assert_eq!(
        view["tokens"].as_object().unwrap().len(),
        10,
        "tokens of seats that are not at the table are not there"
    );
    assert_eq!(view["tokens"]["1"]["wear"], 4);
    assert!(seen(&m, Some(0))["tokens"].get("1").is_none(), "it lies in the other's hand");
    assert_eq!(seen(&m, Some(1))["tokens"]["1"]["wear"], 4);
}

#[test]
fn engine_verbs_and_game_verbs_run() {
    let game = format!(
        "{DECK}
[kinds.cards.attributes]\ncost = {{ type = \"integer\", max = 9, default = 1 }}
[kinds.cards.hooks]\noperate = [\"player\"]\nbonus = [\"player\", \"factor\"]
[zones.hand]\ntext = \"Hand\"\nper = \"player\"\nholds = \"cards\"\nvisible = \"owner\""
    );
    let cards = "
[red]\nname = \"Red\"\ncopies = 3\noperate = [{ gain = { gold = 5 } }, { pay = { gold = 1 } }, { draw = { from = \"deck\", to = \"hand\", count = 2 } }, { twice = { gold = 2 } }]
[blue]\nname = \"Blue\"\ncopies = 2\ncost = 4\noperate = \"script\"\nbonus = \"script\"\n";
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
        set(1, \"gold\", 0) assert(not do_verb(\"pay\", 1, { amounts = { gold = 1 } }) and get(1, \"gold\") == 0)
        assert(get(2, \"gold\") == 10 and has(2, \"gold\", 10) and not has(2, \"gold\", 11))
        assert(def(\"cards\", \"blue\", \"cost\") == 4 and def(\"cards\", \"red\", \"name\") == \"Red\" and number_of(\"cards\", \"blue\") == 2)
        assert(table.concat(defs(\"cards\"), \" \") == \"red blue\")
        choose(1, \"pick\", { \"done\" })
    end } }";
    let pieces = Pieces {
        game: &game,
        cards,
        verbs,
        verbs_luau,
        cards_luau,
        phases: "[p]\nname = \"P\"\n",
        phases_luau: script,
        ..Pieces::default()
    };
    pieces.play(2);
}
