// SPDX-License-Identifier: MIT
#include "summary.h"

#include <algorithm>
#include <set>

#include "runner.h"
#include <fmt/format.h>

#include "sinew/base/file.h"
#include "sinew/base/text.h"

namespace sinew::cli::batch {
namespace fs = std::filesystem;
namespace {

std::string cell_of(const Json& value) {
    const std::string text = value.is_string() ? value.get<std::string>()
                             : value.is_null() ? ""
                                               : json_text(value, -1);
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + "\"";
}

struct VerbFigures {
    std::size_t done = 0, failed = 0;
    double seconds = 0, longest = 0;
};

constexpr const char* style = R"(
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#1a1d21;background:#fff}
table{border-collapse:collapse;margin:.5rem 0 2rem}td,th{padding:.25rem .8rem;border-bottom:1px solid #d8dce1;text-align:left;vertical-align:top}
td.n{text-align:right;font-variant-numeric:tabular-nums}.pictures{display:grid;grid-template-columns:repeat(auto-fill,minmax(160px,1fr));gap:.8rem}
.pictures a{color:inherit;font-size:12px;overflow-wrap:anywhere;text-decoration:none}.pictures img{width:100%;border-radius:4px;background:#eef0f3}
@media(prefers-color-scheme:dark){body{color:#e4e7eb;background:#16181b}td,th{border-color:#353a40}a{color:#8ab4ff}.pictures img{background:#22262b}}
)";

/// A path as a link: characters with a meaning in a URL are written as %XX.
std::string link_of(const std::string& path) {
    std::string link;
    for (const char c : path) {
        const auto byte = static_cast<unsigned char>(c);
        const bool plain = std::isalnum(byte) != 0 || c == '/' || c == '.' || c == '-' || c == '_';
        link += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
    }
    return link;
}

std::string verbs_table(const std::vector<const Record*>& records) {
    std::map<std::string, VerbFigures> figures;
    for (const Record* record : records) {
        VerbFigures& verb = figures[record->verb];
        ++(record->done() ? verb.done : verb.failed);
        verb.seconds += record->seconds;
        verb.longest = std::max(verb.longest, record->seconds);
    }
    std::string html = "<table><tr><th>verb<th>done<th>failed<th>seconds in all<th>mean<th>longest</tr>\n";
    for (const auto& [name, verb] : figures)
        html += fmt::format(
            "<tr><td>{}<td class=n>{}<td class=n>{}<td class=n>{:.1f}<td class=n>{:.2f}<td "
            "class=n>{:.2f}</tr>\n",
            markup_text(name), verb.done, verb.failed, verb.seconds,
            verb.seconds / static_cast<double>(verb.done + verb.failed), verb.longest);
    return html + "</table>\n";
}

std::string failures_table(const std::vector<const Record*>& records) {
    std::string html;
    for (const Record* record : records) {
        if (record->done()) continue;
        html += fmt::format("<tr><td>{}<td>{}<td>{}<td>{}</tr>\n", markup_text(record->job),
                            markup_text(record->verb), record->state, markup_text(record->error));
    }
    if (html.empty()) return "<p>Nothing failed.</p>\n";
    return "<table><tr><th>job<th>verb<th>how<th>reason</tr>\n" + html + "</table>\n";
}

std::string pictures(const std::vector<const Record*>& records, const fs::path& output) {
    std::string html;
    std::error_code code;
    for (const Record* record : records) {
        if (!record->done()) continue;
        const std::string kind = suffix(record->job);
        const bool itself = kind == "png" || kind == "gif";
        const std::string picture = itself ? record->job : "thumbnails/" + record->job + ".png";
        if (!fs::exists(output / picture, code)) continue;
        html += fmt::format("<a href=\"{}\"><img loading=lazy src=\"{}\" alt=\"\">{}</a>\n",
                            link_of(record->job), link_of(picture), markup_text(record->job));
    }
    return html.empty() ? "" : "<h2>Pictures</h2>\n<div class=pictures>\n" + html + "</div>\n";
}

}  // namespace

std::string table_of(const std::vector<const Record*>& records) {
    // The file is read twice, so that only one line is in memory as JSON.
    std::vector<std::string> columns;
    std::set<std::string> seen;
    for (const Record* record : records) {
        const Json line = Json::parse(record->line);
        for (const auto& [key, value] : line.at("values").items())
            if (seen.insert(key).second) columns.push_back(key);
    }
    std::string text = "job,verb,state,wall_seconds,memory,error";
    for (const std::string& column : columns) text += "," + cell_of(column);
    for (const Record* record : records) {
        const Json line = Json::parse(record->line);
        const Json& values = line.at("values");
        text += fmt::format("\n{},{},{},{:.3f},{},{}", cell_of(record->job), record->verb, record->state,
                            record->seconds, line.value("memory", 0ULL), cell_of(record->error));
        for (const std::string& column : columns)
            text += "," + (values.contains(column) ? cell_of(values.at(column)) : "");
    }
    return text + "\n";
}

std::string page_of(const std::vector<const Record*>& records, const fs::path& output) {
    const auto done = static_cast<std::size_t>(
        std::ranges::count_if(records, [](const Record* record) { return record->done(); }));
    return fmt::format(
        "<!doctype html>\n<html lang=en><meta charset=utf-8><meta name=viewport "
        "content=\"width=device-width\">\n"
        "<title>{0} of {1} jobs done</title><style>{2}</style>\n<h1>{0} of {1} jobs done</h1>\n"
        "<p>Every figure of every report: <a href=\"reports.csv\">reports.csv</a>; whole reports: <a "
        "href=\"reports/\">reports/</a>.</p>\n{3}<h2>Failures</h2>\n{4}{5}</html>\n",
        done, records.size(), style, verbs_table(records), failures_table(records),
        pictures(records, output));
}

}  // namespace sinew::cli::batch
