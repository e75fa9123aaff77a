// SPDX-License-Identifier: MIT
#pragma once
// Work that is not saved yet is kept in a folder of its own, so that a crash or a kill costs seconds.

#include <atomic>
#include <filesystem>
#include <thread>
#include <vector>

#include "project.h"

namespace sinew::studio {

class Autosave {
  public:
    /// Keeps nothing.
    Autosave() = default;
    ~Autosave();
    Autosave(const Autosave&) = delete;
    Autosave& operator=(const Autosave&) = delete;

    /// From now on unsaved work goes to `folder`, at most every `seconds`.
    void start(std::filesystem::path folder, double seconds = 10);
    void set_interval(double seconds) { seconds_ = seconds; }
    /// Once a frame: writes in the background what has changed since the last time, and takes the copy back
    /// when the work has been saved.
    void update(const State& state, double now);
    /// The program ends as it should: nothing is left behind.
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

/// Projects in a folder whose programs do not run any more, the newest first.
std::vector<Leftover> leftovers(const std::filesystem::path& folder);
/// Takes both files of a project away.
void forget(const Leftover& leftover);
/// Shows what was left behind; it counts as unsaved. Errors become messages.
void recover(State& state, const Leftover& leftover);

/// $XDG_STATE_HOME/sinew/recovery, or ~/.local/state/sinew/recovery; empty without a home.
std::filesystem::path recovery_folder();

}  // namespace sinew::studio
