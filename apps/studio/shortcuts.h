// SPDX-License-Identifier: MIT
#pragma once
// Keyboard shortcuts. The default key of an action is its name in the code; the user may assign another one.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sinew::studio {

struct Shortcut {
    std::string_view usual;
    std::string_view what;
};
/// All shortcuts that can be changed. Esc, the arrows and the mouse cannot.
std::span<const Shortcut> shortcuts();

/// Keys that the user assigned, by the default ones: {"F", "H"}, {"Ctrl+O", "Ctrl+Shift+O"}.
using KeyChanges = std::map<std::string, std::string>;

struct Chord {
    int code = 0;  ///< SDL's scan code
    bool ctrl = false, shift = false;
    bool operator==(const Chord&) const = default;
};
/// "Ctrl+Shift+F5"; nothing for a text that is not a key, or a key that cannot be assigned.
std::optional<Chord> parse_chord(std::string_view text);
std::string name_of(const Chord& chord);

/// The present key of an action.
std::string key_now(const KeyChanges& changes, std::string_view usual);
/// The action that already has a key, other than `usual`; null when the key is free.
const Shortcut* owner_of(const KeyChanges& changes, const std::string& key, std::string_view usual);
/// The changes without those with an unknown action or key, or with a key of another action.
KeyChanges sound_changes(const KeyChanges& changes);

/// Applies the changes to all keys, tooltips and menus.
void use_keys(const KeyChanges& changes);
/// By the changes in use.
std::string key_now(std::string_view usual);
/// The key of an action was pressed in this frame; with `again` also when it repeats.
bool pressed(std::string_view usual, bool again = false);
/// It is down, with or without Ctrl and Shift.
bool is_held(std::string_view usual);
/// The key that is pressed in this frame; nothing for no key, and for Ctrl, Shift and the like alone.
std::optional<Chord> pressed_chord();

}  // namespace sinew::studio
