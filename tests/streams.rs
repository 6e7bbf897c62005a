//! Random streams in a game with mods: an extra draw of a mod, or an extra card, changes nothing else in a match with
//! the same seed.

use std::collections::BTreeMap;

use motherlode::{Game, Match, Mod};
use motherlode_fixtures::mod_of;

use crate::shipped::{load_modded, root};

const SEEDS: u64 = 20;

/// The tokens in each zone of each holder, by definition id, without new ones.
type Zones = BTreeMap<(String, i32), Vec<String>>;

fn game(mods: Vec<Mod>) -> Game {
    load_modded(root(), "miners_lagoon", mods)
}

/// A match of this seed, played to this round with the first choice every time.
fn play(game: &Game, seed: u64, round: i32) -> Match {
    let mut m = Match::new(game, &game.setup(Some(3), &[], seed).unwrap()).unwrap();
    while m.round() < round {
        m.answer(0).unwrap();
    }
    m
}

fn zones(m: &Match, known: impl Fn(&str) -> bool) -> Zones {
    let (d, layout) = (m.game().declarations(), m.game().layout());
    let mut zones = Zones::new();
    for pile in &layout.piles {
        let tokens = m.zone(pile.zone, pile.holder).unwrap_or_default();
        let ids = tokens.iter().map(|&token| d.definitions[layout.tokens[token as usize - 1].definition].id.clone());
        zones.insert((d.zones.keys()[pile.zone].clone(), pile.holder), ids.filter(|id| known(id)).collect());
    }
    zones
}

fn all(_: &str) -> bool {
    true
}

#[test]
fn an_extra_card_keeps_the_order_of_all_others() {
    let base = game(Vec::new());
    let more = game(vec![Mod::open(&root().join("tests/mods/steam_dredge")).unwrap()]);
    let known = |id: &str| base.declarations().definitions.iter().any(|definition| definition.id == id);
    assert!(base.layout().tokens.len() < more.layout().tokens.len());
    for seed in 0..SEEDS {
        let dealt = zones(&play(&base, seed, 0), all);
        assert_eq!(zones(&play(&more, seed, 0), known), dealt, "seed {seed}");
        assert_ne!(zones(&play(&more, seed + 1, 0), known), dealt, "seeds differ");
    }
}

/// A mod that draws before the game's own `opening`, which draws the first player.
fn restless() -> Mod {
    let script = r#"return {
        opening = {
            run = wrap(function(original)
                for _ = 1, random(6) do random(6) end
                shuffle("shipment_deck")
                original()
            end),
        },
    }"#;
    mod_of("restless", "miners_lagoon", &[], &[("phases", script)])
}

#[test]
fn an_extra_draw_keeps_all_other_piles_and_draws() {
    let (base, more) = (game(Vec::new()), game(vec![restless()]));
    let starter = base.declarations().counters.get_index_of("starter").unwrap();
    let mut begun = BTreeMap::new();
    for seed in 0..SEEDS {
        let [plain, restless] = [&base, &more].map(|game| play(game, seed, 1));
        let [mut before, mut after] = [&plain, &restless].map(|m| zones(m, all));
        // Control: a pile shuffled once more differs.
        let shipments = ("shipment_deck".to_owned(), 0);
        assert_ne!(before.remove(&shipments), after.remove(&shipments), "seed {seed}");
        let market = ("shipment_market".to_owned(), 0);
        assert!(before.remove(&market).is_some() && after.remove(&market).is_some());
        assert_eq!(before, after, "seed {seed}");
        assert_eq!(plain.counter(0, starter), restless.counter(0, starter), "seed {seed}");
        *begun.entry(plain.counter(0, starter)).or_insert(0) += 1;
    }
    assert_eq!(begun.len(), 3, "{begun:?}");
}
