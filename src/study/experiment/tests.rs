//! What experiment files may say, and what they may not.

use super::*;

fn refusal(text: &str) -> String {
    match Experiment::parse(text) {
        Ok(_) => panic!("accepted: {text}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_file_becomes_a_job() {
    let text = "puzzle = 'wrapslide:4x4:2'\nmemory = '64M'\ncontainer = 'dense'\nmax-level = 3\n";
    let experiment = Experiment::parse(text).unwrap().remove(0);
    assert_eq!(experiment.result, Path::new("results/wrapslide-4x4-2.csv"));
    let ExperimentTask::Enumerate { options, dir, .. } = experiment.task else {
        panic!("not an enumeration")
    };
    assert_eq!(options.memory, Some(64 << 20));
    assert_eq!(options.max_level, Some(3));
    assert_eq!(dir, Path::new("runs/wrapslide-4x4-2"));
}

#[test]
fn many_puzzles_are_many_jobs() {
    let text = "puzzles = ['wrapslide:4x4:2', 'wrapslide:4x4:3']";
    let experiments = Experiment::parse(text).unwrap();
    let results: Vec<_> = experiments.iter().map(|e| e.result.clone()).collect();
    let names = ["wrapslide-4x4-2", "wrapslide-4x4-3"];
    assert_eq!(results, names.map(|name| PathBuf::from(format!("results/{name}.csv"))));
    assert!(refusal(&format!("{text}\ndir = 'x'")).contains("many"));
    assert!(refusal(&format!("{text}\npuzzle = 'wrapslide:4x4:2'")).contains("exactly one"));
}

#[test]
fn samples_take_what_is_said_for_all() {
    let text = "samples = [{ puzzle = 'wrapslide:4x4:2', seed = 9 }, \
                { puzzle = 'wrapslide:4x4:3', count = 7, solver = 'table', time = '2s' }]\n\
                count = 100\nresult = 'x.csv'\nthreads = 1";
    let experiment = Experiment::parse(text).unwrap().remove(0);
    assert_eq!(experiment.result, Path::new("x.csv"));
    let ExperimentTask::Samples(samples) = experiment.task else { panic!("not samples") };
    let about: Vec<_> = samples.iter().map(|s| (s.seed, s.count, s.options.threads)).collect();
    assert_eq!(about, [(9, 100, Some(1)), (1, 7, Some(1))]);
    assert_eq!(samples[1].time, Some(std::time::Duration::from_secs(2)));
}

#[test]
fn mistakes_are_named() {
    assert!(refusal("memory = '1G'").contains("puzzle"));
    assert!(refusal("puzzle = 'wrapslide:5x5:2'").contains("5x5"));
    assert!(refusal("puzzle = 'wrapslide:4x4:2'\nmemry = '1G'").contains("memry"));
    assert!(refusal("puzzle = 'wrapslide:4x4:2'\nmemory = 'lots'").contains("lots"));
    assert!(refusal("puzzle = 'wrapslide:4x4:2'\ncontainer = 'tin'").contains("tin"));
    assert!(refusal("puzzle = ").contains("not an experiment"));
    assert!(refusal("puzzle = 'wrapslide:4x4:2'\ncount = 'x'").contains("exactly one"));
    assert!(refusal("count = 'triangles:tri4'\nkeep = 'all'").contains("`keep`"));
    assert!(refusal("puzzle = 'tiles:2x2'\nsize = 4").contains("`size`"));
    assert!(refusal("sample = 'tiles:2x2'").contains("`count`"));
    assert!(refusal("sample = 'tiles:2x2'\ncount = 5\nkeep = 'all'").contains("`keep`"));
    assert!(refusal("sample = 'tiles:2x2'\ncount = 0").contains("`count`"));
    assert!(refusal("sample = 'tiles:2x2'\ncount = 5\nsolver = 'luck'").contains("luck"));
    assert!(refusal("puzzle = 'tiles:2x2'\nseed = 4").contains("`seed`"));
    assert!(refusal("samples = [{ puzzle = 'tiles:2x2', count = 5 }]").contains("`result`"));
    assert!(refusal("survey = 'wrapslide'\nsize = 4").contains("no survey of wrapslide"));
}
