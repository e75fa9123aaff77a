// SPDX-License-Identifier: MIT
#include "sinew/io/text/tokens.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/io/text/scan.h"

namespace sinew::io::bvh {

void Tally::report(Monitor& monitor) const {
    for (const Entry& entry : entries_) {
        if (entry.count == 1) {
            warn(monitor, entry.code, "{}", entry.text);
        } else {
            warn(monitor, entry.code, "{} ({} times in the file)", entry.text, entry.count);
        }
    }
}

bool Tally::again(std::string_view code) {
    for (Entry& entry : entries_) {
        if (entry.code != code) continue;
        ++entry.count;
        return true;
    }
    return false;
}

Value read_value(std::string_view word, double& value) {
    if (parse_exact(word, value)) return std::abs(value) < 1e15 ? Value::good : Value::broken;
    if (word.starts_with('-') || word.starts_with('+')) word.remove_prefix(1);
    // Old Microsoft runtimes write 1.#QNAN, 1.#IND and 1.#INF.
    return word.starts_with("1.#") ? Value::broken : Value::none;
}

std::string_view Tokens::next() {
    if (!cursor_.skip_space()) return {};
    const std::string_view rest = cursor_.remaining();
    const bool brace = rest[0] == '{' || rest[0] == '}';
    const std::size_t size = brace ? 1 : std::min(rest.find_first_of(" \t\n\v\f\r{}"), rest.size());
    if (size > max_token)
        fail(cursor_.location(), "a word of {} bytes; at most {} are allowed", size, max_token);
    cursor_.advance(size);
    return rest.substr(0, size);
}

std::string_view Tokens::peek() {
    const std::size_t kept = cursor_.position();
    const std::string_view token = next();
    cursor_.seek(kept);
    return token;
}

std::string_view Tokens::name() {
    cursor_.skip_space();
    const std::string_view rest = cursor_.remaining();
    const std::size_t size = std::min(rest.find_first_of("\n\r{"), rest.size());
    if (size > max_token)
        fail(cursor_.location(), "a name of {} bytes; at most {} are allowed", size, max_token);
    cursor_.advance(size);
    return trim(rest.substr(0, size));
}

bool Tokens::line_ends() const {
    const std::string_view rest = cursor_.remaining();
    const std::size_t next = rest.find_first_not_of(" \t\v\f");
    return next == std::string_view::npos || rest[next] == '\n' || rest[next] == '\r';
}

std::string_view with_decimal_points(std::string_view text, std::string& storage) {
    if (text.find('.') != std::string_view::npos || text.find(',') == std::string_view::npos) return text;
    storage = text;
    for (std::size_t i = 0; i < storage.size(); ++i) {
        const bool inside =
            (i > 0 && is_digit(storage[i - 1])) || (i + 1 < storage.size() && is_digit(storage[i + 1]));
        if (storage[i] == ',' && inside) storage[i] = '.';
    }
    return storage;
}

}  // namespace sinew::io::bvh
