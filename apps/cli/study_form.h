#pragma once
// The form of a study as one page that needs nothing else.

#include <cstddef>
#include <string>

namespace sinew::cli {

/// Which animation belongs to which video (A, B, ...), and how alike pelvis, hip, knee and ankle move in each
/// plane, from 1 to 3; what was answered is saved as a file that `sinew study` scores.
std::string study_form(std::size_t items);

}  // namespace sinew::cli
