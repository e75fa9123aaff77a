// SPDX-License-Identifier: MIT
#include "runner.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/text.h"

namespace sinew::cli::batch {
namespace fs = std::filesystem;
namespace {

double now() {
    const auto since = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration<double>(since).count();
}

std::string last_line(std::string_view text) {
    text = trim(text);
    const std::size_t end = text.rfind('\n');
    return std::string(trim(end == std::string_view::npos ? text : text.substr(end + 1)));
}

/// Name of a file during writing; see PendingFile.
std::string partial_name(const fs::path& output, std::string_view id) {
    return fmt::format(".{}.{}.partial{}", output.stem().string(), id, output.extension().string());
}

/// Numbers, booleans and short texts of a report as one line of a table: nested values get dotted names,
/// lists give their length.
void flatten(const Json& json, const std::string& path, Json& flat) {
    if (json.is_object()) {
        for (const auto& [key, value] : json.items())
            flatten(value, path.empty() ? key : path + "." + key, flat);
    } else if (json.is_array()) {
        flat[path] = json.size();
    } else {
        flat[path] = json;
    }
}

/// The report in a file; empty when there is none.
Json report_of(const fs::path& path) {
    std::error_code code;
    if (!fs::exists(path, code)) return Json::object();
    Json json = Json::parse(FileView(path).text(), nullptr, false);
    return json.is_object() ? json : Json::object();
}

Json values_of(Json report) {
    for (const char* known :
         {"verb", "inputs", "output", "options", "seconds", "sinew", "schema", "error", "also_read"})
        report.erase(known);
    Json flat = Json::object();
    flatten(report, "", flat);
    return flat;
}

struct Ending {
    std::string state, error;
};

Ending ending_of(const ProgramEnd& end, const ProgramLimits& limits, const Json& report) {
    if (end.code == 0) return {"done", ""};
    if (end.timed_out)
        return {"timeout", fmt::format("took longer than {:g} s and was stopped; --time-limit allows more",
                                       limits.seconds)};
    if (end.killed) return {"killed", "was killed from outside, or the machine ran out of memory"};
    if (end.signal != 0)
        return {"crashed", fmt::format("{} (signal {})", signal_text(end.signal), end.signal)};
    std::string error = report.value("error", "");
    if (error.empty()) error = last_line(end.errors);
    if (error.empty()) error = fmt::format("ended with code {}", end.code);
    if (error == "out of memory")
        error = fmt::format("needs more than {:.1f} GB of memory; --memory-limit allows more",
                            static_cast<double>(limits.data_bytes) / 1e9);
    return {"failed", error};
}

void draw(const Job& job, const RunnerOptions& options, Monitor& monitor) {
    const fs::path made = options.output / job.id, picture = picture_path(options.output, job.id);
    const std::string kind = suffix(made);
    if (!job.writes || kind == "html" || kind == "png" || kind == "csv" || kind == "json") return;
    fs::create_directories(picture.parent_path());
    // A missing picture is not an error.
    run_program({options.program.string(), "render", made.string(), "-o", picture.string(), "--size",
                 "240x240", "--skeleton", "over", "--quiet", "--threads=1"},
                options.folder,
                {.seconds = std::max(60.0, options.limits.seconds), .data_bytes = options.limits.data_bytes},
                monitor);
}

}  // namespace

fs::path report_path(const fs::path& output, const std::string& job) {
    return output / "reports" / (job + ".json");
}

fs::path picture_path(const fs::path& output, const std::string& job) {
    return output / "thumbnails" / (job + ".png");
}

void remove_partial_files(const std::vector<std::string>& jobs, const fs::path& output) {
    std::map<fs::path, std::set<std::string>> names;  // per folder, so that each folder is read once
    for (const std::string& job : jobs)
        for (const fs::path& path : {output / job, report_path(output, job)})
            names[path.parent_path()].insert(partial_name(path, "*"));
    std::error_code code;
    for (const auto& [folder, known] : names) {
        for (const auto& entry : fs::directory_iterator(folder, code)) {
            const std::string name = entry.path().filename().string();
            const std::size_t end = name.rfind(".partial");
            if (end == std::string::npos || end == 0) continue;
            const std::size_t start = name.rfind('.', end - 1) + 1;
            if (known.contains(name.substr(0, start) + "*" + name.substr(end)))
                fs::remove_all(entry.path(), code);
        }
    }
}

bool settled(const Job& job, const Digest& digest, const Record* before, const RunnerOptions& options) {
    if (before == nullptr || before->digits != digest.digits || !before->final()) return false;
    if (!before->done()) return !options.retry;
    std::error_code code;
    return fs::exists(job.writes ? options.output / job.id : report_path(options.output, job.id), code);
}

Record run_job(const Job& job, Digest digest, const RunnerOptions& options, Monitor& monitor) {
    const fs::path output = options.output / job.id, report = report_path(options.output, job.id);
    std::vector<std::string> words = {options.program.string(), job.verb};
    words.insert(words.end(), job.inputs.begin(), job.inputs.end());
    words.insert(words.end(), job.options.begin(), job.options.end());
    std::error_code code;
    fs::create_directories(report.parent_path());
    fs::remove(report, code);
    if (job.writes) {
        fs::create_directories(output.parent_path());
        words.insert(words.end(), {"--output", output.string()});
    }
    words.insert(words.end(), {"--report", report.string(), "--quiet"});
    if (std::ranges::none_of(job.options,
                             [](const std::string& word) { return word.starts_with("--threads"); }))
        words.push_back(fmt::format("--threads={}", options.threads));
    const ProgramEnd end = run_program(words, options.folder, options.limits, monitor);
    const Json said = report_of(report);
    const Ending ending = ending_of(end, options.limits, said);
    if (ending.state != "done")
        for (const fs::path& path : {output, report})
            fs::remove_all(path.parent_path() / partial_name(path, std::to_string(end.id)), code);
    if (ending.state == "done" && options.thumbnails) draw(job, options, monitor);
    add_files(said.value("also_read", std::vector<std::string>()), job, options.folder, digest);
    Record record{job.id, digest.digits, ending.state,  job.verb, ending.error,
                  now(),  end.seconds,   digest.stamps, ""};
    record.line = json_text({{"job", job.id},
                             {"state", record.state},
                             {"verb", job.verb},
                             {"error", record.error},
                             {"seconds", record.seconds},
                             {"memory", end.peak_memory},
                             {"ended", record.ended},
                             {"host", host_name()},
                             {"digest", digest.digits},
                             {"inputs", to_json(digest.stamps)},
                             {"options", job.options},
                             {"values", values_of(said)}},
                            -1);
    return record;
}

void run_jobs(const std::vector<Job>& jobs, const RunnerOptions& options, Records& records, Ledger& ledger,
              Progress& progress, const std::function<void(const Record&)>& ended,
              const std::function<void()>& show, Monitor& monitor) {
    std::vector<std::string> ids;
    for (const Job& job : jobs) ids.push_back(job.id);
    remove_partial_files(ids, options.output);
    std::mutex mutex;  // guards records, problem and the callbacks
    std::condition_variable finished;
    std::exception_ptr problem;
    std::atomic<std::size_t> next = 0;
    std::atomic<bool> stop = false;
    std::size_t working = options.slots;
    const auto one = [&](const Job& job) {
        const Record* before = nullptr;
        {
            const std::lock_guard lock(mutex);
            const auto known = records.find(job.id);
            if (known != records.end()) before = &known->second;  // stays valid: a map moves no records
        }
        const Digest digest =
            digest_of(job, options.folder, before == nullptr ? std::vector<Stamp>{} : before->stamps);
        if (settled(job, digest, before, options)) {
            ++(before->done() ? progress.settled : progress.failed_before);
            return;
        }
        Record record = run_job(job, digest, options, monitor);
        std::string line = record.line;
        ledger.append(std::move(line), [&, record = std::move(record)] {
            ++(record.done() ? progress.done : progress.failed);
            const std::lock_guard lock(mutex);
            ended(record);
            records[record.job] = record;
        });
    };
    const auto work = [&] {
        try {
            for (std::size_t i = 0; !stop && (i = next++) < jobs.size();) {
                if (monitor.cancelled()) throw Cancelled();
                one(jobs[i]);
            }
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (!problem) problem = std::current_exception();
            stop = true;
        }
        const std::lock_guard lock(mutex);
        --working;
        finished.notify_all();
    };
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < options.slots; ++i) threads.emplace_back(work);
    {
        std::unique_lock lock(mutex);
        while (working > 0) {
            finished.wait_for(lock, std::chrono::milliseconds(250));
            show();
        }
    }
    threads.clear();
    try {
        ledger.flush();
    } catch (...) {
        if (!problem) problem = std::current_exception();
    }
    show();
    if (problem) std::rethrow_exception(problem);
}

}  // namespace sinew::cli::batch
