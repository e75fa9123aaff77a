#pragma once
/// \file
/// Named values in groups, as C3D files carry them: what a trial says about itself beyond its data. Groups
/// that the library does not know are kept, so that writing loses nothing.

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sinew::model {

/// One value or an array; the first index runs fastest. Strings are an array of characters in the file, so
/// their first dimension, the width, is kept in `dimensions` too.
struct Parameter {
    using Values = std::variant<std::vector<std::string>, std::vector<std::int8_t>, std::vector<std::int16_t>,
                                std::vector<float>>;
    std::string name;
    std::string description;
    bool locked = false;
    std::vector<std::uint8_t> dimensions;  ///< empty for a single value
    Values values;

    bool operator==(const Parameter&) const = default;
};

struct ParameterGroup {
    std::string name;
    std::string description;
    bool locked = false;
    std::vector<Parameter> parameters;

    bool operator==(const ParameterGroup&) const = default;
};

struct Parameters {
    std::vector<ParameterGroup> groups;

    /// Group or parameter by name, ignoring case, or null.
    const ParameterGroup* group(std::string_view name) const;
    const Parameter* find(std::string_view group, std::string_view name) const;
};

}  // namespace sinew::model
