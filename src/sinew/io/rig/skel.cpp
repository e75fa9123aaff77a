// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <set>

#include "sinew/base/error.h"
#include "sinew/io/rig/rig_formats.h"
#include "sinew/io/text/brace_text.h"
#include "sinew/io/text/warning_tally.h"

namespace sinew::io {
namespace {

using model::Joint;
using model::JointLimits;
using model::Skeleton;

constexpr std::string_view axis_names[] = {"x", "y", "z"};
constexpr std::string_view bound_names[] = {"the lowest x angle", "the highest x angle",
                                            "the lowest y angle", "the highest y angle",
                                            "the lowest z angle", "the highest z angle"};

class SkelReader {
  public:
    SkelReader(std::string_view text, std::string_view name, Monitor& monitor)
        : text_(text, name), monitor_(monitor) {}

    Skeleton run() {
        while (!text_.peek().empty()) {
            if (text_.accept("}")) {
                if (open_.empty()) fail(text_.location(), "a closing brace without an opening one");
                open_.pop_back();
            } else if (end_site()) {
                continue;
            } else {
                joint();
            }
        }
        if (!open_.empty()) {
            fail(text_.location(), "the file ends inside \"{}\": a closing brace is missing",
                 skeleton_.joints[open_.back()].name);
        }
        oddities_.tell(monitor_, [&](std::size_t mark) { return text_.location(mark); });
        return std::move(skeleton_);
    }

  private:
    /// `End Site`, also as one word, with or without braces. A joint must not have this name.
    bool end_site() {
        const std::size_t mark = text_.mark();
        if (!text_.accept("EndSite")) {
            if (!text_.accept("End")) return false;
            if (!text_.accept("Site"))
                fail(text_.location(mark), "expected \"End Site\", found \"End\" {}",
                     quoted_word(text_.peek()));
        }
        if (open_.empty()) fail(text_.location(mark), "\"End Site\" is outside every joint");
        if (text_.accept("{")) text_.expect("}", "after \"End Site {\"");
        return true;
    }

    void joint() {
        const std::size_t mark = text_.mark();
        if (text_.peek() == "{") fail(text_.location(mark), "expected the name of a joint, found \"{{\"");
        Joint joint;
        joint.name = text_.next();
        if (open_.empty() && !skeleton_.empty()) {
            oddities_.add("skel-several-roots", mark,
                          [&] { return fmt::format("\"{}\" is another root", joint.name); });
        }
        if (!names_.insert(joint.name).second) {
            oddities_.add("skel-name", mark, [&] {
                return fmt::format("the name \"{}\" is used twice: the later one gets a number", joint.name);
            });
        }
        joint.parent = open_.empty() ? -1 : static_cast<int>(open_.back());
        joint.limits = limits(mark, joint.name);
        skeleton_.joints.push_back(std::move(joint));
        if (text_.accept("{")) open_.push_back(skeleton_.size() - 1);
    }

    std::optional<JointLimits> limits(std::size_t mark, std::string_view name) {
        JointLimits limits;
        for (int axis = 0; axis < 3; ++axis) {
            double low = text_.number(bound_names[2 * axis], true);
            double high = text_.number(bound_names[2 * axis + 1], true);
            const auto range = [&] {
                return fmt::format("\"{}\" rotates about {} from {} to {} degrees", name, axis_names[axis],
                                   low, high);
            };
            if (low > high) {
                oddities_.add("skel-limits-order", mark, [&] { return range() + ": reversed"; });
                std::swap(low, high);
            }
            if (low > 0 || high < 0) {
                oddities_.add("skel-rest-outside-limits", mark, [&] {
                    return range() +
                           ", which leaves out the rest pose, 0: let the range include 0, or model the part "
                           "within it";
                });
            }
            limits.low[axis] = math::radians(low);
            limits.high[axis] = math::radians(high);
        }
        const bool free = (limits.low.array() == -INFINITY).all() && (limits.high.array() == INFINITY).all();
        return free ? std::nullopt : std::optional(limits);
    }

    BraceText text_;
    Monitor& monitor_;
    Skeleton skeleton_;
    std::vector<std::size_t> open_;
    std::set<std::string, std::less<>> names_;
    WarningTally oddities_;
};

/// The shortest text in degrees that reads back as the same radians.
std::string degrees_text(double radians) {
    if (std::isinf(radians)) return radians < 0 ? "-inf" : "inf";
    const double degrees = math::degrees(radians);
    for (int digits = 1; digits < 17; ++digits) {
        std::string text = fmt::format("{:.{}g}", degrees, digits);
        double read = 0;
        if (parse_exact(text, read) && math::radians(read) == radians) return text;
    }
    // Conversions between degrees and radians are not exact inverses in floating point, so neighbouring
    // values are tried too.
    for (const double near : {degrees, std::nextafter(degrees, 1e300), std::nextafter(degrees, -1e300)}) {
        if (math::radians(near) == radians) return fmt::format("{}", near);
    }
    return fmt::format("{}", degrees);
}

std::string limits_text(const Joint& joint) {
    const JointLimits limits = joint.limits.value_or(JointLimits{});
    std::string text;
    for (int axis = 0; axis < 3; ++axis) {
        text += fmt::format("  {} {}", degrees_text(limits.low[axis]), degrees_text(limits.high[axis]));
    }
    return text;
}

/// A name without white space, braces and comment marks that is not `End Site`.
std::string plain_name(std::string_view name) {
    std::string plain(name);
    for (char& c : plain) {
        if (static_cast<unsigned char>(c) <= ' ' || c == '{' || c == '}' || c == '#' || c == '/') c = '_';
    }
    if (plain.empty() || equal_ignoring_case(plain, "end") || equal_ignoring_case(plain, "endsite"))
        plain += '_';
    return plain;
}

/// Names that the format can store, still unique.
std::vector<std::string> names_to_write(const Skeleton& skeleton, std::string_view location,
                                        Monitor& monitor) {
    std::set<std::string> used;
    std::vector<std::string> names;
    std::size_t changed = 0;
    for (const Joint& joint : skeleton.joints) {
        std::string name = plain_name(joint.name);
        while (!used.insert(name).second) name += '_';
        changed += name != joint.name ? 1 : 0;
        names.push_back(std::move(name));
    }
    if (changed > 0) {
        warn(monitor, "skel-name", "{}: {} names hold characters that the format cannot: they were changed",
             location, changed);
    }
    return names;
}

}  // namespace

Asset read_skel(Bytes bytes, const std::filesystem::path& path, const ReadOptions&, Monitor& monitor) {
    std::string storage;
    const std::string name = path.string();
    Asset asset;
    asset.character.name = path.stem().string();
    asset.character.skeleton = SkelReader(as_utf8(as_text(bytes), storage), name, monitor).run();
    if (asset.character.skeleton.empty()) fail(name, "holds no joint");
    model::make_names_unique(asset.character.skeleton);
    return asset;
}

std::string write_skel(const Asset& asset, const std::filesystem::path& path, const WriteOptions&,
                       Monitor& monitor) {
    const Skeleton& skeleton = asset.character.skeleton;
    const std::string location = path.string();
    if (skeleton.empty()) fail(location, "there is no skeleton to write");
    const auto positioned = [](const Joint& joint) {
        return !joint.rest.matrix().isIdentity(1e-12) || joint.tip.has_value();
    };
    if (std::any_of(skeleton.joints.begin(), skeleton.joints.end(), positioned)) {
        warn(monitor, "skel-lost-places", "{}: .skel files hold names and limits, but not where joints are",
             location);
    }
    const std::vector<std::string> names = names_to_write(skeleton, location, monitor);
    const std::vector<std::vector<int>> below = model::children(skeleton);
    std::string text;
    // Joints to open (their index) and braces to close (~index), innermost last.
    std::vector<int> stack;
    for (std::size_t j = skeleton.size(); j-- > 0;) {
        if (skeleton.joints[j].parent < 0) stack.push_back(static_cast<int>(j));
    }
    for (std::size_t depth = 0; !stack.empty();) {
        const int next = stack.back();
        stack.pop_back();
        if (next < 0) {
            text += fmt::format("{:{}}}}\n", "", 4 * --depth);
            continue;
        }
        const auto j = static_cast<std::size_t>(next);
        const std::string indent(4 * depth++, ' ');
        text += fmt::format("{0}{1}{2}\n{0}{{\n", indent, names[j], limits_text(skeleton.joints[j]));
        if (below[j].empty()) text += indent + "    End Site\n";
        stack.push_back(~next);
        stack.insert(stack.end(), below[j].rbegin(), below[j].rend());
    }
    // A name may start with the bytes of a byte order mark, which counts only at the start of a file.
    if (static_cast<unsigned char>(text[0]) >= 0x80) text.insert(0, "\n");
    return text;
}

}  // namespace sinew::io
