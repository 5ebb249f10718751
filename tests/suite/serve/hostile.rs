//! Hostile pages, and clients that are slow, greedy or garbled.

use super::*;

#[test]
fn other_sites_are_kept_out() {
    let serving = Serving::start();
    let port = serving.port;
    let own = format!("http://localhost:{port}");
    let get = |headers: &[(&str, &str)]| status(&serving.request("GET /api/jobs", headers, ""));
    assert_eq!(get(&[]), 200);
    assert_eq!(get(&[("Host", &format!("localhost:{port}")), ("Origin", &own)]), 200);
    // A name that was made to point to this machine.
    assert_eq!(get(&[("Host", &format!("evil.example:{port}"))]), 403);
    assert_eq!(get(&[("Host", "127.0.0.1")]), 403);
    assert_eq!(get(&[("Origin", "http://evil.example")]), 403);
    assert_eq!(get(&[("Origin", "null")]), 403);
    assert_eq!(get(&[("Sec-Fetch-Site", "cross-site")]), 403);
    assert_eq!(get(&[("Sec-Fetch-Site", "same-site")]), 403);
    assert_eq!(get(&[("Sec-Fetch-Site", "same-origin")]), 200);
    let link =
        [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document")];
    assert_eq!(status(&serving.request("GET /", &link, "")), 200);
    // No host at all, two of them, another one in the request itself.
    assert_eq!(status(&serving.raw(b"GET / HTTP/1.0\r\n\r\n")), 403);
    let two = format!("GET / HTTP/1.1\r\nHost: localhost:{port}\r\nHost: evil.example\r\n\r\n");
    assert_ne!(status(&serving.raw(two.as_bytes())), 200);
    assert_eq!(status(&serving.request("GET http://evil.example/", &[], "")), 403);
    assert_ne!(status(&serving.request("CONNECT evil.example:80", &[], "")), 200);
    // What forms can post, and what a script may post without asking first.
    let body = r#"{"do":"enumerate","puzzle":"tiles:2x2"}"#;
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
        let answer = serving.request("POST /api/tasks", &[("Content-Type", kind)], body);
        assert_eq!(status(&answer), 415, "{kind}");
    }
    assert_eq!(status(&serving.request("POST /api/tasks", &[], body)), 415);
    let foreign = [JSON, ("Origin", "http://evil.example")];
    assert_eq!(status(&serving.request("POST /api/tasks", &foreign, body)), 403);
    // A preflight is not granted.
    let first = [("Origin", "http://evil.example"), ("Access-Control-Request-Method", "DELETE")];
    let answer = serving.request("OPTIONS /api/tasks/1", &first, "");
    assert_eq!(status(&answer), 403);
    assert!(!answer.to_lowercase().contains("access-control"));
    assert_eq!(serving.get("/api/tasks"), json!([]));
}

#[test]
fn no_path_leads_out() {
    let serving = Serving::start();
    std::fs::create_dir(serving.dir.join("runs")).unwrap();
    std::fs::write(serving.dir.join("secret.csv"), "level,classes,states\n0,1,1\n").unwrap();
    std::fs::create_dir(serving.dir.join("results")).unwrap();
    let (out, up) = ("../Cargo.toml", "../../../../../../etc/passwd");
    let mut paths = vec!["//".to_owned(), "/page/".into(), "/page".into(), "/api".into(), "/.".into()];
    for place in ["/", "/page/", "/api/", "/api/jobs/", "/api/results/", "/api/tasks/"] {
        for way in [out, up, "..", ".", "../secret", "/etc/passwd", "index.html%00", "é", "~"] {
            let dots = way.replace('.', "%2e");
            for way in [
                way.to_owned(),
                way.replace('/', "%2f"),
                dots.replace('/', "%2F"),
                dots.replace('%', "%25"),
                way.replace('/', "\\"),
                way.replace('/', "%5c"),
                way.replace("..", "%c0%ae%c0%ae"),
                format!("{way}/chart"),
                format!("{way}/states"),
            ] {
                paths.push(format!("{place}{way}"));
            }
        }
    }
    for path in paths.iter().filter(|path| !path.ends_with("/index.html")) {
        let answer = serving.request(&format!("GET {path}"), &[], "");
        assert!(matches!(status(&answer), 400 | 404), "{path}: {answer}");
        for secret in ["[package]", "root:", "classes\""] {
            assert!(!answer.contains(secret), "{path}");
        }
    }
}

#[test]
fn what_is_too_large_or_no_request_is_refused() {
    let serving = Serving::start();
    let host = format!("Host: 127.0.0.1:{}\r\n", serving.port);
    let long = "x".repeat(40_000);
    assert_eq!(status(&serving.request("GET /", &[("X", &long)], "")), 431);
    assert_ne!(status(&serving.request(&format!("GET /{long}"), &[], "")), 200);
    let many: Vec<(&str, &str)> = vec![("X-One", "1"); 200];
    assert_eq!(status(&serving.request("GET /", &many, "")), 431);

    let large = format!("{{\"puzzle\":\"{}\"}}", "x".repeat(2 << 20));
    assert_eq!(status(&serving.request("POST /api/look", &[JSON], &large)), 413);
    let host = format!("{host}Connection: close\r\n");
    let head = format!("POST /api/look HTTP/1.1\r\n{host}Content-Type: application/json\r\n");
    let chunk = format!("{:x}\r\n{}\r\n", 1 << 16, "x".repeat(1 << 16));
    let chunked = format!("{head}Transfer-Encoding: chunked\r\n\r\n{}0\r\n\r\n", chunk.repeat(40));
    assert_eq!(status(&serving.closing(chunked.as_bytes())), 413);
    for length in ["-1", "1e3", "99999999999999999999999", "5\r\nContent-Length: 6", "0x5"] {
        let lie = format!("{head}Content-Length: {length}\r\n\r\n{{}}");
        assert!(matches!(status(&serving.raw(lie.as_bytes())), 400 | 0), "{length}");
    }
    let both = format!("{head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    assert_ne!(status(&serving.raw(both.as_bytes())), 200);
    let broken = format!("{head}Content-Length: 50\r\n\r\n{{\"puzzle\":");
    assert!(matches!(status(&serving.raw(broken.as_bytes())), 400 | 0));

    let post = |body: &str| serving.request("POST /api/puzzle", &[JSON], body);
    for body in [
        "",
        "{",
        "[]",
        "7",
        "null",
        "\"x\"",
        "{}x",
        "{\"puzzle\":1e999}",
        "\u{feff}{}",
        "{\"puzzle\":null}",
        "{\"puzzle\":{}}",
        "{\"puzzle\":[[]]}",
        "{\"puzzle\":\"\"}",
        "{\"puzzle\":99999999999999999999999999999999}",
        "{\"puzzle\":\"\\ud800\"}",
        "{\"puzzle\":\"tiles:@/etc/passwd\"}",
        "{\"puzzle\":\"klotski:@/etc/passwd\"}",
        "{\"puzzle\":\"tiles:4294967297x4294967297\"}",
        "{\"puzzle\":\"\\u0000\"}",
    ] {
        let answer = post(body);
        assert_eq!(status(&answer), 400, "{body}: {answer}");
        assert!(answer.contains("{\"error\":\"") && !answer.contains("root:"), "{answer}");
    }
    assert_eq!(status(&post(&"[".repeat(500_000))), 400);
    assert_eq!(status(&post(&"{\"a\":".repeat(100_000))), 400);
    let mut bad = format!("{head}Content-Length: 14\r\n\r\n").into_bytes();
    bad.extend(b"{\"puzzle\":\"\xff\"}");
    assert_eq!(status(&serving.closing(&bad)), 400);

    let noise: Vec<u8> = (0..20_000u32).map(|i| (i.wrapping_mul(i).wrapping_mul(7919) >> 5) as u8).collect();
    for garbage in [
        &noise[..],
        b"\0\0\0\0",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET\r\n\r\n",
        b"\r\n\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost : x\r\n\r\n",
        b"GET / HTTP/1.1\r\n Host: x\r\n\r\n",
        b"GET / HTTP/1.1\nHost: evil\n\n",
    ] {
        assert!(matches!(status(&serving.raw(garbage)), 0 | 400 | 403), "{garbage:?}");
    }
    assert!(serving.get("/api/kinds").is_array());
}

/// These take as long as the server's patience, all at the same time.
#[test]
fn who_is_slow_or_does_not_read_is_cut_off() {
    let serving = Serving::start();
    let host = format!("Host: 127.0.0.1:{}\r\n", serving.port);
    let cut_off = |stream: &mut TcpStream| {
        let began = Instant::now();
        let answer = rest(stream);
        assert!(began.elapsed() < Duration::from_secs(13));
        answer
    };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut stream = serving.connect();
            write!(stream, "GET / HTTP/1.1\r\n{host}X: ").unwrap();
            assert_ne!(status(&cut_off(&mut stream)), 200);
        });
        scope.spawn(|| {
            // A byte now and then does not help.
            let mut stream = serving.connect();
            write!(stream, "GET / HTTP/1.1\r\n{host}X: ").unwrap();
            let began = Instant::now();
            while stream.write_all(b"x").is_ok() {
                assert!(began.elapsed() < Duration::from_secs(13));
                std::thread::sleep(Duration::from_millis(250));
            }
        });
        scope.spawn(|| {
            let mut stream = serving.connect();
            write!(
                stream,
                "POST /api/look HTTP/1.1\r\n{host}Content-Type: application/json\r\n\
                 Content-Length: 100\r\n\r\n{{"
            )
            .unwrap();
            assert_eq!(status(&cut_off(&mut stream)), 408);
        });
        scope.spawn(|| {
            // An idle connection is not kept, either.
            let mut stream = serving.connect();
            write!(stream, "GET /api/kinds HTTP/1.1\r\n{host}\r\n").unwrap();
            assert_eq!(status(&cut_off(&mut stream)), 200);
        });
        scope.spawn(|| {
            let mut stream = serving.connect();
            stream.set_write_timeout(Some(Duration::from_secs(1))).unwrap();
            let many = format!("GET /page/style.css HTTP/1.1\r\n{host}\r\n").repeat(1000);
            let began = Instant::now();
            loop {
                match stream.write_all(many.as_bytes()) {
                    Err(e) if e.kind() == std::io::ErrorKind::WouldBlock => {}
                    Err(_) => break,
                    Ok(()) => {}
                }
                assert!(began.elapsed() < Duration::from_secs(14));
            }
        });
        // All the while others are served.
        for _ in 0..10 {
            assert!(serving.get("/api/kinds").is_array());
            std::thread::sleep(Duration::from_millis(300));
        }
    });
}

#[test]
fn connections_have_their_number_and_requests_their_order() {
    let serving = Serving::start();
    let host = format!("Host: 127.0.0.1:{}\r\n", serving.port);
    let pipeline = format!(
        "GET /api/tasks HTTP/1.1\r\n{host}\r\nGET /none HTTP/1.1\r\n{host}\r\n\
         GET /api/kinds HTTP/1.1\r\n{host}Connection: close\r\n\r\n"
    );
    let answers = serving.closing(pipeline.as_bytes());
    let statuses: Vec<u16> = answers.split("HTTP/1.1").skip(1).map(status).collect();
    assert_eq!(statuses, [200, 404, 200], "{answers}");

    let open: Vec<TcpStream> = (0..64).map(|_| serving.connect()).collect();
    std::thread::sleep(Duration::from_millis(300));
    let (status, answer) = serving.ask("GET", "/api/kinds", None);
    assert_eq!(status, 503, "{answer}");
    assert!(answer["error"].as_str().unwrap().contains("connections"));
    drop(open);
    std::thread::sleep(Duration::from_millis(300));
    assert!(serving.get("/api/kinds").is_array());
}
