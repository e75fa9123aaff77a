// SPDX-License-Identifier: MIT
#include "sinew/io/bvh/hierarchy.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>

#include "sinew/base/array.h"
#include "sinew/base/error.h"

namespace sinew::io::bvh {
namespace {

using math::Vec3d;

/// A channel name: an axis with one of these endings, or a short form.
struct ChannelName {
    Channel channel;
    bool known = false;
    bool alias = false;
};

ChannelName channel_name(std::string_view word) {
    if (word.size() < 2) return {};
    const std::string text = to_lower(word);
    const auto axis_of = [](char c) { return c >= 'x' && c <= 'z' ? c - 'x' : -1; };
    const auto named = [](Channel::Kind kind, int axis, bool alias) {
        return ChannelName{{kind, static_cast<std::uint8_t>(axis)}, true, alias};
    };
    if (const int axis = axis_of(text[0]); axis >= 0) {
        const std::string_view ending = std::string_view(text).substr(1);
        if (ending == "position") return named(Channel::Kind::position, axis, false);
        if (ending == "rotation") return named(Channel::Kind::rotation, axis, false);
        if (ending == "scale") return named(Channel::Kind::ignored, axis, false);
        if (ending == "pos") return named(Channel::Kind::position, axis, true);
        if (ending == "rot") return named(Channel::Kind::rotation, axis, true);
    }
    if (const int axis = axis_of(text[1]); axis >= 0 && text.size() == 2) {
        if (text[0] == 't') return named(Channel::Kind::position, axis, true);
        if (text[0] == 'r') return named(Channel::Kind::rotation, axis, true);
    }
    return {};
}

class Parser {
  public:
    Parser(Tokens& tokens, Tally& tally) : tokens_(tokens), tally_(tally) {}
    Hierarchy run();

  private:
    /// A body that is not closed yet.
    struct Open {
        int joint = -1;     ///< for an End Site, the joint it belongs to
        bool site = false;  ///< an End Site
        std::string_view name;
        std::optional<Vec3d> offset;
        bool channels = false;
        std::array<bool, 3> position{};  ///< axes with a position channel
    };

    bool is(std::string_view token, std::string_view keyword);
    bool between_roots(std::string_view token);
    bool inside_body(std::string_view token);
    void open(bool site, std::string_view name);
    void add_joint(Open& body, int parent);
    void site_to_joint();
    void close();
    void close_all(std::string_view found);
    void read_offset();
    void read_channels();
    void add_channel(ChannelRange& range, std::string_view word, const ChannelName& name);
    const TextCursor& here() const { return tokens_.cursor(); }

    Tokens& tokens_;
    Tally& tally_;
    Hierarchy hierarchy_;
    std::vector<Open> stack_;
    std::unordered_set<std::string_view> names_;
};

bool Parser::is(std::string_view token, std::string_view keyword) {
    if (token == keyword) return true;
    if (!equal_ignoring_case(token, keyword)) return false;
    tally_.note("bvh-keyword-case", here(), "\"{}\" read as {}", token, keyword);
    return true;
}

Hierarchy Parser::run() {
    if (const std::string_view first = tokens_.next(); !is(first, "HIERARCHY")) {
        fail(here().location(), "expected HIERARCHY, found \"{}\"", first.substr(0, 40));
    }
    for (bool more = true; more;) {
        const std::string_view token = tokens_.next();
        more = stack_.empty() ? between_roots(token) : inside_body(token);
    }
    if (hierarchy_.skeleton.empty()) tally_.note("bvh-no-joints", here(), "the file has no joints");
    return std::move(hierarchy_);
}

bool Parser::between_roots(std::string_view token) {
    if (token.empty()) {
        tally_.note("bvh-no-motion", here(), "no MOTION: only the skeleton is read");
        return false;
    }
    if (is(token, "MOTION")) {
        hierarchy_.motion = true;
        return false;
    }
    if (is(token, "ROOT")) {
        open(false, tokens_.name());
    } else if (token == "}") {
        tally_.note("bvh-extra-brace", here(), "an extra closing brace is ignored");
    } else {
        fail(here().location(), "expected ROOT or MOTION, found \"{}\"", token.substr(0, 40));
    }
    return true;
}

bool Parser::inside_body(std::string_view token) {
    if (token == "}") {
        close();
    } else if (is(token, "OFFSET")) {
        read_offset();
    } else if (is(token, "CHANNELS")) {
        site_to_joint();
        read_channels();
    } else if (is(token, "JOINT")) {
        site_to_joint();
        open(false, tokens_.name());
    } else if (is(token, "End")) {
        site_to_joint();
        if (!is(tokens_.peek(), "Site")) fail(here().location(), "expected Site after End");
        tokens_.next();
        open(true, tokens_.name());
    } else if (token.empty() || is(token, "MOTION")) {
        close_all(token);
        return between_roots(token);
    } else {
        const char* expected = stack_.back().offset ? "CHANNELS, JOINT, End Site or }" : "OFFSET";
        fail(here().location(), "expected {}, found \"{}\"", expected, token.substr(0, 40));
    }
    return true;
}

void Parser::open(bool site, std::string_view name) {
    if (stack_.size() >= max_depth) fail(here().location(), "joints are nested deeper than {}", max_depth);
    if (const std::string_view brace = tokens_.next(); brace != "{") {
        fail(here().location(), "expected {{ after \"{}\", found \"{}\"", name.substr(0, 40),
             brace.substr(0, 40));
    }
    const int parent = stack_.empty() ? -1 : stack_.back().joint;
    stack_.push_back({parent, site, name, std::nullopt, false, {}});
    if (!site) add_joint(stack_.back(), parent);
}

void Parser::add_joint(Open& body, int parent) {
    std::vector<model::Joint>& joints = hierarchy_.skeleton.joints;
    if (joints.size() >= max_joints) fail(here().location(), "more than {} joints", max_joints);
    if (body.name.empty()) tally_.note("bvh-empty-name", here(), "a joint without a name");
    if (body.name.find_first_of(" \t") != std::string_view::npos) {
        tally_.note("bvh-name-space", here(), "the name \"{}\" has spaces", body.name);
    }
    if (!body.name.empty() && !names_.insert(body.name).second) {
        tally_.note("bvh-duplicate-name", here(), "a second joint named \"{}\" is numbered", body.name);
    }
    body.joint = static_cast<int>(joints.size());
    joints.emplace_back().name = body.name;
    joints.back().parent = parent;
    hierarchy_.ranges.emplace_back();
}

/// A body with joints or channels inside is a joint, whatever its keyword is.
void Parser::site_to_joint() {
    Open& body = stack_.back();
    if (!body.site) return;
    tally_.note("bvh-joint-in-end-site", here(),
                "an End Site with a joint or channels inside is read as a joint");
    body.site = false;
    add_joint(body, body.joint);
}

void Parser::close() {
    const Open body = stack_.back();
    stack_.pop_back();
    if (!body.offset) tally_.note("bvh-no-offset", here(), "no OFFSET: zero is taken");
    const Vec3d offset = body.offset.value_or(Vec3d::Zero());
    model::Joint& joint = hierarchy_.skeleton.joints[static_cast<std::size_t>(body.joint)];
    if (!body.site) {
        joint.rest.translation = offset;
        if (!body.channels)
            tally_.note("bvh-no-channels", here(), "joint \"{}\" has no CHANNELS", joint.name);
    } else if (joint.tip) {
        tally_.note("bvh-extra-end-site", here(), "joint \"{}\" has several End Sites; the first is kept",
                    joint.name);
    } else {
        joint.tip = offset;
    }
}

/// One or two missing braces at the end are common; more would require a guess about the tree.
void Parser::close_all(std::string_view found) {
    const std::string_view where = found.empty() ? "the end of the file" : "MOTION";
    if (stack_.size() > 2)
        fail(here().location(), "{} braces are not closed before {}", stack_.size(), where);
    tally_.note("bvh-missing-brace", here(), "{} braces are not closed before {}", stack_.size(), where);
    while (!stack_.empty()) close();
}

void Parser::read_offset() {
    if (stack_.back().offset) fail(here().location(), "a second OFFSET in one joint");
    Vec3d offset = Vec3d::Zero();
    for (double& number : offset) {
        const std::string_view word = tokens_.next();
        const Value value = read_value(word, number);
        if (value == Value::none) {
            fail(here().location(), "expected three numbers after OFFSET, found \"{}\"", word.substr(0, 40));
        }
        if (value == Value::broken) {
            tally_.note("bvh-bad-number", here(), "\"{}\" in an OFFSET is read as zero", word);
            number = 0;
        }
    }
    stack_.back().offset = offset;
}

void Parser::read_channels() {
    Open& body = stack_.back();
    if (body.channels) fail(here().location(), "a second CHANNELS in one joint");
    body.channels = true;
    ChannelRange& range = hierarchy_.ranges[static_cast<std::size_t>(body.joint)];
    range.first = hierarchy_.channels.size();
    std::int64_t claimed = -1;
    if (parse_exact(tokens_.peek(), claimed)) tokens_.next();
    while (true) {
        const bool same_line = !tokens_.line_ends();
        const std::string_view word = tokens_.peek();
        const ChannelName name = channel_name(word);
        // An unknown word is a channel only on the same line; a known one always is.
        const bool other = word.empty() || word == "{" || word == "}" || equal_ignoring_case(word, "JOINT") ||
                           equal_ignoring_case(word, "End") || equal_ignoring_case(word, "OFFSET");
        if (!name.known && (other || !same_line)) break;
        tokens_.next();
        add_channel(range, word, name);
    }
    if (claimed != static_cast<std::int64_t>(range.count)) {
        tally_.note("bvh-channel-count", here(), "CHANNELS says {}, but {} are named", claimed, range.count);
    }
}

void Parser::add_channel(ChannelRange& range, std::string_view word, const ChannelName& name) {
    if (!name.known) {
        tally_.note("bvh-unknown-channel", here(), "channel \"{}\" is ignored", word);
    } else if (name.channel.kind == Channel::Kind::ignored) {
        tally_.note("bvh-scale-channel", here(), "scale channel \"{}\" is ignored", word);
    } else if (name.alias) {
        tally_.note("bvh-channel-alias", here(), "channel name \"{}\"", word);
    } else if (word.substr(1) != (name.channel.kind == Channel::Kind::position ? "position" : "rotation") ||
               word[0] > 'Z') {
        tally_.note("bvh-keyword-case", here(), "channel name \"{}\"", word);
    }
    Channel channel = name.channel;
    if (channel.kind == Channel::Kind::position) {
        bool& seen = stack_.back().position[channel.axis];
        if (seen) {
            tally_.note("bvh-repeated-position", here(), "a second channel \"{}\" is ignored", word);
            channel.kind = Channel::Kind::ignored;
        }
        seen = true;
    }
    hierarchy_.channels.push_back(channel);
    ++range.count;
}

}  // namespace

Hierarchy read_hierarchy(Tokens& tokens, Tally& tally) {
    return Parser(tokens, tally).run();
}

bool root_replaces(const math::Vec3d& offset, double median_height) {
    if (offset.y() == 0) return false;
    const double ratio = median_height / offset.y();
    return ratio >= 0.5 && ratio <= 1.5;
}

JointConvention joint_convention(std::span<const FirstPosition> joints) {
    std::vector<double> from_offset, from_zero;
    for (const FirstPosition& joint : joints) {
        const double length = joint.offset.norm();
        if (length == 0) continue;  // both conventions give the same result
        from_offset.push_back((joint.position - joint.offset).norm() / length);
        from_zero.push_back(joint.position.norm() / length);
    }
    if (from_offset.empty() || median(std::move(from_offset)) < 0.05) return {true, true};
    if (median(std::move(from_zero)) < 0.2) return {false, true};
    return {true, false};
}

}  // namespace sinew::io::bvh
