// SPDX-License-Identifier: MIT
#include "ledger.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <memory>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sinew/base/error.h"
#include "sinew/base/file.h"

namespace sinew::cli::batch {
namespace fs = std::filesystem;
namespace {

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

/// Of two records of a job, what is true now: done stays done when the same was tried again.
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

/// False when the file was removed while this waited for it.
bool Ledger::open(Others others) {
    file_ = ::open(path_.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (file_ < 0) fail(path_.string(), "cannot write: {}", std::strerror(errno));
    const int waiting = others == Others::waited_for ? 0 : LOCK_NB;
    while (::flock(file_, LOCK_EX | waiting) != 0) {
        if (errno == EINTR) continue;
        if (errno != EWOULDBLOCK) break;  // a file system without locks
        ::close(file_);
        fail(path_.string(),
             "another batch writes to this ledger: wait for it, or choose another output folder");
    }
    struct stat opened{}, named{};
    if (::fstat(file_, &opened) == 0 && ::stat(path_.c_str(), &named) == 0 && opened.st_ino == named.st_ino)
        return true;
    ::close(file_);
    return false;
}

Ledger::Ledger(const fs::path& path, Others others) : path_(path) {
    while (!open(others)) {
    }
    // A torn line is ended, so that it does not swallow the next.
    struct stat info{};
    char last = '\n';
    if (::fstat(file_, &info) == 0 && info.st_size > 0 && ::pread(file_, &last, 1, info.st_size - 1) == 1 &&
        last != '\n')
        write("\n");
}

Ledger::~Ledger() {
    ::close(file_);
}

void Ledger::write(const std::string& lines) const {
    for (std::size_t done = 0; done < lines.size();) {
        const ssize_t count = ::write(file_, lines.data() + done, lines.size() - done);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail(path_.string(), "cannot write: {}", std::strerror(errno));
        done += static_cast<std::size_t>(count);
    }
    if (::fsync(file_) != 0 && errno != EINVAL && errno != EROFS && errno != ENOTSUP)
        fail(path_.string(), "cannot write: {}", std::strerror(errno));
}

void Ledger::append(std::string_view line) {
    std::unique_lock lock(mutex_);
    pending_.append(line).append("\n");
    const std::size_t mine = ++queued_;
    while (written_ < mine) {
        if (broken_) fail(path_.string(), "cannot write");
        if (writing_) {
            written_to_.wait(lock);
            continue;
        }
        writing_ = true;
        const std::string lines = std::exchange(pending_, {});
        const std::size_t last = queued_;
        lock.unlock();
        std::exception_ptr problem;
        try {
            write(lines);
        } catch (const Error&) {
            problem = std::current_exception();
        }
        lock.lock();
        writing_ = false;
        broken_ = broken_ || problem != nullptr;
        if (!problem) written_ = last;
        written_to_.notify_all();
        if (problem) std::rethrow_exception(problem);
    }
}

std::size_t merge(const std::vector<fs::path>& others, const fs::path& into) {
    Records known, all;
    Ledger ledger(into);
    read_ledger(into, known);
    all = known;
    std::vector<std::unique_ptr<Ledger>> held;  // nobody appends to them meanwhile
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
    std::error_code code;
    for (const fs::path& other : others)
        if (fs::equivalent(other.parent_path(), into.parent_path(), code)) fs::remove(other, code);
    return count;
}

}  // namespace sinew::cli::batch
