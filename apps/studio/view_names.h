// SPDX-License-Identifier: MIT
#pragma once
// Names of options, on the command line and in projects.

#include <map>
#include <string>

#include "state.h"

namespace sinew::studio {

template <class Value>
using Names = std::map<std::string, Value>;

const Names<RenderMode>& render_mode_names();
const Names<SkeletonMode>& skeleton_mode_names();
const Names<Coloring>& coloring_names();
const Names<deform::Corrective>& correction_names();

template <class Value>
std::string name_in(const Names<Value>& names, Value value) {
    for (const auto& [name, named] : names)
        if (named == value) return name;
    return {};
}

}  // namespace sinew::studio
