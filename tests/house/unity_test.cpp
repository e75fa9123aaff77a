// A clean build compiles many files of a target at a time (cmake/unity.cmake), a build under ccache one by
// one. So that both work, files of a target must not define the same name in their unnamed namespaces.
// Overloads may share one.

#include <filesystem>
#include <map>
#include <regex>
#include <sstream>

#include "support/data.h"
#include <gtest/gtest.h>

namespace sinew {
namespace {

struct Definition {
    std::string name;
    std::string parameters;  ///< types alone; of functions only
    std::string text;        ///< up to the body or the value
    bool function() const { return !parameters.empty(); }
};

/// "(const Vec3d& a, int b = 0)" as "(const Vec3d&, int)".
std::string types_of(std::string parameters) {
    parameters = std::regex_replace(parameters, std::regex(R"(\s*=[^,)]*)"), "");
    return std::regex_replace(parameters, std::regex(R"(\s+\w+\s*(?=[,)]))"), "");
}

std::string without_template_arguments(std::string text) {
    static const std::regex innermost("<[^<>()]*>");
    for (std::string before; before != text;) {
        before = text;
        text = std::regex_replace(text, innermost, "");
    }
    return text;
}

/// What a line at the left border of an unnamed namespace defines; no name when it is nothing of that kind.
Definition definition_of(const std::string& text) {
    static const std::regex type(R"(^(?:struct|class|enum class|enum|using) (\w+)(?!.*::\w+;))");
    static const std::regex other(R"(([A-Za-z_][\w:]*)(?:\[[^\]]*\])?\s*([({=;]))");
    static const std::regex skipped(
        "^(?:TEST|RC_GTEST|INSTANTIATE|template|namespace|using namespace|static_assert)");
    std::smatch found;
    if (std::regex_search(text, skipped)) return {};
    if (std::regex_search(text, found, type)) return {found[1], "", text};
    const std::string plain = without_template_arguments(text);
    if (text.starts_with("using ") || !std::regex_search(plain, found, other)) return {};
    if (found[1].str().find(':') != std::string::npos) return {};  // a member, outside of its class
    if (found[2] != "(") return {found[1], "", text};
    const std::string rest =
        text.substr(std::min(text.find(found[1].str() + "(") + found[1].length(), text.size()));
    return {found[1], types_of(rest.substr(0, rest.find(')') + 1)), text};
}

/// Shaders and pages inside have lines that look like ours.
std::string without_raw_strings(std::string source) {
    for (std::size_t start = source.find("R\""); start != std::string::npos;
         start = source.find("R\"", start)) {
        const std::size_t open = source.find('(', start);
        if (open == std::string::npos) break;
        const std::string close = ")" + source.substr(start + 2, open - start - 2) + "\"";
        const std::size_t end = source.find(close, open);
        if (end == std::string::npos) break;
        source.replace(start, end + close.size() - start, "\"\"");
    }
    return source;
}

/// Definitions in the unnamed namespaces of a file, by the namespace around them.
std::multimap<std::string, Definition> definitions_in(const std::string& source) {
    static const std::regex opened(R"(^namespace ([\w:]+) \{)");
    std::multimap<std::string, Definition> found;
    std::istringstream lines(without_raw_strings(source));
    std::string around;
    bool unnamed = false;
    for (std::string line; std::getline(lines, line);) {
        std::smatch name;
        if (std::regex_search(line, name, opened)) around = name[1];
        if (line == "namespace {" || line == "}  // namespace") unnamed = line.starts_with("n");
        if (!unnamed || line.empty() || !std::isalpha(static_cast<unsigned char>(line[0]))) continue;
        for (std::string more; line.find_first_of("{;=)") == std::string::npos && std::getline(lines, more);)
            line += " " + more.substr(std::min(more.find_first_not_of(' '), more.size()));
        if (const Definition definition = definition_of(line); !definition.name.empty())
            found.emplace(around, definition);
    }
    return found;
}

bool clash(const Definition& a, const Definition& b) {
    if (a.text == b.text && a.text.starts_with("using ")) return false;
    return !a.function() || !b.function() || a.parameters == b.parameters;
}

/// Whether the build leaves a file alone, by the rule of cmake/unity.cmake.
bool stays_alone(const std::string& source) {
    return std::regex_search(source, std::regex(R"((^|\n)(#[ ]*define|using namespace))"));
}

void check(const std::vector<std::filesystem::path>& files) {
    std::multimap<std::string, std::pair<std::filesystem::path, Definition>> seen;
    for (const auto& file : files) {
        const std::string source = test::read_text(file);
        if (stays_alone(source)) continue;
        const auto own = definitions_in(source);
        for (const auto& [around, definition] : own) {
            const auto [first, last] = seen.equal_range(around + "::" + definition.name);
            for (auto it = first; it != last; ++it)
                EXPECT_FALSE(clash(definition, it->second.second))
                    << file << " and " << it->second.first << " both define " << definition.name;
        }
        for (const auto& [around, definition] : own)
            seen.emplace(around + "::" + definition.name, std::pair(file, definition));
    }
}

/// The sources of a target: those of a folder and, for rooms and the studio, of the folders in it.
std::vector<std::filesystem::path> sources_of(const std::filesystem::path& folder, bool deep) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.path().extension() == ".cpp" && (deep || entry.path().parent_path() == folder))
            files.push_back(entry.path());
    return files;
}

TEST(Unity, FilesOfATargetDefineDifferentNames) {
    const std::filesystem::path root = SINEW_SOURCE_DIR;
    for (const char* parent : {"src/sinew", "apps", "tests"})
        for (const auto& entry : std::filesystem::directory_iterator(root / parent))
            if (entry.is_directory()) check(sources_of(entry.path(), entry.path().filename() != "cli"));
    check(sources_of(root / "bench/suites", false));
}

TEST(Unity, DefinitionsAreRecognised) {
    const auto found = definitions_in(
        "namespace sinew::io {\nnamespace {\n\nusing model::Clip;\nusing Way = std::vector<int>;\n"
        "struct Row {\n    int a;\n};\nconstexpr double far = 1e9;\n"
        "std::map<int, double> table(const std::pair<int, int>& a,\n    int b = 2) {\n}\n\n"
        "}  // namespace\nint outside() {\n");
    std::map<std::string, std::string> names;
    for (const auto& [around, definition] : found) {
        EXPECT_EQ(around, "sinew::io");
        names[definition.name] = definition.parameters;
    }
    EXPECT_EQ(names,
              (std::map<std::string, std::string>{
                  {"Row", ""}, {"Way", ""}, {"far", ""}, {"table", "(const std::pair<int, int>&, int)"}}));
}

}  // namespace
}  // namespace sinew
