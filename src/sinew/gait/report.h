// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Results of a gait analysis: the report as a page, CSV or JSON, normal bands, anonymous copies, the
/// observational checklist and blind studies.
///
/// \code
/// const gait::GaitAnalysis analysis = gait::analyse_gait(trial);
/// gait::GaitPage page;
/// page.normal = gait::published_normal();
/// write_file("report.html", gait::gait_page(page, analysis));
/// write_file("report.csv", gait::to_csv(analysis));
/// \endcode

#include <bitset>
#include <map>

#include "sinew/base/report.h"
#include "sinew/gait/gait.h"

namespace sinew::gait {

// Norms and scores

/// Normal values of a curve, drawn behind it: 101 samples, or empty.
struct NormalCurve {
    std::vector<double> mean;
    std::vector<double> deviation;  ///< empty when the source gives none: drawn as a line, not a band
    bool empty() const { return mean.empty(); }
};

/// Directions in which the cycles of controls differ, for the gait deviation index.
struct GaitFeatures {
    std::vector<std::vector<double>> features;  ///< unit vectors: nine angles at every 2 % of the cycle
    std::vector<double> mean;                   ///< of the controls along them
    double log_mean = 0, log_deviation = 1;     ///< of the logarithm of a control's distance from the mean
};

/// Normal curves and values, and their sources.
struct NormalBand {
    std::array<NormalCurve, curve_count> curves;
    /// Mean and deviation by spatiotemporal key; NaN where the source gives no deviation.
    std::map<std::string, std::pair<double, double>> values;
    std::string citation;  ///< source, age and number
    std::optional<GaitFeatures> features;
};

/// The published band that ships with the program: curves of children, and times and lengths of the subject's
/// age and sex where there are tables; with its citation.
/// \param subject age and sex select the tables; without an age there are no times and lengths
NormalBand published_normal(const BodyMeasures& subject = {});
/// Band of a laboratory: the mean of left and right of a gait cycle file, with its deviations.
NormalBand normal_from(const model::GaitCycle& cycle, const std::string& name);

/// Mean and deviation between controls of both legs, and features when there are at least 16 cycles.
/// \param controls one analysis per trial
/// \param source citation: who, how old
/// \throws Error when no control has a cycle.
NormalBand make_norm(std::span<const GaitAnalysis> controls, const std::string& source);
/// Writes and reads a norm as a table "kind,name,at,mean,deviation" below a line "# source: ...".
/// \throws Error with the line of an invalid value.
std::string to_csv(const NormalBand& norm);
NormalBand parse_norm(std::string_view csv, std::string_view name);

/// Distance of a gait from the norm; empty where the norm lacks a curve that is needed.
struct GaitScores {
    /// Gait variable scores, degrees: root of the mean square distance of an angle from the normal mean at
    /// every 2 % of a cycle, mean over cycles (Baker 2009); left, right.
    std::array<std::array<std::optional<double>, sheet_angles>, 2> map;
    std::array<std::optional<double>, 2> gps;  ///< gait profile score of a side: root of the mean square of
                                               ///< its nine scores
    std::optional<double> gps_overall;         ///< of both legs, and the pelvis of the left cycle
    std::array<std::optional<double>, 2> gdi;  ///< gait deviation index (Schwartz and Rozumalski 2008), with
                                               ///< the features of the norm's own controls
};
GaitScores score(const GaitAnalysis& analysis, const NormalBand& norm);

// Numbers

/// The whole analysis: events, cycles, curves, times and lengths, symmetry, notes.
Json to_json(const GaitAnalysis& analysis);
Json to_json(const GaitScores& scores);
/// A line "kind,side,name,at,mean,deviation,unit" for each value: `at` is the percent of a cycle, or, for a
/// trace without a cycle, the time in seconds. Curves of single cycles have their number as kind.
/// \param analysis result of analyse_gait
/// \param scores distance from a norm, or null
std::string to_csv(const GaitAnalysis& analysis, const GaitScores* scores = nullptr);

/// The trial with the results for a C3D file: events, and curves as model outputs. Points are kept.
model::Trial with_results(const model::Trial& trial, const GaitAnalysis& analysis);

/// Loads of the ground on both feet as the table of external forces that OpenSim reads (.mot), in metres,
/// newtons and +y up.
/// \throws Error when no foot hit a platform cleanly.
std::string to_mot(const GaitAnalysis& analysis);

/// Markers in the axes and time of to_mot: +y up, the first frame at 0 s.
model::Trial with_axes_of_mot(model::Trial trial);

// Page

/// An image of the walker at a time of the cycle, made by the caller.
struct PhasePicture {
    std::string name;    ///< of the phase: "loading response"; empty where it was not measured
    double percent = 0;  ///< of the cycle
    std::string uri;     ///< of the image: "data:image/png;base64,..."
};

struct GaitPage {
    std::string title = "Gait report";  ///< without a name when the report is anonymous
    bool anonymous = true;              ///< names were removed
    Json fit;                           ///< residuals of the markers from the solver, or null
    NormalBand normal;                  ///< behind the curves
    std::vector<PhasePicture> pictures;
    const GaitAnalysis* compared = nullptr;  ///< drawn dashed: before a treatment, or on another day
    std::string compared_name = "before";
};

/// The report as one self-contained page: a summary, the standard sheet of nine angles, a second sheet,
/// kinetics and muscles if they were measured, and the measurement itself; one printed page each.
std::string gait_page(const GaitPage& page, const GaitAnalysis& analysis);

/// All charts as one drawing.
std::string gait_svg(const GaitPage& page, const GaitAnalysis& analysis);

// Names and dates taken out

struct AnonymisedParts {
    std::size_t names = 0;     ///< of subjects, and words that contain them
    std::size_t texts = 0;     ///< emptied parameters: dates, paths, free text about a person
    std::size_t prefixes = 0;  ///< labels without the subject that was before their colon

    std::size_t all() const { return names + texts + prefixes; }
};

/// Subjects become "subject 1", "subject 2" in their order; with one subject, labels lose their prefix.
/// Labels that contain a name are numbered. Groups about subjects lose their text; elsewhere, text that looks
/// like a date, a path or an address, or that contains a subject's name, is emptied. Numbers are kept:
/// measures of the body are needed.
AnonymisedParts anonymise(model::Trial& trial);
/// Empties the texts of a gait cycle except those that describe the data (PREFIXES, UNITS).
AnonymisedParts anonymise(model::GaitCycle& cycle);
/// Removes names of the character and of its clips.
AnonymisedParts anonymise(model::Character& character);

/// True for text that contains a date (2007-08-15, 15.8.07, 15/Aug/2007), a path, or an e-mail address.
bool looks_private(std::string_view text);

// Observational checklist

struct ChecklistRow {
    std::string_view part;  ///< "trunk", "pelvis", "hip", "knee", "ankle"
    std::string_view finding;
    std::array<bool, phase_count> applicable;
};

/// The 16 rows with their applicability: 48 cells in all.
std::span<const ChecklistRow> checklist_rows();

/// A filled sheet. Cells that are not applicable cannot be set.
class Checklist {
  public:
    /// \throws Error when the finding is unknown or not applicable in the phase.
    void set(std::string_view finding, GaitPhase phase, bool seen = true);
    bool seen(std::size_t row, GaitPhase phase) const;
    std::size_t findings() const { return cells_.count(); }

  private:
    std::bitset<16 * phase_count> cells_;
};

/// Two sheets compared over the applicable cells: the first is the reference.
struct Agreement {
    std::size_t hits = 0;    ///< found in both
    std::size_t misses = 0;  ///< only in the first
    std::size_t extra = 0;   ///< only in the second
    std::size_t neither = 0;

    std::size_t cells() const { return hits + misses + extra + neither; }
    double percent() const;
    /// Cohen 1960: (p_o - p_e) / (1 - p_e); 1 when chance alone would give full agreement.
    double kappa() const;
    Agreement& operator+=(const Agreement& other);
};
Agreement agreement(const Checklist& truth, const Checklist& other, bool with_trunk = true);

/// Writes and reads a sheet as text: a line "finding: LR MSt" for each row with findings.
/// \throws Error with the line for an unknown row or phase, or a cell that is not applicable.
std::string to_text(const Checklist& sheet);
Checklist parse_checklist(std::string_view text, std::string_view name);

// Blind studies

/// Animations in a random order: item i of the videos belongs to animation `answer[i]`.
struct BlindOrder {
    std::vector<std::size_t> answer;
};
/// The same seed gives the same order on every platform.
BlindOrder blind_order(std::size_t items, unsigned seed);

/// The answers of one viewer: animation by video, from 0.
struct Matching {
    std::string viewer;
    std::vector<std::size_t> chosen;
};

struct MatchingResult {
    std::vector<std::size_t> correct;  ///< of each viewer
    std::size_t right = 0;
    std::size_t asked = 0;
    double by_chance =
        0;  ///< expected number of right answers by guessing: one per viewer, for any number of items
    double chance_of_more = 0;  ///< probability that guessing viewers get as many right answers or more
};
/// \throws Error when a viewer matched another number of items, or an item that does not exist.
MatchingResult score_matching(const BlindOrder& truth, const std::vector<Matching>& viewers);

/// Similarity of the motion of a joint in a plane: 1 not similar, 2 partly, 3 identical.
struct Rating {
    std::string item;   ///< "A"
    std::string joint;  ///< "knee"
    std::string plane;  ///< "sagittal"
    int value = 0;
};

struct RatingResult {
    double mean = 0;
    std::size_t count = 0;
    std::map<std::string, double> by_joint, by_plane, by_item;
    std::map<std::string, double> by_item_and_plane;  ///< "A sagittal"
};
/// \throws Error for a rating outside 1 to 3.
RatingResult summarise_ratings(const std::vector<Rating>& ratings);

/// A study as a file: {"truth": [1, 2, 3], "matching": [{"viewer": "PM1", "chosen": [3, 2, 1]}], "ratings":
/// [{"item": "A", "joint": "pelvis", "plane": "sagittal", "value": 1}]}; numbers of animations count from 1.
struct Study {
    BlindOrder truth;
    std::vector<Matching> matching;
    std::vector<Rating> ratings;
};
/// \throws Error naming the invalid entry.
Study parse_study(std::string_view json, std::string_view location);
Json to_json(const Study& study);
/// Scores of a study: {"matching": {...}, "ratings": {...}}.
Json score(const Study& study);

/// The form of a study as one page: which animation belongs to which video (A, B, ...), and how similarly
/// pelvis, hip, knee and ankle move in each plane, from 1 to 3; the answers are saved as a file that
/// parse_study reads.
std::string study_form(std::size_t items);

}  // namespace sinew::gait
