// SPDX-License-Identifier: MIT
#include "command.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>
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

bool has_type(const Json& value, const std::string& type) {
    if (type == "number") return value.is_number();
    if (type == "integer") return value.is_number_integer();
    if (type == "null") return value.is_null();
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "boolean") return value.is_boolean();
    return type == "string" && value.is_string();
}

/// The part of JSON Schema that the reports need: type, const, required, properties, additionalProperties,
/// items.
void expect_valid(const Json& value, const Json& schema, const std::string& path) {
    if (schema.contains("type")) {
        const Json types = schema["type"].is_array() ? schema["type"] : Json::array({schema["type"]});
        EXPECT_TRUE(std::any_of(types.begin(), types.end(),
                                [&](const Json& type) { return has_type(value, type.get<std::string>()); }))
            << path << " is not of type " << schema["type"];
    }
    if (schema.contains("const")) {
        EXPECT_EQ(value, schema["const"]) << path;
    }
    for (const Json& key : schema.value("required", Json::array()))
        EXPECT_TRUE(value.contains(key.get<std::string>())) << path << " has no " << key;
    if (value.is_object())
        for (const auto& [key, member] : value.items()) {
            const std::string below = path + "/" + key;
            if (schema.contains("properties") && schema["properties"].contains(key))
                expect_valid(member, schema["properties"][key], below);
            else if (schema.contains("additionalProperties"))
                expect_valid(member, schema["additionalProperties"], below);
        }
    if (value.is_array() && schema.contains("items"))
        for (const Json& item : value) expect_valid(item, schema["items"], path + "[]");
}

}  // namespace

const Json& report_schema_file() {
    static const Json schema =
        Json::parse(read_text(std::filesystem::path(SINEW_SOURCE_DIR) / "docs/reference/report.schema.json"));
    return schema;
}

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
    if (text.empty()) return Json::object();
    Json report = Json::parse(text);
    expect_valid(report, report_schema_file(), "report of " + arguments[0]);
    return report;
}

Json in_browser(const std::filesystem::path& page, const Json& steps, const TemporaryFolder& folder,
                std::string& reason) {
    const auto list = folder / "steps.json", out = folder / "browser.json", err = folder / "browser.err";
    write_text(list, steps.dump());
    const std::string command = fmt::format("'{}/tools/page-check' '{}' '{}' >'{}' 2>'{}'", SINEW_SOURCE_DIR,
                                            page.string(), list.string(), out.string(), err.string());
    const int status = std::system(command.c_str());
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        reason = read_text(err);
        const bool missing = WIFEXITED(status) && (WEXITSTATUS(status) == 3 || WEXITSTATUS(status) >= 126);
        EXPECT_TRUE(missing) << reason;
        return nullptr;
    }
    return Json::parse(read_text(out));
}

}  // namespace sinew::test
