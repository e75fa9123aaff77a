#include "sinew/model/parameters.h"

#include <algorithm>

#include "sinew/base/text.h"

namespace sinew::model {
namespace {

template <class Named>
const Named* find_named(const std::vector<Named>& list, std::string_view name) {
    const auto found = std::find_if(list.begin(), list.end(),
                                    [&](const Named& each) { return equal_ignoring_case(each.name, name); });
    return found == list.end() ? nullptr : &*found;
}

}  // namespace

const ParameterGroup* Parameters::group(std::string_view name) const {
    return find_named(groups, name);
}

const Parameter* Parameters::find(std::string_view group_name, std::string_view name) const {
    const ParameterGroup* const found = group(group_name);
    return found == nullptr ? nullptr : find_named(found->parameters, name);
}

}  // namespace sinew::model
