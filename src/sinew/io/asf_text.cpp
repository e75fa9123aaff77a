#include "sinew/io/asf_text.h"

#include <algorithm>

#include "sinew/base/error.h"

namespace sinew::io::asf {

std::string_view Words::next() {
    const std::string_view word = word_;
    starts_line_ = false;
    find(cursor_.position() + word.size());
    return word;
}

void Words::find(std::size_t from) {
    while (from < text_.size()) {
        const char c = text_[from];
        if (c == '#') {
            from = std::min(text_.find_first_of("\r\n", from), text_.size());
        } else if (c == '\n' || c == '\r') {
            starts_line_ = true;
            ++from;
        } else if (c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == ',' || c == '(' || c == ')') {
            ++from;
        } else {
            break;
        }
    }
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n\v\f,()#", from), text_.size());
    cursor_.seek(from);
    word_ = text_.substr(from, end - from);
    if (word_.size() > bvh::max_token) {
        fail(cursor_.place(), "a word of {} bytes; at most {} are allowed", word_.size(), bvh::max_token);
    }
}

double Words::number(std::string_view what, bvh::Tally& tally) {
    if (word_.empty()) fail(cursor_.place(), "expected {}, but the file ends here", what);
    double value = 0;
    const bvh::Value kind = bvh::read_value(word_, value);
    if (kind == bvh::Value::none) {
        fail(cursor_.place(), "expected {}, found \"{}\"", what, word_.substr(0, 40));
    }
    if (kind == bvh::Value::broken) {
        tally.note("asf-bad-number", cursor_, "{} is \"{}\"; 0 stands in", what, word_.substr(0, 40));
        value = 0;
    }
    next();
    return value;
}

math::Vec3d Words::vector(std::string_view what, bvh::Tally& tally) {
    math::Vec3d result;
    for (int axis = 0; axis < 3; ++axis) result[axis] = number(what, tally);
    return result;
}

}  // namespace sinew::io::asf
