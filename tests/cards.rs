//! A small game in memory that hides more than the shipped games do: hands, a deck, purses and sealed bids.

use std::sync::OnceLock;

use motherlode::Game;

use crate::shipped::{VARIANTS, Variant, load_texts};

/// The shipped variants, and the game of cards.
pub fn all() -> impl Iterator<Item = Variant> {
    fn cards_game() -> &'static Game {
        static GAME: OnceLock<Game> = OnceLock::new();
        GAME.get_or_init(|| cards("player", "player"))
    }
    VARIANTS.iter().copied().chain([2, 4].map(|players| Variant::new(cards_game, players, &[])))
}

const CARDS_GAME: &str = r#"
    name = "Cards"
    version = "1.0.0"
    text = "Hands, a deck, a display, a secret purse."
    players = { min = 2, max = 4, default = 3 }
    rounds = 6
    [[seats]]
    name = "North"
    [[seats]]
    name = "East"
    [[seats]]
    name = "South"
    [[seats]]
    name = "West"
    [counters.points]
    text = "Points"
    per = "player"
    [counters.purse]
    text = "Purse"
    per = "player"
    start = 5
    max = 20
    visible = "owner"
    redeal = "range"
    [zones.deck]
    text = "Deck"
    per = "game"
    holds = "cards"
    visible = "count"
    reshuffle = "discard"
    [zones.discard]
    text = "Discard"
    per = "game"
    holds = "cards"
    [zones.display]
    text = "Display"
    per = "game"
    holds = "cards"
    size = 3
    refill = "deck"
    [zones.hand]
    text = "Hand"
    per = "player"
    holds = "cards"
    visible = "owner"
    [kinds.cards]
    text = "Cards"
    zone = "deck"
    shuffle = true
    [kinds.cards.attributes]
    worth = { type = "integer", min = 1, max = 9 }
    [outcome]
    score = "points"
"#;

const CARDS_CARDS: &str = r#"
    [pawn]
    name = "Pawn"
    copies = 8
    worth = 1
    [knight]
    name = "Knight"
    copies = 5
    worth = 3
    [queen]
    name = "Queen"
    copies = 3
    worth = 9
"#;

const CARDS_PHASES: &str = r#"
    [dealing]
    name = "Dealing"
    text = "Three cards each."
    when = "setup"
    [bidding]
    name = "Bidding"
    text = "A secret bid."
    turns = "sealed"
    [playing]
    name = "Playing"
    text = "One card each."
    turns = "once"
    prompt = "card"
"#;

const CARDS_PROMPTS: &str = r#"
    [bid]
    text = "How much, {player}?"
    choices = "number"
    auto = true
    [card]
    text = "Which card, {player}?"
    choices = "token"
    labels = { nothing = "None" }
    [take]
    text = "Which card of the display?"
    choices = "token"
"#;

/// The leaky versions replace `BID` and `OFFER` by code that reads hidden state.
const CARDS_SCRIPT: &str = r#"
    return {
        dealing = { run = function()
            for _ = 1, 3 do
                for _, p in players() do draw("deck", game, "hand", p) end
            end
        end },
        bidding = { turn = function(player)
            local list = {}
            for n = 0, get(BID, "purse") do list[#list + 1] = n end
            pay(player, "purse", math.min(get(player, "purse"), choose(player, "bid", list)))
        end },
        playing = {
            offer = function(player)
                for _, card in cards("hand", OFFER) do
                    choice(card)
                end
                choice("nothing")
            end,
            act = function(player, card)
                if card ~= "nothing" then
                    gain(player, "points", attr(card, "worth"))
                    move(card, "discard")
                    set(player, "purse", math.min(20, get(player, "purse") + 1))
                end
                local from = cards("display")
                if #from > 0 then move(choose(player, "take", from), "hand", player) end
            end,
        },
    }
"#;

/// The card game. Without leaks, both arguments are `player, player`.
pub fn cards(bid: &str, offer: &str) -> Game {
    let script = CARDS_SCRIPT.replace("BID", bid).replace("OFFER", offer);
    let content = [("game", CARDS_GAME), ("cards", CARDS_CARDS), ("phases", CARDS_PHASES), ("prompts", CARDS_PROMPTS)];
    load_texts("cards", &content, &[("phases", &script)])
}
