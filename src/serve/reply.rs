//! What is answered: a status, a body, and headers that are always the same.

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{
    ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderName, HeaderValue,
    REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use hyper::{Response, StatusCode};
use serde_json::{Value, json};

use crate::error::Error;

/// Scripts, styles and connections of our own only, and the page is never put into a frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// Of a sentence that repeats what was asked, no more than this is sent back.
const LONGEST: usize = 4096;

pub const JSON: &str = "application/json";
/// A picture.
pub const SVG: &str = "image/svg+xml";

/// An answer.
pub struct Reply {
    status: StatusCode,
    content_type: &'static str,
    body: Bytes,
    /// Tells versions of an asset apart; an answer without one is not to be stored at all.
    etag: Option<String>,
    allow: Option<&'static str>,
}

/// Why something is refused.
#[derive(Debug)]
pub struct HttpError {
    /// The kind of reason.
    pub status: StatusCode,
    /// The reason.
    pub sentence: String,
    /// What would be allowed, where the method is wrong.
    pub allow: Option<&'static str>,
}

impl HttpError {
    /// A refusal.
    pub fn new(status: StatusCode, sentence: impl Into<String>) -> Self {
        HttpError { status, sentence: sentence.into(), allow: None }
    }

    /// There is no such thing.
    pub fn not_found(sentence: impl Into<String>) -> Self {
        HttpError::new(StatusCode::NOT_FOUND, sentence)
    }

    /// Too much is asked for at a time.
    pub fn busy(sentence: impl Into<String>) -> Self {
        HttpError::new(StatusCode::SERVICE_UNAVAILABLE, sentence)
    }

    /// Something went wrong that never should.
    pub fn bug(what: &str) -> Self {
        HttpError::new(StatusCode::INTERNAL_SERVER_ERROR, format!("{what}; please report this"))
    }
}

impl From<Error> for HttpError {
    fn from(error: Error) -> Self {
        let status = match error {
            Error::Usage(_) | Error::Misdirected { .. } | Error::Directory { .. } | Error::Limit(_) => {
                StatusCode::BAD_REQUEST
            }
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        HttpError::new(status, error.to_string())
    }
}

impl Reply {
    /// JSON that is written already.
    pub fn text(json: impl Into<Bytes>) -> Self {
        Reply::of(JSON, json)
    }

    pub fn json(value: &Value) -> Self {
        Reply::text(value.to_string())
    }

    pub fn svg(picture: String) -> Self {
        Reply::of(SVG, picture)
    }

    fn of(content_type: &'static str, body: impl Into<Bytes>) -> Self {
        Reply { status: StatusCode::OK, content_type, body: body.into(), etag: None, allow: None }
    }

    /// A part of the page, or word that the browser has it already.
    pub fn asset(content_type: &'static str, body: &'static [u8], etag: String, known: bool) -> Self {
        let body = if known { &[] } else { body };
        Reply {
            status: if known { StatusCode::NOT_MODIFIED } else { StatusCode::OK },
            etag: Some(etag),
            ..Reply::of(content_type, Bytes::from_static(body))
        }
    }

    /// The answer as it is sent.
    pub fn response(self) -> Response<Full<Bytes>> {
        let mut response = Response::new(Full::new(self.body));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        let cache = match self.etag {
            Some(_) => "no-cache",
            None => "no-store",
        };
        for (name, value) in [
            (CONTENT_TYPE, self.content_type),
            (CACHE_CONTROL, cache),
            (CONTENT_SECURITY_POLICY, POLICY),
            (X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (X_FRAME_OPTIONS, "DENY"),
            (REFERRER_POLICY, "no-referrer"),
            (OPENER_POLICY, "same-origin"),
            (RESOURCE_POLICY, "same-origin"),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
        if let Some(allow) = self.allow {
            headers.insert(ALLOW, HeaderValue::from_static(allow));
        }
        if let Some(etag) = self.etag.and_then(|etag| HeaderValue::try_from(etag).ok()) {
            headers.insert(ETAG, etag);
        }
        response
    }
}

const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

impl From<HttpError> for Reply {
    fn from(refusal: HttpError) -> Self {
        let sentence = shortened(&refusal.sentence, LONGEST);
        Reply { status: refusal.status, allow: refusal.allow, ..Reply::json(&json!({ "error": sentence })) }
    }
}

/// A text, or its beginning if it has more characters than `most`.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{} ...", &text[..at]),
        None => text.to_owned(),
    }
}
