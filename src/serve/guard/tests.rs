//! Tests of the module above.

use super::*;

fn status(method: &str, uri: &str, headers: &[(&str, &str)]) -> u16 {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        map.append(HeaderName::try_from(*name).unwrap(), value.parse().unwrap());
    }
    let method = Method::from_bytes(method.as_bytes()).unwrap();
    match check(&method, &uri.parse().unwrap(), &map, 8642) {
        Ok(()) => 200,
        Err(refusal) => refusal.status.as_u16(),
    }
}

#[test]
fn only_our_own_names_are_hosts() {
    for host in ["127.0.0.1:8642", "localhost:8642", "LocalHost:8642", "[::1]:8642"] {
        assert_eq!(status("GET", "/", &[("host", host)]), 200, "{host}");
    }
    for host in [
        "",
        "evil.example",
        "evil.example:8642",
        "127.0.0.1",
        "localhost",
        "127.0.0.1:8643",
        "127.0.0.1:08642",
        "localhost:8642.evil.example",
        "127.0.0.1:8642:8642",
        "0.0.0.0:8642",
        "127.1:8642",
        "localhost.:8642",
        "user@127.0.0.1:8642",
        "[::1]",
        "::1:8642",
        "[::1]:",
        "localhost:8642 ",
        "xlocalhost:8642",
        "127.0.0.1.evil.example:8642",
    ] {
        assert_eq!(status("GET", "/", &[("host", host)]), 403, "{host}");
    }
    assert_eq!(status("GET", "/", &[]), 403);
    let twice = [("host", "localhost:8642"), ("host", "evil.example")];
    assert_eq!(status("GET", "/", &twice), 403);
    let host = [("host", "localhost:8642")];
    assert_eq!(status("GET", "http://evil.example/", &host), 403);
    assert_eq!(status("GET", "http://localhost:8642/", &host), 200);
}

#[test]
fn other_sites_are_refused() {
    let ask = |method, uri, more: &[(&str, &str)]| {
        let mut headers = vec![("host", "localhost:8642"), ("content-type", "application/json")];
        headers.extend(more);
        status(method, uri, &headers)
    };
    for origin in ["http://localhost:8642", "http://127.0.0.1:8642"] {
        assert_eq!(ask("POST", "/api/tasks", &[("origin", origin)]), 200);
    }
    for origin in [
        "null",
        "",
        "https://localhost:8642",
        "http://localhost",
        "http://localhost:3000",
        "http://evil.example",
        "http://localhost:8642.evil.example",
        "http://localhost:8642/",
    ] {
        assert_eq!(ask("POST", "/api/tasks", &[("origin", origin)]), 403, "{origin}");
        assert_eq!(ask("GET", "/", &[("origin", origin)]), 403, "{origin}");
    }
    for site in ["cross-site", "same-site", "", "other"] {
        let site = ("sec-fetch-site", site);
        let link = [site, ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document")];
        let frame = [site, ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "iframe")];
        assert_eq!(ask("GET", "/", &link), 200);
        assert_eq!(ask("GET", "/", &frame), 403);
        assert_eq!(ask("GET", "/", &[site]), 403);
        assert_eq!(ask("GET", "/api/jobs", &link), 403);
        assert_eq!(ask("POST", "/", &link), 403);
    }
    for site in ["same-origin", "none"] {
        assert_eq!(ask("GET", "/api/jobs", &[("sec-fetch-site", site)]), 200);
    }
}

#[test]
fn what_is_posted_is_json() {
    let post = |kind| {
        let headers = [("host", "localhost:8642"), ("content-type", kind)];
        status("POST", "/api/look", &headers)
    };
    assert_eq!(post("application/json"), 200);
    assert_eq!(post("Application/JSON; charset=utf-8"), 200);
    for kind in [
        "",
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "text/plain;application/json",
        "application/jsonp",
    ] {
        assert_eq!(post(kind), 415, "{kind}");
    }
    assert_eq!(status("POST", "/api/look", &[("host", "localhost:8642")]), 415);
}
