// SPDX-License-Identifier: MIT
#include "sinew/io/acclaim/sections.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/io/text/tokens.h"
#include "sinew/math/quaternion.h"
#include "sinew/math/types.h"

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
        fail(cursor_.location(), "a word of {} bytes; at most {} are allowed", word_.size(), bvh::max_token);
    }
}

double Words::number(std::string_view what, bvh::Tally& tally) {
    if (word_.empty()) fail(cursor_.location(), "expected {}, but the file ends here", what);
    double value = 0;
    const bvh::Value kind = bvh::read_value(word_, value);
    if (kind == bvh::Value::none) {
        fail(cursor_.location(), "expected {}, found \"{}\"", what, word_.substr(0, 40));
    }
    if (kind == bvh::Value::broken) {
        tally.note("asf-bad-number", cursor_, "{} is \"{}\"; 0 is used", what, word_.substr(0, 40));
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

namespace {

using math::Quatd;
using math::Vec3d;

constexpr double infinite = std::numeric_limits<double>::infinity();

/// C of three angles about x, y, z: the first axis of the order is applied first, about fixed axes.
Quatd fixed_axes(const math::EulerOrder& order, const Vec3d& angles) {
    return math::from_euler({order[2], order[1], order[0]},
                            {angles[order[2]], angles[order[1]], angles[order[0]]});
}

std::optional<Dof> parse_dof(std::string_view word) {
    if (equal_ignoring_case(word, "l")) return Dof{Dof::Kind::length, 0};
    if (word.size() != 2) return std::nullopt;
    const char kind = static_cast<char>(word[0] | 0x20), axis = static_cast<char>(word[1] | 0x20);
    if ((kind != 't' && kind != 'r') || axis < 'x' || axis > 'z') return std::nullopt;
    return Dof{kind == 't' ? Dof::Kind::translation : Dof::Kind::rotation, axis - 'x'};
}

/// Reads a file section by section.
class Reader {
  public:
    Reader(Words& words, bvh::Tally& tally) : words_(words), tally_(tally) {}
    Sections run();

  private:
    void section(std::string_view name);
    void units();
    void root();
    void bones();
    void bone();
    bool bone_key(std::string_view key, Bone& bone);
    void hierarchy();
    void skin();
    void skip();
    std::vector<Dof> dofs();
    std::vector<double> limits();
    math::EulerOrder order();
    void finish(Bone& bone, const std::vector<double>& limits);
    void check_direction(Bone& bone);
    double to_radians(double angle) const { return sections_.degrees ? math::radians(angle) : angle; }
    bool is(std::string_view word, std::string_view key) const { return equal_ignoring_case(word, key); }

    Words& words_;
    bvh::Tally& tally_;
    Sections sections_;
    std::vector<double> limits_;  ///< of the bone that is being read
    bool known_ = false;          ///< true after :root or :bonedata
};

Sections Reader::run() {
    while (!words_.peek().empty()) {
        if (words_.section_ends()) {
            const std::string_view name = words_.next();
            section(name);
        } else {
            tally_.note("asf-stray-word", words_.cursor(), "\"{}\" is outside any section",
                        words_.peek().substr(0, 40));
            skip();
        }
    }
    if (!known_) fail(words_.cursor().location(), "no :root and no :bonedata: this is not an ASF skeleton");
    return std::move(sections_);
}

void Reader::section(std::string_view name) {
    if (is(name, ":units")) {
        units();
    } else if (is(name, ":root")) {
        root();
    } else if (is(name, ":bonedata")) {
        bones();
    } else if (is(name, ":hierarchy")) {
        hierarchy();
    } else if (is(name, ":skin")) {
        skin();
    } else {
        constexpr std::string_view silent[] = {":version", ":name", ":documentation"};
        bool expected = false;
        for (const std::string_view each : silent) expected = expected || is(name, each);
        if (!expected) {
            tally_.note("asf-unknown-section", words_.cursor(), "the section \"{}\" is skipped",
                        name.substr(0, 40));
        }
    }
    skip();
}

/// Skips to the next section.
void Reader::skip() {
    while (!words_.section_ends()) words_.next();
}

void Reader::units() {
    while (!words_.section_ends()) {
        const std::string_view key = words_.next();
        if (is(key, "length")) {
            sections_.unit = words_.number("the length unit", tally_);
            if (sections_.unit > 1e-9) continue;
            tally_.note("asf-length-unit", words_.cursor(), "a length unit of {} is invalid; 1 is used",
                        sections_.unit);
            sections_.unit = 1;
        } else if (is(key, "angle")) {
            sections_.degrees = !is(words_.next().substr(0, 3), "rad");
        } else if (is(key, "mass")) {
            words_.number("the mass unit", tally_);
        }
    }
}

math::EulerOrder Reader::order() {
    const std::string_view word = words_.peek();
    bool good = word.size() == 3;
    math::EulerOrder result{0, 1, 2};
    std::array<bool, 3> seen{};
    for (std::size_t i = 0; good && i < 3; ++i) {
        result[i] = (word[i] | 0x20) - 'x';
        good = result[i] >= 0 && result[i] <= 2 &&
               !std::exchange(seen[static_cast<std::size_t>(result[i])], true);
    }
    if (good) {
        words_.next();
        return result;
    }
    tally_.note("asf-axis-order", words_.cursor(), "\"{}\" is not an order of axes; XYZ is used",
                word.substr(0, 40));
    if (word.find_first_not_of("xyzXYZ") == std::string_view::npos && !word.empty()) words_.next();
    return {0, 1, 2};
}

std::vector<Dof> Reader::dofs() {
    std::vector<Dof> result;
    while (const std::optional<Dof> dof = parse_dof(words_.peek())) {
        result.push_back(*dof);
        words_.next();
    }
    return result;
}

/// Numbers in pairs; "inf" is allowed too.
std::vector<double> Reader::limits() {
    std::vector<double> result;
    double value = 0;
    while (parse_exact(words_.peek(), value)) {
        result.push_back(value);
        words_.next();
    }
    return result;
}

void Reader::root() {
    known_ = true;
    Bone& root = sections_.root;
    math::EulerOrder order_of_axes{0, 1, 2};
    Vec3d angles = Vec3d::Zero();
    while (!words_.section_ends()) {
        const std::string_view key = words_.next();
        if (is(key, "order")) {
            root.dofs = dofs();
        } else if (is(key, "axis")) {
            order_of_axes = order();
        } else if (is(key, "position")) {
            sections_.position = words_.vector("a root position", tally_);
        } else if (is(key, "orientation")) {
            angles = words_.vector("a root orientation", tally_);
        } else {
            tally_.note("asf-unknown-key", words_.cursor(), "\"{}\" of the root is not known",
                        key.substr(0, 40));
        }
    }
    root.axes =
        fixed_axes(order_of_axes, {to_radians(angles.x()), to_radians(angles.y()), to_radians(angles.z())});
}

void Reader::bones() {
    known_ = true;
    while (!words_.section_ends()) {
        if (is(words_.peek(), "begin")) {
            words_.next();
            bone();
        } else {
            tally_.note("asf-stray-word", words_.cursor(), "\"{}\" is outside begin and end",
                        words_.peek().substr(0, 40));
            words_.next();
        }
    }
}

void Reader::bone() {
    Bone bone;
    limits_.clear();
    const TextCursor start = words_.cursor();
    while (!is(words_.peek(), "end")) {
        if (words_.peek().empty()) fail(words_.cursor().location(), "the file ends within a bone");
        if (words_.section_ends() || is(words_.peek(), "begin")) {
            tally_.note("asf-missing-end", words_.cursor(), "a bone has no \"end\"");
            break;
        }
        const std::string_view key = words_.next();
        if (!bone_key(key, bone)) {
            tally_.note("asf-unknown-key", words_.cursor(), "\"{}\" of bone \"{}\" is not known",
                        key.substr(0, 40), bone.name);
        }
    }
    if (is(words_.peek(), "end")) words_.next();
    if (bone.name.empty()) {
        tally_.note("asf-no-name", start, "a bone without a name is dropped");
        return;
    }
    finish(bone, limits_);
    sections_.bones.push_back(std::move(bone));
}

/// Reads the value of a key; false for an unknown key.
bool Reader::bone_key(std::string_view key, Bone& bone) {
    if (is(key, "name")) {
        bone.name = words_.next();
    } else if (is(key, "direction")) {
        bone.direction = words_.vector("a direction", tally_);
    } else if (is(key, "length")) {
        bone.length = words_.number("a length", tally_);
    } else if (is(key, "axis")) {
        const Vec3d angles = words_.vector("an axis", tally_);
        const math::EulerOrder axes = order();
        bone.axes =
            fixed_axes(axes, {to_radians(angles.x()), to_radians(angles.y()), to_radians(angles.z())});
    } else if (is(key, "dof")) {
        bone.dofs = dofs();
    } else if (is(key, "limits")) {
        limits_ = limits();
    } else if (is(key, "id")) {
        words_.next();
    } else if (is(key, "bodymass") || is(key, "cofmass")) {
        words_.number("a mass", tally_);
    } else {
        return false;
    }
    return true;
}

void Reader::check_direction(Bone& bone) {
    const double norm = bone.direction.norm();
    if (std::abs(norm - 1) < 1e-3) return;
    if (norm == 0) {
        if (bone.length != 0) {
            tally_.note("asf-direction", words_.cursor(), "bone \"{}\" has no direction: up is used",
                        bone.name);
        }
        bone.direction = Vec3d::UnitY();
        return;
    }
    tally_.note("asf-direction", words_.cursor(), "the direction of bone \"{}\" has length {}, not 1",
                bone.name, norm);
    bone.direction /= norm;
}

void Reader::finish(Bone& bone, const std::vector<double>& limits) {
    check_direction(bone);
    if (limits.empty()) return;
    if (limits.size() != 2 * bone.dofs.size()) {
        tally_.note("asf-limit-count", words_.cursor(),
                    "bone \"{}\" has {} limits for {} dofs; they are ignored", bone.name, limits.size() / 2,
                    bone.dofs.size());
        return;
    }
    for (std::size_t i = 0; i < bone.dofs.size(); ++i) {
        const bool angle = bone.dofs[i].kind == Dof::Kind::rotation;
        const double low = limits[2 * i], high = limits[2 * i + 1];
        bone.limits.push_back({std::isnan(low) ? -infinite
                               : angle         ? to_radians(low)
                                               : low,
                               std::isnan(high) ? infinite
                               : angle          ? to_radians(high)
                                                : high});
    }
}

void Reader::hierarchy() {
    if (is(words_.peek(), "begin")) words_.next();
    std::string_view parent;
    while (!words_.section_ends()) {
        const bool first = words_.starts_line();
        const std::size_t position = words_.cursor().position();
        const std::string_view word = words_.next();
        if (first && is(word, "end")) return;
        if (first || parent.empty()) {
            parent = word;
        } else {
            sections_.links.push_back({parent, word, position});
        }
    }
    tally_.note("asf-missing-end", words_.cursor(), "the hierarchy has no \"end\"");
}

void Reader::skin() {
    std::string files;
    while (!words_.section_ends()) {
        if (files.size() < 200) files.append(files.empty() ? "" : ", ").append(words_.peek());
        words_.next();
    }
    if (!files.empty()) {
        tally_.note("asf-skin", words_.cursor(), "the skin files {} are named, but not read", files);
    }
}

}  // namespace

Sections read_sections(Words& words, bvh::Tally& tally) {
    return Reader(words, tally).run();
}

}  // namespace sinew::io::asf
