#pragma once
/// \file
/// Named values in groups, as C3D files carry them: what a trial says about itself beyond its data. Groups
/// that the library does not know are kept, so that writing loses nothing.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sinew::model {

/// One value or an array; the first index runs fastest. Strings are an array of characters in the file, so
/// their first dimension, the width, is kept in `dimensions` too. Strings hold the bytes of the file, which
/// need not be UTF-8, without the spaces at their ends.
struct Parameter {
    using Values = std::variant<std::vector<std::string>, std::vector<std::int8_t>, std::vector<std::int16_t>,
                                std::vector<float>>;
    std::string name;
    std::string description;
    bool locked = false;
    std::vector<std::uint8_t> dimensions;  ///< empty for a single value
    Values values;

    /// Number of values; strings count as one each.
    std::size_t size() const;
    bool empty() const { return size() == 0; }
    bool is_text() const { return std::holds_alternative<std::vector<std::string>>(values); }
    /// Value `i` as a number; 0 for text.
    double number(std::size_t i) const;

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
    Parameter* find(std::string_view group, std::string_view name);
    /// Replaces the values of a parameter, or adds it, and its group when that is missing too. What is there
    /// keeps its place, its spelling, its description and its lock.
    Parameter& set(std::string_view group, Parameter parameter);
    void remove(std::string_view group, std::string_view name);

    bool operator==(const Parameters&) const = default;
};

}  // namespace sinew::model
