//! Every path with its refused hosts, origins, methods and tokens.

use std::io::{Read, Write};

use motherlode_table::server::{FILES, HEADERS, PROTOCOL, SOCKET, paths};

use super::{Open, seat};
use crate::shipped::root;

/// Headers of a socket request besides host, origin and protocol.
const UPGRADE: &str =
    "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

/// Sends a request; returns the status, and the unparsed head and body.
fn ask(table: &Open, line: &str, headers: &str) -> (u16, String) {
    let mut stream = table.connect();
    let upgrade = if headers.contains("Upgrade") { "Connection: Upgrade" } else { "Connection: close" };
    write!(stream, "{line} HTTP/1.1\r\n{headers}{upgrade}\r\n\r\n").unwrap();
    let mut answer = vec![0; 64];
    if headers.contains("Upgrade") {
        // An open socket does not end.
        let read = stream.read(&mut answer).unwrap();
        answer.truncate(read);
    } else {
        answer.clear();
        stream.read_to_end(&mut answer).unwrap();
    }
    let answer = String::from_utf8(answer).unwrap();
    (answer.split(' ').nth(1).unwrap_or_else(|| panic!("{line}: {answer}")).parse().unwrap(), answer)
}

/// Valid headers for a path. A path that is not a file of the page needs its own case here.
fn good(table: &Open, path: &str) -> String {
    let host = &table.host;
    let token = &table.tokens[0];
    match path {
        SOCKET => format!(
            "Host: {host}\r\nOrigin: http://{host}\r\n{UPGRADE}Sec-WebSocket-Protocol: {PROTOCOL}, token.{token}\r\n"
        ),
        _ if FILES.iter().any(|file| file.path == path) => format!("Host: {host}\r\n"),
        _ => panic!("nothing is known of {path}"),
    }
}

#[test]
fn every_path_answers_only_its_own_page() {
    let table = Open::new(&[0, 1], &[seat(0)]);
    let host = table.host.as_str();
    let port = host.split_once(':').unwrap().1;
    let mut refused = 0;
    for path in paths() {
        let headers = good(&table, path);
        let right = if path == SOCKET { 101 } else { 200 };
        assert_eq!(ask(&table, &format!("GET {path}"), &headers).0, right, "{path}");
        let by_name = headers.replace(host, &format!("localhost:{port}"));
        assert_eq!(ask(&table, &format!("GET {path}"), &by_name).0, right, "{path}, by name");
        let line = format!("Host: {host}\r\n");
        let other_hosts = [
            "example.org".to_owned(),
            format!("example.org:{port}"),
            format!("127.0.0.1.example.org:{port}"),
            "127.0.0.1".into(),
            "127.0.0.1:1".into(),
            "localhost".into(),
            format!("127.0.0.2:{port}"),
            format!("{host}."),
            format!("user@{host}"),
            String::new(),
        ];
        let hosts = other_hosts.iter().map(|other| format!("Host: {other}\r\n"));
        let hosts = hosts.chain([String::new(), format!("{line}{line}"), format!("{line}Host: example.org\r\n")]);
        for wrong in hosts {
            let (status, _) = ask(&table, &format!("GET {path}"), &headers.replace(&line, &wrong));
            assert!((400..500).contains(&status), "{path}, {wrong}: {status}");
            refused += 1;
        }
        for origin in ["null", "http://example.org", "https://127.0.0.1", "http://127.0.0.1", "file://", ""]
            .map(str::to_owned)
            .into_iter()
            .chain([format!("https://{host}"), format!("http://localhost:{port}"), format!("http://{host}/")])
        {
            let own = format!("Origin: http://{host}\r\n");
            let wrong = headers.replace(&own, "") + &format!("Origin: {origin}\r\n");
            assert_eq!(ask(&table, &format!("GET {path}"), &wrong).0, 403, "{path}, from {origin}");
            refused += 1;
        }
        for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"] {
            assert_eq!(ask(&table, &format!("{method} {path}"), &headers).0, 405, "{method} {path}");
            refused += 1;
        }
        let (status, _) = ask(&table, &format!("GET http://example.org{path}"), &headers);
        assert!((400..500).contains(&status), "{path} of another host: {status}");
    }
    assert!(refused > 250, "{refused}");
}

/// The tests of all paths cover all routes: one place makes the routes from that list.
#[test]
fn every_route_is_in_the_list_of_paths() {
    let source = root().join("engine/table/src/server");
    let texts = std::fs::read_dir(source).unwrap().map(|entry| entry.unwrap().path());
    let texts: String =
        texts.filter(|path| path.is_file()).map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let count = |word: &str| texts.matches(word).count();
    assert_eq!(count("Router::new()"), 1);
    assert_eq!((count("for path in paths() {"), count(".route(path, "), count(".route(")), (1, 2, 3));
    assert_eq!(count(".route(\"/images/{hash}\", get(send_image))"), 1, "images have addresses that nobody can guess");
    for other in [".nest(", ".merge(", ".fallback", ".route_service(", ".nest_service("] {
        assert_eq!(count(other), 0, "{other}");
    }
}

#[test]
fn a_socket_opens_with_the_link() {
    let table = Open::new(&[0, 1], &[seat(0)]);
    let token = &table.tokens[0];
    assert_eq!(token.len(), 32, "128 bits");
    let headers = good(&table, SOCKET);
    let line = format!("GET {SOCKET}");
    for at in 0..token.len() {
        let mut other = token.clone().into_bytes();
        other[at] = if other[at] == b'0' { b'1' } else { b'0' };
        let wrong = headers.replace(token, std::str::from_utf8(&other).unwrap());
        assert_eq!(ask(&table, &line, &wrong).0, 403, "another character {at}");
    }
    let shorter = &token[..31];
    for wrong in ["", shorter, &format!("{token}0"), &token.to_uppercase().replace(char::is_numeric, "A")] {
        assert_eq!(ask(&table, &line, &headers.replace(token, wrong)).0, 403, "{wrong}");
    }
    let without = headers.replace(&format!(", token.{token}"), "");
    assert_eq!(ask(&table, &line, &without).0, 403);
    assert_eq!(ask(&table, &line, &headers.replace(PROTOCOL, "lode.1")).0, 400);
    assert_eq!(ask(&table, &line, &headers.replace(&format!("Origin: http://{}\r\n", table.host), "")).0, 403);
}

#[test]
fn every_answer_has_the_policy_and_no_secret() {
    let table = Open::new(&[0, 1], &[seat(0)]);
    let host = format!("Host: {}\r\n", table.host);
    for path in FILES.iter().map(|file| file.path).chain(["/none", "/../Cargo.toml", "/%2e%2e/Cargo.toml"]) {
        for (headers, allowed) in [(host.clone(), true), ("Host: example.org\r\n".to_owned(), false)] {
            let (status, answer) = ask(&table, &format!("GET {path}"), &headers);
            let file = FILES.iter().find(|file| file.path == path);
            assert_eq!(status == 200, allowed && file.is_some(), "{path}");
            for (name, value) in HEADERS {
                let line = format!("\r\n{name}: {}\r\n", value.split_whitespace().collect::<Vec<_>>().join(" "));
                assert!(answer.contains(&line), "{path}: no {name} in {answer}");
            }
            assert!(!answer.to_lowercase().contains("access-control") && !answer.contains("set-cookie"));
            assert!(!answer.contains(&table.tokens[0]));
        }
    }
    let (inline, strings) = (["<script>", " style=", "onclick", "<style"], ["innerHTML", "eval(", "insertAdjacent"]);
    for file in FILES {
        for word in inline.iter().chain(&strings).chain(&["document.write", "new Function", "https:"]) {
            assert!(!file.text.contains(word), "{} has {word}", file.path);
        }
    }
}

#[test]
fn the_page_is_small() {
    let all: String = FILES.iter().map(|file| file.text).collect();
    let mut packed = flate2_len(all.as_bytes());
    // Each file has its own header.
    packed += FILES.len() * 20;
    println!("the page has {} bytes, {packed} compressed", all.len());
    assert!(packed < 70_000, "{packed} bytes");
}

/// Length of the deflated bytes, as in a zip.
fn flate2_len(bytes: &[u8]) -> usize {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    zip.start_file("page", zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(bytes).unwrap();
    zip.finish().unwrap().into_inner().len()
}
