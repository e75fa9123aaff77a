// SPDX-License-Identifier: MIT
#include "shortcuts.h"

#include <algorithm>
#include <array>

#include <SDL_keyboard.h>
#include <SDL_scancode.h>
#include <imgui.h>

namespace sinew::studio {
namespace {

constexpr std::array table = {
    Shortcut{"Ctrl+O", "open"},
    Shortcut{"Ctrl+S", "save as a project"},
    Shortcut{"Ctrl+E", "export"},
    Shortcut{"Ctrl+Z", "undo"},
    Shortcut{"Ctrl+Y", "redo"},
    Shortcut{"Ctrl+Q", "quit"},
    Shortcut{"F", "frame everything"},
    Shortcut{"1", "front view"},
    Shortcut{"3", "left view"},
    Shortcut{"7", "top view"},
    Shortcut{"0", "three-quarter view"},
    Shortcut{"Shift+F5", "keep this view"},
    Shortcut{"F5", "first kept view"},
    Shortcut{"F6", "second kept view"},
    Shortcut{"F7", "third kept view"},
    Shortcut{"F8", "fourth kept view"},
    Shortcut{"W", "forward"},
    Shortcut{"S", "backward"},
    Shortcut{"A", "left"},
    Shortcut{"D", "right"},
    Shortcut{"V", "fly mode"},
    Shortcut{"P", "follow the pelvis"},
    Shortcut{"M", "points, wire, solid, solid with edges"},
    Shortcut{"K", "skeleton hidden, over the mesh, inside"},
    Shortcut{"B", "transparent mesh"},
    Shortcut{"Space", "play or pause"},
    Shortcut{",", "previous frame"},
    Shortcut{".", "next frame"},
    Shortcut{"Home", "first frame"},
    Shortcut{"End", "last frame"},
    Shortcut{"C", "next clip"},
    Shortcut{"L", "loop"},
    Shortcut{"X", "x axis"},
    Shortcut{"Y", "y axis"},
    Shortcut{"Z", "z axis"},
    Shortcut{"[", "rotate back about the axis"},
    Shortcut{"]", "rotate about the axis"},
    Shortcut{"G", "world axes or joint axes"},
    Shortcut{"R", "reset the pose"},
    Shortcut{"-", "smaller brush"},
    Shortcut{"=", "larger brush"},
    Shortcut{"Delete", "delete the selected joint, key or event"},
    Shortcut{"F1", "first steps"},
    Shortcut{"I", "print a summary of the file"},
};

/// Names are converted when they change, not in every frame.
struct InUse {
    KeyChanges changes;
    std::map<std::string_view, Chord> chords;
};

InUse made_of(const KeyChanges& changes) {
    InUse made{changes, {}};
    for (const Shortcut& row : table)
        if (const auto chord = parse_chord(key_now(changes, row.usual))) made.chords[row.usual] = *chord;
    return made;
}

InUse& in_use() {
    static InUse keys = made_of({});
    return keys;
}

std::optional<Chord> chord_of(std::string_view usual) {
    const auto found = in_use().chords.find(usual);
    return found == in_use().chords.end() ? std::nullopt : std::optional(found->second);
}

bool is_modifier(int code) {
    return code >= SDL_SCANCODE_LCTRL && code <= SDL_SCANCODE_RGUI;
}

bool is_fixed(int code) {
    return code == SDL_SCANCODE_ESCAPE || (code >= SDL_SCANCODE_RIGHT && code <= SDL_SCANCODE_UP);
}

/// Shift with a key that only exists without it has the same effect: capital letters, and the upper symbols
/// of a key.
bool shift_fits(const Chord& chord, bool shift) {
    if (chord.shift == shift) return true;
    if (chord.shift) return false;
    Chord with = chord;
    with.shift = true;
    return owner_of(in_use().changes, name_of(with), "") == nullptr;
}

}  // namespace

std::span<const Shortcut> shortcuts() {
    return table;
}

std::optional<Chord> parse_chord(std::string_view text) {
    Chord chord;
    for (;;) {
        if (text.starts_with("Ctrl+"))
            chord.ctrl = true;
        else if (text.starts_with("Shift+"))
            chord.shift = true;
        else
            break;
        text.remove_prefix(text.find('+') + 1);
    }
    chord.code = SDL_GetScancodeFromName(std::string(text).c_str());
    if (chord.code == SDL_SCANCODE_UNKNOWN || is_modifier(chord.code) || is_fixed(chord.code))
        return std::nullopt;
    return chord;
}

std::string name_of(const Chord& chord) {
    return std::string(chord.ctrl ? "Ctrl+" : "") + (chord.shift ? "Shift+" : "") +
           SDL_GetScancodeName(static_cast<SDL_Scancode>(chord.code));
}

std::string key_now(const KeyChanges& changes, std::string_view usual) {
    const auto found = changes.find(std::string(usual));
    return found == changes.end() ? std::string(usual) : found->second;
}

const Shortcut* owner_of(const KeyChanges& changes, const std::string& key, std::string_view usual) {
    const auto found = std::ranges::find_if(table, [&](const Shortcut& shortcut) {
        return shortcut.usual != usual && key_now(changes, shortcut.usual) == key;
    });
    return found == table.end() ? nullptr : &*found;
}

KeyChanges sound_changes(const KeyChanges& changes) {
    KeyChanges sound;
    for (const auto& [usual, key] : changes) {
        const auto chord = parse_chord(key);
        if (chord && std::ranges::find(table, usual, &Shortcut::usual) != table.end() && key != usual)
            sound[usual] = name_of(*chord);
    }
    // Two actions may exchange their keys: conflicts are only known after all changes are read.
    for (bool again = true; again;) {
        again = false;
        for (const auto& [usual, key] : sound)
            if (owner_of(sound, key, usual) != nullptr) {
                sound.erase(usual);
                again = true;
                break;
            }
    }
    return sound;
}

void use_keys(const KeyChanges& changes) {
    if (in_use().changes != changes) in_use() = made_of(changes);
}

std::string key_now(std::string_view usual) {
    return key_now(in_use().changes, usual);
}

bool pressed(std::string_view usual, bool again) {
    const auto chord = chord_of(usual);
    const ImGuiIO& io = ImGui::GetIO();
    return chord && ImGui::IsKeyPressed(chord->code, again) && io.KeyCtrl == chord->ctrl &&
           shift_fits(*chord, io.KeyShift);
}

bool is_held(std::string_view usual) {
    const auto chord = chord_of(usual);
    return chord && ImGui::IsKeyDown(chord->code);
}

std::optional<Chord> pressed_chord() {
    const ImGuiIO& io = ImGui::GetIO();
    for (int code = SDL_SCANCODE_A; code < SDL_SCANCODE_LCTRL; ++code)
        if (ImGui::IsKeyPressed(code, false)) return Chord{code, io.KeyCtrl, io.KeyShift};
    return std::nullopt;
}

}  // namespace sinew::studio
