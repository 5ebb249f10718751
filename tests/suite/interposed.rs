//! The real program on a disk that takes its time, or fails: a library that is loaded before the system's makes
//! reads and syncs slow, and the look for a file fail.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Every read takes `SLOW_READS` milliseconds; every sync takes 1.5 seconds once there is a file `SLOW_SYNCS`; and
/// to look for a file whose path ends with `BAD_NAME` is an error.
const SOURCE: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

ssize_t pread64(int file, void *bytes, size_t length, off_t offset) {
    static ssize_t (*real)(int, void *, size_t, off_t);
    if (!real) real = dlsym(RTLD_NEXT, "pread64");
    const char *slow = getenv("SLOW_READS");
    if (slow) usleep(1000 * atoi(slow));
    return real(file, bytes, length, offset);
}

int fsync(int file) {
    static int (*real)(int);
    if (!real) real = dlsym(RTLD_NEXT, "fsync");
    const char *slow = getenv("SLOW_SYNCS");
    if (slow && access(slow, F_OK) == 0) usleep(1500000);
    return real(file);
}

int statx(int dir, const char *path, int flags, unsigned mask, struct statx *found) {
    static int (*real)(int, const char *, int, unsigned, struct statx *);
    if (!real) real = dlsym(RTLD_NEXT, "statx");
    const char *bad = getenv("BAD_NAME");
    if (bad && path && strlen(path) >= strlen(bad) && !strcmp(path + strlen(path) - strlen(bad), bad)) {
        errno = EIO;
        return -1;
    }
    return real(dir, path, flags, mask, found);
}
"#;

/// The library, to be named by `LD_PRELOAD`. The compiler is the one that building the program needs.
pub fn library(place: &Path) -> PathBuf {
    let (source, library) = (place.join("slow.c"), place.join("slow.so"));
    fs::write(&source, SOURCE).unwrap();
    let mut compiler = Command::new("cc");
    // The standard library may ask with no path at all, which the header does not expect.
    compiler
        .args(["-shared", "-fPIC", "-fno-delete-null-pointer-checks", "-w", "-o"])
        .args([&library, &source])
        .arg("-ldl");
    assert!(compiler.status().unwrap().success());
    library
}
