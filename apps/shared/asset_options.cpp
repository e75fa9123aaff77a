// SPDX-License-Identifier: MIT
#include "asset_options.h"

#include <map>

#include "help.h"

namespace sinew::app {

void add_read_options(CLI::App& verb, io::ReadOptions& options, bool with_rate) {
    static const std::map<std::string, io::PositionConvention> conventions = {
        {"auto", io::PositionConvention::automatic},
        {"replace", io::PositionConvention::replace},
        {"add", io::PositionConvention::add}};
    const OptionHeading heading(verb, "Reading files");
    verb.add_flag("--strict", options.strict, "Treat warnings about the input as errors");
    verb.add_option("--convention", options.convention,
                    "BVH position channels: auto, replace the OFFSET, or add to it")
        ->transform(CLI::CheckedTransformer(conventions).description("auto|replace|add"));
    verb.add_option("--units", options.units,
                    "Units of the input, which become metres; \"file\" keeps the numbers")
        ->check(CLI::IsMember({"m", "cm", "mm", "in", "ft", "file"}));
    verb.add_option("--up", options.up, "Axis that points up in the input; it becomes +Y")
        ->check(CLI::IsMember({"x", "y", "z"}));
    verb.add_option("--skeleton-file", options.skeleton,
                    "Skeleton of a motion without one: the .asf of an .amc, the .skel of a .clip")
        ->type_name("FILE");
    if (with_rate) {
        verb.add_option("--fps", options.rate, "Frame rate of a file that states none")
            ->check(CLI::PositiveNumber);
    }
    verb.add_flag("--legacy-tangents", options.legacy_tangents,
                  "Tangents in a .clip are codes (0 flat, 1 linear, 2 smooth) instead of slopes");
    verb.add_flag("--allow-outside", options.allow_outside,
                  "Also read files that the input names outside its own folder");
    verb.add_option("--joints", options.joints, "Joints per frame of raw joint text");
    verb.add_option("--rest", options.rest, "Rest mesh of a point cache or a folder of frames")
        ->type_name("MESH");
}

void add_method_option(CLI::App& verb, deform::Method& method) {
    std::map<std::string, deform::Method> names;
    std::string help = "How the skin follows the joints:";
    for (const deform::MethodInfo& info : deform::methods()) {
        names.emplace(info.name, info.method);
        help += fmt::format("\n{} = {}", info.name, info.text);
    }
    verb.add_option("--method", method, help)
        ->transform(CLI::CheckedTransformer(names, CLI::ignore_case).description(""));
}

}  // namespace sinew::app
