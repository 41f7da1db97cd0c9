//! The parameters of URLs, for the `OpenAPI` document alone: `query` reads them, more strictly than any schema could say.

#![expect(dead_code, reason = "these are read by the macro, never made")]

use utoipa::{
    IntoParams, PartialSchema, ToSchema,
    openapi::{
        KnownFormat, RefOr, Schema, SchemaFormat,
        schema::{AnyOfBuilder, ObjectBuilder, Type},
    },
};

use crate::openapi::{
    run_schema::RunStatus,
    schema::{ExportFormat, OperationType, Source, Status},
};

/// A time, or how long ago.
pub(crate) struct Moment;

impl PartialSchema for Moment {
    fn schema() -> RefOr<Schema> {
        let text = || ObjectBuilder::new().schema_type(Type::String);
        let time = text().format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)));
        let ago = text().pattern(Some("^[0-9]{1,6}[smhd]$"));
        let either = AnyOfBuilder::new().item(time).item(ago);
        RefOr::T(Schema::AnyOf(either.description(Some("A time, or how long ago.")).build()))
    }
}

impl ToSchema for Moment {}

/// What records are found by.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Filters {
    /// Begun at or after: a time (RFC 3339), or how long ago (`90s`, `15m`, `2h`, `7d`).
    #[param(nullable = false)]
    since: Option<Moment>,
    /// Begun before.
    #[param(nullable = false)]
    until: Option<Moment>,
    /// Of this run.
    #[param(nullable = false)]
    run: Option<String>,
    /// Of this step.
    #[param(nullable = false)]
    step: Option<String>,
    /// Of this server.
    #[param(nullable = false)]
    server: Option<String>,
    /// Of this tool.
    #[param(nullable = false)]
    tool: Option<String>,
    /// With this operation, declared or derived.
    #[param(nullable = false)]
    intent_type: Option<OperationType>,
    /// In this state.
    #[param(nullable = false)]
    status: Option<Status>,
    /// With this request id.
    #[param(nullable = false)]
    request_id: Option<String>,
    /// Come in this way.
    #[param(nullable = false)]
    source: Option<Source>,
}

/// Which page.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Paging {
    /// Records on the page.
    #[param(nullable = false, minimum = 1, maximum = 100, default = 50)]
    limit: Option<u32>,
    /// The `next_cursor` of the page before.
    #[param(nullable = false, pattern = "^[0-7][0-9A-HJKMNP-TV-Z]{25}$")]
    cursor: Option<String>,
}

/// What runs are found by.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Runs {
    /// Of this workflow.
    #[param(nullable = false)]
    workflow: Option<String>,
    /// In this state.
    #[param(nullable = false)]
    status: Option<RunStatus>,
    /// Begun at or after: a time (RFC 3339), or how long ago (`90s`, `15m`, `2h`, `7d`).
    #[param(nullable = false)]
    since: Option<Moment>,
    /// Begun before.
    #[param(nullable = false)]
    until: Option<Moment>,
}

/// How records are written down.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Export {
    /// A JSON object per line, or a table.
    #[param(nullable = false)]
    format: Option<ExportFormat>,
}

/// What is shown of all there is.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct View {
    /// Tools of these servers only, with commas between.
    #[param(nullable = false, pattern = "^[^,]+(,[^,]+)*$")]
    servers: Option<String>,
    /// Tools up to this class only.
    #[param(nullable = false)]
    allow: Option<OperationType>,
}

/// What is searched for.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Search {
    /// A few words that say what the tool should do.
    #[param(nullable = false, pattern = r"[^\s]")]
    query: Option<String>,
    /// Tools at most.
    #[param(nullable = false, minimum = 1, maximum = 100)]
    limit: Option<u32>,
}
