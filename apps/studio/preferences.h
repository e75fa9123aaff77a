// SPDX-License-Identifier: MIT
#pragma once
// What a person likes, kept from one day to the next.

#include <filesystem>

#include "shortcuts.h"

namespace sinew::studio {

struct Preferences {
    float scale = 1;         ///< of the interface
    bool light = false;      ///< theme
    double autosave = 10;    ///< seconds between copies of unsaved work
    int frame_rate = 60;     ///< at most so many pictures a second
    bool show_steps = true;  ///< first steps at the start
    KeyChanges keys;         ///< shortcuts that are not the usual ones
    bool operator==(const Preferences&) const = default;
};

/// A file that cannot be read, or says something odd, leaves the usual values.
Preferences load_preferences(const std::filesystem::path& file);
/// \throws Error when it cannot be written.
void save_preferences(const Preferences& preferences, const std::filesystem::path& file);
/// $XDG_CONFIG_HOME/sinew/studio.json, or ~/.config/sinew/studio.json; empty without a home.
std::filesystem::path preferences_file();

}  // namespace sinew::studio
