//! A small game for tests: every player takes jewels from a display.

use motherlode::Game;
use motherlode_fixtures::{Texts, pack};

const PHASES: &str = r#"
    [deal]
    when = "setup"
    [taking]
    turns = "once"
    prompt = "take"
    offer = { zone = "stall" }
"#;

const PROMPTS: &str = "[take]\ntext = \"What do you take?\"\nchoices = \"token\"\n";

/// The game, with variations.
#[derive(Debug, Clone, Copy)]
pub struct Stall {
    /// Value of a ruby. An opal and a pearl are worth 2 each.
    pub ruby: u8,
    /// Value of glass.
    pub glass: u8,
    /// Extra points of the guild of cutters.
    pub cutters: u8,
    /// Random numbers drawn during setup, without effect.
    pub idle_draws: u8,
    /// Extra shuffles of the decks during setup, which change only chance.
    pub idle_shuffles: u8,
    /// Whether an unused jewel and an unused zone are declared first, which shifts all indices.
    pub idle_first: bool,
    /// Whether points decide ranks but are not the score.
    pub only_ranks: bool,
    /// The goal of the game, if it is not the rank.
    pub goal: Option<&'static str>,
}

impl Default for Stall {
    fn default() -> Self {
        Self {
            ruby: 2,
            glass: 0,
            cutters: 0,
            idle_draws: 0,
            idle_shuffles: 0,
            idle_first: false,
            only_ranks: false,
            goal: None,
        }
    }
}

impl Stall {
    pub fn load(self) -> Game {
        let Self { ruby, glass, cutters, idle_draws, idle_shuffles, idle_first, .. } = self;
        let agate = if idle_first { "agate = { name = \"Agate\", worth = 0, copies = 0 }" } else { "" };
        let jewels = format!(
            r#"
            {agate}
            ruby = {{ name = "Ruby", worth = {ruby}, copies = 8 }}
            opal = {{ name = "Opal", worth = 2, copies = 8 }}
            pearl = {{ name = "Pearl", worth = 2, copies = 8 }}
            glass = {{ name = "Glass", worth = {glass}, copies = 4 }}
        "#
        );
        let guilds = format!(
            r#"
            cutters = {{ name = "Cutters", more = {cutters} }}
            setters = {{ name = "Setters" }}
            traders = {{ name = "Traders" }}
        "#
        );
        let script = format!(
            r#"return {{
            deal = {{
                run = function()
                    for i = 1, {idle_draws} do random(6) end
                    for i = 0, {idle_shuffles} do
                        shuffle("deck")
                        shuffle("guild_deck")
                    end
                    for player = 1, player_count() do
                        local guild = draw("guild_deck", nil, "guild", player)
                        if guild then gain(player, "points", attr(guild, "more")) end
                    end
                end,
            }},
            taking = {{
                act = function(player, jewel)
                    gain(player, "points", attr(jewel, "worth"))
                    move(jewel, "taken", player)
                end,
            }},
        }}"#
        );
        let game = self.declarations();
        let content = [
            ("game", game.as_str()),
            ("jewels", &jewels),
            ("guilds", &guilds),
            ("phases", PHASES),
            ("prompts", PROMPTS),
        ];
        load("stall", &content, &[("phases", &script)])
    }

    /// The text of `game.toml`.
    fn declarations(self) -> String {
        let crown = "crown = { per = \"player\", holds = \"jewels\", size = 1, text = \"Crown\" }";
        let crown = if self.idle_first { crown } else { "" };
        let outcome = if self.only_ranks { "score = \"fame\"\nrank = [\"points\"]" } else { "score = \"points\"" };
        let goal = self.goal.map_or_else(String::new, |goal| format!("goal = \"{goal}\"\nrange = [0, 60]"));
        format!(
            r#"
            name = "Stall"
            version = "1.0.0"
            players = {{ min = 2, max = 3, default = 3 }}
            rounds = 4
            seats = [{{ name = "One" }}, {{ name = "Two" }}, {{ name = "Three" }}]
            [counters.points]
            per = "player"
            [counters.fame]
            per = "player"
            [zones]
            {crown}
            deck = {{ per = "game", holds = "jewels", visible = "count" }}
            stall = {{ per = "game", holds = "jewels", size = 4, refill = "deck" }}
            taken = {{ per = "player", holds = "jewels" }}
            guild_deck = {{ per = "game", holds = "guilds", visible = "count" }}
            guild = {{ per = "player", holds = "guilds", size = 1, text = "Guild" }}
            [kinds.jewels]
            zone = "deck"
            shuffle = true
            [kinds.jewels.attributes]
            worth = {{ type = "integer", min = 0, max = 9 }}
            [kinds.guilds]
            zone = "guild_deck"
            shuffle = true
            [kinds.guilds.attributes]
            more = {{ type = "integer", min = 0, max = 9, default = 0 }}
            [outcome]
            {outcome}
            {goal}
        "#
        )
    }
}

pub fn load(id: &str, content: Texts<'_>, scripts: Texts<'_>) -> Game {
    Game::load(&pack(id, content, scripts)).unwrap_or_else(|faults| panic!("{faults}"))
}
