//! Who may ask: the page that this server served, and programs on this machine.
//!
//! A browser runs scripts of many sites, and any of them can send requests to 127.0.0.1. What keeps
//! them out:
//!
//! - **`Host`** must name this machine and our port. A site whose name is made to point to 127.0.0.1
//!   after it was loaded (DNS rebinding) still has its own name there.
//! - **`Origin`**, if it is there, must be ours: browsers send it with everything but plain reading.
//! - **`Sec-Fetch-Site`**, if it is there, must say that the request comes from our own page or from
//!   the user. Only the page itself can be opened from elsewhere, by following a link.
//! - **`Content-Type`** of what is posted must be JSON, which no form can send, and which a script of
//!   another origin may only send after asking us first; we never agree.
//!
//! Reading changes nothing here, and what a foreign page makes a browser read, it cannot see: no answer
//! permits that.

use hyper::header::{CONTENT_TYPE, HOST, HeaderMap, HeaderName, ORIGIN};
use hyper::{Method, StatusCode, Uri};

use super::reply::HttpError;

/// Lets a request through, or says why not.
pub fn check(method: &Method, uri: &Uri, headers: &HeaderMap, port: u16) -> Result<(), HttpError> {
    let forbidden = |sentence: &str| Err(HttpError::new(StatusCode::FORBIDDEN, sentence));
    let host = only(headers, &HOST).flatten();
    if !host.is_some_and(|host| is_ours(host, port)) {
        return forbidden(
            "this page is served under 127.0.0.1 and localhost only: open it by one of these names",
        );
    }
    // A request as for a proxy names a host again.
    if let Some(authority) = uri.authority()
        && !is_ours(authority.as_str(), port)
    {
        return forbidden("this is not a proxy");
    }
    let origin = |text: &str| text.strip_prefix("http://").is_some_and(|host| is_ours(host, port));
    match only(headers, &ORIGIN) {
        None => {}
        Some(Some(text)) if origin(text) => {}
        Some(_) => return forbidden("the request comes from another site's page"),
    }
    let own = matches!(only(headers, &SITE), None | Some(Some("same-origin" | "none")));
    let followed = matches!(only(headers, &MODE), Some(Some("navigate")))
        && matches!(only(headers, &DESTINATION), Some(Some("document")))
        && method == Method::GET
        && uri.path() == "/";
    if !own && !followed {
        return forbidden("the request comes from another site's page");
    }
    if method == Method::POST && !is_json(headers) {
        return Err(HttpError::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "the body of a request must be JSON, with `Content-Type: application/json`",
        ));
    }
    Ok(())
}

const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
const DESTINATION: HeaderName = HeaderName::from_static("sec-fetch-dest");

/// A header that may come once: `None` if it is not there, `Some(None)` if it comes twice or is not text.
fn only<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<Option<&'h str>> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?;
    Some(first.to_str().ok().filter(|_| values.next().is_none()))
}

/// Whether a host with its port is this machine and our port.
fn is_ours(host: &str, port: u16) -> bool {
    let (name, named) = match host.rsplit_once(':') {
        Some((name, digits)) if !digits.contains(']') => (name, Some(digits)),
        _ => (host, None),
    };
    let right_port = match named {
        Some(digits) => digits == port.to_string(),
        None => port == 80,
    };
    let names = ["127.0.0.1", "localhost", "[::1]"];
    right_port && names.iter().any(|ours| name.eq_ignore_ascii_case(ours))
}

/// Whether the body is said to be JSON.
fn is_json(headers: &HeaderMap) -> bool {
    let value = only(headers, &CONTENT_TYPE).flatten().unwrap_or_default();
    let essence = value.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/json")
}

#[cfg(test)]
mod tests;
