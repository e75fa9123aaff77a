// SPDX-License-Identifier: MIT
// docs/features.md tells the truth: what it calls done names a file and a test that exist.

#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "support/data.h"
#include <gtest/gtest.h>

namespace sinew {
namespace {

std::set<std::string> all_tests() {
    static const std::regex macro(R"(\b(?:TEST|TEST_P|TEST_F|RC_GTEST_PROP)\((\w+),\s*(\w+))");
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(SINEW_SOURCE_DIR "/tests")) {
        if (entry.path().extension() != ".cpp") continue;
        const std::string source = test::read_text(entry.path());
        for (std::sregex_iterator it(source.begin(), source.end(), macro), end; it != end; ++it) {
            names.insert((*it)[1].str() + "." + (*it)[2].str());
        }
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

TEST(Features, EveryDoneRowNamesAFileAndATestThatExist) {
    const std::set<std::string> tests = all_tests();
    std::istringstream text(test::read_text(SINEW_SOURCE_DIR "/docs/features.md"));
    static const std::regex id("[A-Z]{2}-[0-9]+");
    std::set<std::string> seen;
    std::size_t done = 0;
    for (std::string line; std::getline(text, line);) {
        if (line.empty() || line[0] != '|') continue;
        const std::vector<std::string> row = cells(line);
        if (row.size() < 5 || !std::regex_match(row[0], id)) continue;
        EXPECT_TRUE(seen.insert(row[0]).second) << row[0] << " stands twice";
        if (row[3].starts_with("not done")) continue;
        ++done;
        const auto files = quoted(row[3]), proofs = quoted(row[4]);
        EXPECT_FALSE(files.empty()) << row[0] << " names no file";
        EXPECT_FALSE(proofs.empty()) << row[0] << " names no test";
        for (const std::string& file : files) {
            EXPECT_TRUE(std::filesystem::exists(std::string(SINEW_SOURCE_DIR "/") + file))
                << row[0] << ": " << file;
        }
        for (const std::string& proof : proofs) EXPECT_TRUE(tests.contains(proof)) << row[0] << ": " << proof;
    }
    EXPECT_EQ(seen.size(), 489u) << "a row per capability";
    EXPECT_GT(done, 0u);
}

TEST(Features, EveryTestOfTheSpecsIsAutomated) {
    // Headings of docs/tests.md, and how many numbered tests the specification of each has.
    const std::map<std::string, int> expected = {{"Fitting", 27}, {"Skinning", 38}};
    const std::set<std::string> tests = all_tests();
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
    for (const auto& [name, count] : expected) {
        for (int t = 1; t <= count; ++t)
            EXPECT_TRUE(seen[name].contains("T" + std::to_string(t))) << name << " T" << t;
    }
}

}  // namespace
}  // namespace sinew
