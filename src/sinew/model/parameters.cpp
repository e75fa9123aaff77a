#include "sinew/model/trial.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "sinew/base/text.h"

namespace sinew::model {
namespace {

template <class List>
auto find_named(List& list, std::string_view name) -> decltype(list.data()) {
    const auto found = std::find_if(list.begin(), list.end(),
                                    [&](const auto& each) { return equal_ignoring_case(each.name, name); });
    return found == list.end() ? nullptr : &*found;
}

}  // namespace

std::size_t Parameter::size() const {
    return std::visit([](const auto& list) { return list.size(); }, values);
}

double Parameter::number(std::size_t i) const {
    return std::visit(
        [&](const auto& list) -> double {
            if constexpr (std::is_same_v<std::decay_t<decltype(list)>, std::vector<std::string>>) {
                return 0;
            } else {
                return static_cast<double>(list[i]);
            }
        },
        values);
}

const ParameterGroup* Parameters::group(std::string_view name) const {
    return find_named(groups, name);
}

const Parameter* Parameters::find(std::string_view group_name, std::string_view name) const {
    const ParameterGroup* const found = group(group_name);
    return found == nullptr ? nullptr : find_named(found->parameters, name);
}

Parameter* Parameters::find(std::string_view group_name, std::string_view name) {
    return const_cast<Parameter*>(std::as_const(*this).find(group_name, name));
}

Parameter& Parameters::set(std::string_view group_name, Parameter parameter) {
    ParameterGroup* there = find_named(groups, group_name);
    if (there == nullptr) {
        groups.push_back({std::string(group_name), "", false, {}});
        there = &groups.back();
    }
    Parameter* const old = find_named(there->parameters, parameter.name);
    if (old == nullptr) return there->parameters.emplace_back(std::move(parameter));
    old->dimensions = std::move(parameter.dimensions);
    old->values = std::move(parameter.values);
    return *old;
}

void Parameters::remove(std::string_view group_name, std::string_view name) {
    ParameterGroup* const there = find_named(groups, group_name);
    if (there == nullptr) return;
    std::erase_if(there->parameters,
                  [&](const Parameter& each) { return equal_ignoring_case(each.name, name); });
}

}  // namespace sinew::model
