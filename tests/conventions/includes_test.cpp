// SPDX-License-Identifier: MIT
// A header brings what it names. Precompiled headers would hide a missing include from the compiler, so the
// text is looked at: every name of the standard library needs its header in the file or in a header of ours
// that it includes.

#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include "support/data.h"
#include <gtest/gtest.h>

namespace sinew {
namespace {

/// The header of each name that our headers use.
const std::map<std::string, std::string> homes = {
    {"array", "array"},
    {"atomic", "atomic"},
    {"filesystem", "filesystem"},
    {"function", "functional"},
    {"int64_t", "cstdint"},
    {"map", "map"},
    {"mutex", "mutex"},
    {"optional", "optional"},
    {"set", "set"},
    {"shared_ptr", "memory"},
    {"span", "span"},
    {"string", "string"},
    {"string_view", "string"},
    {"uint16_t", "cstdint"},
    {"uint32_t", "cstdint"},
    {"uint64_t", "cstdint"},
    {"uint8_t", "cstdint"},
    {"unique_ptr", "memory"},
    {"unordered_map", "unordered_map"},
    {"variant", "variant"},
    {"vector", "vector"},
};
/// Where a name comes along with something else.
const std::map<std::string, std::set<std::string>> others = {
    {"string", {"string_view", "filesystem", "fmt/format.h"}}, {"string_view", {"string_view"}}};

std::set<std::string> matches(const std::string& text, const std::regex& pattern) {
    std::set<std::string> found;
    for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) {
        found.insert((*it)[1]);
    }
    return found;
}

/// What a header includes, by way of our own headers too.
void collect(const std::string& header, std::set<std::string>& seen) {
    static const std::regex include("#include [<\"]([^>\"]+)[>\"]");
    for (const std::string& name : matches(test::read_text(SINEW_SOURCE_DIR "/src/" + header), include)) {
        if (seen.insert(name).second && name.starts_with("sinew/")) collect(name, seen);
    }
}

std::vector<std::string> missing(const std::string& text, const std::set<std::string>& includes) {
    static const std::regex name("std::([a-z0-9_]+)");
    std::vector<std::string> found;
    for (const std::string& used : matches(text, name)) {
        const auto home = homes.find(used);
        if (home == homes.end() || includes.contains(home->second)) continue;
        const auto other = others.find(used);
        const bool comes_along = other != others.end() &&
                                 std::any_of(other->second.begin(), other->second.end(),
                                             [&](const auto& header) { return includes.contains(header); });
        if (!comes_along) found.push_back("std::" + used + " without <" + home->second + ">");
    }
    static const std::map<std::string, std::string> libraries = {
        {"fmt::", "fmt/"}, {"Eigen::", "Eigen/"}, {"nlohmann::", "nlohmann/"}};
    for (const auto& [names, folder] : libraries) {
        const bool there = std::any_of(includes.begin(), includes.end(),
                                       [&](const std::string& header) { return header.starts_with(folder); });
        if (!there && text.find(names) != std::string::npos)
            found.push_back(names + " without <" + folder + "...>");
    }
    return found;
}

TEST(Includes, HeadersBringWhatTheyName) {
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(SINEW_SOURCE_DIR "/src/sinew")) {
        if (entry.path().extension() != ".h") continue;
        const std::string header = std::filesystem::relative(entry.path(), SINEW_SOURCE_DIR "/src").string();
        std::set<std::string> includes;
        collect(header, includes);
        for (const std::string& problem : missing(test::read_text(entry.path()), includes)) {
            ADD_FAILURE() << header << " uses " << problem;
        }
        ++files;
    }
    EXPECT_GT(files, 100u);
}

TEST(Includes, TheCheckFindsAMissingOne) {
    EXPECT_EQ(missing("std::vector<std::string> a;", {"vector"}),
              std::vector<std::string>{"std::string without <string>"});
    EXPECT_TRUE(missing("std::vector<std::string> a;", {"vector", "string"}).empty());
    EXPECT_EQ(missing("Eigen::MatrixXd a;", {"vector"}),
              std::vector<std::string>{"Eigen:: without <Eigen/...>"});
    EXPECT_TRUE(missing("Eigen::MatrixXd a;", {"Eigen/Core"}).empty());
}

/// What only the operating system has: its headers, and the places that it has for things.
std::vector<std::string> bound_to_system(const std::string& text) {
    static const std::regex pattern(
        "(#include "
        "<(?:unistd|signal|csignal|dlfcn|spawn|fcntl|poll|semaphore|termios|pwd|sched|pthread|dirent|"
        "glob|malloc|sys/[a-z]+|linux/[a-z]+|netinet/[a-z]+|EGL/[a-z]+|epoxy/egl|fontconfig/[a-z]+|windows)"
        "(?:\\.h)?>|\"/(?:proc|dev|usr|etc|tmp|media|mnt|run|sys|home)/?[^\"]*\")");
    const std::set<std::string> found = matches(text, pattern);
    return {found.begin(), found.end()};
}

/// Outside base/platform, OpenGL without a display alone knows the system: it is one file of render.
TEST(Includes, WhatIsBoundToTheSystemStandsInBasePlatform) {
    std::size_t inside = 0;
    for (const char* folder : {"/src/sinew", "/apps"}) {
        for (const auto& entry :
             std::filesystem::recursive_directory_iterator(SINEW_SOURCE_DIR + std::string(folder))) {
            const std::string suffix = entry.path().extension().string();
            if (suffix != ".h" && suffix != ".cpp") continue;
            const std::string name = std::filesystem::relative(entry.path(), SINEW_SOURCE_DIR).string();
            const std::vector<std::string> found = bound_to_system(test::read_text(entry.path()));
            if (name.starts_with("src/sinew/base/platform/")) inside += found.size();
            if (name.starts_with("src/sinew/base/platform/") || name == "src/sinew/render/gl/headless.cpp")
                continue;
            for (const std::string& what : found)
                ADD_FAILURE() << name << " has " << what << ", which belongs into base/platform";
        }
    }
    EXPECT_GT(inside, 10u);
    EXPECT_EQ(bound_to_system("#include <sys/stat.h>\nopen(\"/proc/self/exe\")").size(), 2u);
}

}  // namespace
}  // namespace sinew
