#include "settings.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/text.h"

namespace sinew::cli {
namespace {

/// Takes `--settings FILE` or `--settings=FILE` out of the arguments; empty when there is none.
std::string take_settings(std::vector<std::string>& arguments) {
    for (auto argument = arguments.begin(); argument != arguments.end(); ++argument) {
        constexpr std::string_view name = "--settings";
        if (argument->starts_with("--settings=")) {
            const std::string file = argument->substr(name.size() + 1);
            arguments.erase(argument);
            return file;
        }
        if (*argument != name) continue;
        if (argument + 1 == arguments.end()) fail("", "--settings needs a file");
        const std::string file = *(argument + 1);
        arguments.erase(argument, argument + 2);
        return file;
    }
    return {};
}

bool says(const std::vector<std::string>& arguments, const std::string& option) {
    return std::any_of(arguments.begin(), arguments.end(), [&](const std::string& argument) {
        return argument == option || argument.starts_with(option + "=");
    });
}

}  // namespace

std::vector<std::string> with_settings(std::vector<std::string> arguments) {
    const std::string path = take_settings(arguments);
    if (path.empty()) return arguments;
    const FileView file(path);
    TextCursor cursor(file.text(), path);
    const std::vector<std::string> said = arguments;
    while (cursor.skip_space()) {
        const std::string place = cursor.place();
        std::string_view line = cursor.rest_of_line();
        line = trim(line.substr(0, line.find('#')));
        if (line.empty()) continue;
        const std::size_t equals = line.find('=');
        const std::string option = "--" + std::string(trim(line.substr(0, equals)));
        if (option.size() < 3 || option.find(' ') != std::string::npos)
            fail(place, "write `name = value`, not \"{}\"", line);
        const std::string value(equals == std::string_view::npos ? "true" : trim(line.substr(equals + 1)));
        if (says(said, option) || value == "false") continue;
        arguments.push_back(value == "true" ? option : option + "=" + value);
    }
    return arguments;
}

}  // namespace sinew::cli
