//! Many readers at once over one index, the first of them making it.

use awf_core::ActivityFilter;

use crate::{
    sample::{all, open, write_calls},
    writer_process::spawn,
};

#[tokio::test(flavor = "multi_thread", worker_threads = 8)]
async fn readers_agree_while_writers_write() {
    let home = tempfile::tempdir().unwrap();
    write_calls(&open(home.path()), 50).await;
    let mut writer = spawn(home.path(), 50);
    let read = |_| {
        let store = open(home.path());
        tokio::spawn(async move {
            let first = all(&store, ActivityFilter::default()).await.len();
            let second = all(&store, ActivityFilter::default()).await.len();
            assert!((50..=second).contains(&first) && second <= 100, "{first}, {second}");
            store
        })
    };
    let readers: Vec<_> = (0..8).map(read).collect();
    // Its acknowledgements fit into the pipe.
    assert!(writer.wait().unwrap().success());
    for reader in readers {
        let store = reader.await.unwrap();
        assert_eq!(all(&store, ActivityFilter::default()).await.len(), 100);
    }
}
