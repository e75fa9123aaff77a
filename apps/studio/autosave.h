// SPDX-License-Identifier: MIT
#pragma once
// Unsaved work is copied to a separate folder, so that a crash or a kill loses only seconds of work.

#include <atomic>
#include <filesystem>
#include <thread>
#include <vector>

#include "project.h"

namespace sinew::studio {

class Autosave {
  public:
    /// Stores nothing.
    Autosave() = default;
    ~Autosave();
    Autosave(const Autosave&) = delete;
    Autosave& operator=(const Autosave&) = delete;

    /// From now on writes unsaved work to `folder`, at most every `seconds`.
    void start(std::filesystem::path folder, double seconds = 10);
    void set_interval(double seconds) { seconds_ = seconds; }
    /// Once per frame: writes in the background what has changed since the last time, and deletes the copy
    /// when the work has been saved.
    void update(const State& state, double now);
    /// For a normal end of the program: deletes all copies.
    void end();
    bool on() const { return !folder_.empty(); }

  private:
    std::filesystem::path file() const;
    void remove();

    std::filesystem::path folder_;
    double seconds_ = 10;
    double last_ = -1e9;
    Work kept_;
    bool has_file_ = false;
    std::atomic<bool> writing_ = false;
    std::thread thread_;
};

/// Projects in a folder whose programs no longer run, the newest first.
std::vector<Leftover> leftovers(const std::filesystem::path& folder);
/// Deletes both files of a project.
void forget(const Leftover& leftover);
/// Opens a project that was left behind; it counts as unsaved. Errors become messages.
void recover(State& state, const Leftover& leftover);

/// $XDG_STATE_HOME/sinew/recovery, or ~/.local/state/sinew/recovery; empty without a home.
std::filesystem::path recovery_folder();

}  // namespace sinew::studio
