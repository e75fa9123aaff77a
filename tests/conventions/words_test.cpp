// SPDX-License-Identifier: MIT
// Names and texts use the words of the field: the glossary of CONTRIBUTING lists the words that they do not
// use.

#include <algorithm>
#include <cctype>
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

/// Position, path, rotation, sphere, module or scratch, and code or conventions say it.
const std::set<std::string> words_not_used = {"place", "places", "way",  "ways",  "turn",  "turns",
                                              "ball",  "balls",  "room", "rooms", "house", "houses"};

/// Names that may hold one of them, and why.
const std::map<std::string, std::string> allowed_names = {
    {"in_place", "std, and a walk that stays where it is"},
    {"solveInPlace", "Eigen"},
    {"place_joints", "a verb: to put joints on a curve"},
    {"ball_of_foot", "anatomy"},
    {"half_turn", "a rotation by 180 degrees"},
    {"half_turns", "the same"},
};

/// Code without comments and without what stands in quotes; lines stay where they are.
std::string bare_code(const std::string& text) {
    std::string code;
    const auto skip_to = [&](std::size_t from, std::size_t end) {
        end = std::min(end, text.size());
        code.append(
            static_cast<std::size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(from),
                                                text.begin() + static_cast<std::ptrdiff_t>(end), '\n')),
            '\n');
        code += ' ';
        return end;
    };
    const auto after = [&](const std::string& what, std::size_t from) {
        const std::size_t found = text.find(what, from);
        return found == std::string::npos ? text.size() : found + what.size();
    };
    const auto named = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        const bool inside_name = i > 0 && named(text[i - 1]);
        if (text.compare(i, 2, "//") == 0) {
            i = skip_to(i, text.find('\n', i));
        } else if (text.compare(i, 2, "/*") == 0) {
            i = skip_to(i, after("*/", i + 2));
        } else if (text.compare(i, 2, "R\"") == 0 && !inside_name) {
            const std::size_t open = text.find('(', i);
            i = skip_to(i, after(')' + text.substr(i + 2, open - i - 2) + '"', open));
        } else if (c == '"' || (c == '\'' && !inside_name)) {  // 1'000 is a number
            std::size_t end = i + 1;
            while (end < text.size() && text[end] != c) end += text[end] == '\\' ? 2 : 1;
            i = skip_to(i, end + 1);
        } else {
            code += c;
            ++i;
        }
    }
    return code;
}

/// "InnerBall_of" is inner, ball, of.
std::vector<std::string> words_of(const std::string& name) {
    std::vector<std::string> words(1);
    for (const char c : name) {
        const bool capital = std::isupper(static_cast<unsigned char>(c)) != 0;
        if (c == '_' || capital) words.emplace_back();
        if (c != '_') words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return words;
}

struct Finding {
    std::size_t line = 0;
    std::string name;
};

std::vector<Finding> names_not_used(const std::string& text) {
    std::vector<Finding> found;
    std::size_t line = 1;
    std::string name;
    for (const char c : bare_code(text) + '\n') {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
            name += c;
            continue;
        }
        const std::vector<std::string> words = words_of(name);
        const bool unwanted =
            std::ranges::any_of(words, [](const std::string& word) { return words_not_used.contains(word); });
        if (unwanted && !allowed_names.contains(name)) found.push_back({line, name});
        name.clear();
        line += c == '\n' ? 1 : 0;
    }
    return found;
}

/// What people read says position, path, sphere, rotation, geodesic, voxel grid, heat diffusion, "is used",
/// "check", "is not a", "per second".
const std::regex phrases_not_used(
    R"(\b(ways? (inside|of|through|between)|the ways?|balls?|lends?|lent|warmth|a ghost|one word too many|look at|stands? (in|twice|for)|)"
    R"(held to|turned round|hangs? (on|from|below)|lead(s)? nowhere|the eye|the (voxel )?solid|(finite|same|better) places?|on the spot|)"
    R"((ns|s|ms|frames|samples|lines|jobs|ticks|pictures) a (second|vertex|frame|pixel|minute)|(joints|bones) a vertex|that tells? the|takes? over|)"
    R"(teach(es)?|makes? no sense|left alone|without a person|(this|which|that|it|\") is no (?!longer|more|less|such))\b)",
    std::regex::icase);

/// Comments may say the eye of a camera and the solid of an STL file, but not these.
const std::regex comment_phrases_not_used(
    R"(\b(lends?|lent|warmth|turned round|hangs? (from|below)|hangs on|lead(s)? nowhere|the voxel solid|same places?|on the spot|)"
    R"((frames|samples) a (second|frame)|(joints|bones) a vertex|the ways (of|inside|between)|in the (solid|room)|(equal|at) places?|places (of|on|along)|teach(es)?)\b)",
    std::regex::icase);

constexpr const char* folders_of_code[] = {"src", "apps", "bench", "examples"};

/// Every line of a file against a list of phrases.
void check_lines(const fs::path& path, const std::regex& phrases, bool comments_alone) {
    std::istringstream lines(test::read_text(path));
    std::size_t number = 1;
    for (std::string line; std::getline(lines, line); ++number) {
        if (comments_alone) line.erase(0, std::min(line.find("//"), line.size()));
        std::smatch found;
        if (std::regex_search(line, found, phrases))
            ADD_FAILURE() << fs::relative(path, SINEW_SOURCE_DIR).generic_string() << ":" << number << ": \""
                          << found[0] << "\" in: " << line << ": see the words in CONTRIBUTING.md";
    }
}

/// Files of the code with one of these suffixes.
std::vector<fs::path> code_files(const std::set<std::string>& suffixes) {
    std::vector<fs::path> files;
    for (const char* folder : folders_of_code)
        for (const auto& entry : fs::recursive_directory_iterator(fs::path(SINEW_SOURCE_DIR) / folder))
            if (suffixes.contains(entry.path().extension().string())) files.push_back(entry.path());
    return files;
}

/// Texts of the code for people: what stands in quotes and has a space, quotes that follow each other as one.
std::vector<Finding> texts_of(const std::string& code) {
    std::vector<Finding> texts;
    std::size_t line = 1;
    bool goes_on = false;
    const auto named = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    for (std::size_t i = 0; i < code.size(); ++i) {
        const char c = code[i];
        if (code.compare(i, 2, "//") == 0) {
            i = std::min(code.find('\n', i), code.size()) - 1;
        } else if (c == '"') {
            if (!goes_on) texts.push_back({line, ""});
            for (++i; i < code.size() && code[i] != '"'; ++i) {
                if (code[i] == '\\') texts.back().name += ' ', ++i;
                if (code[i] != 'n' || code[i - 1] != '\\') texts.back().name += code[i];
            }
            goes_on = true;
        } else if (c == '\'' && (i == 0 || !named(code[i - 1]))) {
            for (++i; i < code.size() && code[i] != '\''; ++i) i += code[i] == '\\' ? 1 : 0;
        } else if (std::isspace(static_cast<unsigned char>(c)) == 0) {
            goes_on = false;
        }
        if (i < code.size() && code[i] == '\n') ++line;
    }
    std::erase_if(texts, [](const Finding& text) { return text.name.find(' ') == std::string::npos; });
    return texts;
}

TEST(Words, TextsUseThoseOfTheField) {
    std::size_t texts = 0;
    for (const fs::path& path : code_files({".h", ".cpp"})) {
        for (const Finding& text : texts_of(test::read_text(path))) {
            ++texts;
            std::smatch found;
            if (std::regex_search(text.name, found, phrases_not_used))
                ADD_FAILURE() << fs::relative(path, SINEW_SOURCE_DIR).generic_string() << ":" << text.line
                              << ": \"" << found[0] << "\" in \"" << text.name
                              << "\": see the words in CONTRIBUTING.md";
        }
    }
    EXPECT_GT(texts, 1000u);
}

TEST(Words, CommentsUseThoseOfTheField) {
    for (const fs::path& path : code_files({".h", ".cpp"})) check_lines(path, comment_phrases_not_used, true);
}

TEST(Words, PagesAndAddOnsUseThoseOfTheField) {
    const std::vector<fs::path> files = code_files({".ts", ".py", ".pyi", ".html", ".css"});
    for (const fs::path& path : files) check_lines(path, phrases_not_used, false);
    EXPECT_GT(files.size(), 15u);
}

TEST(Words, DocumentsUseThoseOfTheField) {
    std::vector<fs::path> documents = {fs::path(SINEW_SOURCE_DIR) / "README.md"};
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(SINEW_SOURCE_DIR) / "docs"))
        if (entry.path().extension() == ".md" && entry.path().filename() != "bibliography.md")
            documents.push_back(entry.path());  // titles of papers say what they say
    for (const fs::path& document : documents) check_lines(document, phrases_not_used, false);
    EXPECT_GT(documents.size(), 50u);
}

TEST(Words, TextsAreFoundWhereverTheyAre) {
    const std::vector<Finding> texts = texts_of(
        "// \"no text\"\nsay(\"one word\"\n    \" too many\", 'x', \"plain\");\nfail(\"the \\\"balls\\\" of "
        "it\");\n");
    ASSERT_EQ(texts.size(), 2u);
    EXPECT_EQ(texts[0].name, "one word too many");
    EXPECT_EQ(texts[0].line, 2u);
    for (const Finding& text : texts)
        EXPECT_TRUE(std::regex_search(text.name, phrases_not_used)) << text.name;
}

TEST(Words, NamesUseThoseOfTheField) {
    std::size_t files = 0;
    for (const char* folder : {"src", "apps"}) {
        for (const auto& entry : fs::recursive_directory_iterator(fs::path(SINEW_SOURCE_DIR) / folder)) {
            const std::string suffix = entry.path().extension().string();
            const std::string file = fs::relative(entry.path(), SINEW_SOURCE_DIR).generic_string();
            if (suffix != ".h" && suffix != ".cpp") continue;
            ++files;
            for (const Finding& each : names_not_used(test::read_text(entry.path())))
                ADD_FAILURE() << file << ":" << each.line << ": \"" << each.name
                              << "\": see the words in CONTRIBUTING.md";
        }
    }
    EXPECT_GT(files, 20u);
}

TEST(Words, AreFoundInCodeAlone) {
    const std::vector<Finding> found = names_not_used(
        "// a place\nint place_of = 1'000; /* way\n */ char c = '\"';\nauto s = \"turn\";\n"
        "auto r = R\"x(ball \" )x\"; InnerBall halfTurns; emplace(in_place, always);\n");
    std::vector<std::string> names;
    for (const Finding& each : found) names.push_back(std::to_string(each.line) + each.name);
    EXPECT_EQ(names, (std::vector<std::string>{"2place_of", "5InnerBall", "5halfTurns"}));
}

}  // namespace
}  // namespace sinew
