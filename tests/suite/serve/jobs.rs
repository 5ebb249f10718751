//! Background work, and jobs that run here or elsewhere.

use godnum::engine::Job;

use super::*;

#[test]
fn a_job_is_started_stopped_and_finished() {
    let mut serving = Serving::start();
    let enumerate = json!({ "do": "enumerate", "puzzle": LONG });
    let task = serving.begin(enumerate.clone());
    let row = serving.wait_for_levels();
    assert_eq!(row["task"], task);
    assert_eq!(row["puzzle"], LONG);
    assert_eq!(row["total"], "94143280");
    let (status, _) = serving.ask("DELETE", &format!("/api/tasks/{task}"), None);
    assert_eq!(status, 200);
    let view = serving.ended(task);
    assert_eq!(view["state"], "stopped", "{view}");
    let row = serving.jobs().remove(0);
    assert_eq!((&row["state"], &row["task"]), (&json!("stopped"), &json!(null)));
    assert!(row["progress"].as_str().unwrap().contains("safe"), "{row}");

    // The end of the server is a stop like any other, and answers who waits.
    let task = serving.begin(enumerate.clone());
    serving.wait_for_levels();
    std::thread::scope(|scope| {
        let host = format!("Host: 127.0.0.1:{}\r\n", serving.port);
        let mut stream = serving.connect();
        let waiting = scope.spawn(move || {
            write!(stream, "GET /api/tasks/{task}?wait=10000 HTTP/1.1\r\n{host}\r\n").unwrap();
            rest(&mut stream)
        });
        std::thread::sleep(Duration::from_millis(50));
        common::signal(&serving.child, "TERM");
        let answer = waiting.join().unwrap();
        assert!(answer.contains("\"state\":\""), "{answer}");
    });
    let (code, time) = serving.terminate("CONT");
    assert_eq!(code, Some(0));
    assert!(time < Duration::from_secs(5));

    let dir = serving.dir.clone();
    let _own = serving._own.take();
    let serving = Serving::at(&dir);
    // Two on the same directory: each sees what the other does, and does not do it again.
    let other = Serving::at(&dir);
    let task = serving.begin(enumerate.clone());
    let row = other.wait_for_levels();
    assert_eq!(row["task"], json!(null));
    let second = other.ended(other.begin(enumerate));
    if second["state"] == "failed" {
        let why = second["error"].as_str().unwrap();
        assert!(why.contains("being worked on by process"), "{why}");
    }
    let view = serving.ended(task);
    assert_eq!(view["state"], "done", "{view}");
    let result = &view["result"];
    assert_eq!((&result["state"], &result["task"]), (&json!("finished"), &json!(null)));
    assert_eq!(view["result"]["name"], LONG_NAME);

    let line = dir.join("line");
    common::stdout(&["enumerate", LONG, "-q", "--dir", line.to_str().unwrap()]);
    common::assert_same_job(&dir.join("runs").join(LONG_NAME), &line);
    let job = serving.get(&format!("/api/jobs/{LONG_NAME}"));
    assert_eq!(job["rows"].as_array().unwrap().len(), 13);
    assert_eq!(job["rows"][12], json!({ "level": 12, "classes": "47", "states": "900" }));
    let answer = job["answer"].as_str().unwrap();
    assert!(answer.starts_with("God's number of wrapslide:6x6:2 is 12 "), "{answer}");
    let states = serving.get(&format!("/api/jobs/{LONG_NAME}/states?count=2"));
    assert_eq!(states["classes"], "47");
    assert_eq!(states["states"][0], "212212/121222/222212/212222/121212/222222");
    let chart = format!("/api/jobs/{LONG_NAME}/chart");
    let pictures = ["", "?by=classes", "?log=1"].map(|query| {
        let (status, picture) = serving.ask_text("GET", &format!("{chart}{query}"), None);
        assert!(status == 200 && picture.contains("<svg"), "{picture}");
        picture
    });
    assert!(pictures[0] != pictures[1] && pictures[0] != pictures[2]);
    for wrong in ["log=x", "log=%zz", "log", "by=%zz", "by", "by="] {
        let path = format!("{chart}?{wrong}");
        assert_eq!(serving.ask("GET", &path, None).0, 400, "{wrong}");
    }
    let many = serving.get(&format!("/api/jobs/{LONG_NAME}/states?level=9&count=999999"));
    assert_eq!(many["states"].as_array().unwrap().len(), 24);
    for wrong in ["level=13", "level=99999999999", "level=x", "count=-1"] {
        let path = format!("/api/jobs/{LONG_NAME}/states?{wrong}");
        assert_eq!(serving.ask("GET", &path, None).0, 400, "{wrong}");
    }
}

/// However long the disk takes, the first signal waits until the job has saved what it has computed, and says
/// so; a second one ends the server at once.
#[test]
fn the_end_of_the_server_saves_what_is_computed() {
    let stopped = |signals: usize| {
        let place = tempfile::tempdir().unwrap();
        let slow = place.path().join("slow");
        let library = crate::interposed::library(place.path());
        let mut serving = Serving::with(place.path(), |command| {
            command.env("LD_PRELOAD", &library).env("SLOW_SYNCS", &slow).stderr(Stdio::piped());
        });
        serving.begin(json!({ "do": "enumerate", "puzzle": LONG }));
        let began = Instant::now();
        loop {
            let progress = serving.get("/api/tasks")[0]["progress"].to_string();
            if ["level 8: ", "level 9: "].iter().any(|level| progress.contains(level)) {
                break;
            }
            assert!(began.elapsed() < Duration::from_secs(30), "{progress}");
        }
        std::fs::write(&slow, "").unwrap();
        common::signal(&serving.child, "TERM");
        if signals > 1 {
            std::thread::sleep(Duration::from_secs(1));
            common::signal(&serving.child, "TERM");
        }
        let began = Instant::now();
        let code = serving.child.wait().unwrap().code();
        let mut words = String::new();
        serving.child.stderr.take().unwrap().read_to_string(&mut words).unwrap();
        let job = Job::open(&place.path().join("runs").join(LONG_NAME)).unwrap();
        (code, words, began.elapsed(), job.manifest().unwrap())
    };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let (code, words, time, _) = stopped(2);
            assert_eq!(code, Some(130), "{words}");
            assert!(time < Duration::from_secs(4), "{time:?}");
        });
        let (code, words, time, manifest) = stopped(1);
        assert_eq!(code, Some(0), "{words}");
        assert!(time > Duration::from_secs(4), "{time:?} is no slow disk");
        assert!(words.contains("being saved first") && words.contains(LONG_NAME), "{words}");
        let checkpoint = manifest.checkpoint.expect("what was computed");
        assert!(checkpoint.level >= 8 && checkpoint.candidates > 0, "{checkpoint:?}");
    });
}

#[test]
fn a_job_in_any_folder_is_resumed() {
    let serving = Serving::start();
    let mine = serving.dir.join("runs").join("mine");
    let some = ["--max-level", "5", "-q"];
    let dir = ["--dir", mine.to_str().unwrap()];
    common::stdout(&[&["enumerate", LONG][..], &some, &dir].concat());
    let order = |puzzle: &str, job: &str| {
        let body = json!({ "do": "enumerate", "puzzle": puzzle, "job": job });
        serving.post("/api/tasks", body)
    };
    for (puzzle, job) in
        [(LONG, "other"), (LONG, ""), (LONG, "."), (LONG, "../runs/mine"), ("wrapslide:4x4:2", "mine")]
    {
        let (status, answer) = order(puzzle, job);
        assert_eq!(status, 400, "{job}: {answer}");
    }
    let (status, answer) = order(LONG, "mine");
    assert_eq!(status, 200, "{answer}");
    let view = serving.ended(answer["task"].as_u64().unwrap());
    assert_eq!(view["result"]["name"], "mine", "{view}");
    assert_eq!(view["result"]["state"], "finished");
    assert!(!serving.dir.join("runs").join(LONG_NAME).exists());
}

#[test]
fn tasks_are_bounded_and_can_be_stopped() {
    let serving = Serving::start();
    for body in [
        json!({}),
        json!({ "do": "mischief" }),
        json!({ "do": 7 }),
        json!({ "do": "enumerate" }),
        json!({ "do": "enumerate", "puzzle": "nonsense" }),
        json!({ "do": "enumerate", "puzzle": "tiles:4x4" }),
        json!({ "do": "enumerate", "puzzle": "tiles:10x10" }),
        json!({ "do": "enumerate", "puzzle": "klotski:@/etc/passwd" }),
        json!({ "do": "enumerate", "puzzle": "wrapslide:8x8:4" }),
        json!({ "do": "enumerate", "puzzle": "tiles:2x2", "odd": 1 }),
        json!({ "do": "solve" }),
        json!({ "do": "solve", "puzzle": "nonsense" }),
        json!({ "do": "solve", "puzzle": "tiles:2x2", "state": "1 2/0 3", "odd": [[[[]]]] }),
        json!({ "do": "solve", "puzzle": "tiles:2x2", "state": "1 2/0 3", "seconds": "1" }),
        json!({ "do": "solve", "puzzle": "tiles:2x2", "state": "1 2/0 3", "solver": "magic" }),
        json!({ "do": "solve", "puzzle": "tiles:2x2", "state": "2 1/3 0" }),
        json!({ "do": "phases", "puzzle": "tiles:2x2", "state": "1 2/0 3", "sort": "bubble" }),
        json!({ "do": "phases", "puzzle": "gourds:flower7", "state": "0-1,2-5,4-6", "sort": "x" }),
        json!({ "do": "hint" }),
        json!({ "do": "finish", "file": "nonsense" }),
    ] {
        let (status, answer) = serving.post("/api/tasks", body.clone());
        assert_eq!(status, 400, "{body}: {answer}");
        assert!(answer["error"].is_string(), "{body}: {answer}");
    }
    assert_eq!(serving.get("/api/tasks"), json!([]));
    for unknown in ["0", "1", "18446744073709551616", "-1", "x", ""] {
        let path = format!("/api/tasks/{unknown}");
        assert_eq!(serving.ask("GET", &path, None).0, 404, "{unknown}");
        assert_eq!(serving.ask("DELETE", &path, None).0, 404, "{unknown}");
    }
    let begun: Vec<u64> =
        (0..17).map(|_| serving.begin(json!({ "do": "enumerate", "puzzle": LONG }))).collect();
    let (status, answer) = serving.post("/api/tasks", json!({ "do": "enumerate", "puzzle": LONG }));
    assert_eq!(status, 429, "{answer}");
    // Solving does not wait for enumerations.
    let solved = json!({ "do": "solve", "puzzle": "tiles:2x2", "state": "1 2/3 0" });
    let done = serving.ended(serving.begin(solved.clone()));
    assert_eq!((&done["state"], &done["result"]["length"]), (&json!("done"), &json!(0)));
    let rows = serving.get("/api/tasks");
    assert_eq!(rows.as_array().unwrap().len(), 18);
    assert_eq!(rows[0]["do"], "solve");
    assert!(rows[0].get("result").is_none());
    for task in begun.iter().rev() {
        let (status, view) = serving.ask("DELETE", &format!("/api/tasks/{task}"), None);
        assert_eq!(status, 200);
        assert!(view.get("result").is_none(), "{view}");
        assert!(*task == begun[0] || view["state"] == "stopped", "{view}");
    }
    assert!(matches!(serving.ended(begun[0])["state"].as_str(), Some("stopped" | "done")));
    // Only 32 are remembered.
    for _ in 0..40 {
        serving.ended(serving.begin(solved.clone()));
    }
    assert_eq!(serving.get("/api/tasks").as_array().unwrap().len(), 32);
}

#[test]
fn damaged_jobs_and_other_folders_are_told_apart() {
    let serving = Serving::start();
    assert_eq!(serving.get("/api/jobs")["jobs"], json!([]));
    let task = serving.begin(json!({ "do": "enumerate", "puzzle": "tiles:2x3" }));
    assert_eq!(serving.ended(task)["state"], "done");
    let runs = serving.dir.join("runs");
    for (folder, file) in [("empty", None), ("other", Some("x")), ("broken", Some("job.json"))] {
        std::fs::create_dir(runs.join(folder)).unwrap();
        if let Some(file) = file {
            std::fs::write(runs.join(folder).join(file), "{}").unwrap();
        }
    }
    std::fs::write(runs.join("file"), "").unwrap();
    common::stdout(&[
        "sample",
        "tiles:2x2",
        "--count",
        "3",
        "-q",
        "--dir",
        runs.join("sample").to_str().unwrap(),
    ]);
    let jobs = serving.jobs();
    let seen: Vec<_> = jobs.iter().map(|job| (&job["name"], &job["state"])).collect();
    let expected = [("broken", "damaged"), ("tiles-2x3", "finished")].map(|(a, b)| (json!(a), json!(b)));
    assert_eq!(seen, expected.each_ref().map(|(a, b)| (a, b)));
    assert!(jobs[0]["error"].as_str().unwrap().contains("job.json"));
    assert_eq!(serving.get("/api/jobs/broken")["state"], "damaged");
    assert_eq!(serving.ask("GET", "/api/jobs/broken/states", None).0, 500);
    for name in ["empty", "other", "sample", "file", "tiles-2x3/", ""] {
        let path = format!("/api/jobs/{name}");
        let (status, answer) = serving.ask("GET", &path, None);
        assert_eq!(status, 404, "{name}: {answer}");
    }

    let results = serving.dir.join("results");
    std::fs::create_dir(&results).unwrap();
    std::fs::write(results.join("good.csv"), "level,classes,states\n0,1,2\n1,3,4\n").unwrap();
    std::fs::write(results.join("bad.csv"), "level,classes,states\n0,1,x\n").unwrap();
    std::fs::write(results.join("other.csv"), "a,b\n").unwrap();
    std::fs::write(results.join("README.md"), "level,classes,states\n").unwrap();
    let list = serving.get("/api/jobs");
    assert_eq!(list["results"], json!(["bad", "good"]));
    assert_eq!((&list["left_out"], &list["error"]), (&json!(0), &json!(null)));
    let table = serving.get("/api/results/good");
    assert_eq!((&table["classes"], &table["states"]), (&json!("4"), &json!("6")));
    assert_eq!(table["rows"][1], json!({ "level": 1, "classes": "3", "states": "4" }));
    let (status, picture) = serving.ask_text("GET", "/api/results/good/chart", None);
    assert!(status == 200 && picture.contains("<svg"), "{picture}");
    assert_eq!(serving.ask("GET", "/api/results/bad", None).0, 500);
    assert_eq!(serving.ask("GET", "/api/results/other", None).0, 404);
}

#[test]
fn directories_that_are_none_or_too_full_are_said_so() {
    let mut serving = Serving::start();
    std::fs::write(serving.dir.join("file"), "").unwrap();
    let file = serving.dir.join("file");
    for flag in ["--dir", "--results"] {
        let why = common::complaint(&["serve", "--port", "0", flag, file.to_str().unwrap()], 2);
        assert!(why.contains(flag) && why.contains("is not a directory"), "{why}");
    }
    let task = serving.begin(json!({ "do": "enumerate", "puzzle": "tiles:2x2" }));
    assert_eq!(serving.ended(task)["state"], "done");
    // It became something else while the server runs.
    let results = serving.dir.join("results");
    std::fs::write(&results, "").unwrap();
    let list = serving.get("/api/jobs");
    assert_eq!(list["jobs"].as_array().unwrap().len(), 1);
    assert_eq!(list["results"], json!([]));
    assert!(list["error"].as_str().unwrap().contains("results"), "{list}");
    std::fs::remove_file(&results).unwrap();
    std::fs::create_dir(&results).unwrap();
    for number in (0..1200).rev() {
        let name = format!("{number:04}.csv");
        std::fs::write(results.join(name), "level,classes,states\n0,1,1\n").unwrap();
    }
    let list = serving.get("/api/jobs");
    let tables = list["results"].as_array().unwrap();
    assert_eq!((tables.len(), &list["left_out"]), (1000, &json!(200)));
    assert_eq!((&tables[0], &tables[999]), (&json!("0000"), &json!("0999")));
    assert_eq!(serving.terminate("TERM").0, Some(0));
}
