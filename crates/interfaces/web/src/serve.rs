//! Connections: accepted as long as there is room, each bounded in time and in the size of what it asks.

use std::{io, pin::pin, sync::Arc, time::Duration};

use axum::{Router, routing::get};
use hyper::{
    Request,
    body::Incoming,
    server::conn::http1,
    service::{Service as _, service_fn},
};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use rustix::net::sockopt::set_socket_send_buffer_size;
use tokio::{
    net::{TcpListener, TcpStream},
    time::{sleep, timeout},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    api,
    guard::{self, Doors},
    house::{House, WebLimits, WebSettings},
    mcp, openapi, page,
    ports::WebPorts,
    room::{Room, Seat},
};

/// The head of a request, in bytes.
const HEAD: usize = 64 * 1024;
/// The headers of a request.
const HEADERS: usize = 100;
/// What the system keeps for a client that does not read, in bytes; it would take megabytes for each by itself.
const UNREAD: usize = 64 * 1024;
/// How long requests may take to end once serving ends.
const LEAVE: Duration = Duration::from_secs(5);
/// How long to wait when the system has no room for another connection.
const NO_ROOM: Duration = Duration::from_millis(50);

/// Serves on `listener` until `stop` fires, then sees the last requests off.
pub async fn serve(
    listener: TcpListener,
    settings: WebSettings,
    ports: WebPorts,
    stop: CancellationToken,
) -> io::Result<()> {
    let port = listener.local_addr()?.port();
    let limits = settings.limits;
    let house = Arc::new(House::new(settings, ports, port, stop.clone()));
    let router = router(&house);
    let room = Room::new(limits.connections);
    let connections = TaskTracker::new();
    while let Some((stream, seat)) = accept(&listener, &room, &stop).await {
        connections.spawn(attend(stream, seat, router.clone(), limits, stop.clone()));
    }
    drop(listener);
    connections.close();
    house.tasks.close();
    let left = async {
        connections.wait().await;
        house.tasks.wait().await;
    };
    if timeout(LEAVE, left).await.is_err() {
        tracing::warn!("requests were still running when serving ended");
    }
    Ok(())
}

fn router(house: &Arc<House>) -> Router {
    let doors = Doors {
        keyed: mcp::routes(),
        readable: api::routes().route("/openapi.json", get(openapi::serve)),
        pages: page::routes(),
        open: page::open_routes(),
    };
    guard::around(doors, house).with_state(house.clone())
}

/// The next connection, once there is room for it; `None` when serving ends.
async fn accept(
    listener: &TcpListener,
    room: &Arc<Room>,
    stop: &CancellationToken,
) -> Option<(TcpStream, Seat)> {
    let accepted = async {
        loop {
            match listener.accept().await {
                Ok((stream, peer)) => return Some((stream, room.seat(peer).await?)),
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    sleep(NO_ROOM).await;
                }
            }
        }
    };
    stop.run_until_cancelled(accepted).await.flatten()
}

async fn attend(
    stream: TcpStream,
    seat: Seat,
    router: Router,
    limits: WebLimits,
    stop: CancellationToken,
) {
    // Answers are written whole; waiting for more to send would only delay them.
    stream.set_nodelay(true).ok();
    set_socket_send_buffer_size(&stream, UNREAD).ok();
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head_time)
        .max_header_size(HEAD)
        .max_buf_size(HEAD)
        .max_headers(HEADERS);
    let (guest, routes) = (&seat.guest, TowerToHyperService::new(router));
    let service = service_fn(|mut request: Request<Incoming>| {
        request.extensions_mut().insert(guest.clone());
        routes.call(request)
    });
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = guest.hangup.0.cancelled() => Ok(()),
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            timeout(LEAVE, connection).await.unwrap_or(Ok(()))
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection broke");
    }
}
