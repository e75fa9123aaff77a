// The rooms keep to themselves: a file may include only the rooms that its own room names in
// src/sinew/CMakeLists.txt.

#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "support/data.h"
#include <gtest/gtest.h>

namespace sinew {
namespace {

using Table = std::map<std::string, std::set<std::string>>;

Table read_table() {
    Table table;
    std::istringstream text(test::read_text(SINEW_BINARY_DIR "/rooms.txt"));
    for (std::string line; std::getline(text, line);) {
        std::istringstream words(line);
        std::string room;
        words >> room;
        room.pop_back();  // the colon
        table[room].insert(room);
        for (std::string used; words >> used;) table[room].insert(used);
    }
    return table;
}

std::vector<std::string> forbidden_includes(const Table& table, const std::string& room,
                                            const std::string& source) {
    static const std::regex include("#include \"sinew/([a-z_]+)/[^\"]+\"");
    std::vector<std::string> found;
    for (std::sregex_iterator it(source.begin(), source.end(), include), end; it != end; ++it) {
        if (!table.at(room).contains((*it)[1])) found.push_back((*it)[0]);
    }
    return found;
}

TEST(Rooms, IncludeOnlyWhatTheyMayUse) {
    const Table table = read_table();
    ASSERT_TRUE(table.contains("base"));
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(SINEW_SOURCE_DIR "/src/sinew")) {
        const std::string suffix = entry.path().extension().string();
        if (suffix != ".h" && suffix != ".cpp") continue;
        const auto relative = std::filesystem::relative(entry.path(), SINEW_SOURCE_DIR "/src/sinew");
        // Figures are a target of their own inside render.
        const bool figures = relative.string().starts_with("render/figures");
        const std::string room = figures ? "figures" : relative.begin()->string();
        ASSERT_TRUE(table.contains(room)) << room << " is not declared in src/sinew/CMakeLists.txt";
        for (const std::string& include : forbidden_includes(table, room, test::read_text(entry.path()))) {
            ADD_FAILURE() << relative.string() << " may not " << include;
        }
        ++files;
    }
    EXPECT_GT(files, 20u);
}

TEST(Rooms, TheCheckFindsAForbiddenInclude) {
    const Table table = read_table();
    EXPECT_EQ(forbidden_includes(table, "math", "#include \"sinew/model/skin.h\"\n").size(), 1u);
    EXPECT_TRUE(forbidden_includes(table, "model", "#include \"sinew/math/types.h\"\n").empty());
}

TEST(Rooms, ArrowsPointUpwardsOnly) {
    std::istringstream text(test::read_text(SINEW_BINARY_DIR "/rooms.txt"));
    std::set<std::string> above;
    for (std::string line; std::getline(text, line);) {
        std::istringstream words(line);
        std::string room;
        words >> room;
        room.pop_back();
        for (std::string used; words >> used;) EXPECT_TRUE(above.contains(used)) << room << " uses " << used;
        above.insert(room);
    }
}

}  // namespace
}  // namespace sinew
