//! Reading `/proc` lines, and finding descendants in them.

use std::collections::HashMap;

use rustix::process::{Pid, getpid, getppid};

use crate::tree::{Process, Tree};

fn pid(raw: i32) -> Pid {
    Pid::from_raw(raw).unwrap()
}

fn process(raw: i32, parent: i32) -> Process {
    Process { pid: pid(raw), parent, group: 1, session: 1, started: 1, zombie: false }
}

fn tree(processes: &[Process]) -> Tree {
    let mut by_parent: HashMap<i32, Vec<Process>> = HashMap::new();
    for process in processes {
        by_parent.entry(process.parent).or_default().push(*process);
    }
    Tree(by_parent)
}

fn below(tree: &Tree, root: Process) -> Vec<i32> {
    let members = tree.below([root].into_iter());
    members.iter().map(|process| process.pid.as_raw_nonzero().get()).collect()
}

#[test]
fn a_name_may_contain_anything() {
    let line = "7 (a) Z 1 (b) S 3 4 5 0 -1 4194304 90 0 0 0 0 0 0 0 20 0 1 0 8813 2900 17 18\n";
    let expected =
        Process { pid: pid(7), parent: 3, group: 4, session: 5, started: 8813, zombie: false };
    assert_eq!(Process::parse(pid(7), line.as_bytes()), Some(expected));
    let dead = line.replace(") S", ") Z");
    assert_eq!(Process::parse(pid(7), dead.as_bytes()), Some(Process { zombie: true, ..expected }));
    for broken in ["", "7 (a", "7 (a) S", "7 (a) S x 4 5", "7 (a) S 3 4 5 0"] {
        assert_eq!(Process::parse(pid(7), broken.as_bytes()), None, "{broken:?}");
    }
}

#[test]
fn the_living_are_found() {
    let own = Process::read(getpid()).unwrap();
    assert_eq!(own.parent, getppid().unwrap().as_raw_nonzero().get());
    let listed = Tree::read().children(getppid().unwrap()).any(|child| child.pid == getpid());
    assert!(listed);
}

#[test]
fn descendants_come_after_their_parents_and_strangers_not_at_all() {
    let tree = tree(&[process(2, 1), process(3, 2), process(4, 2), process(5, 3), process(9, 1)]);
    assert_eq!(below(&tree, process(2, 1)), [2, 3, 4, 5]);
    assert_eq!(below(&tree, process(5, 3)), [5]);
}

#[test]
fn a_loop_of_reused_ids_ends() {
    let tree = tree(&[process(2, 4), process(3, 2), process(4, 3)]);
    assert_eq!(below(&tree, process(2, 4)), [2, 3, 4]);
}
