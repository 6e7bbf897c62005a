//! Connections as they come in: no more than there may be at a time, and none that is silent for long.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

use super::limits::Limits;

/// Takes connections.
pub struct Wires {
    listener: TcpListener,
    places: Arc<Semaphore>,
    silence: Duration,
}

/// A connection, which ends when nothing is heard for too long.
pub struct Wire {
    stream: TcpStream,
    silence: Duration,
    patience: Pin<Box<Sleep>>,
    _place: OwnedSemaphorePermit,
}

impl Wires {
    /// Those of a listener.
    pub fn new(listener: TcpListener, limits: &Limits) -> Self {
        Self { listener, places: Arc::new(Semaphore::new(limits.connections)), silence: limits.silence }
    }
}

impl Listener for Wires {
    type Io = Wire;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Wire, SocketAddr) {
        loop {
            let (stream, address) = Listener::accept(&mut self.listener).await;
            // One too many is closed at once: nobody waits for others to go.
            let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else { continue };
            // Small messages do not wait for more of them.
            let _ = stream.set_nodelay(true);
            let silence = self.silence;
            return (Wire { stream, silence, patience: Box::pin(sleep(silence)), _place: place }, address);
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let Poll::Ready(read) = Pin::new(&mut self.stream).poll_read(context, buffer) {
            let later = Instant::now() + self.silence;
            self.patience.as_mut().reset(later);
            return Poll::Ready(read);
        }
        ready!(self.patience.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncWrite for Wire {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
