// SPDX-License-Identifier: MIT
#include "ledger.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/file.h"

namespace sinew::cli::batch {
namespace fs = std::filesystem;
namespace {

/// Maximum number of finished jobs that are not on the disk yet: these would run again after a kill.
constexpr std::size_t most_waiting = 64;

bool parse(std::string_view line, Record& record) {
    const Json json = Json::parse(line, nullptr, false);
    if (!json.is_object()) return false;
    try {
        record.job = json.at("job");
        record.digits = json.at("digest");
        record.state = json.at("state");
        record.verb = json.value("verb", "");
        record.error = json.value("error", "");
        record.ended = json.at("ended");
        record.seconds = json.value("seconds", 0.0);
        record.stamps = stamps_of(json.at("inputs"));
    } catch (const Json::exception&) {
        return false;
    }
    record.line = line;
    return true;
}

/// Of two records of a job, whether the newer one is valid: a job that is done stays done when the same was
/// tried again.
bool replaces(const Record& newer, const Record& older) {
    if (newer.digits == older.digits && older.done()) return false;
    if (newer.digits == older.digits && newer.done()) return true;
    return newer.ended >= older.ended;
}

}  // namespace

std::size_t read_ledger(const fs::path& path, Records& records) {
    std::error_code code;
    if (!fs::exists(path, code) || fs::file_size(path, code) == 0) return 0;
    const FileView file(path);
    std::size_t broken = 0;
    for (std::string_view text = file.text(); !text.empty();) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty()) continue;
        Record record;
        if (!parse(line, record)) {
            ++broken;
            continue;
        }
        const auto [known, fresh] = records.try_emplace(record.job, record);
        if (!fresh && replaces(record, known->second)) known->second = std::move(record);
    }
    return broken;
}

std::vector<fs::path> ledgers_in(const fs::path& folder) {
    std::vector<fs::path> paths;
    std::error_code code;
    for (const auto& entry : fs::directory_iterator(folder, code)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with("ledger.") && name.ends_with(".jsonl") && name != "ledger.jsonl")
            paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    if (fs::exists(folder / "ledger.jsonl", code)) paths.insert(paths.begin(), folder / "ledger.jsonl");
    return paths;
}

Ledger::Ledger(const fs::path& path, Others others)
    : file_(path, others == Others::waited_for
                      ? ""
                      : "another batch writes to this ledger: wait for it, or choose "
                        "another output folder"),
      writer_([this] { write_lines(); }) {}

Ledger::~Ledger() {
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
    }
    changed_.notify_all();
    writer_.join();
}

void Ledger::write_lines() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [&] { return closing_ || !waiting_.empty(); });
        if (waiting_.empty()) return;
        const std::vector<Line> lines = std::exchange(waiting_, {});
        writing_ = true;
        changed_.notify_all();
        lock.unlock();
        std::exception_ptr problem;
        try {
            std::string text;
            for (const Line& line : lines) text += line.text + "\n";
            file_.append(text);
            for (const Line& line : lines)
                if (line.written) line.written();
        } catch (...) {
            problem = std::current_exception();
        }
        lock.lock();
        writing_ = false;
        if (problem) {
            problem_ = problem;
            waiting_.clear();
        }
        changed_.notify_all();
    }
}

void Ledger::append(std::string line, std::function<void()> written) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return problem_ || waiting_.size() < most_waiting; });
    if (problem_) std::rethrow_exception(problem_);
    waiting_.push_back({std::move(line), std::move(written)});
    changed_.notify_all();
}

void Ledger::flush() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return problem_ || (waiting_.empty() && !writing_); });
    if (problem_) std::rethrow_exception(problem_);
}

std::size_t merge(const std::vector<fs::path>& others, const fs::path& into) {
    Records known, all;
    Ledger ledger(into);
    read_ledger(into, known);
    all = known;
    std::vector<std::unique_ptr<Ledger>> held;  // so that no other process appends to them meanwhile
    for (const fs::path& other : others) {
        if (!fs::exists(other)) fail(other.string(), "there is no such ledger");
        held.push_back(std::make_unique<Ledger>(other));
        read_ledger(other, all);
    }
    std::string lines;
    std::size_t count = 0;
    for (const auto& [job, record] : all) {
        const auto old = known.find(job);
        if (old != known.end() && old->second.line == record.line) continue;
        lines += (lines.empty() ? "" : "\n") + record.line;
        ++count;
    }
    if (!lines.empty()) ledger.append(lines);
    ledger.flush();
    std::error_code code;
    for (const fs::path& other : others)
        if (fs::equivalent(other.parent_path(), into.parent_path(), code)) fs::remove(other, code);
    return count;
}

}  // namespace sinew::cli::batch
