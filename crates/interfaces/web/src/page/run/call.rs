//! One call of a run, opened: what was asked, for what, what was decided, what came back.

use awf_core::ActivityRecord;
use maud::{Markup, html};

use crate::page::{
    activity::record::{captured, judged, result},
    moment::time,
    run::Home,
};

pub(super) fn sheet(record: &ActivityRecord, home: Home) -> Markup {
    let (started, ended) = (&record.started, record.ended.as_ref());
    html! {
        div .opened {
            @if let Some(error) = ended.and_then(|ended| ended.error.as_ref()) { p .trouble { (error) } }
            div .columns {
                dl {
                    dt { "ID" } dd {
                        @match home {
                            Home::Page => a href={ "/activity/" (started.id) } { code { (started.id) } },
                            Home::File => code { (started.id) },
                        }
                    }
                    dt { "Request" } dd { code { (started.request_id) } }
                    dt { "Began" } dd { (time(started.at)) " UTC" }
                    @if let Some(trace) = &started.trace_id { dt { "Trace" } dd { code { (trace) } } }
                }
                (judged(record))
            }
            h3 { "Arguments" }
            (captured(&started.arguments))
            h3 { "Result" }
            @match ended.and_then(|ended| ended.response.as_ref()) {
                Some(response) => (result(response)),
                None => p .quiet { "There is none." },
            }
        }
    }
}
