#include <cmath>

#include "sinew/base/error.h"
#include "sinew/io/bvh_motion.h"

namespace sinew::io::bvh {
namespace {

/// Takes a keyword, an optional colon, and nothing else.
bool accept(TextCursor& cursor, std::initializer_list<std::string_view> words, Tally& tally) {
    const std::size_t start = cursor.position();
    bool exact = true;
    for (const std::string_view word : words) {
        cursor.skip_space();
        const std::string_view found = cursor.remaining().substr(0, word.size());
        if (!equal_ignoring_case(found, word)) {
            cursor.seek(start);
            return false;
        }
        exact = exact && found == word;
        cursor.advance(word.size());
    }
    if (!exact) tally.note("bvh-keyword-case", cursor, "\"{}\" in other letters", *words.begin());
    const std::string_view rest = cursor.remaining();
    const std::size_t next = rest.find_first_not_of(" \t");
    if (next != std::string_view::npos && rest[next] == ':') {
        cursor.advance(next + 1);
    } else if (!rest.empty() && next == 0 && rest[0] != '\n' && rest[0] != '\r') {
        cursor.seek(start);  // a longer word
        return false;
    } else {
        tally.note("bvh-no-colon", cursor, "no colon after \"{}\"", *words.begin());
    }
    return true;
}

/// The word that belongs to a keyword: on its line, or alone on the next.
std::string_view value_word(TextCursor& cursor) {
    if (const std::string_view word = cursor.word_on_line(); !word.empty()) return word;
    const std::size_t start = cursor.position();
    double number = 0;
    const std::string_view word = cursor.word();
    if (read_value(word, number) != Value::none && cursor.word_on_line().empty()) return word;
    cursor.seek(start);
    return {};
}

/// Digits behind the point of a plain decimal.
int decimals(std::string_view word) {
    const std::size_t point = word.find('.');
    return point == std::string_view::npos ? 0 : static_cast<int>(word.size() - point - 1);
}

/// Rates are whole numbers almost always, but 1/120 s is written as 0.0083333. Within 1e-5 s the whole rate
/// is meant, as long as 119.88 (a thousandth away) stays what it is.
double snapped(double step, std::string_view word, const TextCursor& cursor, Tally& tally) {
    const double rate = std::round(1 / step);
    if (rate < 1 || rate > 1e5) return step;
    const double exact = 1 / rate;
    const double off = std::abs(step - exact);
    if (off >= 1e-5 || off >= 5e-4 * exact) return step;
    // Rounded or cut to its digits, or to single precision: that is how the number is written, not a mistake.
    if (off > std::max(std::pow(10.0, -decimals(word)), 1e-6 * exact)) {
        tally.note("bvh-frame-time", cursor, "Frame Time {} is read as 1/{}", word, rate);
    }
    return exact;
}

double read_step(std::string_view word, const TextCursor& cursor, Tally& tally) {
    double step = 0;
    const Value value = read_value(word, step);
    // Beyond a million a second, or slower than a frame in eleven days, it is no time at all.
    if (value != Value::good || step < 1e-6 || step > 1e6) {
        tally.note("bvh-frame-time", cursor, "Frame Time \"{}\" is no time: 30 frames a second are taken",
                   word.substr(0, 40));
        return 1.0 / 30;
    }
    if (step >= 10 && step <= 1000) {
        tally.note("bvh-frame-time-fps", cursor, "Frame Time {} is read as frames a second", word);
        return 1 / step;
    }
    return snapped(step, word, cursor, tally);
}

}  // namespace

MotionHeader read_motion_header(TextCursor& cursor, Tally& tally) {
    MotionHeader header;
    bool has_step = false;
    while (true) {
        if (accept(cursor, {"Frames"}, tally)) {
            double frames = 0;
            const std::string_view word = value_word(cursor);
            if (read_value(word, frames) == Value::good && frames >= 0) {
                header.frames = frames;
            } else {
                tally.note("bvh-frame-count", cursor, "Frames: \"{}\" is no count", word.substr(0, 40));
            }
        } else if (accept(cursor, {"Frame", "Time"}, tally)) {
            header.step = read_step(value_word(cursor), cursor, tally);
            has_step = true;
        } else {
            break;
        }
    }
    if (!has_step) tally.note("bvh-frame-time", cursor, "no Frame Time: 30 frames a second are taken");
    return header;
}

}  // namespace sinew::io::bvh
