#pragma once
/// \file
/// The observational gait checklist of Rancho Los Amigos (1989): what a rater sees in which phase, and how
/// far two raters, or a video and an animation, agree.

#include <array>
#include <bitset>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/gait/gait.h"

namespace sinew::motion {

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
    /// \throws Error when the finding is not known or does not apply in the phase.
    void set(std::string_view finding, GaitPhase phase, bool seen = true);
    bool seen(std::size_t row, GaitPhase phase) const;
    std::size_t findings() const { return cells_.count(); }

  private:
    std::bitset<16 * phase_count> cells_;
};

/// Two sheets over the applicable cells: the first is the truth.
struct Agreement {
    std::size_t hits = 0;    ///< seen in both
    std::size_t misses = 0;  ///< only in the first
    std::size_t extra = 0;   ///< only in the second
    std::size_t neither = 0;

    std::size_t cells() const { return hits + misses + extra + neither; }
    double percent() const;
    /// Cohen 1960: (p_o - p_e) / (1 - p_e); 1 when both agree in all and nothing else was possible.
    double kappa() const;
    Agreement& operator+=(const Agreement& other);
};
Agreement agreement(const Checklist& truth, const Checklist& other, bool with_trunk = true);

/// A sheet as text: a line "finding: LR MSt" for each row with findings; and back.
/// \throws Error with the line for an unknown row or phase, or a cell that does not apply.
std::string to_text(const Checklist& sheet);
Checklist parse_checklist(std::string_view text, std::string_view name);

}  // namespace sinew::motion
