#include "sinew/io/text/units.h"

#include <algorithm>

#include <fmt/format.h>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/model/character.h"

namespace sinew::io {
namespace {

double unit_named(const std::string& name) {
    const std::optional<double> metres = metres_of(name);
    if (!metres)
        fail("", "\"{}\" is no unit: known are m, cm, mm, in, ft, and file for the numbers as they are",
             name);
    return *metres;
}

/// Guess of the reader (a file may say half of it), or by the height.
double guessed(Asset& asset) {
    const auto told = std::find_if(asset.guesses.begin(), asset.guesses.end(),
                                   [](const Guess& guess) { return guess.subject == "units"; });
    if (told != asset.guesses.end() && told->number > 0) return told->number;
    const double height = model::height(asset.character.skeleton);
    const UnitGuess guess = guess_unit(height);
    asset.guesses.push_back(
        {"units", guess.name, fmt::format("the skeleton measures {:.4g}", height), guess.metres.value_or(1)});
    return asset.guesses.back().number;
}

}  // namespace

std::optional<double> metres_of(std::string_view unit) {
    struct Unit {
        std::string_view name;
        double metres;
    };
    // Names of four letters stand for all that start with them: "mete" is what a real file has of metres.
    constexpr Unit table[] = {{"m", 1},         {"mete", 1},      {"metr", 1},      {"mm", 0.001},
                              {"mill", 0.001},  {"cm", 0.01},     {"cent", 0.01},   {"dm", 0.1},
                              {"deci", 0.1},    {"in", 0.0254},   {"inch", 0.0254}, {"ft", 0.3048},
                              {"feet", 0.3048}, {"foot", 0.3048}, {"file", 1}};
    const std::string name = to_lower(trim(unit));
    for (const Unit& each : table) {
        if (name == each.name || (each.name.size() == 4 && name.starts_with(each.name))) return each.metres;
    }
    return std::nullopt;
}

UnitGuess guess_unit(double height) {
    if (height <= 0) return {1.0, "m"};
    if (height < 3) return {1.0, "m"};
    if (height < 12) return {std::nullopt, "unknown"};
    if (height < 45) return {cmu_unit, "in / 0.45"};
    if (height < 100) return {0.0254, "in"};
    if (height < 250) return {0.01, "cm"};
    return {0.001, "mm"};
}

math::Quatd turn_up(std::string_view axis) {
    if (axis == "y") return math::Quatd::Identity();
    // +Z up comes with x unchanged, as modelling programs do.
    if (axis == "z") return math::axis_angle(math::Vec3d(math::Vec3d::UnitX()), -math::pi / 2);
    if (axis == "x") return math::axis_angle(math::Vec3d(math::Vec3d::UnitZ()), math::pi / 2);
    fail("", "\"{}\" is no axis: give x, y or z", axis);
}

void normalize(Asset& asset, bool states_no_unit, const ReadOptions& options) {
    model::Similarity s;
    const bool motion = states_no_unit && asset.character.has_skeleton();
    if (!options.units.empty()) {
        s.scale = unit_named(options.units);
    } else if (motion) {
        s.scale = guessed(asset);
    }
    if (motion) asset.character.unit = s.scale;
    if (!options.up.empty()) s.rotation = turn_up(options.up);
    if (s.scale == 1 && (options.up.empty() || options.up == "y")) return;
    model::apply(asset.character, s);
    model::apply(asset.sequence, s);
}

model::Character in_file_units(const model::Character& character, const WriteOptions& options) {
    model::Character out = character;
    const double unit = options.units.empty() ? character.unit : unit_named(options.units);
    model::apply(out, {.scale = 1 / unit});
    out.unit = unit;
    return out;
}

}  // namespace sinew::io
