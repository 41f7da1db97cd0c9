//! A timeline as a file that stands alone: no script, no address it would fetch anything from, its style allowed by a hash.

use awf_core::visible;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use maud::{DOCTYPE, PreEscaped, html};
use sha2::{Digest as _, Sha256};

use crate::{
    page::{
        assets::STYLE,
        moment::time,
        run::{Home, sheet},
    },
    reading::RunReading,
};

/// The timeline of a run as one HTML document.
pub fn run_file(reading: &RunReading) -> Option<String> {
    let timeline = reading.timeline()?;
    let hash = STANDARD.encode(Sha256::digest(STYLE));
    let policy = format!("default-src 'none'; style-src 'sha256-{hash}'; img-src data:");
    let title = &timeline.began.workflow;
    let document = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                title { (title) " · " (timeline.status.as_str()) " · awf" }
                link rel="icon" href="data:,";
                style { (PreEscaped(STYLE)) }
            }
            body {
                header { span .brand { "awf" } }
                main {
                    h1 { (title) }
                    (sheet(&timeline, reading.short(), Home::File))
                    footer { p .quiet { "Written by awf on " (time(reading.now())) " UTC. A call in full: " code { "awf activity show ID" } } }
                }
            }
        }
    };
    Some(visible(document.into_string()))
}
