#pragma once
/// \file
/// What a marker label means: the place on the body that it names and the segment that carries it.

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/model/roles.h"
#include "sinew/model/trial.h"

namespace sinew::motion {

/// A place where markers are put. Names are those of Plug-in Gait where it has one ("LASI", "RKNE", "C7"),
/// and made in its manner where it has none ("LKNEM", the inner side of the knee).
struct MarkerPlace {
    std::string name;
    model::Role segment = model::Role::none;
    model::Side side = model::Side::none;
};

/// All places that are known by name.
const std::vector<MarkerPlace>& marker_places();

/// What a laboratory calls its markers, beyond what is known already.
struct MarkerNames {
    std::map<std::string, std::string> aliases;   ///< label, place: "HipFrontL" is "LASI"
    std::map<std::string, std::string> segments;  ///< label, joint name ("LeftLowerLeg"): of no known place
};

/// Reads {"aliases": {"HipFrontL": "LASI"}, "segments": {"PLATE1": "LeftLowerLeg"}}.
/// \throws Error naming what is not a known place or segment.
MarkerNames parse_marker_names(std::string_view json, std::string_view place);
MarkerNames read_marker_names(const std::filesystem::path& path);

struct MappedMarker {
    std::size_t point = 0;  ///< in Trial::markers
    MarkerPlace place;
};

/// What was found in a trial, and what not: every marker of the trial is in one of these lists.
struct MarkerMap {
    std::string set;  ///< the known set with the most labels: "plug-in-gait"; empty when none fits
    std::vector<MappedMarker> markers;
    std::vector<std::string> unlabelled;  ///< "*3": seen by the cameras, named by nobody
    std::vector<std::string> computed;    ///< points that a model computed ("LFEO", "RKJC"): no markers
    std::vector<std::string> unknown;     ///< labels that no table has
    std::vector<std::string> repeated;    ///< a second marker for the same place, and other subjects
    std::vector<std::string> unseen;      ///< known, but without a single sample

    /// Index into `markers` of a place, or -1.
    int find(std::string_view place) const;
};

/// Matches labels by table (Plug-in Gait, Helen Hayes, CMU, Cleveland Clinic, CAST clusters), ignoring case,
/// punctuation and the subject; the names given by the user come first. Of several subjects the one with the
/// most known labels is taken.
MarkerMap map_markers(const model::Points& markers, const MarkerNames& names = {});

/// Markers of one rigid segment: indices into Trial::markers of those that ride together.
std::vector<std::vector<std::size_t>> rigid_bodies(const MarkerMap& map);

}  // namespace sinew::motion
