#include "bench/table.h"

#include <algorithm>

namespace sinew::cli {

void show(const Run& run, const Table& table) {
    std::vector<std::size_t> widths;
    for (const std::string& column : table.columns) widths.push_back(column.size());
    for (const auto& row : table.rows) {
        for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].text.size());
    }
    const auto line = [&](const auto& text_of) {
        std::string result = "|";
        for (std::size_t c = 0; c < widths.size(); ++c) {
            result += c == 0 ? fmt::format(" {:<{}} |", text_of(c), widths[c])
                             : fmt::format(" {:>{}} |", text_of(c), widths[c]);
        }
        return result;
    };
    run.say("\n{}\n", table.title);
    run.say("{}", line([&](std::size_t c) { return table.columns[c]; }));
    run.say("{}", line([&](std::size_t c) {
                return c == 0 ? std::string(widths[c], '-') : std::string(widths[c] - 1, '-') + ":";
            }));
    for (const auto& row : table.rows) run.say("{}", line([&](std::size_t c) { return row[c].text; }));
    for (const auto& row : table.rows) {
        Json json{{"table", table.title}};
        for (std::size_t c = 0; c < row.size(); ++c) json[table.columns[c]] = row[c].value;
        run.report.extra["rows"].push_back(std::move(json));
    }
}

}  // namespace sinew::cli
