//! Crowds of connections: people with a link always get in, despite strangers and despite other links.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use motherlode_table::server::{Limits, PROTOCOL, Role, SOCKET};
use serde_json::json;
use tungstenite::Message;

use super::client::{Client, beside};
use super::program::{Program, links};
use super::{Open, seat};
use crate::shipped::{load, root};

const LOOKS_ON: Role = Role { seat: None, designer: false };

/// Maximum wait before the test fails.
const NEVER: Duration = Duration::from_secs(60);

/// Two people and one spectator.
fn open(limits: Limits) -> Open {
    let game = load(&root().join("tests/fixtures/knowledge"), "die");
    Open::of(&game, 2, &[0, 1], &[seat(0), seat(1), LOOKS_ON], limits)
}

/// Short deadlines.
fn short() -> Limits {
    let moment = Duration::from_millis(400);
    Limits { request: moment, message: moment, ..Limits::default() }
}

/// Whether the other end has closed a connection.
fn is_closed(stream: &mut TcpStream) -> bool {
    stream.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
    let mut bytes = [0; 4096];
    loop {
        match stream.read(&mut bytes) {
            Ok(0) => return true,
            Ok(_) => {}
            Err(error) => return !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut),
        }
    }
}

/// Sends the same bytes repeatedly; returns whether the other end closes the connection.
fn trickle(mut stream: TcpStream, bytes: &[u8]) -> bool {
    let begin = Instant::now();
    while begin.elapsed() < NEVER {
        if stream.write_all(bytes).is_err() || is_closed(&mut stream) {
            return true;
        }
    }
    false
}

/// Checks that everybody with a link gets in.
fn all_come_in(table: &Open) {
    for (token, who) in table.tokens.iter().zip(["A", "B", "whoever looks on"]) {
        assert!(
            Client::at(&table.host, token, None).is_ok_and(|mut client| client.hear().is_some()),
            "{who} is kept out"
        );
    }
}

#[test]
fn a_link_takes_no_socket_of_another() {
    let table = open(Limits::default());
    for token in &table.tokens {
        // Many sockets of one link keep nobody else out.
        let sockets: Vec<Client> = (0..200).map(|_| Client::at(&table.host, token, None).unwrap()).collect();
        all_come_in(&table);
        drop(sockets);
    }
}

#[test]
fn the_oldest_socket_of_a_link_is_closed_with_a_reason() {
    let table = open(Limits { sockets: 3, ..Limits::default() });
    let mut sockets: Vec<Client> = (0..3).map(|_| Client::join(&table.host, &table.tokens[0]).0).collect();
    let (mut other, _) = Client::join(&table.host, &table.tokens[1]);
    sockets.push(Client::join(&table.host, &table.tokens[0]).0);
    assert_eq!(sockets[0].refusal(), "crowded");
    assert_eq!(sockets[0].hear(), None);
    for client in sockets[1..].iter_mut().chain([&mut other]) {
        client.say(&json!({ "consent": { "request": 1, "agree": true } }));
        assert_eq!(client.refusal(), "no_request");
    }
}

#[test]
fn links_of_many_matches_leave_room_for_others() {
    let game = load(&root().join("tests/fixtures/knowledge"), "die");
    // One person opens forty links: more sockets than there are places.
    let roles: Vec<Role> = (0..40).map(|_| LOOKS_ON).chain([seat(0), seat(1)]).collect();
    let table = Open::of(&game, 2, &[0, 1], &roles, Limits { connections: 64, sockets: 4, ..Limits::default() });
    let mut crowd: Vec<Client> = Vec::new();
    for token in table.tokens[..40].iter().cycle().take(160) {
        crowd.extend(Client::at(&table.host, token, None).ok());
    }
    assert!(crowd.len() > 56, "{}", crowd.len());
    for token in &table.tokens[40..] {
        assert!(Client::at(&table.host, token, None).is_ok_and(|mut client| client.hear().is_some()));
    }
}

#[test]
fn a_whole_request_has_a_deadline() {
    let table = open(short());
    let host = &table.host;
    let head = format!("GET / HTTP/1.1\r\nHost: {host}\r\n");
    let upgrade = format!(
        "GET {SOCKET} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: {PROTOCOL}, token.{}\r\nSec-WebSocket-Key: ",
        table.tokens[0]
    );
    let body = format!("{head}Content-Length: 1000000\r\n\r\n");
    // Incomplete requests: nothing, a line, a header, a body, most of an upgrade, another protocol, empty lines.
    let begun = ["", "GET / HT", &format!("{head}X: "), &body, &upgrade, "\u{16}\u{3}\u{1}\u{2}", "\r\n"];
    let trickles = begun.map(|begun| {
        let (mut stream, begun) = (table.connect(), begun.to_owned());
        thread::spawn(move || {
            stream.write_all(begun.as_bytes()).unwrap();
            let byte: &[u8] = if begun == "\r\n" { b"\r\n" } else { b"a" };
            (trickle(stream, if begun.is_empty() { b"" } else { byte }), begun)
        })
    });
    for trickle in trickles {
        let (closed, begun) = trickle.join().unwrap();
        assert!(closed, "{begun:?} is never closed");
    }
    all_come_in(&table);
    // An endless head, sent at full speed.
    let mut stream = table.connect();
    stream.write_all(format!("{head}X: ").as_bytes()).unwrap();
    let mut sent = 0;
    while sent < 64 << 20 && stream.write_all(&[b'a'; 4096]).is_ok() {
        sent += 4096;
    }
    assert!(sent < 64 << 20, "a head of {sent} bytes is read");
}

/// The stream of an open socket.
fn raw(table: &Open) -> TcpStream {
    let (client, _) = Client::join(&table.host, &table.tokens[0]);
    client.0.get_ref().try_clone().unwrap()
}

#[test]
fn a_whole_message_has_a_deadline() {
    let table = open(short());
    let trickles: [(&str, &[u8], &[u8]); 4] = [
        ("half a frame", b"\x81\xfe\x01\x00abcd", b"b"),
        ("half a head", b"\x81\xff\0\0\0", b""),
        ("frames that never end a message", b"\x01\x81abcd\0", b"\0\x80abcd"),
        ("the same with pings in between", b"\x01\x81abcd\0", b"\0\x80abcd\x89\x80abcd"),
    ];
    let limits = Limits { one_more: Duration::from_micros(1), ..short() };
    let generous = open(limits);
    for (what, begun, more) in trickles {
        let mut stream = raw(if what.contains("pings") { &generous } else { &table });
        stream.write_all(begun).unwrap();
        assert!(trickle(stream, more), "{what} is never closed");
    }
    all_come_in(&table);
    // The server reads a message of several frames, one with a ping inside, and bytes sent one by one.
    let mut stream = raw(&table);
    for byte in b"\x01\x81abcd\x1a\x89\x80abcd\x80\x81abcd\x1f" {
        stream.write_all(&[*byte]).unwrap();
    }
    stream.set_read_timeout(Some(NEVER)).unwrap();
    let (mut heard, mut bytes) = (String::new(), [0; 4096]);
    while !heard.contains("unknown") {
        let read = stream.read(&mut bytes).unwrap();
        assert!(read > 0, "{heard}");
        heard += &String::from_utf8_lossy(&bytes[..read]);
    }
}

#[test]
fn a_steady_talker_stays_connected() {
    // Each read ends within a message, for longer than the deadline.
    let table = open(Limits { one_more: Duration::from_micros(1), ..short() });
    let mut stream = raw(&table);
    let mut reader = stream.try_clone().unwrap();
    thread::spawn(move || while reader.read(&mut [0; 4096]).is_ok_and(|read| read > 0) {});
    let begin = Instant::now();
    stream.write_all(b"\x81").unwrap();
    let mut messages = 0;
    while begin.elapsed() < 4 * short().message {
        stream.write_all(b"\x82abcd\x1a\x1f\x81").unwrap();
        messages += 1;
        thread::sleep(Duration::from_millis(20));
    }
    stream.write_all(b"\x82abcd\x1a\x1f").unwrap();
    assert!(messages > 2);
    assert!(!is_closed(&mut stream));
}

#[test]
fn a_crowd_of_strangers_keeps_nobody_out() {
    let limits = Limits { request: NEVER, connections: 40, ..Limits::default() };
    let table = open(limits);
    let (mut player, _) = Client::join(&table.host, &table.tokens[0]);
    let mut crowd: Vec<TcpStream> = Vec::new();
    let begun = format!("GET / HTTP/1.1\r\nHost: {}\r\nX: ", table.host);
    for number in 0..400 {
        let mut stream = table.connect();
        // Some clients never send anything.
        if number % 3 > 0 {
            let _ = stream.write_all(begun.as_bytes());
        }
        crowd.push(stream);
        if number % 80 == 79 {
            all_come_in(&table);
        }
    }
    player.say(&json!({ "consent": { "request": 1, "agree": true } }));
    assert_eq!(player.refusal(), "no_request", "a joined client stays");
    // The oldest sockets are closed first, and the limit holds.
    let (old, new) = crowd.split_at_mut(300);
    assert!(old.iter_mut().all(is_closed));
    let left = new.iter_mut().filter_map(|stream| (!is_closed(stream)).then_some(())).count();
    assert!((1..=40).contains(&left), "{left}");
}

/// The program uses as many files as the system allows, and continues when there are no more.
#[test]
fn a_crowd_that_uses_all_file_handles_keeps_nobody_out() {
    for before in ["ulimit -n 160;", "ulimit -Sn 160;"] {
        let arguments = ["die", "--players", "2", "--seats", "human,human", "--seed", "7"];
        let mut program = Program::start(&root().join("tests/fixtures/knowledge"), before, &arguments);
        let (host, tokens) = links(&program.said());
        let mut crowd: Vec<TcpStream> = (0..600).map(|_| TcpStream::connect(&host).unwrap()).collect();
        for token in &tokens {
            let (_, whole) = Client::join(&host, token);
            assert!(beside(&whole)["lines"].is_array());
        }
        if before.contains("S") {
            assert!(!is_closed(&mut crowd[0]), "the limit is raised");
        }
        drop(crowd);
        program.kill();
    }
}

#[test]
fn endless_pings_are_no_message() {
    let table = open(Limits { slow: Duration::from_millis(500), ..Limits::default() });
    let (mut client, _) = Client::join(&table.host, &table.tokens[2]);
    let begin = Instant::now();
    // This client never reads.
    while client.0.send(Message::Ping("again".into())).is_ok() {
        assert!(begin.elapsed() < NEVER, "pings are answered for ever");
    }
    all_come_in(&table);
}
