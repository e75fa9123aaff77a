#pragma once
/// \file
/// The parameter section of a C3D file: records of groups and parameters.

#include <string>

#include "sinew/io/c3d/parameters.h"
#include "sinew/model/trial.h"

namespace sinew::io::c3d {

struct ParameterSection {
    model::Parameters parameters;
    std::size_t end = 0;  ///< byte behind the last record, or behind the stated blocks when that is later
};

/// Reads what can be read: a record that breaks off or leads astray ends the section with a warning.
ParameterSection read_parameters(const Source& source, const Header& header, Tally& tally);

/// The section in whole blocks.
std::string write_parameters(const model::Parameters& parameters, Processor processor,
                             std::string_view place);

}  // namespace sinew::io::c3d
