// SPDX-License-Identifier: MIT
#include "autosave.h"

#include <algorithm>

#include "actions.h"
#include "browser.h"

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/system.h"
#include "sinew/base/text.h"

namespace sinew::studio {
namespace {

namespace fs = std::filesystem;

/// The process number in the name of a file; 0 for other files.
int process_of(const fs::path& file) {
    const std::string stem = file.stem().string();
    std::string_view rest = stem;
    const auto number = parse_number(rest);
    return number && rest.empty() && *number >= 1 && *number < 1e9 ? static_cast<int>(*number) : 0;
}

std::string moment(const fs::path& file) {
    std::error_code code;
    const auto written = fs::last_write_time(file, code);
    return code ? std::string() : date_text(written);
}

void remove_project(const fs::path& project) {
    std::error_code code;
    fs::remove(project, code);
    fs::remove(fs::path(project).concat(".glb"), code);
    for (int i = 1; i <= 64; ++i) fs::remove(fs::path(project).concat(fmt::format(".{}.glb", i)), code);
}

}  // namespace

Autosave::~Autosave() {
    if (thread_.joinable()) thread_.join();
}

void Autosave::start(fs::path folder, double seconds) {
    folder_ = std::move(folder);
    seconds_ = seconds;
}

fs::path Autosave::file() const {
    return folder_ / fmt::format("{}.{}", process_id(), project_suffix);
}

void Autosave::remove() {
    if (thread_.joinable()) thread_.join();
    if (has_file_) remove_project(file());
    has_file_ = false;
}

void Autosave::update(const State& state, double now) {
    if (folder_.empty() || writing_) return;
    const Work work = work_of(state);
    if (!is_unsaved(state)) {
        if (has_file_) remove();
        kept_ = work;
        return;
    }
    if (work == kept_ || now - last_ < seconds_) return;
    if (thread_.joinable()) thread_.join();
    kept_ = work;
    last_ = now;
    has_file_ = true;
    writing_ = true;
    thread_ = std::thread([this, project = project_of(state), path = file()] {
        try {
            fs::create_directories(path.parent_path());
            save_project(project, path);
        } catch (const std::exception&) {
            // A full disk must not interrupt the work; saving manually will report it.
        }
        writing_ = false;
    });
}

void Autosave::end() {
    if (!folder_.empty()) remove();
}

std::vector<Leftover> leftovers(const fs::path& folder) {
    std::vector<Leftover> found;
    std::error_code code;
    for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code)) {
        const fs::path& path = entry->path();
        const int process = process_of(path);
        if (suffix(path) != project_suffix || process == 0 || process_runs(process, "sinew-studio")) continue;
        found.push_back({path, source_of(path), moment(path)});
    }
    std::ranges::sort(found, std::greater{}, [](const Leftover& l) { return l.when + l.project.string(); });
    return found;
}

void forget(const Leftover& leftover) {
    remove_project(leftover.project);
}

void recover(State& state, const Leftover& leftover) {
    try {
        MessageMonitor monitor(state.messages);
        Project project = load_project(leftover.project, monitor, true);
        project.document.path = leftover.source;
        show(state, project);
        state.saved = {};
        forget(leftover);
    } catch (const std::exception& error) {
        state.messages.add(Severity::error, error.what());
    }
}

fs::path recovery_folder() {
    const fs::path folder = state_folder();
    return folder.empty() ? folder : folder / "recovery";
}

}  // namespace sinew::studio
