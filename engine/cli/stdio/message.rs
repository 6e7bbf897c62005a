//! Parts of messages to the program.

use motherlode::{Choice, ChoiceItem, ExplicitChance, Game, Match};
use serde_json::{Value, json};

/// Most outcomes that a message lists.
const MOST_OUTCOMES: usize = 10_000;

/// The open draw of a match.
pub fn chance_message(game: &Game, m: &Match, chance: &ExplicitChance) -> Value {
    let mut message = json!({ "type": "chance", "n": m.answers().len(), "count": chance.count() });
    if chance.count() > MOST_OUTCOMES {
        // All numbers from 1 to this count are equally probable.
        return message;
    }
    let outcomes = chance.outcomes();
    let whole: u32 = outcomes.iter().map(|outcome| outcome.weight).sum();
    let of = |token: u32| {
        let info = &game.layout().tokens[token as usize - 1];
        game.declarations().definitions[info.definition].id.as_str()
    };
    let outcomes = outcomes.iter().map(|outcome| {
        let mut value = json!({ "id": outcome.id, "p": f64::from(outcome.weight) / f64::from(whole) });
        if chance.deals() {
            value["definition"] = of(outcome.id).into();
        }
        value
    });
    message["outcomes"] = outcomes.collect();
    message
}

/// A choice of a decision message.
pub fn choice_value(game: &Game, index: usize, choice: &Choice, action: Option<u32>) -> Value {
    let mut value = json!({ "i": index, "id": choice.key(), "label": choice.label });
    if let Some(action) = action {
        value["action"] = action.into();
    }
    let id = |definition: usize| game.declarations().definitions[definition].id.as_str();
    match choice.what {
        ChoiceItem::Label => {}
        ChoiceItem::Definition { definition } => value["definition"] = id(definition).into(),
        ChoiceItem::Token { token, definition } => {
            value["definition"] = id(definition).into();
            value["token"] = token.into();
        }
        ChoiceItem::Hidden { zone, seat, place } => {
            if let Some((name, _)) = zone.and_then(|zone| game.declarations().zones.get_index(zone)) {
                value["zone"] = name.as_str().into();
                value["place"] = place.into();
            }
            if let Some(seat) = seat {
                value["seat"] = seat.into();
            }
        }
        ChoiceItem::Cell { seat, .. } => {
            value["cell"] = choice.id.as_str().into();
            if let Some(seat) = seat {
                value["seat"] = seat.into();
            }
        }
        ChoiceItem::Player { seat } => value["seat"] = seat.into(),
        ChoiceItem::Number(number) => value["number"] = number.into(),
    }
    value
}
