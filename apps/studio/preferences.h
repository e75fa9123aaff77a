// SPDX-License-Identifier: MIT
#pragma once
// Preferences of the user, stored between sessions.

#include <filesystem>

#include "shortcuts.h"

namespace sinew::studio {

struct Preferences {
    float scale = 1;         ///< of the interface
    bool light = false;      ///< theme
    double autosave = 10;    ///< seconds between copies of unsaved work
    int frame_rate = 60;     ///< maximum number of pictures per second
    bool show_steps = true;  ///< show the first steps at the start
    KeyChanges keys;         ///< shortcuts that differ from the defaults
    bool operator==(const Preferences&) const = default;
};

/// A file that cannot be read, or has invalid values, leaves the defaults.
Preferences load_preferences(const std::filesystem::path& file);
/// \throws Error when it cannot be written.
void save_preferences(const Preferences& preferences, const std::filesystem::path& file);
/// $XDG_CONFIG_HOME/sinew/studio.json, or ~/.config/sinew/studio.json; empty without a home.
std::filesystem::path preferences_file();

}  // namespace sinew::studio
