//! Tests with counts and names that can be checked by hand.

use super::*;

fn grid(shape: Shape, holes: &[&str]) -> Geometry {
    let holes = holes.iter().map(ToString::to_string).collect();
    Geometry::new(&Grid { shape, holes, ..Grid::default() })
}

fn named(geometry: &Geometry, cells: &[u16]) -> String {
    cells.iter().map(|&cell| geometry.name(usize::from(cell))).collect::<Vec<_>>().join(" ")
}

fn beside(geometry: &Geometry, cell: &str) -> String {
    named(geometry, geometry.neighbours(geometry.cell_named(cell).unwrap()))
}

fn lengths(geometry: &Geometry, direction: &str) -> Vec<usize> {
    geometry.lines(geometry.direction_named(direction).unwrap()).iter().map(Vec::len).collect()
}

/// Sets value 1 at the named cells, 0 elsewhere; the longest run through `from`.
fn longest(geometry: &Geometry, from: &str, marked: &str) -> u32 {
    let mut values = vec![0; geometry.places()];
    for name in marked.split(' ') {
        values[geometry.cell_named(name).unwrap()] = 1;
    }
    geometry.longest(geometry.cell_named(from).unwrap(), |cell| values[cell])
}

#[test]
fn square_names_and_coordinates() {
    let board = grid(Shape::Square { columns: 9, rows: 7 }, &["f6", "z9"]);
    assert_eq!(board.places(), 63);
    assert_eq!(board.cells().len(), 62);
    assert_eq!((board.name(0), board.name(8), board.name(9)), ("a1", "i1", "a2"));
    let hole = board.cell_named("f6").unwrap();
    assert!(board.is_hole(hole) && !board.is_hole(hole + 1) && board.is_hole(63));
    assert_eq!((board.x(hole), board.y(hole)), (6, 6));
    assert_eq!(board.at(6, 6), Some(hole));
    for wrong in ["", "a", "1", "a0", "a01", "A1", "a8", "j1", "a1b", "aa1", "é1", "zzzzzz1", "a99999"] {
        assert_eq!(board.cell_named(wrong), None, "{wrong}");
    }
    assert_eq!((board.at(0, 1), board.at(1, 8), board.at(10, 1), board.at(i32::MIN, 1)), (None, None, None, None));
    for cell in 0..board.places() {
        assert_eq!(board.cell_named(board.name(cell)), Some(cell));
        assert_eq!(board.at(board.x(cell).into(), board.y(cell).into()), Some(cell));
    }
}

#[test]
fn letters_go_on_after_z() {
    for (number, text) in
        [(1, "a"), (26, "z"), (27, "aa"), (28, "ab"), (52, "az"), (53, "ba"), (702, "zz"), (703, "aaa")]
    {
        assert_eq!(letters(number), text);
        assert_eq!(letters_value(text), Some(number));
    }
    let wide = grid(Shape::Square { columns: 30, rows: 1 }, &[]);
    assert_eq!((wide.name(25), wide.name(26), wide.cell_named("ad1")), ("z1", "aa1", Some(29)));
}

#[test]
fn square_neighbours_and_holes() {
    let board = grid(Shape::Square { columns: 3, rows: 3 }, &["b1"]);
    assert_eq!(beside(&board, "b2"), "a2 c2 b3");
    assert_eq!(beside(&board, "a1"), "a2");
    assert_eq!(beside(&board, "b1"), "");
    assert_eq!(board.neighbours(99), &[] as &[u16]);
}

#[test]
fn square_lines_in_order() {
    let board = grid(Shape::Square { columns: 4, rows: 3 }, &["b2"]);
    assert_eq!(board.directions().collect::<Vec<_>>(), ["column", "row", "rising", "falling"]);
    assert_eq!(lengths(&board, "column"), [3, 2, 3, 3]);
    assert_eq!(lengths(&board, "row"), [4, 3, 4]);
    assert_eq!(lengths(&board, "rising"), [1, 2, 2, 3, 2, 1]);
    assert_eq!(lengths(&board, "falling"), [1, 2, 2, 3, 2, 1]);
    assert_eq!(named(&board, &board.lines(0)[1]), "b1 b3");
    assert_eq!(named(&board, &board.lines(1)[1]), "a2 c2 d2");
    assert_eq!(named(&board, &board.lines(2)[3]), "b3 c2 d1");
    assert_eq!(named(&board, &board.lines(3)[0]), "a3");
    let hole = board.cell_named("b2").unwrap();
    assert_eq!(board.line_of(1, hole), None);
    assert_eq!(board.line_of(1, hole + 1), Some(1));
    assert_eq!((board.step(1, hole - 1, true), board.step(1, hole + 1, true)), (None, Some(hole + 2)));
    assert!(board.lines(4).is_empty() && board.line_of(4, 0).is_none() && board.step(4, 0, true).is_none());
}

#[test]
fn hexagon_of_side_six() {
    let board = grid(Shape::Hex { side: 6 }, &[]);
    assert_eq!(board.places(), 91);
    assert_eq!((board.name(0), board.name(5), board.name(6), board.name(90)), ("a1", "a6", "b1", "k6"));
    for direction in ["a", "b", "c"] {
        assert_eq!(lengths(&board, direction), [6, 7, 8, 9, 10, 11, 10, 9, 8, 7, 6]);
    }
    assert_eq!(named(&board, &board.lines(0)[0]), "a1 a2 a3 a4 a5 a6");
    assert_eq!(named(&board, &board.lines(1)[5]), "a1 b2 c3 d4 e5 f6 g6 h6 i6 j6 k6");
    assert_eq!(named(&board, &board.lines(2)[0]), "f1 e1 d1 c1 b1 a1");
    assert_eq!(beside(&board, "a1"), "a2 b1 b2");
    assert_eq!(beside(&board, "f6"), "e5 e6 f5 f7 g5 g6");
    assert_eq!(beside(&board, "g1"), "f1 f2 g2 h1");
    let six = board.cells().iter().filter(|&&cell| board.neighbours(cell.into()).len() == 6).count();
    assert_eq!(six, 61);
    for cell in 0..board.places() {
        assert_eq!(board.cell_named(board.name(cell)), Some(cell));
    }
    assert_eq!(board.cell_at(2, 7), board.cell_named("b7"));
    assert_eq!(board.at(7, 2), board.cell_named("b7"));
    assert_eq!((board.half_steps(0), board.half_steps(6)), (5, 4));
}

#[test]
fn a_hole_in_the_middle_cuts_runs_but_no_lines() {
    let board = grid(Shape::Hex { side: 6 }, &["f6"]);
    assert_eq!(board.cells().len(), 90);
    for direction in ["a", "b", "c"] {
        assert_eq!(lengths(&board, direction), [6, 7, 8, 9, 10, 10, 10, 9, 8, 7, 6]);
    }
    assert_eq!(longest(&board, "f5", "f4 f5 f7 f8"), 2);
    assert_eq!(board.longest(board.cell_named("f6").unwrap(), |_| 0), 0);
    assert_eq!(board.longest(board.cell_named("f5").unwrap(), |_| 0), 10);
}

#[test]
fn offset_rows_are_shifted() {
    let board = grid(Shape::Offset { columns: 4, rows: 4 }, &[]);
    assert_eq!(board.places(), 16);
    assert_eq!(beside(&board, "b2"), "a1 b1 a2 c2 a3 b3");
    assert_eq!(beside(&board, "b3"), "b2 c2 a3 c3 b4 c4");
    assert_eq!(beside(&board, "a1"), "b1 a2 b2");
    assert_eq!(beside(&board, "d1"), "c1 d2");
    assert_eq!(lengths(&board, "row"), [4, 4, 4, 4]);
    assert_eq!(lengths(&board, "rising"), [2, 4, 4, 4, 2]);
    assert_eq!(lengths(&board, "falling"), [1, 3, 4, 4, 3, 1]);
    assert_eq!(named(&board, &board.lines(1)[0]), "a2 a1");
    assert_eq!(named(&board, &board.lines(2)[2]), "a1 b2 b3 c4");
}

#[test]
fn longest_runs() {
    let board = grid(Shape::Square { columns: 7, rows: 6 }, &[]);
    assert_eq!(longest(&board, "d3", "d3"), 1);
    assert_eq!(longest(&board, "c4", "a6 b5 c4 d3"), 4);
    assert_eq!(longest(&board, "b2", "a1 b2 c3 d4 e5 f6"), 6);
    assert_eq!(longest(&board, "g1", "a1 b1 c1 d1 f1 g1"), 2);
    assert_eq!(longest(&board, "d2", "d1 d2 d3 e2"), 3);
    assert_eq!(board.longest(0, |_| 5), 7);
    assert_eq!(board.longest(1_000, |_| 5), 0);
}

#[test]
fn odd_shapes_are_harmless() {
    for shape in [
        Shape::Hex { side: 0 },
        Shape::Square { columns: 0, rows: 5 },
        Shape::Offset { columns: 5, rows: 0 },
        Shape::Square { columns: u16::MAX, rows: u16::MAX },
        Shape::Hex { side: u16::MAX },
    ] {
        let board = grid(shape, &["a1"]);
        assert_eq!((board.places(), board.cells().len(), board.extent()), (0, 0, (0, 0)));
        assert_eq!((board.at(1, 1), board.cell_named("a1"), board.longest(0, |_| 0)), (None, None, 0));
    }
    assert_eq!(Geometry::places_of(Shape::Hex { side: 6 }), 91);
    assert_eq!(grid(Shape::Hex { side: 1 }, &[]).name(0), "a1");
    let largest = grid(Shape::Square { columns: 128, rows: 128 }, &[]);
    assert_eq!(largest.places(), MAX_PLACES);
}

#[test]
fn steps_agree_with_lines_and_with_each_other() {
    for shape in [Shape::Square { columns: 5, rows: 4 }, Shape::Hex { side: 4 }, Shape::Offset { columns: 5, rows: 5 }]
    {
        let board = grid(shape, &[]);
        for direction in 0..board.directions().len() {
            let mut seen = vec![0; board.places()];
            for (index, line) in board.lines(direction).iter().enumerate() {
                for pair in line.windows(2) {
                    let (from, to) = (usize::from(pair[0]), usize::from(pair[1]));
                    assert_eq!(board.step(direction, from, true), Some(to));
                    assert_eq!(board.step(direction, to, false), Some(from));
                }
                assert_eq!(board.step(direction, line[0].into(), false), None);
                for &cell in line {
                    seen[usize::from(cell)] += 1;
                    assert_eq!(board.line_of(direction, cell.into()), Some(index));
                }
            }
            assert!(seen.iter().all(|&times| times == 1));
        }
        for &cell in board.cells() {
            for &other in board.neighbours(cell.into()) {
                assert!(board.neighbours(other.into()).contains(&cell));
            }
        }
    }
}

#[test]
fn rays_go_to_the_edge_or_to_a_hole() {
    let square = Shape::Square { columns: 5, rows: 5 };
    let ray = |grid: &Geometry, shape: Shape, from: &str, way: &str| {
        let way = ways(shape).iter().position(|name| *name == way).unwrap();
        let cells = grid.ray(grid.cell_named(from).unwrap(), way);
        cells.map(|cell| grid.name(cell).to_owned()).collect::<Vec<_>>().join(" ")
    };
    let grid = Geometry::new(&Grid { shape: square, holes: vec!["e3".into()], ..Grid::default() });
    for (way, cells) in [
        ("up", "c2 c1"),
        ("down", "c4 c5"),
        ("left", "b3 a3"),
        ("right", "d3"),
        ("up_left", "b2 a1"),
        ("up_right", "d2 e1"),
        ("down_left", "b4 a5"),
        ("down_right", "d4 e5"),
    ] {
        assert_eq!(ray(&grid, square, "c3", way), cells, "{way}");
    }
    assert_eq!(ways(square).len(), 8);
    let names = |cells: Vec<usize>| cells.into_iter().map(|cell| grid.name(cell)).collect::<Vec<_>>().join(" ");
    assert_eq!(names(grid.diagonals(grid.cell_named("d2").unwrap()).collect()), "c1 e1 c3");
    assert_eq!(names(grid.diagonals(grid.cell_named("a1").unwrap()).collect()), "b2");
    let hex = Shape::Hex { side: 3 };
    let grid = Geometry::of_shape(hex);
    for (way, cells) in [
        ("left", "c2 c1"),
        ("right", "c4 c5"),
        ("up_left", "b2 a1"),
        ("up_right", "b3 a3"),
        ("down_left", "d2 e1"),
        ("down_right", "d3 e3"),
    ] {
        assert_eq!(ray(&grid, hex, "c3", way), cells, "{way}");
    }
    let offset = Shape::Offset { columns: 3, rows: 3 };
    let grid = Geometry::of_shape(offset);
    for (way, cells) in [
        ("left", "a2"),
        ("right", "c2"),
        ("up_left", "a1"),
        ("up_right", "b1"),
        ("down_left", "a3"),
        ("down_right", "b3"),
    ] {
        assert_eq!(ray(&grid, offset, "b2", way), cells, "{way}");
    }
    assert_eq!(grid.diagonals(4).count(), 0);
}
