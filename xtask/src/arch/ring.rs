//! The rings, read from the folder a crate lies in, and what each may know. No rule file can widen this.

use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ring {
    Standalone,
    Core,
    Application,
    Infrastructure,
    Interfaces,
    /// Programs as anybody could write them: outside the product.
    Examples,
    /// This program: outside the product.
    Xtask,
}

impl Ring {
    /// The folder is the ring.
    pub(crate) fn of(manifest: &str) -> Option<Self> {
        let folders: Vec<&str> = manifest.split('/').collect();
        match folders.as_slice() {
            ["crates", "core", "Cargo.toml"] => Some(Self::Core),
            ["crates", "application", _, "Cargo.toml"] => Some(Self::Application),
            ["crates", "infrastructure", _, "Cargo.toml"] => Some(Self::Infrastructure),
            ["crates", "interfaces", _, "Cargo.toml"] => Some(Self::Interfaces),
            ["crates", "standalone", _, "Cargo.toml"] => Some(Self::Standalone),
            ["examples", _, "Cargo.toml"] => Some(Self::Examples),
            ["xtask", "Cargo.toml"] => Some(Self::Xtask),
            _ => None,
        }
    }

    /// Within application and interfaces, `arch-rules.toml` alone says who may know whom.
    pub(crate) fn may_know(self) -> &'static [Self] {
        match self {
            Self::Standalone | Self::Core | Self::Xtask => &[],
            Self::Examples => &[Self::Standalone],
            Self::Application => &[Self::Core, Self::Standalone, Self::Application],
            Self::Infrastructure => &[Self::Core, Self::Standalone],
            Self::Interfaces => &[
                Self::Core,
                Self::Standalone,
                Self::Application,
                Self::Infrastructure,
                Self::Interfaces,
            ],
        }
    }
}

impl fmt::Display for Ring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Standalone => "standalone",
            Self::Core => "core",
            Self::Application => "application",
            Self::Infrastructure => "infrastructure",
            Self::Interfaces => "interfaces",
            Self::Examples => "examples",
            Self::Xtask => "xtask",
        })
    }
}
