// SPDX-License-Identifier: MIT
#pragma once
// Which key does what. The usual key of an action is its name everywhere; a person may give it another one.

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
/// All that can be changed. Esc, the arrows and the mouse stay as they are.
std::span<const Shortcut> shortcuts();

/// Keys that a person chose, by the usual ones: {"F", "H"}, {"Ctrl+O", "Ctrl+Shift+O"}.
using KeyChanges = std::map<std::string, std::string>;

struct Chord {
    int code = 0;  ///< SDL's scan code
    bool ctrl = false, shift = false;
    bool operator==(const Chord&) const = default;
};
/// "Ctrl+Shift+F5"; nothing for a text that is no key, or one that cannot be taken.
std::optional<Chord> parse_chord(std::string_view text);
std::string name_of(const Chord& chord);

/// The key of an action now.
std::string key_now(const KeyChanges& changes, std::string_view usual);
/// The action that has a key already, other than `usual`; null when it is free.
const Shortcut* owner_of(const KeyChanges& changes, const std::string& key, std::string_view usual);
/// The changes without those that name no action or no key, or a key of another action.
KeyChanges sound_changes(const KeyChanges& changes);

/// Takes effect for all keys, tooltips and menus.
void use_keys(const KeyChanges& changes);
/// By the changes in use.
std::string key_now(std::string_view usual);
/// The key of an action was pressed in this frame; `again` also when it repeats.
bool pressed(std::string_view usual, bool again = false);
/// It is down, with or without Ctrl and Shift.
bool is_held(std::string_view usual);
/// The key that is pressed in this frame; nothing for none, and for Ctrl, Shift and the like alone.
std::optional<Chord> pressed_chord();

}  // namespace sinew::studio
