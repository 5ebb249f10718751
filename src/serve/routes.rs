//! Which request means what.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::{Method, Request, Response, StatusCode};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::reply::{HttpError, Reply};
use super::server::ServerContext;
use super::{assets, guard, puzzles, request};
use crate::error::Result as Computed;
use crate::report::plot::{Measure, PlotOptions};

/// Bytes of a body.
const BODY: usize = 1 << 20;
/// Bytes that are read of a body that is too large before that is answered: a client that still sends would not see it.
const DRAINED: usize = 8 << 20;
/// Time for a body.
const BODY_TIME: Duration = Duration::from_secs(10);

type RouteResult = Result<Reply, HttpError>;

/// Answers a request, whatever it is.
pub async fn answer(request: Request<Incoming>, shared: &Arc<ServerContext>) -> Response<Full<Bytes>> {
    let reply = route(request, shared).await;
    reply.unwrap_or_else(Reply::from).response()
}

async fn route(request: Request<Incoming>, shared: &Arc<ServerContext>) -> RouteResult {
    let (method, uri) = (request.method().clone(), request.uri().clone());
    guard::check(&method, &uri, request.headers(), shared.port)?;
    let names: Option<Vec<String>> = uri.path().split('/').skip(1).map(decoded).collect();
    let names = names.ok_or_else(nothing)?;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let query = Query(uri.query().unwrap_or_default());
    match names[..] {
        [""] => {
            only(&method, "GET, HEAD")?;
            assets::get("index.html", request.headers())
        }
        ["page", name] => {
            only(&method, "GET, HEAD")?;
            assets::get(name, request.headers())
        }
        ["api", "kinds"] => {
            only(&method, "GET")?;
            Ok(Reply::json(&puzzles::kinds()))
        }
        ["api", "puzzle"] => call(&method, request, shared, puzzles::puzzle).await,
        ["api", "distances"] => call(&method, request, shared, puzzles::distances).await,
        ["api", "class"] => call(&method, request, shared, |asked, _| puzzles::class(asked)).await,
        ["api", "look"] => call(&method, request, shared, |asked, _| puzzles::look(asked)).await,
        ["api", "draw"] => call(&method, request, shared, |asked, _| puzzles::draw(asked)).await,
        ["api", "scramble"] => call(&method, request, shared, |asked, _| puzzles::scramble(asked)).await,
        ["api", "triangles"] => call(&method, request, shared, |asked, _| puzzles::triangles(asked)).await,
        ["api", "tasks"] => {
            only(&method, "GET, POST")?;
            match method {
                Method::POST => submit(request, shared).await,
                _ => Ok(Reply::json(&shared.tasks.rows())),
            }
        }
        ["api", "tasks", id] => {
            only(&method, "GET, DELETE")?;
            let gone =
                || HttpError::not_found("the task is not found: it never existed, or is no longer kept");
            let id = id.parse().map_err(|_| gone())?;
            let reply = match method {
                Method::DELETE => shared.tasks.stop(id).map(|row| Reply::json(&row)),
                _ => {
                    let wait = query.number("wait")?.unwrap_or(0);
                    let view = shared.tasks.wait(id, Duration::from_millis(wait)).await;
                    view.map(Reply::text)
                }
            };
            reply.ok_or_else(gone)
        }
        ["api", "jobs"] => {
            only(&method, "GET")?;
            let jobs = shared.jobs.clone();
            let work = move || Ok(Reply::json(&jobs.list()?));
            shared.call(&shared.job_calls, work).await
        }
        ["api", place @ ("home" | "results")] => {
            only(&method, "GET")?;
            let (jobs, home) = (shared.jobs.clone(), place == "home");
            let work = move || Ok(Reply::json(&if home { jobs.home()? } else { jobs.tables_at_a_glance()? }));
            shared.call(&shared.job_calls, work).await
        }
        ["api", place @ ("jobs" | "results"), name, ref rest @ ..] if rest.len() < 2 => {
            let view = view(place, rest, &query)?;
            only(&method, "GET")?;
            let (jobs, name) = (shared.jobs.clone(), name.to_owned());
            let work = move || {
                Ok(match view {
                    JobView::Job => Reply::json(&jobs.job(&name)?),
                    JobView::Table => Reply::json(&jobs.table(&name)?),
                    JobView::JobChart(look) => Reply::svg(jobs.job_chart(&name, &look)?),
                    JobView::TableChart(look) => Reply::svg(jobs.table_chart(&name, &look)?),
                    JobView::States(level, count) => Reply::json(&jobs.states(&name, level, count)?),
                })
            };
            shared.call(&shared.job_calls, work).await
        }
        _ => Err(nothing()),
    }
}

/// What is to be seen of a job or a table.
enum JobView {
    Job,
    Table,
    JobChart(PlotOptions),
    TableChart(PlotOptions),
    States(Option<u64>, Option<u64>),
}

fn view(place: &str, rest: &[&str], query: &Query<'_>) -> Result<JobView, HttpError> {
    let look = || {
        Ok::<_, HttpError>(PlotOptions {
            measure: match query.choice("by", ["states", "classes"])? {
                0 => Measure::States,
                _ => Measure::Classes,
            },
            log: query.choice("log", ["0", "1"])? == 1,
        })
    };
    Ok(match (place, rest) {
        ("jobs", []) => JobView::Job,
        ("jobs", ["chart"]) => JobView::JobChart(look()?),
        ("jobs", ["states"]) => JobView::States(query.number("level")?, query.number("count")?),
        ("results", []) => JobView::Table,
        ("results", ["chart"]) => JobView::TableChart(look()?),
        _ => return Err(nothing()),
    })
}

fn nothing() -> HttpError {
    HttpError::not_found("there is nothing here")
}

/// Refuses other methods than some.
fn only(method: &Method, allowed: &'static str) -> Result<(), HttpError> {
    match allowed.split(", ").any(|name| name == method.as_str()) {
        true => Ok(()),
        false => Err(HttpError {
            allow: Some(allowed),
            ..HttpError::new(StatusCode::METHOD_NOT_ALLOWED, format!("this needs the method {allowed}"))
        }),
    }
}

/// A question about a puzzle, answered at once.
async fn call(
    method: &Method,
    request: Request<Incoming>,
    shared: &Arc<ServerContext>,
    work: fn(&Value, &Path) -> Computed<Value>,
) -> RouteResult {
    only(method, "POST")?;
    let body = body(request).await?;
    let jobs = shared.jobs.clone();
    let work = move || Ok(Reply::json(&work(&object(&body)?, jobs.dir())?));
    shared.call(&shared.puzzle_calls, work).await
}

/// Work that is done in the background.
async fn submit(request: Request<Incoming>, shared: &Arc<ServerContext>) -> RouteResult {
    let body = body(request).await?;
    let jobs = shared.jobs.clone();
    let work = move || Ok(request::read(&jobs, &mut object(&body)?)?);
    // A client that was answered that this takes too long has started nothing.
    let order = shared.call(&shared.puzzle_calls, work).await?;
    Ok(Reply::json(&json!({ "task": shared.tasks.submit(order)? })))
}

/// The body of a request, if it is small and comes in time.
async fn body(request: Request<Incoming>) -> Result<Vec<u8>, HttpError> {
    let too_large = || HttpError::new(StatusCode::PAYLOAD_TOO_LARGE, "the request is larger than 1 MiB");
    let mut body = request.into_body();
    let reading = async {
        let (mut bytes, mut length) = (Vec::new(), 0);
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|_| {
                HttpError::new(StatusCode::BAD_REQUEST, "the request breaks off, or is malformed")
            })?;
            let Some(data) = frame.data_ref() else {
                continue;
            };
            length += data.len();
            if length <= BODY {
                bytes.extend_from_slice(data);
            } else if length > DRAINED {
                break;
            }
        }
        if length > BODY { Err(too_large()) } else { Ok(bytes) }
    };
    timeout(BODY_TIME, reading).await.unwrap_or_else(|_| {
        Err(HttpError::new(StatusCode::REQUEST_TIMEOUT, "the request took too long to arrive"))
    })
}

/// The JSON object in a body.
fn object(body: &[u8]) -> Result<Value, HttpError> {
    let bad = |why: String| HttpError::new(StatusCode::BAD_REQUEST, why);
    match serde_json::from_slice(body) {
        Ok(value @ Value::Object(_)) => Ok(value),
        Ok(_) => Err(bad("the body of a request must be a JSON object".into())),
        Err(error) => Err(bad(format!("this is not JSON: {error}"))),
    }
}

/// A text with its `%` escapes undone; `None` if there are wrong ones.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let mut digit = || Some(char::from(rest.next()?).to_digit(16)? as u8);
                digit()? << 4 | digit()?
            }
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

/// What follows the `?`.
struct Query<'a>(&'a str);

impl Query<'_> {
    /// The value of a name; one without, or with wrong escapes, is refused.
    fn get(&self, name: &str) -> Result<Option<String>, HttpError> {
        let mut pairs = self.0.split('&').map(|pair| match pair.split_once('=') {
            Some((key, value)) => (key, decoded(value)),
            None => (pair, None),
        });
        match pairs.find(|(key, _)| *key == name) {
            None => Ok(None),
            Some((_, Some(value))) => Ok(Some(value)),
            Some((_, None)) => Err(HttpError::new(
                StatusCode::BAD_REQUEST,
                format!("`{name}` has no value, or wrong escapes in it"),
            )),
        }
    }

    /// The place of a word among those that are possible; the first one is the default.
    fn choice(&self, name: &str, words: [&str; 2]) -> Result<usize, HttpError> {
        let Some(text) = self.get(name)? else {
            return Ok(0);
        };
        words.iter().position(|word| *word == text).ok_or_else(|| {
            HttpError::new(StatusCode::BAD_REQUEST, format!("`{name}` is {}", words.join(" or ")))
        })
    }

    /// A number, if there is one; anything else is refused.
    fn number(&self, name: &str) -> Result<Option<u64>, HttpError> {
        let Some(text) = self.get(name)? else {
            return Ok(None);
        };
        text.parse().map(Some).map_err(|_| {
            HttpError::new(
                StatusCode::BAD_REQUEST,
                format!("`{name}` must be a number; `{text}` is not a number"),
            )
        })
    }
}

#[cfg(test)]
mod tests;
