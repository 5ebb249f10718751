//! `godnum plot`: pictures of level distributions and samples.

use std::ffi::{OsStr, OsString};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use super::{find, output};
use crate::error::{Result, usage};
use crate::puzzle::job_name;
use crate::report::plot::{self, Data, MOST_SERIES, Measure, PlotOptions, Series};
use crate::store::disk::{Disk, exists, is_dir};
use crate::text::{file_name, shell_quote};

/// Draw the level distributions of jobs and results, and samples beside them.
///
/// A picture is an SVG or PNG file; without --out, an SVG goes to standard output, or, if that is a
/// terminal, to a file in the current directory that is named after the puzzle (plot.svg for several).
#[derive(clap::Args)]
pub struct PlotArgs {
    /// What to draw, up to eight of them: a puzzle whose job is in runs/ or in the cache or whose table is
    /// in results/; the directory of a job or sample; a CSV file with levels or a sample
    #[arg(value_name = "PUZZLE|DIR|CSV", required = true)]
    targets: Vec<OsString>,
    /// Where the picture goes: a file ending in .svg or .png, or - for standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Make the vertical axis logarithmic
    #[arg(long)]
    log: bool,
    /// Count the states of each level (the default)
    #[arg(long, conflicts_with = "classes")]
    states: bool,
    /// Count the classes of each level
    #[arg(long)]
    classes: bool,
}

pub fn main(arguments: PlotArgs) -> Result<()> {
    let place = PictureTarget::of(arguments.out)?;
    let look = PlotOptions {
        measure: if arguments.classes { Measure::Classes } else { Measure::States },
        log: arguments.log,
    };
    if arguments.targets.len() > MOST_SERIES {
        return usage(format!(
            "{} series are too many for one picture: name up to {MOST_SERIES}",
            arguments.targets.len()
        ));
    }
    let series: Result<Vec<Series>> = arguments.targets.iter().map(|t| find(t)).collect();
    let series = series?;
    let picture = plot::svg(&series, &look)?;
    for one in &series {
        if let Data::Levels { unfinished: true, .. } = one.data {
            output::remark(&format!("({}: these are only its first levels)", one.name));
        }
    }
    let place = match (place, &series[..]) {
        (Some(place), _) => place,
        (None, _) if !std::io::stdout().is_terminal() => PictureTarget::Output,
        (None, [one]) => PictureTarget::Svg(format!("{}.svg", file_name(&one.name)).into()),
        (None, _) => PictureTarget::Svg("plot.svg".into()),
    };
    let (path, content) = match place {
        PictureTarget::Output => return output::print(&picture),
        PictureTarget::Svg(path) => (path, picture.into_bytes()),
        #[cfg(feature = "png")]
        PictureTarget::Png(path) => (path, plot::png(&picture)?),
    };
    Disk::new(None, 0).replace(&path, &content)?;
    output::remark(&format!("The picture is in {}.", shell_quote(&path)));
    Ok(())
}

/// Where a picture goes.
enum PictureTarget {
    Output,
    Svg(PathBuf),
    #[cfg(feature = "png")]
    Png(PathBuf),
}

impl PictureTarget {
    /// What the user asked for, if it is possible: checked before anything is read.
    fn of(out: Option<PathBuf>) -> Result<Option<PictureTarget>> {
        let Some(path) = out else {
            return Ok(None);
        };
        if path == Path::new("-") {
            return Ok(Some(PictureTarget::Output));
        }
        let parent = path.parent().filter(|p| !p.as_os_str().is_empty());
        if path.is_dir() || parent.is_some_and(|parent| !parent.is_dir()) {
            return usage(format!("--out {}: name a file in a directory that exists", shell_quote(&path)));
        }
        let extension = path.extension().map(OsStr::to_ascii_lowercase);
        match extension.as_ref().and_then(|e| e.to_str()) {
            Some("svg") => Ok(Some(PictureTarget::Svg(path))),
            #[cfg(not(feature = "png"))]
            Some("png") => super::lacks("png", "write PNG files").map(|()| None),
            #[cfg(feature = "png")]
            Some("png") => Ok(Some(PictureTarget::Png(path))),
            _ => usage(format!("--out {}: a picture's name ends in .svg or .png", shell_quote(&path))),
        }
    }
}

/// The series that a target means.
fn find(target: &OsStr) -> Result<Series> {
    let path = Path::new(target);
    if is_dir(path)? {
        return plot::read_dir(path);
    }
    if exists(path)? {
        return plot::read_file(path);
    }
    let text = target.to_string_lossy();
    if text.ends_with(".csv") || (text.contains('/') && !text.contains(':')) {
        return usage(format!("the file {} does not exist", shell_quote(path)));
    }
    let puzzle = find::puzzle(&text)?;
    if let Some(job) = find::job_of(&*puzzle)? {
        return plot::read_job(&job);
    }
    let table = Path::new("results").join(format!("{}.csv", job_name(&*puzzle)));
    if exists(&table)? { plot::read_file(&table) } else { usage(find::missing(&*puzzle, &[table])) }
}
