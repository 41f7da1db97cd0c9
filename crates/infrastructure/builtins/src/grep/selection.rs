//! Which files of a tree are searched: ripgrep's rules, narrowed by a glob and a type.

use ignore::{WalkBuilder, overrides::OverrideBuilder, types::TypesBuilder};

use super::GrepArguments;
use crate::{
    arguments::InvalidArguments,
    files::{Place, Roots},
    tree,
};

/// The walk over the files to search. As for ripgrep's `-g`, a glob is relative to the root and overrides ignore files.
pub(super) fn walk(
    arguments: &GrepArguments,
    roots: &Roots,
    place: &Place<'_>,
) -> Result<WalkBuilder, InvalidArguments> {
    let mut walk = tree::walk(roots, &tree::directory(place));
    if let Some(glob) = &arguments.glob {
        let overrides = OverrideBuilder::new(place.root.path())
            .add(glob)
            .and_then(|builder| builder.build())
            .map_err(|error| InvalidArguments::new("glob", error.to_string()))?;
        walk.overrides(overrides);
    }
    if let Some(name) = &arguments.r#type {
        let types = TypesBuilder::new()
            .add_defaults()
            .select(name)
            .build()
            .map_err(|error| InvalidArguments::new("type", error.to_string()))?;
        walk.types(types);
    }
    Ok(walk)
}
