//! One connection: a stream that does not wait indefinitely for a client that does not read.

use std::future::Future;
use std::io::{Error, ErrorKind, Result};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

/// A client that reads nothing for this long is disconnected.
const STALL: Duration = Duration::from_secs(10);

/// A stream on which writing fails when nothing of it is read for a while.
pub struct StallGuard {
    stream: TcpStream,
    /// Runs while something waits to be written.
    stall: Option<Pin<Box<Sleep>>>,
}

impl StallGuard {
    /// Wraps a stream.
    pub fn new(stream: TcpStream) -> Self {
        StallGuard { stream, stall: None }
    }

    /// What came of writing, or that nothing did for too long.
    fn within<T>(&mut self, cx: &mut Context<'_>, outcome: Poll<Result<T>>) -> Poll<Result<T>> {
        if outcome.is_ready() {
            self.stall = None;
            return outcome;
        }
        let stall = self.stall.get_or_insert_with(|| Box::pin(sleep(STALL)));
        ready!(stall.as_mut().poll(cx));
        Poll::Ready(Err(Error::from(ErrorKind::TimedOut)))
    }
}

impl AsyncRead for StallGuard {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl AsyncWrite for StallGuard {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.within(cx, outcome)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        let outcome = Pin::new(&mut self.stream).poll_flush(cx);
        self.within(cx, outcome)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        let outcome = Pin::new(&mut self.stream).poll_shutdown(cx);
        self.within(cx, outcome)
    }
}

/// Whichever of two futures is ready first, the first one if both are.
pub async fn first<A, B>(
    one: impl Future<Output = A>,
    other: impl Future<Output = B>,
) -> std::result::Result<A, B> {
    let (mut one, mut other) = (std::pin::pin!(one), std::pin::pin!(other));
    std::future::poll_fn(move |cx| match one.as_mut().poll(cx) {
        Poll::Ready(value) => Poll::Ready(Ok(value)),
        Poll::Pending => other.as_mut().poll(cx).map(Err),
    })
    .await
}
