// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>

#include "sinew/base/text.h"
#include "sinew/gait/report.h"

namespace sinew::gait {
namespace {

bool is_digit(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool is_letter(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

bool is_date_mark(char c) {
    return c == '-' || c == '.' || c == '/';
}

/// digits, separator, digits or letters, the same separator, digits.
bool has_date(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!is_digit(text[i]) || (i > 0 && is_digit(text[i - 1]))) continue;
        std::size_t at = i;
        const auto skip = [&](auto belongs) {
            const std::size_t from = at;
            while (at < text.size() && belongs(text[at])) ++at;
            return at - from;
        };
        const std::size_t first = skip(is_digit);
        if (first > 4 || at >= text.size() || !is_date_mark(text[at])) continue;
        const char mark = text[at++];
        const std::size_t middle = skip([](char c) { return is_digit(c) || is_letter(c); });
        if (middle == 0 || middle > 9 || at >= text.size() || text[at] != mark) continue;
        ++at;
        const std::size_t last = skip(is_digit);
        if ((last == 2 || last == 4 || first == 4) && last > 0) return true;
    }
    return false;
}

bool has_path(std::string_view text) {
    if (text.find('\\') != std::string_view::npos) return true;
    if (text.size() > 2 && is_letter(text[0]) && text[1] == ':' && text[2] == '/') return true;
    return text.starts_with('/') && text.find('/', 1) != std::string_view::npos;
}

bool contains_ignoring_case(const std::string& text, const std::string& part) {
    return part.size() > 2 && to_lower(text).find(to_lower(part)) != std::string::npos;
}

/// A group with data about persons.
bool is_personal(std::string_view group) {
    const std::string name = to_lower(group);
    return name.find("subject") != std::string::npos || name.find("patient") != std::string::npos ||
           name.find("person") != std::string::npos;
}

bool is_personal_parameter(std::string_view parameter) {
    const std::string name = to_lower(parameter);
    for (const char* const word : {"date", "time_stamp", "operator", "patient", "subject", "examiner",
                                   "filename", "file_name", "birth", "session", "comment", "notes"}) {
        if (name.find(word) != std::string::npos) return true;
    }
    return false;
}

class TrialCleaner {
  public:
    explicit TrialCleaner(model::Trial& trial) : trial_(trial) {}

    AnonymisedParts run() {
        collect();
        clean_points(trial_.markers);
        clean_points(trial_.outputs);
        for (model::Event& event : trial_.events) {
            event.subject = renamed(event.subject);
            clean(event.description, false);
        }
        for (model::ParameterGroup& group : trial_.parameters.groups) clean_group(group);
        for (model::AnalogChannel& channel : trial_.analog.channels) clean(channel.description, false);
        if (trial_.name != "trial") ++parts_.names;
        trial_.name = "trial";
        return parts_;
    }

  private:
    void add(const std::string& name) {
        if (!name.empty() && std::ranges::find(names_, name) == names_.end()) names_.push_back(name);
    }

    void collect() {
        if (const model::Parameter* const known = trial_.parameters.find("SUBJECTS", "NAMES")) {
            if (const auto* texts = std::get_if<std::vector<std::string>>(&known->values))
                for (const std::string& name : *texts) add(name);
        }
        for (const model::Points* points : {&trial_.markers, &trial_.outputs})
            for (const model::PointInfo& info : points->info) add(info.subject);
        for (const model::Event& event : trial_.events) add(event.subject);
    }

    std::string renamed(const std::string& name) {
        const auto found = std::ranges::find(names_, name);
        if (name.empty() || found == names_.end()) return {};
        ++parts_.names;
        return "subject " + std::to_string(found - names_.begin() + 1);
    }

    void clean_points(model::Points& points) {
        std::size_t number = 0;
        for (model::PointInfo& info : points.info) {
            ++number;
            clean(info.description, false);
            clean_label(info.label, number);
            if (info.subject.empty()) continue;
            ++parts_.prefixes;
            info.subject = names_.size() == 1 ? std::string{} : renamed(info.subject);
        }
    }

    /// Short names are kept: "L" or "RA" are parts of many labels.
    void clean_label(std::string& label, std::size_t number) {
        const bool named = std::ranges::any_of(names_, [&](const std::string& name) {
            return name.size() >= 4 && contains_ignoring_case(label, name);
        });
        if (!named) return;
        label = "point " + std::to_string(number);
        ++parts_.names;
    }

    void clean(std::string& text, bool always) {
        const bool named = std::ranges::any_of(
            names_, [&](const std::string& name) { return contains_ignoring_case(text, name); });
        if (text.empty() || !(always || named || looks_private(text))) return;
        text.clear();
        ++parts_.texts;
    }

    void clean_group(model::ParameterGroup& group) {
        const bool personal = is_personal(group.name);
        clean(group.description, personal);
        for (model::Parameter& parameter : group.parameters) {
            const bool always = personal || is_personal_parameter(parameter.name);
            clean(parameter.description, personal);
            auto* const texts = std::get_if<std::vector<std::string>>(&parameter.values);
            if (texts == nullptr) continue;
            for (std::string& text : *texts) {
                const bool name = std::ranges::find(names_, text) != names_.end();
                if (name && equal_ignoring_case(parameter.name, "NAMES"))
                    text = renamed(text);
                else
                    clean(text, always);
            }
        }
    }

    model::Trial& trial_;
    AnonymisedParts parts_;
    std::vector<std::string> names_;
};

}  // namespace

bool looks_private(std::string_view text) {
    const std::size_t at = text.find('@');
    const bool mail = at != std::string_view::npos && at > 0 && text.find('.', at) != std::string_view::npos;
    return mail || has_path(text) || has_date(text);
}

AnonymisedParts anonymise(model::Trial& trial) {
    return TrialCleaner(trial).run();
}

AnonymisedParts anonymise(model::GaitCycle& cycle) {
    AnonymisedParts parts;
    for (model::GaitText& text : cycle.texts) {
        if (equal_ignoring_case(text.name, "PREFIXES") || equal_ignoring_case(text.name, "UNITS")) continue;
        parts.texts += text.lines.size();
        text.lines.clear();
    }
    return parts;
}

AnonymisedParts anonymise(model::Character& character) {
    AnonymisedParts parts;
    parts.names = 1 + character.clips.size();
    character.name = "character";
    for (std::size_t i = 0; i < character.clips.size(); ++i)
        character.clips[i].name = "motion" + (i > 0 ? " " + std::to_string(i + 1) : std::string{});
    return parts;
}

}  // namespace sinew::gait
