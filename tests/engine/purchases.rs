//! Declared questions of sealed phases: answers stored in counters, and purchases.

use super::*;

const SHOP: &str = r#"
[counters.coins]
text = "Coins"
per = "player"
start = 3
[counters.bread]
text = "Bread"
per = "player"
max = 2
[counters.side]
text = "Side"
per = "player"
values = ["none", "left", "right"]
[kinds.cards]
text = "Goods"
tokens = false
[kinds.cards.attributes]
price = { type = "amounts", of = "counter" }
brings = { type = "amounts", of = "counter" }
"#;

const GOODS: &str = r#"
[loaf]
name = "Loaf"
price = { coins = 1 }
brings = { bread = 1 }
[basket]
name = "Basket"
price = { coins = 2 }
brings = { bread = 2 }
"#;

const PROMPTS: &str = r#"
[buy]
text = "What do you buy?"
choices = "cards"
labels = { nothing = "Nothing" }
[side]
text = "Which side?"
labels = { right = "Right", left = "Left" }
"#;

fn shop(asks: &str) -> Match {
    let phases = format!("[a]\nturns = \"sealed\"\nasks = [{asks}]\n");
    Pieces { game: SHOP, cards: GOODS, prompts: PROMPTS, phases: &phases, ..Pieces::default() }.play(2)
}

#[test]
fn affordable_goods_are_offered_until_none_is_left() {
    let buy = "{ prompt = \"buy\", buy = \"cards\", pay = \"price\", gain = \"brings\", again = true }";
    let mut m = shop(&format!("{buy}, {{ prompt = \"side\", store = \"side\" }}"));
    assert_eq!((seat(&m), choices(&m)), (0, vec!["loaf".to_owned(), "basket".into(), "nothing".into()]));
    answer(&mut m, "loaf");
    assert_eq!((seat(&m), choices(&m)), (0, vec!["loaf".to_owned(), "nothing".into()]), "a basket is too much bread");
    let own = |m: &Match, seat| seen(m, Some(seat))["players"][0]["counters"]["coins"].clone();
    assert_eq!((own(&m, 0), own(&m, 1)), (json!(2), json!(3)), "the buyer alone sees it");
    answer(&mut m, "loaf");
    assert_eq!((seat(&m), choices(&m)), (0, vec!["right".to_owned(), "left".into()]), "no room for more bread");
    answer(&mut m, "left");
    assert_eq!((seat(&m), value(&m, "coins", 1), value(&m, "bread", 1)), (1, 3, 0), "sealed until all are done");
    answer(&mut m, "basket");
    answer(&mut m, "right");
    let held = |p| (value(&m, "coins", p), value(&m, "bread", p));
    assert_eq!((m.round(), held(1), held(2)), (2, (1, 2), (1, 2)));
    assert_eq!(choices(&m), ["right", "left"], "no bread to buy: no question");
}

#[test]
fn number_choices_end_at_the_players_holdings() {
    let asks = "{ prompt = \"pick\", choices = { upto = \"coins\" }, store = \"bread\" },
        { prompt = \"pick\", choices = { upto = \"bread\", from = 1 }, store = \"coins\" }";
    let mut m = shop(asks);
    // There is room for two loaves of bread.
    assert_eq!((seat(&m), choices(&m)), (0, vec!["0".to_owned(), "1".into(), "2".into()]));
    answer(&mut m, "0");
    assert_eq!(seat(&m), 1, "no number from 1 to 0: no question");
    answer(&mut m, "2");
    assert_eq!(choices(&m), ["1", "2"]);
    answer(&mut m, "1");
    let row = |p| (value(&m, "bread", p), value(&m, "coins", p));
    assert_eq!((m.round(), row(1), row(2)), (2, (0, 3), (2, 1)));
}

#[test]
fn a_label_ends_buying() {
    let mut m = shop("{ prompt = \"buy\", buy = \"cards\", pay = \"price\", gain = \"brings\", again = true }");
    answer(&mut m, "nothing");
    answer(&mut m, "loaf");
    answer(&mut m, "nothing");
    assert_eq!((m.round(), value(&m, "coins", 1), value(&m, "coins", 2)), (2, 3, 2));
}

#[test]
fn declared_questions_run_in_sequence_for_each_seat() {
    let asks = "{ prompt = \"side\", store = \"side\" },
        { prompt = \"buy\", buy = \"cards\", pay = \"price\", gain = \"brings\" },
        { prompt = \"whom\", choices = \"others\", store = \"coins\" }";
    let end = |order: [u8; 6]| {
        let mut m = shop(asks);
        for who in order {
            m.focus(who).unwrap();
            let wanted = if who == 0 { ["left", "loaf", "2"] } else { ["right", "nothing", "1"] };
            let id = choices(&m).into_iter().find(|id| wanted.contains(&id.as_str())).unwrap();
            answer(&mut m, &id);
        }
        let row = |p| ["side", "bread", "coins"].map(|name| value(&m, name, p));
        assert_eq!((m.round(), row(1), row(2)), (2, [1, 1, 2], [2, 0, 1]));
        m.state().hash()
    };
    let first = end([0, 0, 0, 1, 1, 1]);
    for order in [[1, 1, 1, 0, 0, 0], [0, 1, 0, 1, 0, 1], [1, 0, 0, 1, 1, 0]] {
        assert_eq!(end(order), first);
    }
}

/// A choice that nobody can pay or store is not offered, even with the widest numbers.
#[test]
fn huge_prices_do_not_overflow() {
    let goods = GOODS.replace("coins = 2", "coins = -2147483648").replace("bread = 2", "coins = 2147483647");
    let phases =
        "[a]\nturns = \"sealed\"\nasks = [{ prompt = \"buy\", buy = \"cards\", pay = \"price\", gain = \"brings\" }]\n";
    let m = Pieces { game: SHOP, cards: &goods, prompts: PROMPTS, phases, ..Pieces::default() }.play(2);
    assert_eq!(choices(&m), ["loaf", "nothing"]);
}
