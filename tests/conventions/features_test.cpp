// SPDX-License-Identifier: MIT
// docs/features.md tells the truth: what it calls done names a way by which a user gets there, a file, and a
// test that is built and runs.

#include <array>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <sstream>

#include "support/data.h"
#include <gtest/gtest.h>

namespace sinew {
namespace {

namespace fs = std::filesystem;

std::string output_of(const std::string& command) {
    std::string text;
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen((command + " 2>/dev/null").c_str(), "r"), &pclose);
    std::array<char, 4096> part{};
    while (pipe && std::fgets(part.data(), part.size(), pipe.get())) text += part.data();
    return text;
}

/// Tests that the programs of this build have, by "Suite.Name"; of parametrised ones the name alone.
std::set<std::string> built_tests() {
    std::set<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(SINEW_BINARY_DIR)) {
        const std::string file = entry.path().filename().string();
        if (!entry.is_regular_file() || !file.starts_with("test_") || entry.path().has_extension()) continue;
        std::istringstream lines(output_of(entry.path().string() + " --gtest_list_tests"));
        std::string suite;
        for (std::string line; std::getline(lines, line);) {
            line = line.substr(0, line.find("  #"));
            if (line.empty()) continue;
            if (line[0] != ' ') {
                suite = line.substr(0, line.find_last_not_of(". ") + 1);
                if (const auto slash = suite.find('/'); slash != std::string::npos)
                    suite = suite.substr(slash + 1);
                continue;
            }
            names.insert(suite + "." + line.substr(2, line.find('/') - 2));
        }
    }
    // Those of the Python module, which the same run does.
    static const std::regex python(R"(\n    def (test_\w+)\()");
    const std::string module = test::read_text(SINEW_SOURCE_DIR "/tests/python/module_test.py");
    for (std::sregex_iterator it(module.begin(), module.end(), python), end; it != end; ++it)
        names.insert("ModuleTest." + (*it)[1].str());
    // Those with other programs, which are lists of commands: `ctest blender_addon`.
    static const std::regex command(R"(add_test\(\[=\[(\w+)\]=\])");
    const std::string list = test::read_text(SINEW_BINARY_DIR "/tests/CTestTestfile.cmake");
    for (std::sregex_iterator it(list.begin(), list.end(), command), end; it != end; ++it)
        names.insert("ctest " + (*it)[1].str());
    return names;
}

/// Tests whose body, up to its first brace, says a word: SINEW_SLOW asks for what the ordinary run skips.
std::set<std::string> tests_that_say(const std::string& word) {
    static const std::regex test(R"(\b(?:TEST|TEST_P|TEST_F)\((\w+),\s*(\w+)\)\s*\{([^}]*))");
    std::set<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(SINEW_SOURCE_DIR "/tests")) {
        if (entry.path().extension() != ".cpp") continue;
        const std::string source = test::read_text(entry.path());
        for (std::sregex_iterator it(source.begin(), source.end(), test), end; it != end; ++it)
            if ((*it)[3].str().find(word) != std::string::npos)
                names.insert((*it)[1].str() + "." + (*it)[2].str());
    }
    return names;
}

std::vector<std::string> cells(const std::string& row) {
    std::vector<std::string> result;
    std::istringstream text(row.substr(1));
    for (std::string cell; std::getline(text, cell, '|');) {
        const auto first = cell.find_first_not_of(' ');
        const auto last = cell.find_last_not_of(' ');
        result.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
    }
    return result;
}

/// Words of a cell such as "`a`, `b`".
std::vector<std::string> quoted(const std::string& cell) {
    static const std::regex word("`([^`]+)`");
    std::vector<std::string> result;
    for (std::sregex_iterator it(cell.begin(), cell.end(), word), end; it != end; ++it)
        result.push_back((*it)[1]);
    return result;
}

/// All text of a folder's sources.
std::string text_of(const std::string& folder) {
    std::string text;
    for (const auto& entry : fs::recursive_directory_iterator(SINEW_SOURCE_DIR "/" + folder))
        if (entry.is_regular_file()) text += test::read_text(entry.path());
    return text;
}

/// Why a user does not get there by `way`; nothing when it is there.
class Reach {
  public:
    std::string problem(const std::string& cell) {
        if (cell == "project") return "";  // a property of the project itself
        const auto words = quoted(cell);
        const auto panel = cell.find("studio: "), button = cell.find("Blender: ");
        if (button != std::string::npos) {
            const std::string name = cell.substr(button + 9, cell.find(',', button) - button - 9);
            if (blender_.empty()) blender_ = text_of("apps/blender");
            if (blender_.find("bl_label = \"" + name + "\"") == std::string::npos)
                return "the add-on has no " + name;
        }
        if (words.empty() && panel == std::string::npos && button == std::string::npos)
            return "names no way to get there";
        for (const std::string& word : words)
            if (const std::string reason = problem_of(word); !reason.empty()) return word + ": " + reason;
        if (panel != std::string::npos) {
            const std::string name = cell.substr(panel + 8, cell.find(',', panel) - panel - 8);
            if (studio_.empty()) studio_ = text_of("apps/studio");
            if (studio_.find("\"" + name) == std::string::npos) return "the studio has no " + name;
        }
        return "";
    }

  private:
    std::string problem_of(const std::string& word) {
        if (word.starts_with("sinew/")) {
            const bool in_top = std::count(word.begin(), word.end(), '/') == 2;
            return in_top && fs::exists(std::string(SINEW_SOURCE_DIR "/src/") + word)
                       ? ""
                       : "no such public header";
        }
        if (word.starts_with("sinew.")) {
            if (stub_.empty()) stub_ = test::read_text(SINEW_SOURCE_DIR "/apps/python/sinew/__init__.pyi");
            const std::string name = word.substr(6);
            const bool there = stub_.find("\ndef " + name + "(") != std::string::npos ||
                               stub_.find("\nclass " + name + ":") != std::string::npos;
            return there ? "" : "no such name in the Python module";
        }
        if (word.starts_with("sinew-bench") || word.starts_with("bench_")) {
            if (bench_.empty()) bench_ = text_of("bench");
            const std::string name = word.substr(word.find_first_of(" _") + 1);
            return bench_.find(name) != std::string::npos ? "" : "no such bench";
        }
        std::istringstream text(word);
        std::string program, verb, option;
        text >> program >> verb >> option;
        if (program != "sinew") return "neither a verb, a header nor a bench";
        auto [help, fresh] = help_.try_emplace(verb);
        if (fresh) help->second = output_of(SINEW_CLI " " + verb + " --help-all");
        if (help->second.find("Usage: sinew " + verb) == std::string::npos) return "no such verb";
        return option.empty() || help->second.find(option) != std::string::npos ? "" : "no such option";
    }

    std::map<std::string, std::string> help_;
    std::string studio_, bench_, stub_, blender_;
};

TEST(Features, EveryDoneRowIsReachableAndProven) {
    const std::set<std::string> tests = built_tests(), slow = tests_that_say("SINEW_SLOW"),
                                need_data = tests_that_say("\n    SINEW_NEEDS_DATA");
    ASSERT_GT(tests.size(), 500u) << "test programs are not built";
    Reach reach;
    std::istringstream text(test::read_text(SINEW_SOURCE_DIR "/docs/features.md"));
    static const std::regex id("[A-Z]{2}-[0-9]+");
    std::set<std::string> seen;
    std::size_t done = 0;
    for (std::string line; std::getline(text, line);) {
        if (line.empty() || line[0] != '|') continue;
        const std::vector<std::string> row = cells(line);
        if (row.size() < 6 || !std::regex_match(row[0], id)) continue;
        EXPECT_TRUE(seen.insert(row[0]).second) << row[0] << " stands twice";
        if (row[3].starts_with("not done")) continue;
        ++done;
        EXPECT_EQ(reach.problem(row[3]), "") << row[0];
        const auto files = quoted(row[4]), proofs = quoted(row[5]);
        EXPECT_FALSE(files.empty()) << row[0] << " names no file";
        EXPECT_FALSE(proofs.empty()) << row[0] << " names no test";
        for (const std::string& file : files)
            EXPECT_TRUE(fs::exists(std::string(SINEW_SOURCE_DIR "/") + file)) << row[0] << ": " << file;
        EXPECT_FALSE(std::ranges::all_of(proofs, [&](const std::string& p) { return need_data.contains(p); }))
            << row[0] << ": a clone without ../shared/data has no proof";
        for (const std::string& proof : proofs) {
            EXPECT_TRUE(tests.contains(proof)) << row[0] << ": " << proof << " is not built";
            EXPECT_FALSE(slow.contains(proof))
                << row[0] << ": " << proof << " is skipped in the ordinary run";
        }
    }
    EXPECT_GT(done, 0u);
}

TEST(Features, TheCheckFindsWhatIsNotThere) {
    Reach reach;
    EXPECT_EQ(reach.problem("`sinew rig`"), "");
    EXPECT_NE(reach.problem("`sinew ring`"), "");
    EXPECT_NE(reach.problem("`sinew rig --no-such-option`"), "");
    EXPECT_NE(reach.problem("`sinew/rig/bind/heat.h`"), "");
    EXPECT_NE(reach.problem("studio: Kitchen"), "");
    EXPECT_EQ(reach.problem("Blender: Retarget"), "");
    EXPECT_NE(reach.problem("Blender: Kitchen"), "");
    EXPECT_EQ(reach.problem("`sinew.rig`"), "");
    EXPECT_NE(reach.problem("`sinew.ring`"), "");
    EXPECT_NE(reach.problem(""), "");
}

TEST(Features, EveryTestOfTheSpecsIsAutomated) {
    // Headings of docs/tests.md, and how many numbered tests the specification of each has.
    const std::map<std::string, int> expected = {
        {"Articulated parts", 26},     {"Collision", 24}, {"Fitting", 27}, {"Motion capture", 35},
        {"Skeletons and weights", 26}, {"Skinning", 38}};
    const std::set<std::string> tests = built_tests();
    std::istringstream text(test::read_text(SINEW_SOURCE_DIR "/docs/tests.md"));
    static const std::regex id("T[0-9]+");
    std::map<std::string, std::set<std::string>> seen;
    std::string section;
    for (std::string line; std::getline(text, line);) {
        if (line.starts_with("## ")) section = line.substr(3);
        if (line.empty() || line[0] != '|') continue;
        const std::vector<std::string> row = cells(line);
        if (row.size() < 3 || !std::regex_match(row[0], id)) continue;
        const std::string name = section + " " + row[0];
        EXPECT_TRUE(seen[section].insert(row[0]).second) << name << " stands twice";
        EXPECT_FALSE(quoted(row[2]).empty()) << name << " names no test";
        for (const std::string& proof : quoted(row[2]))
            EXPECT_TRUE(tests.contains(proof)) << name << ": " << proof;
    }
    // What they test has left the library: baked rest poses, reduced rows.
    const std::set<std::string> left_out = {"Fitting T12", "Fitting T22"};
    for (const auto& [name, count] : expected) {
        for (int t = 1; t <= count; ++t) {
            const std::string number = "T" + std::to_string(t);
            EXPECT_NE(seen[name].contains(number), left_out.contains(name + " " + number))
                << name << " " << number;
        }
    }
}

}  // namespace
}  // namespace sinew
