// SPDX-License-Identifier: MIT
#include "preferences.h"

#include <algorithm>

#include "recent.h"

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/report.h"

namespace sinew::studio {

Preferences load_preferences(const std::filesystem::path& file) {
    Preferences preferences;
    std::error_code code;
    if (file.empty() || !std::filesystem::is_regular_file(file, code)) return preferences;
    try {
        const FileView view(file);
        const Json json = Json::parse(view.text());
        // As double first: a value that is too large for a float or an int would be undefined there.
        const auto number = [&](const char* key, double usual, double min, double max) {
            return std::clamp(json.value(key, usual), min, max);
        };
        preferences.scale =
            static_cast<float>(number("scale", static_cast<double>(preferences.scale), 0.7, 3));
        preferences.light = json.value("light", preferences.light);
        preferences.autosave = number("autosave", preferences.autosave, 1, 600);
        preferences.frame_rate = static_cast<int>(number("frame-rate", preferences.frame_rate, 10, 240));
        preferences.show_steps = json.value("show-steps", preferences.show_steps);
        preferences.keys = sound_changes(json.value("keys", KeyChanges()));
    } catch (const std::exception&) {
        return {};
    }
    return preferences;
}

void save_preferences(const Preferences& preferences, const std::filesystem::path& file) {
    if (file.empty()) return;
    std::error_code code;
    std::filesystem::create_directories(file.parent_path(), code);
    const Json json = {{"scale", preferences.scale},           {"light", preferences.light},
                       {"autosave", preferences.autosave},     {"frame-rate", preferences.frame_rate},
                       {"show-steps", preferences.show_steps}, {"keys", preferences.keys}};
    write_file(file, json_text(json) + "\n");
}

std::filesystem::path preferences_file() {
    const std::filesystem::path recent = recent_file();
    return recent.empty() ? recent : recent.parent_path() / "studio.json";
}

}  // namespace sinew::studio
