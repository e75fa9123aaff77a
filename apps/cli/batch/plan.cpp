// SPDX-License-Identifier: MIT
#include "plan.h"

#include <algorithm>
#include <map>
#include <set>

#include "pattern.h"
#include "shared/plain_error.h"
#include <fmt/format.h>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/text.h"

namespace sinew::cli::batch {
namespace fs = std::filesystem;
namespace {

/// One line of a plan: one job per match of its patterns.
struct Entry {
    std::string location;
    std::string verb;
    std::vector<std::string> inputs;  ///< a pattern for each input file of the verb
    bool together = false;            ///< all matching files form one job
    std::vector<std::string> options;
    std::string output;
};

/// The default output names of the verbs.
std::string usual_output(const std::string& verb) {
    static const std::map<std::string, std::string> table = {
        {"clean", "{folder}/{name}"},
        {"gait", "{folder}/{stem}.html"},
        {"publish", "{folder}/{stem}.html"},
        {"render", "{folder}/{stem}.png"},
        {"info", "{folder}/{name}.info"},
        {"measure", "{folder}/{name}.measure"},
        {"collide", "{folder}/{name}.collide"},
        {"animate", "{folder}/{stem}/{folder2}/{stem2}.glb"},
        {"retarget", "{folder2}/{stem2}/{folder}/{stem}.glb"}};
    static const std::set<std::string> models = {"rig",  "bind",  "skeletonize", "segment",
                                                 "edit", "solve", "blend",       "fit"};
    const auto found = table.find(verb);
    return found != table.end() ? found->second : models.contains(verb) ? "{folder}/{stem}.glb" : "";
}

std::vector<std::string> verbs_for_jobs(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(verb->get_name());
    for (const char* other : {"batch", "studio", "completion", "demo", "study", "sample"})
        std::erase(names, other);
    return names;
}

/// \throws Error naming an unknown verb or option, with the nearest known one.
void check_entry(const Entry& entry, const CLI::App& app) {
    const std::vector<std::string> verbs = verbs_for_jobs(app);
    if (std::ranges::count(verbs, entry.verb) == 0) {
        const std::string near = app::nearest_word(entry.verb, verbs);
        fail(entry.location, "there is no verb \"{}\" for batches{}", entry.verb,
             near.empty() ? fmt::format(": write one of {}", fmt::join(verbs, ", "))
                          : fmt::format("; did you mean {}?", near));
    }
    if (entry.inputs.empty()) fail(entry.location, "names no inputs");
    const CLI::App& verb = *app.get_subcommand(entry.verb);
    std::vector<std::string> known;
    for (const CLI::Option* option : verb.get_options())
        for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    for (const std::string& word : entry.options) {
        if (!word.starts_with("--")) continue;
        const std::string name = word.substr(0, word.find('='));
        if (name == "--output" || name == "--report" || name == "--json" || name == "--quiet")
            fail(entry.location, "{} is set by the batch itself: use `output` in the plan", name);
        if (std::ranges::count(known, name) > 0) continue;
        const std::string near = app::nearest_word(name, known);
        fail(entry.location, "{} has no option {}{}", entry.verb, name,
             near.empty() ? "" : fmt::format("; did you mean {}?", near));
    }
}

/// {"template": "biped", "strict": true} as command-line arguments.
std::vector<std::string> words_of(const Json& options, const std::string& location) {
    std::vector<std::string> words;
    if (options.is_array()) {
        for (const Json& word : options) {
            if (!word.is_string()) fail(location, "options must be words, or an object of names and values");
            words.push_back(word);
        }
        return words;
    }
    if (!options.is_object())
        fail(location, "options must be an object, such as {{\"template\": \"biped\"}}");
    for (const auto& [name, value] : options.items()) {
        if (value.is_boolean()) {
            if (value.get<bool>()) words.push_back("--" + name);
        } else if (value.is_string()) {
            words.push_back("--" + name + "=" + value.get<std::string>());
        } else if (value.is_number()) {
            words.push_back("--" + name + "=" + value.dump());
        } else if (value.is_array()) {
            words.push_back("--" + name);
            for (const Json& item : value)
                words.push_back(item.is_string() ? item.get<std::string>() : item.dump());
        } else {
            fail(location, "option {} must be a text, a number, true or false", name);
        }
    }
    return words;
}

std::vector<std::string> patterns_of(const Json& inputs, const std::string& location) {
    if (inputs.is_string()) return {inputs.get<std::string>()};
    std::vector<std::string> patterns;
    if (!inputs.is_array()) fail(location, "inputs must be a pattern or a list of patterns");
    for (const Json& pattern : inputs) {
        if (!pattern.is_string()) fail(location, "inputs must be a pattern or a list of patterns");
        patterns.push_back(pattern);
    }
    return patterns;
}

std::vector<Entry> read_json(const fs::path& path) {
    const FileView file(path);
    Json plan;
    try {
        plan = Json::parse(file.text());
    } catch (const Json::exception& error) {
        fail(path.string(), "is not JSON: {}", error.what());
    }
    const Json* list = plan.is_array() ? &plan : nullptr;
    if (plan.is_object() && plan.contains("jobs")) list = &plan["jobs"];
    if (list == nullptr || !list->is_array())
        fail(path.string(), "a plan is a list of entries, or an object with such a list as `jobs`");
    std::vector<Entry> entries;
    for (const Json& json : *list) {
        Entry entry;
        entry.location = fmt::format("{}, entry {}", path.string(), entries.size() + 1);
        if (!json.is_object()) fail(entry.location, "must be an object with verb and inputs");
        for (const auto& [key, value] : json.items()) {
            if (key == "verb" || key == "output") {
                if (!value.is_string()) fail(entry.location, "{} must be a text", key);
                (key == "verb" ? entry.verb : entry.output) = value.get<std::string>();
            } else if (key == "inputs") {
                entry.inputs = patterns_of(value, entry.location);
            } else if (key == "options") {
                entry.options = words_of(value, entry.location);
            } else if (key == "together") {
                if (!value.is_boolean()) fail(entry.location, "together must be true or false");
                entry.together = value.get<bool>();
            } else {
                fail(entry.location,
                     "\"{}\" is not known: an entry has verb, inputs, options, output, together", key);
            }
        }
        entries.push_back(std::move(entry));
    }
    return entries;
}

/// Cells of the next line, quoted as in spreadsheets; quoted cells may contain line ends.
std::vector<std::string> csv_row(std::string_view& text) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    while (!text.empty()) {
        const char c = text.front();
        text.remove_prefix(1);
        if (quoted) {
            if (c != '"') {
                cells.back() += c;
            } else if (text.starts_with('"')) {
                cells.back() += c;
                text.remove_prefix(1);
            } else {
                quoted = false;
            }
        } else if (c == '"') {
            quoted = true;
        } else if (c == ',') {
            cells.emplace_back();
        } else if (c == '\n') {
            break;
        } else if (c != '\r') {
            cells.back() += c;
        }
    }
    for (std::string& cell : cells) cell = std::string(trim(cell));
    return cells;
}

/// Columns verb, input (input2 ...), output; every other column is an option with its name.
std::vector<Entry> read_csv(const fs::path& path) {
    const FileView file(path);
    std::string storage;
    std::string_view text = as_utf8(file.text(), storage);
    const std::vector<std::string> header = csv_row(text);
    if (std::ranges::count(header, "verb") == 0 || std::ranges::count(header, "input") == 0)
        fail(path.string(), "the first line names the columns: verb,input,output, and one for each option");
    std::vector<Entry> entries;
    for (std::size_t line = 2; !text.empty(); ++line) {
        const std::vector<std::string> cells = csv_row(text);
        if (cells.size() == 1 && cells[0].empty()) continue;
        Entry entry;
        entry.location = fmt::format("{}:{}", path.string(), line);
        if (cells.size() > header.size())
            fail(entry.location, "has {} cells, the first line {}", cells.size(), header.size());
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const std::string &name = header[i], &cell = cells[i];
            if (cell.empty() || cell == "false") continue;
            if (name == "verb")
                entry.verb = cell;
            else if (name == "output")
                entry.output = cell;
            else if (name == "input" || (name.size() == 6 && name.starts_with("input")))
                entry.inputs.push_back(cell);
            else
                entry.options.push_back(cell == "true" ? "--" + name : "--" + name + "=" + cell);
        }
        entries.push_back(std::move(entry));
    }
    return entries;
}

/// A verb and its inputs. If there are more inputs than the verb takes, as from wildcards of a shell, there
/// is one job for each remaining last input.
std::vector<Entry> read_words(const PlanWords& said, const CLI::App& app) {
    Entry entry;
    entry.location = "batch";
    entry.verb = said.words.front();
    entry.output = said.output;
    entry.inputs.assign(said.words.begin() + 1, said.words.end());
    for (const std::string& option : said.options) entry.options.push_back("--" + option);
    check_entry(entry, app);
    std::size_t takes = 0;
    for (const CLI::Option* option : app.get_subcommand(entry.verb)->get_options())
        takes += option->get_positional() && option->get_name(true) != "output" ? 1 : 0;
    if (entry.verb == "convert") takes = 1;
    takes = std::max<std::size_t>(takes, 1);
    if (entry.inputs.size() <= takes) return {entry};
    std::vector<Entry> entries;
    const std::vector<std::string> all = entry.inputs;
    for (std::size_t i = takes - 1; i < all.size(); ++i) {
        entry.inputs.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(takes - 1));
        entry.inputs.push_back(all[i]);
        entries.push_back(entry);
    }
    return entries;
}

/// Jobs in the format of --list: patterns are not expanded again.
Plan read_list(const fs::path& path) {
    const FileView file(path);
    Plan plan;
    for (TextCursor cursor(file.text(), path.string()); cursor.skip_space();) {
        const std::string location = cursor.location();
        const Json json = Json::parse(cursor.rest_of_line(), nullptr, false);
        if (!json.is_object() || !json.contains("folder"))
            fail(location, "is not a job as `sinew batch --list` writes it");
        plan.folder = json["folder"].get<std::string>();
        plan.jobs.push_back(job_of(json));
    }
    return plan;
}

bool is_utf8(const std::string& text) {
    return json_text(Json(text), -1).find("\xef\xbf\xbd") == std::string::npos ||
           text.find("\xef\xbf\xbd") != std::string::npos;
}

class Expansion {
  public:
    Expansion(Plan& plan, const CLI::App& app, Monitor& monitor)
        : plan_(plan), app_(app), monitor_(monitor) {}

    void add(const Entry& entry) {
        check_entry(entry, app_);
        std::vector<std::vector<Match>> lists;
        for (const std::string& pattern : entry.inputs) {
            lists.push_back(files_of(pattern, plan_.folder));
            if (lists.back().empty())
                fail(entry.location,
                     "\"{}\" matches no file in {}; quote patterns so that the shell leaves them alone",
                     pattern, fs::absolute(plan_.folder).lexically_normal().string());
        }
        if (entry.together) {
            std::vector<Match> all;
            for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
            return add_job(entry, all);
        }
        std::vector<Match> chosen(lists.size());
        choose(entry, lists, 0, chosen);
    }

  private:
    /// Combines every match of a pattern with every match of the next.
    void choose(const Entry& entry, const std::vector<std::vector<Match>>& lists, std::size_t input,
                std::vector<Match>& chosen) {
        if (input == lists.size()) return add_job(entry, chosen);
        for (const Match& match : lists[input]) {
            chosen[input] = match;
            choose(entry, lists, input + 1, chosen);
        }
    }

    void add_job(const Entry& entry, const std::vector<Match>& inputs) {
        Job job;
        job.verb = entry.verb;
        job.options = entry.options;
        const bool report_only = entry.verb == "info" || entry.verb == "measure" ||
                                 (entry.verb == "collide" && entry.output.empty());
        job.writes = !report_only;
        std::string pattern = entry.output.empty() ? usual_output(entry.verb) : entry.output;
        if (entry.output.empty() && entry.verb == "animate" && inputs.size() < 2)
            pattern = "{folder}/{stem}.glb";
        if (pattern.empty())
            fail(entry.location, "{} needs an output pattern, such as {{folder}}/{{stem}}.obj", entry.verb);
        job.id = filled(pattern, entry.verb, inputs, plan_.jobs.size() + 1);
        if (job.id.empty() || job.id.starts_with("..") || !fs::path(job.id).has_filename())
            fail(entry.location, "\"{}\" names no file in the output folder", pattern);
        for (const Match& input : inputs)
            job.inputs.push_back(input.path.starts_with('-') ? "./" + input.path : input.path);
        if (!is_utf8(job.id) || !std::ranges::all_of(job.inputs, is_utf8)) {
            warn(monitor_, "batch-name", "{}: the name is not UTF-8; rename the file, it is left out",
                 json_text(Json(inputs.front().path), -1));
            return;
        }
        const auto [first, fresh] = ids_.try_emplace(job.id, inputs.front().path);
        if (!fresh)
            fail(entry.location,
                 "{} and {} would both write {}: use a longer output pattern, such as {{folder}}/{{name}} or "
                 "{{number}}",
                 first->second, inputs.front().path, job.id);
        plan_.jobs.push_back(std::move(job));
    }

    Plan& plan_;
    const CLI::App& app_;
    Monitor& monitor_;
    std::map<std::string, std::string> ids_;  ///< with the first input of each
};

}  // namespace

Plan read_plan(const PlanWords& said, const CLI::App& app, Monitor& monitor) {
    Plan plan;
    const std::string& first = said.words.front();
    const std::string kind = suffix(first);
    std::vector<Entry> entries;
    if (kind == "json" || kind == "csv" || kind == "jsonl") {
        if (said.words.size() > 1)
            fail(said.words[1], "unexpected argument: a plan names its verbs and inputs itself");
        if (!said.output.empty() || !said.options.empty())
            fail("--name", "and --option are for a verb and its inputs; a plan has `output` and `options`");
        if (kind == "jsonl") return read_list(first);
        entries = kind == "json" ? read_json(first) : read_csv(first);
        plan.folder = fs::absolute(first).lexically_normal().parent_path();
    } else {
        plan.folder = fs::current_path();
        entries = read_words(said, app);
    }
    Expansion expansion(plan, app, monitor);
    for (const Entry& entry : entries) expansion.add(entry);
    if (plan.jobs.empty()) fail(first, "nothing to do");
    return plan;
}

Json to_json(const Job& job) {
    return {{"job", job.id},
            {"verb", job.verb},
            {"inputs", job.inputs},
            {"options", job.options},
            {"writes", job.writes}};
}

Job job_of(const Json& json) {
    try {
        return {json.at("job"), json.at("verb"), json.at("inputs"), json.at("options"), json.at("writes")};
    } catch (const Json::exception& error) {
        fail("--run", "is not a job as --list writes it: {}", error.what());
    }
}

}  // namespace sinew::cli::batch
