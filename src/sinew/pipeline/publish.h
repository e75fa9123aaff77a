// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Publishing: a web page that plays a character, and the report of a gait trial.
///
/// \code
/// pipeline::PublishOptions options;
/// options.shell = web::page_shell();          // the page without a model, made by the build
/// write_file("walk.html", pipeline::publish(io::read("walking.glb"), options).page);
/// \endcode

#include <string>
#include <string_view>

#include "sinew/pipeline/motion.h"

namespace sinew::pipeline {

/// Converts a trial (markers as joints) or a gait cycle (a walking lower body) to a character, if the asset
/// has none, for functions that play or draw characters.
/// \param asset is modified
/// \param monitor receives warnings
void make_playable(io::Asset& asset, Monitor& monitor = silent());

/// \param skeleton any skeleton
/// \return the joint that a following camera tracks: the hips, or the first root; -1 without joints
int camera_joint(const model::Skeleton& skeleton);

struct PublishOptions {
    std::string title;                            ///< title of the page
    std::string source;                           ///< displayed name of the source file
    std::string clip;                             ///< name or number; empty includes all
    deform::Method method = deform::Method::dqs;  ///< initial method; the page supports dqs and lbs
    bool anonymous = false;  ///< removes names of files, persons and clips, and prefixes of labels
    /// HTML page with embedded style and script, and the placeholders %TITLE%, %ABOUT% and %MODEL%.
    std::string_view shell;
};

struct Published {
    std::string page;  ///< self-contained HTML
    StageSeconds seconds;
};

/// Makes one self-contained HTML page that plays a character, motion, trial or mesh sequence in any browser,
/// without network access.
/// \param asset what to show
/// \param options title, clip, method and page shell
/// \param monitor receives progress and warnings
/// \throws Error when there is nothing to show, the clip does not exist, or the shell is empty
/// \throws Cancelled when the monitor cancels
Published publish(io::Asset asset, const PublishOptions& options, Monitor& monitor = silent());

struct GaitReportOptions {
    gait::GaitOptions gait;
    SolveOptions solve;  ///< for the markers of a trial
    std::optional<model::Character>
        motion;             ///< an existing solution of the same trial, used instead of solving it
    bool anonymous = true;  ///< removes names, dates and paths
};

/// Data of a gait report.
struct GaitReport {
    gait::GaitAnalysis analysis;
    model::Trial trial;            ///< the analysed trial, anonymised if requested
    std::optional<Motion> motion;  ///< solved markers, or the motion that was analysed
    std::string unsolved;          ///< reason when there is no motion
    StageSeconds seconds;

    /// How well the markers fit; null without markers.
    Json fit() const;
};

/// Analyses a walking trial, a motion or the curves of a gait cycle. Markers that cannot be solved give a
/// warning (gait-unsolved); events and times are found without them.
/// \param asset content of the file
/// \param path its name in errors
/// \param options of solving and analysis
/// \param monitor receives progress and warnings
/// \throws Error when it contains no walking
/// \throws Cancelled when the monitor cancels
GaitReport gait_report(io::Asset asset, const std::filesystem::path& path,
                       const GaitReportOptions& options = {}, Monitor& monitor = silent());

struct MeasureOptions {
    std::string what =
        "auto";  ///< skeletons, weights, motions or sequences; auto chooses by the content of both files
    std::string clip;  ///< clip of the reference by name or number; empty means the first
};

/// Measures the difference between two files.
/// \param reference, other content of the files
/// \param options what to compare
/// \param monitor receives progress
/// \return the key `what`, and the measures
/// \throws Error when the files cannot be compared
Json measure(const io::Asset& reference, const io::Asset& other, const MeasureOptions& options = {},
             Monitor& monitor = silent());

/// Removes names of persons, dates and paths.
/// \param asset is modified
void anonymise(io::Asset& asset);

}  // namespace sinew::pipeline
