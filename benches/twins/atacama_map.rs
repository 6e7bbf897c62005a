//! The two boards of Atacama: neighbours, lines and printed values of their fields.

/// Number of fields of the hexagon, the larger board, with the desert.
pub const MOST_FIELDS: usize = 91;
/// Number of fields in a row of the square board.
pub const SQUARE: usize = 9;
/// Number of the hexagon's desert, `f6`.
const DESERT: usize = 45;
const SIDE: usize = 6;
const TILE: usize = 3;

/// Ore on a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ore {
    Gold,
    Silver,
    Copper,
}

/// A field: an ore and its number of pieces, 1 to 5; `None` is the desert.
pub type Field = Option<(Ore, i32)>;

/// Printed fields of both boards: nine tiles of nine fields, and the hexagon.
#[derive(Debug, Clone)]
pub struct Maps {
    /// Fields of the tiles A to I, row by row.
    pub tiles: [[Field; TILE * TILE]; 9],
    /// Fields of the hexagon, row by row.
    pub hexagon: [Field; MOST_FIELDS],
}

impl Maps {
    /// Reads the texts of `tiles.toml` and `hexagon_rows.toml`.
    pub fn parse(tiles: &str, hexagon_rows: &str) -> Result<Self, String> {
        let mut maps = Self { tiles: [[None; TILE * TILE]; 9], hexagon: [None; MOST_FIELDS] };
        let table = read(tiles)?;
        for (tile, letter) in maps.tiles.iter_mut().zip('a'..='i') {
            *tile = fields(&table, &format!("tile_{letter}"))?
                .try_into()
                .map_err(|_| format!("tile_{letter} has not nine fields"))?;
        }
        let table = read(hexagon_rows)?;
        let mut hexagon = Vec::with_capacity(MOST_FIELDS);
        for (row, letter) in ('a'..='k').enumerate() {
            let list = fields(&table, &format!("row_{letter}"))?;
            if list.len() != hexagon_row(row).1 {
                return Err(format!("row_{letter} has {} fields", list.len()));
            }
            hexagon.extend(list);
        }
        maps.hexagon = hexagon.try_into().map_err(|_| "the hexagon has not 91 fields".to_owned())?;
        let deserts = maps.hexagon.iter().filter(|field| field.is_none()).count();
        if deserts != 1 || maps.hexagon[DESERT].is_some() || maps.tiles.iter().flatten().any(Option::is_none) {
            return Err("the hexagon's centre must be the only desert".to_owned());
        }
        Ok(maps)
    }

    /// Reads `tiles.toml` and `hexagon_rows.toml` of the project at `root`.
    pub fn open(root: &std::path::Path) -> Result<Self, String> {
        let text = |name: &str| {
            let path = root.join("content/atacama").join(name);
            std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
        };
        Self::parse(&text("tiles.toml")?, &text("hexagon_rows.toml")?)
    }
}

fn read(text: &str) -> Result<toml::Table, String> {
    text.parse().map_err(|error: toml::de::Error| error.to_string())
}

fn fields(table: &toml::Table, id: &str) -> Result<Vec<Field>, String> {
    let list = table.get(id).and_then(|entry| entry.get("fields")?.as_array());
    let list = list.ok_or_else(|| format!("{id} has no fields"))?;
    list.iter()
        .map(|value| {
            let text = value.as_str().unwrap_or_default();
            field(text).ok_or_else(|| format!("{id}: {value} is no field"))
        })
        .collect()
}

fn field(text: &str) -> Option<Field> {
    if text == "desert" {
        return Some(None);
    }
    let (ore, value) = text.split_once(' ')?;
    let ore = match ore {
        "gold" => Ore::Gold,
        "silver" => Ore::Silver,
        "copper" => Ore::Copper,
        _ => return None,
    };
    let value = value.parse().ok().filter(|value| (1..=5).contains(value))?;
    Some(Some((ore, value)))
}

/// Shape of a board.
#[derive(Debug, Clone)]
pub struct Geometry {
    /// Number of fields, with the desert.
    pub len: usize,
    /// Fields with a common edge, for each field.
    pub neighbours: Vec<Vec<u8>>,
    /// Line of each field in up to three directions: columns and rows, or a, b and c.
    pub line: [Vec<u8>; 3],
    /// Engine's names of the fields.
    pub names: Vec<String>,
}

/// First column, in axial coordinates, and length of a row of the hexagon.
fn hexagon_row(row: usize) -> (i32, usize) {
    let from_centre = row.abs_diff(SIDE - 1);
    (-(row.min(SIDE - 1) as i32), 2 * SIDE - 1 - from_centre)
}

impl Geometry {
    /// Square board of nine by nine fields; the directions are columns and rows.
    pub fn square() -> Self {
        let fields: Vec<(i32, i32)> =
            (0..SQUARE as i32).flat_map(|row| (0..SQUARE as i32).map(move |column| (column, row))).collect();
        let names = fields.iter().map(|&(column, row)| super::square_cell(column as usize, row as usize)).collect();
        Self::new(&fields, &[(1, 0), (-1, 0), (0, 1), (0, -1)], [|c, _| c, |_, r| r, |_, _| 0], names)
    }

    /// Hexagon of side six. The axial steps are (1, 0) along a row, (0, 1) to the lower right and (-1, 1) to the lower
    /// left; the lines a, b and c run along these steps.
    pub fn hexagon() -> Self {
        let mut fields = Vec::with_capacity(MOST_FIELDS);
        let mut names = Vec::with_capacity(MOST_FIELDS);
        for row in 0..2 * SIDE - 1 {
            let (first, length) = hexagon_row(row);
            for position in 0..length {
                fields.push((first + position as i32, row as i32 - (SIDE as i32 - 1)));
                names.push(format!("{}{}", char::from(b'a' + row as u8), position + 1));
            }
        }
        let steps = [(1, 0), (-1, 0), (0, 1), (0, -1), (-1, 1), (1, -1)];
        Self::new(&fields, &steps, [|_, r| r + 5, |c, _| c + 5, |c, r| c + r + 5], names)
    }

    fn new(
        fields: &[(i32, i32)],
        steps: &[(i32, i32)],
        directions: [fn(i32, i32) -> i32; 3],
        names: Vec<String>,
    ) -> Self {
        let find = |place: (i32, i32)| fields.iter().position(|&field| field == place).map(|field| field as u8);
        let around = |&(c, r): &(i32, i32)| steps.iter().filter_map(|&(dc, dr)| find((c + dc, r + dr))).collect();
        Self {
            len: fields.len(),
            neighbours: fields.iter().map(around).collect(),
            line: directions.map(|line| fields.iter().map(|&(c, r)| line(c, r) as u8).collect()),
            names,
        }
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Printed boards that contain every commodity and every value.
    pub fn maps() -> Maps {
        let mut number = 0;
        let mut field = || {
            number += 1;
            format!("\"{} {}\"", ["gold", "silver", "copper"][number * 7 / 3 % 3], 1 + number * 11 % 5)
        };
        let mut tiles = String::new();
        for letter in 'a'..='i' {
            let list: Vec<String> = (0..9).map(|_| field()).collect();
            tiles += &format!("[tile_{letter}]\nname = \"{letter}\"\nfields = [{}]\n", list.join(", "));
        }
        let mut rows = String::new();
        for (row, letter) in ('a'..='k').enumerate() {
            let mut list: Vec<String> = (0..hexagon_row(row).1).map(|_| field()).collect();
            if letter == 'f' {
                list[5] = "\"desert\"".to_owned();
            }
            rows += &format!("[row_{letter}]\nname = \"{letter}\"\nfields = [{}]\n", list.join(", "));
        }
        Maps::parse(&tiles, &rows).unwrap()
    }

    #[test]
    fn a60_the_hexagon_has_eleven_lines_in_each_direction() {
        let hexagon = Geometry::hexagon();
        assert_eq!((hexagon.len, hexagon.names[DESERT].as_str()), (91, "f6"));
        for line in &hexagon.line {
            let lengths: Vec<usize> = (0..11).map(|n| line.iter().filter(|&&of| of == n).count()).collect();
            assert_eq!(lengths, [6, 7, 8, 9, 10, 11, 10, 9, 8, 7, 6]);
            assert_eq!(line[DESERT], 5);
        }
    }

    #[test]
    fn a61_a_field_of_the_hexagon_touches_up_to_six() {
        let hexagon = Geometry::hexagon();
        let around = |name: &str| {
            let field = hexagon.names.iter().position(|known| known == name).unwrap();
            let mut names: Vec<&str> = hexagon.neighbours[field].iter().map(|&f| &*hexagon.names[f as usize]).collect();
            names.sort_unstable();
            names
        };
        assert_eq!(around("a1"), ["a2", "b1", "b2"]);
        assert_eq!(around("f6"), ["e5", "e6", "f5", "f7", "g5", "g6"]);
        assert_eq!(around("h3"), ["g3", "g4", "h2", "h4", "i2", "i3"]);
        assert_eq!(around("k6"), ["j6", "j7", "k5"]);
    }

    #[test]
    fn lines_b_fall_to_the_right_and_lines_c_to_the_left() {
        let hexagon = Geometry::hexagon();
        let line = |direction: usize, name: &str| {
            let field = hexagon.names.iter().position(|known| known == name).unwrap();
            let of = &hexagon.line[direction];
            let names = (0..91).filter(|&f| of[f] == of[field]).map(|f| hexagon.names[f].as_str());
            names.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(line(1, "a1"), "a1 b2 c3 d4 e5 f6 g6 h6 i6 j6 k6");
        assert_eq!(line(2, "a6"), "a6 b6 c6 d6 e6 f6 g5 h4 i3 j2 k1");
        assert_eq!(line(0, "a2"), "a1 a2 a3 a4 a5 a6");
    }

    #[test]
    fn bad_boards_are_refused() {
        assert!(Maps::parse("", "").unwrap_err().contains("tile_a"));
        assert!(field("gold 6").is_none() && field("iron 1").is_none() && field("gold").is_none());
    }
}
