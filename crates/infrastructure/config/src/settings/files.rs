//! The files that configure awf: the user's, the project's, and those that other programs share.

use std::path::{Path, PathBuf};

use awf_core::{Diagnostic, Severity};

use crate::{
    file::{parse_config, read_config},
    reader::{CONFIG, Findings, Shape},
    servers::{ForeignTyped, Ownership, ServerOrigin, ServerSetting, Whereabouts, check_names},
    settings::{
        layer::{Layer, SharedLayer},
        typed::SettingsTyped,
    },
};

/// Where configuration is read from. What is named here must be there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SettingsFiles {
    /// The user's `config.yaml`.
    pub user: Option<PathBuf>,
    /// The user's files that other programs share.
    pub foreign_user: Vec<PathBuf>,
    /// The project's `.awf/config.yaml`.
    pub project: Option<PathBuf>,
    /// The project's files that other programs share.
    pub foreign_project: Vec<PathBuf>,
    /// The project's directory, as it is approved.
    pub ground: PathBuf,
}

impl SettingsFiles {
    /// Those that are there: the user's in `home`, the project's in `project`, as the user calls it. `ground` is the same
    /// directory from the root on.
    pub fn find(home: Option<&Path>, project: &Path, ground: &Path) -> Self {
        let there = |path: PathBuf| path.is_file().then_some(path);
        let of_user = |name: &str| home.and_then(|home| there(home.join(name)));
        let shared = [".mcp.json", "mcp_config.json"];
        Self {
            user: of_user("config.yaml"),
            foreign_user: of_user("mcp_config.json").into_iter().collect(),
            project: there(project.join(".awf/config.yaml")),
            foreign_project: shared
                .into_iter()
                .filter_map(|name| there(project.join(name)))
                .collect(),
            ground: ground.canonicalize().unwrap_or_else(|_| ground.to_owned()),
        }
    }
}

/// The servers of a `config.yaml`, or all that is wrong with it.
pub(crate) fn servers_in(path: &Path, text: &str) -> Result<Vec<ServerSetting>, Vec<Diagnostic>> {
    let file = path.display().to_string();
    let mut findings = Findings::new(&file, &CONFIG, "the configuration");
    let origin = ServerOrigin::User(path.to_owned());
    let place = Whereabouts { ownership: Ownership::Own, origin, ground: None };
    let typed: Option<SettingsTyped> = parse_config(text, &mut findings);
    let layer = typed.map(|typed| Layer::of(path, typed, &place, &mut findings));
    let servers = layer.map(|layer| layer.shared.servers).unwrap_or_default();
    findings.take(check_names(servers.names()));
    let found = findings.sorted();
    if found.is_empty() { Ok(servers.servers) } else { Err(found) }
}

/// What one side says, the user or the project.
#[derive(Default)]
pub(super) struct Side {
    pub(super) own: Layer,
    pub(super) foreign: Vec<SharedLayer>,
}

/// Both sides, and what is wrong with their files.
#[derive(Default)]
pub(super) struct Loaded {
    pub(super) user: Side,
    pub(super) project: Side,
    pub(super) warnings: Vec<Diagnostic>,
    pub(super) faults: Vec<Diagnostic>,
}

/// Reads every file.
pub(super) fn load(files: &SettingsFiles) -> Loaded {
    let mut loaded = Loaded::default();
    let ground = Some(files.ground.as_path());
    loaded.user = loaded.side(files.user.as_ref(), &files.foreign_user, ServerOrigin::User, None);
    loaded.project =
        loaded.side(files.project.as_ref(), &files.foreign_project, ServerOrigin::Project, ground);
    loaded
}

impl Loaded {
    fn side(
        &mut self,
        own: Option<&PathBuf>,
        foreign: &[PathBuf],
        origin: fn(PathBuf) -> ServerOrigin,
        ground: Option<&Path>,
    ) -> Side {
        let place =
            |path: &Path, ownership| Whereabouts { ownership, origin: origin(path.into()), ground };
        let own = own.and_then(|path| {
            self.read(path, |typed: SettingsTyped, findings| {
                Layer::of(path, typed, &place(path, Ownership::Own), findings)
            })
        });
        let foreign = foreign.iter().filter_map(|path| {
            self.read(path, |typed: ForeignTyped, findings| {
                SharedLayer::foreign(typed, &place(path, Ownership::Foreign), findings)
            })
        });
        Side { foreign: foreign.collect(), own: own.unwrap_or_default() }
    }

    fn read<T: Shape, L>(
        &mut self,
        path: &Path,
        layer: impl FnOnce(T, &mut Findings<'_>) -> L,
    ) -> Option<L> {
        let file = path.display().to_string();
        let mut findings = Findings::new(&file, &CONFIG, "the configuration");
        let typed: Option<T> = read_config(path, &mut findings);
        let layer = typed.map(|typed| layer(typed, &mut findings));
        for finding in findings.sorted() {
            match finding.severity {
                Severity::Error => self.faults.push(finding),
                Severity::Warning => self.warnings.push(finding),
            }
        }
        layer
    }
}
