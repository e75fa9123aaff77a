#include "usage.h"

#include <algorithm>
#include <numeric>

#include "shared/plain_error.h"
#include <fmt/format.h>

namespace sinew::cli {
namespace {

/// Letters to put in, take out or change (Levenshtein).
std::size_t distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t corner = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t change = corner + (a[i] == b[j] ? 0 : 1);
            corner = row[j + 1];
            row[j + 1] = std::min({change, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

/// The known word that is at most a third of its letters away; empty when there is none.
std::string nearest(const std::string& word, const std::vector<std::string>& known) {
    std::string best;
    std::size_t least = word.size() / 3 + 1;
    for (const std::string& name : known) {
        if (const std::size_t letters = distance(word, name); letters < least) {
            least = letters;
            best = name;
        }
    }
    return best;
}

std::vector<std::string> options_of(const CLI::App& verb) {
    std::vector<std::string> names;
    for (const CLI::Option* option : verb.get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    return names;
}

std::vector<std::string> verbs_of(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(verb->get_name());
    return names;
}

std::string not_known(const std::string& what, const std::string& word,
                      const std::vector<std::string>& known) {
    const std::string near = nearest(word, known);
    return fmt::format("there is no {} {}{}", what, word,
                       near.empty() ? "" : fmt::format("; did you mean {}?", near));
}

}  // namespace

std::string usage_error(const CLI::App& app, const CLI::ParseError& error) {
    const std::vector<CLI::App*> chosen = app.get_subcommands();
    const CLI::App* verb = chosen.empty() ? nullptr : chosen.front();
    std::string said = verb == nullptr ? "say what to do: a verb is missing" : app::plain_error(error.what());
    const std::vector<std::string> extra = app.remaining(true);
    const bool missing = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
    if (!extra.empty() && (missing || dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)) {
        const auto flag =
            std::ranges::find_if(extra, [](const std::string& word) { return word.starts_with("-"); });
        if (verb == nullptr) {
            said = not_known("verb", extra.front(), verbs_of(app));
        } else if (flag != extra.end()) {
            said = not_known("option", *flag, options_of(*verb));
        } else if (!missing) {
            said = fmt::format("\"{}\" is one word too many", extra.front());
        }
    }
    return fmt::format("sinew: error: {}\n`sinew {}--help` teaches what there is.\n", said,
                       verb == nullptr ? "" : verb->get_name() + " ");
}

}  // namespace sinew::cli
