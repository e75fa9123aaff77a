// SPDX-License-Identifier: MIT
#include "command.h"

#include <cstdlib>

#include <sys/wait.h>

namespace sinew::test {
namespace {

std::string quoted(const std::string& word) {
    std::string result = "'";
    for (const char c : word) {
        if (c == '\'') {
            result += "'\\''";
        } else {
            result += c;
        }
    }
    return result + "'";
}

}  // namespace

CommandResult sinew(const std::vector<std::string>& arguments) {
    const TemporaryFolder folder;
    std::string command = quoted(SINEW_CLI);
    for (const std::string& argument : arguments) command += " " + quoted(argument);
    const auto out = folder / "out", err = folder / "err";
    command += " >" + quoted(out.string()) + " 2>" + quoted(err.string()) + " </dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_text(out), read_text(err)};
}

Json sinew_report(std::vector<std::string> arguments) {
    const TemporaryFolder folder;
    const std::string path = (folder / "report.json").string();
    arguments.insert(arguments.end(), {"--report", path});
    const CommandResult result = sinew(arguments);
    EXPECT_EQ(result.exit_code, 0) << arguments[0] << " " << arguments[1] << ": " << result.err;
    const std::string text = read_text(path);
    return text.empty() ? Json::object() : Json::parse(text);
}

}  // namespace sinew::test
