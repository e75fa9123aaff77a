// SPDX-License-Identifier: MIT
// What every verb reports and writes, pinned: keys and types of reports, numbers within a tolerance, and what
// the files hold. One file of tests/cli/golden for each run:
//   {"before": [[words], ...], "run": [words], "data": true, "files": [names],
//    "report": {path: type or value}, "holds": {file: {path: type or value}}}
// {out} is a fresh folder, {data} the folder of real files (the run is skipped where there is none). With
// SINEW_WRITE_GOLDEN=1 the last two are written anew: look at the difference before it is kept.

#include <algorithm>
#include <cstdlib>
#include <regex>

#include "command.h"
#include <gtest/gtest.h>

#include "sinew/base/file.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

fs::path golden_folder() {
    return fs::path(SINEW_SOURCE_DIR) / "tests/cli/golden";
}

std::vector<fs::path> golden_files() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(golden_folder()))
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

/// What depends on the machine, on where files are, or on names of joints.
bool is_free(const std::string& path) {
    static const std::regex free(
        "(seconds|(^|[._])ns_|per_second|bytes|memory|^options|^mapped|^sinew$|iterations)");
    return std::regex_search(path, free);
}

/// Leaves of a report by their paths: numbers and truth as they are, text by its type. Of a list its length
/// and its first element.
void flatten(const Json& json, const std::string& path, Json& flat) {
    if (json.is_object() && !path.starts_with("mapped") && !path.ends_with("seconds")) {
        for (const auto& [key, value] : json.items())
            flatten(value, path.empty() ? key : path + "." + key, flat);
        if (json.empty()) flat[path] = "object";
    } else if (json.is_array()) {
        flat[path + ".size"] = json.size();
        if (!json.empty()) flatten(json[0], path + "[0]", flat);
    } else if ((json.is_number() || json.is_boolean()) && !is_free(path)) {
        flat[path] = json;
    } else {
        flat[path] = json.is_number() ? "number" : json.type_name();
    }
}

Json flat(const Json& json) {
    Json result = Json::object();
    flatten(json, "", result);
    return result;
}

void expect_like(const Json& expected, const Json& found, const std::string& what) {
    for (const auto& [path, value] : expected.items()) {
        if (!found.contains(path)) {
            ADD_FAILURE() << what << ": " << path << " is gone";
        } else if (value == "number") {
            EXPECT_TRUE(found[path].is_number() || found[path] == "number") << what << ": " << path;
        } else if (value.is_number_float() && found[path].is_number()) {
            const double wanted = value.get<double>();
            EXPECT_NEAR(found[path].get<double>(), wanted, 0.02 * std::abs(wanted) + 1e-4)
                << what << ": " << path;
        } else {
            EXPECT_EQ(found[path], value) << what << ": " << path;
        }
    }
    for (const auto& [path, value] : found.items())
        EXPECT_TRUE(expected.contains(path)) << what << ": " << path << " is new";
}

std::vector<std::string> words_of(const Json& words, const test::TemporaryFolder& folder) {
    std::vector<std::string> result;
    for (const Json& word : words) {
        std::string text = word.get<std::string>();
        text = std::regex_replace(text, std::regex("\\{out\\}"), folder.path().string());
        if (text.find("{data}") != std::string::npos)
            text = std::regex_replace(text, std::regex("\\{data\\}/"), test::data("").string());
        result.push_back(text);
    }
    return result;
}

class Golden : public testing::TestWithParam<fs::path> {};

TEST_P(Golden, ReportsAndFilesAreAsTheyWere) {
    Json golden = Json::parse(test::read_text(GetParam()));
    if (golden.value("data", false)) SINEW_NEEDS_DATA();
    const test::TemporaryFolder folder;
    for (const Json& words : golden.value("before", Json::array())) {
        const test::CommandResult result = test::sinew(words_of(words, folder));
        ASSERT_EQ(result.exit_code, 0) << words << result.err;
    }
    const Json whole = test::sinew_report(words_of(golden["run"], folder));
    for (const auto& [key, value] : whole.items())
        EXPECT_TRUE(test::report_schema_file()["properties"].contains(key))
            << key << " is not described in docs/reference/report.schema.json";
    const Json report = flat(whole);
    Json holds = Json::object();
    for (const Json& file : golden.value("files", Json::array()))
        holds[file.get<std::string>()] =
            flat(test::sinew_report({"info", (folder / file.get<std::string>()).string()}));
    if (std::getenv("SINEW_WRITE_GOLDEN") != nullptr) {
        golden["report"] = report;
        golden["holds"] = holds;
        write_file(GetParam(), json_text(golden, 1) + "\n");
        return;
    }
    if (!golden.contains("report")) GTEST_SKIP() << "not recorded yet: SINEW_WRITE_GOLDEN=1";
    expect_like(golden["report"], report, "report");
    for (const auto& [file, content] : golden["holds"].items()) expect_like(content, holds[file], file);
}

INSTANTIATE_TEST_SUITE_P(Verbs, Golden, testing::ValuesIn(golden_files()), [](const auto& info) {
    std::string name = info.param.stem().string();
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

TEST(GoldenFiles, EveryVerbHasOne) {
    const std::string help = test::sinew({"--help"}).out;
    const std::string list = help.substr(std::min(help.find("Verbs:"), help.size()));
    const std::regex line("\n  ([a-z]+) +[A-Z]");
    int verbs = 0;
    for (std::sregex_iterator at(list.begin(), list.end(), line), end; at != end; ++at, ++verbs) {
        const std::string verb = (*at)[1];
        if (verb == "studio") continue;  // a window; tests/studio
        const std::vector<fs::path> files = golden_files();
        EXPECT_TRUE(std::any_of(files.begin(), files.end(), [&](const fs::path& file) {
            return file.stem().string() == verb || file.stem().string().starts_with(verb + "-");
        })) << verb;
    }
    EXPECT_GE(verbs, 20);
}

}  // namespace
}  // namespace sinew
