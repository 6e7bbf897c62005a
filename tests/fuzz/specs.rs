//! Bot specs as they appear on a command line, in a manifest, or in `balance.toml`, beside plans and expectations that
//! name choices. A spec is refused with a reason, or round-trips.

use motherlode::{Game, SourceFile};
use motherlode_lab::Balance;
use motherlode_play::{BotSpec, bot};

use super::driver::{Outcomes, Target, fuzz};
use super::mangle::mangle;
use super::packs::check_faults;
use crate::cli::program::packs;
use crate::shipped::{load, root};
use crate::twins::SplitMix64;

const SPECS: [&str; 16] = [
    "random",
    "first",
    "rollout:3",
    "flat:8",
    "search:8",
    "learned",
    "learned:no/such+file:x.value",
    "look:4+learned",
    "look:4+learned:a.value",
    "search:8+learned",
    "search:8+learned:a:b.value",
    "plan:field/corn+base=rollout:2",
    "plan:bid=3/label:pass/faction=*",
    "random+never=pass/bid=*+always=corn",
    "plan:pass+base=search:4+never=a*/b1+always=c3",
    "plan:careful+never=1",
];

struct Specs {
    games: Vec<(Game, String)>,
}

impl Specs {
    fn spec(&self, game: &Game, text: &str, seen: &mut Outcomes) -> Result<(), String> {
        let spec: BotSpec = match text.parse() {
            Ok(spec) => spec,
            Err(error) => return check_error(&error.to_string(), text, seen),
        };
        let shown = spec.to_string();
        if shown.parse().as_ref() != Ok(&spec) {
            return Err(format!("`{text}` is shown as `{shown}`, which is another bot"));
        }
        // No file of that name exists, and searching bots are not built.
        if shown.contains("learned") {
            seen.outcome("learned");
            return Ok(());
        }
        match bot(text, game, 1) {
            Ok(bot) if bot.name() == shown => {
                seen.outcome(&shown);
                Ok(())
            }
            Ok(bot) => Err(format!("`{shown}` bears the name `{}`", bot.name())),
            Err(error) => check_error(&error.to_string(), text, seen),
        }
    }
}

/// Checks that an error is short and printable.
fn check_error(error: &str, text: &str, seen: &mut Outcomes) -> Result<(), String> {
    seen.outcome(error);
    let most = 2000 + 8 * text.len();
    if error.is_empty() || error.len() > most {
        Err(format!("an error of {} bytes: {text}", error.len()))
    } else {
        Ok(())
    }
}

impl Target for Specs {
    const NAME: &'static str = "specs";
    const GENES: std::ops::Range<usize> = 2..6;
    const INPUTS: u64 = 2000;

    fn new() -> Self {
        let ids = ["atacama", "imperial_miners", "krysis", "miners_lagoon", "photon"];
        let mut games: Vec<(Game, String)> = ids
            .iter()
            .map(|id| {
                let text = std::fs::read_to_string(root().join(format!("tests/{id}/balance.toml"))).unwrap();
                (load(root(), id), text)
            })
            .collect();
        games.push((
            load(&packs(), "harvest"),
            "[plans.careful]\nprefer = [\"corn\"]\nbase = \"rollout:1\"\n".to_owned(),
        ));
        Self { games }
    }

    fn run(&mut self, genes: &[u32], seen: &mut Outcomes) -> Result<(), String> {
        let (&first, rest) = genes.split_first().expect("an input has a gene");
        let (game, balance) = &self.games[(first >> 8) as usize % self.games.len()];
        // Parsing a whole `balance.toml` takes longer.
        let whole = first.is_multiple_of(64);
        let mut text = if whole { balance.clone() } else { SPECS[(first >> 16) as usize % SPECS.len()].to_owned() };
        for &gene in rest {
            let mut random = SplitMix64::new(u64::from(gene));
            let other =
                if whole { &self.games[random.below(self.games.len())].1 } else { SPECS[random.below(SPECS.len())] };
            text = mangle(&text, other, &mut random);
        }
        let done = if whole {
            let file = SourceFile { path: format!("tests/{}/balance.toml", game.declarations().id), text };
            match Balance::read(game, std::slice::from_ref(&file)) {
                Ok(balance) => {
                    seen.outcome(&balance.spec("plan:careful+never=1"));
                    Ok(())
                }
                Err(list) => {
                    let mut faults = motherlode::Diagnostics::new(std::sync::Arc::new(vec![file]));
                    faults.list = list;
                    check_faults(&faults, seen)
                }
            }
        } else {
            self.spec(game, &text, seen)
        };
        seen.execution();
        done
    }
}

#[test]
fn specs_are_refused_or_round_trip() {
    fuzz::<Specs>();
}
