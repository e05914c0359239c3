//! Threads without work, in a process of their own: other tests would use its time.
#![cfg(all(target_os = "linux", not(any(loom, shuttle))))]

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use muslin_threads::Threads;

/// For each thread of a team in this process the nanoseconds that it has run.
fn workers() -> Vec<u64> {
    let read =
        |task: &fs::DirEntry, file: &str| fs::read_to_string(task.path().join(file)).unwrap_or_default();
    let tasks = fs::read_dir("/proc/self/task").unwrap().map(Result::unwrap);
    tasks
        .filter(|task| read(task, "comm").starts_with("muslin "))
        .map(|task| read(&task, "schedstat").split(' ').next().unwrap().parse().unwrap())
        .collect()
}

#[test]
fn threads_without_work_use_no_time_and_end_with_the_last_handle() {
    let threads = Threads::new(4).unwrap();
    let work = |threads: &Threads| threads.for_each_piece(&mut [0u8; 400], 1, 1, |_, _| {});
    work(&threads);
    // Longer than their patience, whatever else this machine does.
    sleep(Duration::from_millis(50));
    let before = workers();
    assert_eq!(before.len(), 3);
    sleep(Duration::from_millis(300));
    assert_eq!(workers(), before, "nobody has run at all");
    let copy = threads.clone();
    drop(threads);
    work(&copy);
    assert_eq!(workers().len(), 3);
    drop(copy);
    assert_eq!(workers().len(), 0);
}
