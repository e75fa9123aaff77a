// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Pages and reports that are handed on: a page that plays a character, the report of a gait.
///
/// \code
/// pipeline::PublishOptions options;
/// options.shell = web::page_shell();          // the page without a model, as the build made it
/// write_file("walk.html", pipeline::publish(io::read("walking.glb"), options).page);
/// \endcode

#include <string>
#include <string_view>

#include "sinew/pipeline/motion.h"

namespace sinew::pipeline {

/// Makes a character of a trial (its markers as joints) or of a gait cycle (a walking lower body) that has
/// none, for everything that plays or draws one.
/// \param asset is changed
/// \param monitor warnings
void make_playable(io::Asset& asset, Monitor& monitor = silent());

/// \param skeleton any
/// \return the joint that a camera goes along with: the hips, or else the first root; -1 without joints
int camera_joint(const model::Skeleton& skeleton);

struct PublishOptions {
    std::string title;                            ///< of the page
    std::string source;                           ///< the name shown for what was read
    std::string clip;                             ///< by name or number; empty: all of them
    deform::Method method = deform::Method::dqs;  ///< the page knows dqs and lbs and can change between them
    bool anonymous = false;  ///< names of files, persons, clips and prefixes of labels are taken out
    /// HTML with style and script in place and the slots %TITLE%, %ABOUT% and %MODEL%.
    std::string_view shell;
};

struct Published {
    std::string page;  ///< HTML; all that it needs is inside
    StageSeconds seconds;
};

/// Makes one HTML page that plays a character, motion, trial or mesh sequence in any browser, and asks for
/// nothing from anywhere.
/// \param asset what is shown
/// \param options title, clip, method, and the shell
/// \param monitor progress and warnings
/// \throws Error when there is nothing to show, no such clip, or no shell; Cancelled.
Published publish(io::Asset asset, const PublishOptions& options, Monitor& monitor = silent());

struct GaitReportOptions {
    gait::GaitOptions gait;
    SolveOptions solve;                      ///< of the markers of a trial
    std::optional<model::Character> motion;  ///< the same trial solved elsewhere, instead of solving it
    bool anonymous = true;                   ///< names, dates and paths are taken out
};

/// What the report of a gait is made of.
struct GaitReport {
    gait::GaitAnalysis analysis;
    model::Trial trial;            ///< that was analysed, anonymous if that was asked
    std::optional<Motion> motion;  ///< solved markers, or the motion that was analysed
    std::string unsolved;          ///< why there is none
    StageSeconds seconds;

    /// How well the markers fit, or null.
    Json fit() const;
};

/// Analyses a walking trial, a motion or the curves of a gait cycle. Markers that cannot be solved are a
/// warning (gait-unsolved): events and times are found without them.
/// \param asset what the file holds
/// \param path names it in errors
/// \param options of solving and analysing
/// \param monitor progress and warnings
/// \throws Error when it holds no walk; Cancelled.
GaitReport gait_report(io::Asset asset, const std::filesystem::path& path,
                       const GaitReportOptions& options = {}, Monitor& monitor = silent());

struct MeasureOptions {
    std::string what = "auto";  ///< skeletons, weights, motions or sequences; auto looks at what both hold
    std::string clip;           ///< of the reference, by name or number; the first when it is empty
};

/// How far one file is from another.
/// \param reference, other what the files hold
/// \param options what is compared
/// \param monitor progress
/// \return `what`, and the figures
/// \throws Error when they cannot be compared
Json measure(const io::Asset& reference, const io::Asset& other, const MeasureOptions& options = {},
             Monitor& monitor = silent());

/// Takes names of persons, dates and paths out.
/// \param asset is changed
void anonymise(io::Asset& asset);

}  // namespace sinew::pipeline
