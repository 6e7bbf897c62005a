//! Small in-memory games for the unit tests.

use motherlode::Game;
use motherlode_fixtures::{Texts, pack};

fn load(id: &str, content: Texts<'_>, scripts: Texts<'_>) -> Game {
    Game::load(&pack(id, content, scripts)).unwrap_or_else(|faults| panic!("{faults}"))
}

/// Tic-tac-toe: no chance, nothing hidden. Options make it fail at random or never end.
pub(crate) fn noughts() -> Game {
    let game = r#"
        name = "Noughts"
        version = "1.0.0"
        text = "Three in a row."
        players = { min = 2, max = 2, default = 2 }
        [[seats]]
        name = "Cross"
        [[seats]]
        name = "Nought"
        [options.faulty]
        text = "Fails now and then"
        default = false
        [options.endless]
        text = "Never ends"
        default = false
        [counters.won]
        text = "Won"
        per = "player"
        [counters.mark]
        text = "Mark"
        per = "board"
        values = ["none", "cross", "nought"]
        [grids.board]
        text = "Board"
        shape = "square"
        columns = 3
        rows = 3
        show = ["mark"]
        [outcome]
        score = "won"
    "#;
    let phases = r#"
        [play]
        name = "Play"
        text = "Place a mark."
        turns = "around"
        prompt = "place"
    "#;
    let prompts = r#"
        [place]
        text = "Where?"
        choices = "board"
    "#;
    let script = r#"return {
        play = {
            offer = function(player) choice_cells("board", "mark", 0) end,
            act = function(player, cell)
                if option("faulty") and random(12) == 1 then
                    error("the pencil broke")
                end
                if option("endless") then return end
                set(cell, "mark", player)
                if longest(cell, "mark") >= 3 then
                    gain(player, "won", 1)
                    end_game()
                elseif count_cells("board", "mark", 0) == 0 then
                    end_game()
                end
            end,
        },
    }"#;
    load("noughts", &[("game", game), ("phases", phases), ("prompts", prompts)], &[("phases", script)])
}

/// Each player guesses the colour of the top card of a hidden deck of three red cards and a blue one.
pub(crate) fn guess() -> Game {
    let script = r#"return {
        guess = {
            offer = function(player) choice("red") choice("blue") end,
            act = function(player, colour)
                local card = draw("deck", nil, "shown")
                if id(card) == colour then gain(player, "points", 1) end
            end,
        },
    }"#;
    guess_with("prompt = \"colour\"", script)
}

/// The same game, with the question in the middle of a turn.
pub(crate) fn guess_in_turn() -> Game {
    let script = r#"return {
        guess = {
            turn = function(player)
                local colour = choose(player, "colour", { "red", "blue" })
                local card = draw("deck", nil, "shown")
                if id(card) == colour then gain(player, "points", 1) end
            end,
        },
    }"#;
    guess_with("", script)
}

fn guess_with(prompt: &str, script: &str) -> Game {
    let game = r#"
        name = "Guess"
        version = "1.0.0"
        text = "Guess the colour of the top card."
        players = { min = 1, max = 2, default = 1 }
        rounds = 1
        [[seats]]
        name = "Left"
        [[seats]]
        name = "Right"
        [counters.points]
        text = "Points"
        per = "player"
        max = 10
        [zones.deck]
        text = "Deck"
        per = "game"
        holds = ["cards"]
        visible = "count"
        [zones.shown]
        text = "Cards shown"
        per = "game"
        holds = ["cards"]
        [zones.hand]
        text = "Hand"
        per = "player"
        holds = ["cards"]
        visible = "owner"
        [zones.row]
        text = "Row"
        per = "game"
        holds = ["cards"]
        visible = "face"
        [kinds.cards]
        text = "Cards"
        zone = "deck"
        shuffle = true
        [kinds.cards.attributes]
        worth = { type = "integer", min = 0, max = 9, default = 1, text = "Points" }
        [outcome]
        score = "points"
    "#;
    let cards = r#"
        [red]
        name = "Red"
        copies = 3
        [blue]
        name = "Blue"
        worth = 2
    "#;
    let phases = format!("[guess]\nname = \"Guess\"\ntext = \"Guess.\"\nturns = \"once\"\n{prompt}\n");
    let prompts = r#"
        [colour]
        text = "Which colour?"
        labels = { red = "Red", blue = "The blue one" }
    "#;
    load("guess", &[("game", game), ("cards", cards), ("phases", &phases), ("prompts", prompts)], &[("phases", script)])
}

/// Each player gives a card in secret, then another in turn order. A player with one card has no choice.
pub(crate) fn giving() -> Game {
    let script = r#"return {
        secret = {
            turn = function(p)
                if count("hand", p) > 0 then choice_zone("hand", p) move(ask(p, "give"), "given", p) end
            end,
        },
        open = {
            offer = function(p) choice_zone("hand", p) end,
            act = function(p, card) move(card, "given", p) if id(card) == "blue" then choose(p, "why", { "because" }) end end,
        },
    }"#;
    let game = r#"
        name = "Giving"
        version = "1.0.0"
        players = { min = 2, max = 3, default = 3 }
        rounds = 1
        seats = [{ name = "One" }, { name = "Two" }, { name = "Three" }]
        [counters.points]
        per = "player"
        [zones.deck]
        per = "game"
        holds = ["cards"]
        [zones.hand]
        per = "player"
        holds = ["cards"]
        visible = "owner"
        [zones.given]
        per = "player"
        holds = ["cards"]
        [kinds.cards]
        zone = "deck"
        [outcome]
        score = "points"
    "#;
    let cards = "[red]\nname = \"Red\"\ncopies = 4\n[blue]\nname = \"Blue\"\ncopies = 4\n";
    let phases = "[secret]\nturns = \"sealed\"\n[open]\nturns = \"once\"\nprompt = \"give\"\n";
    let prompts =
        "[give]\ntext = \"Which card?\"\nchoices = \"token\"\n[why]\ntext = \"Why?\"\nlabels = { because = \"So\" }\n";
    load("giving", &[("game", game), ("cards", cards), ("phases", phases), ("prompts", prompts)], &[("phases", script)])
}

/// Two kinds of tokens, each with zones of its own.
pub(crate) fn shelves() -> Game {
    let game = r#"
        name = "Shelves"
        version = "1.0.0"
        players = { min = 2, max = 2, default = 2 }
        rounds = 1
        seats = [{ name = "One" }, { name = "Two" }]
        [counters.points]
        per = "player"
        [zones.deck]
        per = "game"
        holds = ["cards"]
        [zones.hand]
        per = "player"
        holds = ["cards"]
        [zones.shelf]
        per = "game"
        holds = ["tiles"]
        [kinds.cards]
        zone = "deck"
        [kinds.tiles]
        zone = "shelf"
        [outcome]
        score = "points"
    "#;
    let (cards, tiles) = ("[red]\nname = \"Red\"\n[blue]\nname = \"Blue\"\n", "[marsh]\nname = \"Marsh\"\n");
    let (phases, prompts) = ("[play]\nturns = \"once\"\nprompt = \"pick\"\n", "[pick]\ntext = \"Which?\"\n");
    let script = "return { play = { offer = function() choice(1) choice(2) end, act = function() end } }";
    load(
        "shelves",
        &[("game", game), ("cards", cards), ("tiles", tiles), ("phases", phases), ("prompts", prompts)],
        &[("phases", script)],
    )
}

/// Secret bids of 1 to 3 for three rounds. A sole highest bid earns a point and costs nothing.
pub(crate) fn bids() -> Game {
    let game = r#"
        name = "Bids"
        version = "1.0.0"
        text = "Bid in secret."
        players = { min = 2, max = 3, default = 3 }
        rounds = 3
        [[seats]]
        name = "One"
        [[seats]]
        name = "Two"
        [[seats]]
        name = "Three"
        [counters.points]
        text = "Points"
        per = "player"
        max = 10
        [counters.bid]
        text = "Bid"
        per = "player"
        max = 3
        visible = "owner"
        redeal = "range"
        [outcome]
        score = "points"
    "#;
    let phases = r#"
        [bidding]
        name = "Bidding"
        text = "Bid."
        turns = "sealed"
        prompt = "bid"
        [reveal]
        name = "Reveal"
        text = "The highest bid earns a point."
    "#;
    let prompts = r#"
        [bid]
        text = "How much?"
    "#;
    let script = r#"return {
        bidding = {
            offer = function(player) for i = 1, 3 do choice(i) end end,
            act = function(player, amount) set(player, "bid", amount) end,
        },
        reveal = {
            run = function()
                local best, who = 0, nil
                for _, player in ipairs(players()) do
                    local bid = get(player, "bid")
                    if bid > best then
                        best, who = bid, player
                    elseif bid == best then
                        who = nil
                    end
                end
                if who then gain(who, "points", 1) end
            end,
        },
    }"#;
    load("bids", &[("game", game), ("phases", phases), ("prompts", prompts)], &[("phases", script)])
}

/// Both players show a sign at once: rock, paper, scissors, or a sponge that loses to all of them.
pub(crate) fn signs() -> Game {
    let game = r#"
        name = "Signs"
        version = "1.0.0"
        players = { min = 2, max = 2, default = 2 }
        rounds = 1
        seats = [{ name = "One" }, { name = "Two" }]
        [counters.points]
        per = "player"
        [counters.sign]
        per = "player"
        max = 4
        visible = "owner"
        redeal = "range"
        [outcome]
        score = "points"
    "#;
    let phases = "[showing]\nturns = \"sealed\"\nprompt = \"sign\"\n[reveal]\n";
    let prompts = "[sign]\ntext = \"Which sign?\"\n\
        labels = { rock = \"Rock\", paper = \"Paper\", scissors = \"Scissors\", sponge = \"Sponge\" }\n";
    let script = r#"
        local signs = { "rock", "paper", "scissors", "sponge" }
        local function beats(one, other)
            return other == 4 and one ~= 4 or one ~= 4 and other ~= 4 and (one - other) % 3 == 1
        end
        return {
            showing = {
                offer = function() for _, sign in signs do choice(sign) end end,
                act = function(player, sign) set(player, "sign", table.find(signs, sign)) end,
            },
            reveal = {
                run = function()
                    for player = 1, 2 do
                        if beats(get(player, "sign"), get(3 - player, "sign")) then gain(player, "points", 1) end
                    end
                end,
            },
        }"#;
    load("signs", &[("game", game), ("phases", phases), ("prompts", prompts)], &[("phases", script)])
}

/// A die, a deck that reshuffles its discard pile, and two boards.
pub(crate) fn fortune() -> Game {
    let game = r#"
        name = "Fortune"
        version = "1.0.0"
        text = "Roll, shuffle, draw."
        players = { min = 1, max = 2, default = 2 }
        seats = [{ name = "One" }, { name = "Two" }]
        [counters.points]
        per = "player"
        max = 1000
        [counters.mark]
        per = "map"
        [counters.own]
        per = "plot"
        [grids.map]
        shape = "square"
        columns = 5
        rows = 5
        [grids.plot]
        shape = "square"
        columns = 7
        rows = 7
        per = "player"
        [zones.deck]
        per = "game"
        holds = "cards"
        reshuffle = "discard"
        [zones.discard]
        per = "game"
        holds = "cards"
        [kinds.cards]
        zone = "deck"
        [outcome]
        score = "points"
    "#;
    let cards = "[red]\nname = \"Red\"\ncopies = 3\n[blue]\nname = \"Blue\"\ncopies = 2\n[green]\nname = \"Green\"\n";
    let phases = "[play]\nturns = \"around\"\nprompt = \"what\"\n";
    let prompts = "[what]\ntext = \"What?\"\nlabels = { roll = \"Roll\", roll_twice = \"Twice\", shuffle = \"Shuffle\", draw = \"Draw\" }\n";
    let script = r#"return {
        play = {
            offer = function() for _, what in { "roll", "roll_twice", "shuffle", "draw" } do choice(what) end end,
            act = function(player, what)
                if what == "roll" then
                    set(player, "points", random(6))
                elseif what == "roll_twice" then
                    set(player, "points", random(6))
                    choose(player, "what", { "roll", "draw" })
                    gain(player, "points", 10 * random(6))
                elseif what == "shuffle" then
                    shuffle("deck")
                else
                    draw("deck", nil, "discard")
                end
            end,
        },
    }"#;
    let content = [("game", game), ("cards", cards), ("phases", phases), ("prompts", prompts)];
    load("fortune", &content, &[("phases", script)])
}

/// Each player takes one point, or asks for more and then gets none or three. `turns` is `once` or `sealed`.
pub(crate) fn asking(turns: &str) -> Game {
    let script = r#"return {
        asking = {
            turn = function(player)
                if choose(player, "first", { "sure", "more" }) == "sure" then
                    gain(player, "points", 1)
                elseif choose(player, "second", { "none", "three" }) == "three" then
                    gain(player, "points", 3)
                end
            end,
        },
    }"#;
    asking_with(turns, script)
}

/// The same, but a player who asks for more gets three, after the other player has answered a question.
pub(crate) fn asking_the_other() -> Game {
    let script = r#"return {
        asking = {
            turn = function(player)
                if choose(player, "first", { "sure", "more" }) == "sure" then
                    gain(player, "points", 1)
                else
                    choose(3 - player, "second", { "none", "three" })
                    gain(player, "points", 3)
                end
            end,
        },
    }"#;
    asking_with("once", script)
}

/// A game whose turns are long: six questions, each after a long loop.
pub(crate) fn pondering() -> Game {
    let script = r#"return {
        asking = {
            turn = function(player)
                for _ = 1, 6 do
                    local sum = 0
                    for number = 1, 2000 do
                        sum = (sum + number) % 7
                    end
                    if choose(player, "first", { "sure", "more" }) == "more" and sum >= 0 then
                        gain(player, "points", 1)
                    end
                end
            end,
        },
    }"#;
    asking_with("once", script)
}

fn asking_with(turns: &str, script: &str) -> Game {
    let game = r#"
        name = "Asking"
        version = "1.0.0"
        players = { min = 2, max = 2, default = 2 }
        rounds = 1
        seats = [{ name = "One" }, { name = "Two" }]
        [counters.points]
        per = "player"
        max = 10
        [outcome]
        score = "points"
    "#;
    let phases = format!("[asking]\nturns = \"{turns}\"\n");
    let prompts = r#"
        [first]
        text = "One point?"
        labels = { sure = "One", more = "More" }
        [second]
        text = "How many?"
        labels = { none = "None", three = "Three" }
    "#;
    load("asking", &[("game", game), ("phases", &phases), ("prompts", prompts)], &[("phases", script)])
}
