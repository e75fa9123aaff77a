// SPDX-License-Identifier: MIT
// Modules keep to themselves: a file includes only the modules that its own module names in
// src/sinew/CMakeLists.txt, and of those only the public headers, which stand in the module's top folder.
// Public headers are few, documented and light.

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "support/data.h"
#include <gtest/gtest.h>

namespace sinew {
namespace {

namespace fs = std::filesystem;

/// Targets of their own beside the library: not installed, and not counted as public.
const std::set<std::string> beside_the_library = {"published", "sample"};
/// A published method shares steps with the module that grew out of it; figures draw what happens inside.
const std::map<std::string, std::set<std::string>> may_look_inside = {{"published", {"rig"}},
                                                                      {"figures", {"deform", "rig"}}};

constexpr std::size_t max_public_headers = 60;
constexpr std::size_t max_included_headers = 20;
constexpr std::size_t max_of_pipeline = 30;  ///< it stands on all modules, and hands their results through

using Table = std::map<std::string, std::set<std::string>>;

Table read_table() {
    Table table;
    std::istringstream text(test::read_text(SINEW_BINARY_DIR "/modules.txt"));
    for (std::string line; std::getline(text, line);) {
        std::istringstream words(line);
        std::string module;
        words >> module;
        module.pop_back();  // the colon
        table[module].insert(module);
        for (std::string used; words >> used;) table[module].insert(used);
    }
    return table;
}

/// What `source` includes of ours, as "module/rest".
std::vector<std::string> includes_of(const std::string& source) {
    static const std::regex include("#include \"sinew/([a-z_]+/[^\"]+)\"");
    std::vector<std::string> found;
    for (std::sregex_iterator it(source.begin(), source.end(), include), end; it != end; ++it)
        found.push_back((*it)[1]);
    return found;
}

/// Figures are a target of their own inside render.
std::string module_of(const std::string& file) {
    return file.starts_with("render/figures") ? "figures" : file.substr(0, file.find('/'));
}
bool is_public(const std::string& header) {
    return std::count(header.begin(), header.end(), '/') == 1;
}

std::vector<std::string> forbidden_includes(const Table& table, const std::string& module,
                                            const std::string& source) {
    std::vector<std::string> found;
    for (const std::string& header : includes_of(source)) {
        const std::string of = module_of(header);
        const auto inside = may_look_inside.find(module);
        const bool may_look =
            of == module || (inside != may_look_inside.end() && inside->second.contains(of));
        if (!table.at(module).contains(of) || (!is_public(header) && !may_look)) found.push_back(header);
    }
    return found;
}

template <class Visit>
void each_source(const fs::path& folder, const Visit& visit) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const std::string suffix = entry.path().extension().string();
        if (suffix == ".h" || suffix == ".cpp") visit(entry.path());
    }
}

std::vector<std::string> public_headers() {
    std::vector<std::string> headers;
    for (const auto& module : fs::directory_iterator(SINEW_SOURCE_DIR "/src/sinew")) {
        if (!module.is_directory() || beside_the_library.contains(module.path().filename())) continue;
        for (const auto& entry : fs::directory_iterator(module))
            if (entry.path().extension() == ".h" &&
                entry.path().filename() != "figures.h")  // a target of its own
                headers.push_back((module.path().filename() / entry.path().filename()).string());
    }
    std::sort(headers.begin(), headers.end());
    return headers;
}

void collect(const std::string& header, std::set<std::string>& seen) {
    for (const std::string& next : includes_of(test::read_text(SINEW_SOURCE_DIR "/src/sinew/" + header)))
        if (seen.insert(next).second) collect(next, seen);
}

TEST(Modules, IncludeOnlyWhatTheyMayUse) {
    const Table table = read_table();
    ASSERT_TRUE(table.contains("base"));
    std::size_t files = 0;
    each_source(SINEW_SOURCE_DIR "/src/sinew", [&](const fs::path& file) {
        const fs::path relative = fs::relative(file, SINEW_SOURCE_DIR "/src/sinew");
        const std::string module = module_of(relative.string());
        ASSERT_TRUE(table.contains(module)) << module << " is not declared in src/sinew/CMakeLists.txt";
        for (const std::string& header : forbidden_includes(table, module, test::read_text(file)))
            ADD_FAILURE() << relative.string() << " may not include " << header;
        ++files;
    });
    EXPECT_GT(files, 20u);
}

TEST(Modules, ProgramsIncludePublicHeadersOnly) {
    for (const char* folder : {"/apps", "/examples"})
        each_source(SINEW_SOURCE_DIR + std::string(folder), [&](const fs::path& file) {
            for (const std::string& header : includes_of(test::read_text(file)))
                EXPECT_TRUE(is_public(header)) << file << " includes " << header << ", which is not public";
        });
}

TEST(Modules, TheCheckFindsAForbiddenInclude) {
    const Table table = read_table();
    EXPECT_EQ(forbidden_includes(table, "math", "#include \"sinew/model/skin.h\"\n").size(), 1u);
    EXPECT_EQ(forbidden_includes(table, "io", "#include \"sinew/model/detail/roles_names.h\"\n").size(), 1u);
    EXPECT_TRUE(forbidden_includes(table, "model", "#include \"sinew/math/types.h\"\n").empty());
    EXPECT_TRUE(forbidden_includes(table, "model", "#include \"sinew/model/detail/hand_shape.h\"\n").empty());
}

TEST(Modules, ArrowsPointUpwardsOnly) {
    std::istringstream text(test::read_text(SINEW_BINARY_DIR "/modules.txt"));
    std::set<std::string> above;
    for (std::string line; std::getline(text, line);) {
        std::istringstream words(line);
        std::string module;
        words >> module;
        module.pop_back();
        for (std::string used; words >> used;)
            EXPECT_TRUE(above.contains(used)) << module << " uses " << used;
        above.insert(module);
    }
}

TEST(PublicHeaders, AreFew) {
    EXPECT_LE(public_headers().size(), max_public_headers);
}

TEST(PublicHeaders, HaveAPurposeAndAnExample) {
    for (const std::string& header : public_headers()) {
        const std::string text = test::read_text(SINEW_SOURCE_DIR "/src/sinew/" + header);
        EXPECT_NE(text.find("/// \\file\n"), std::string::npos) << header << " does not say what it is for";
        EXPECT_NE(text.find("\\code"), std::string::npos) << header << " has no example";
    }
}

TEST(PublicHeaders, AreLight) {
    for (const std::string& header : public_headers()) {
        std::set<std::string> seen;
        collect(header, seen);
        EXPECT_LE(seen.size(), header.starts_with("pipeline/") ? max_of_pipeline : max_included_headers)
            << header << " pulls in too much";
    }
}

}  // namespace
}  // namespace sinew
