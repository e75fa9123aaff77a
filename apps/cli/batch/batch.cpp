// SPDX-License-Identifier: MIT
// sinew batch: thousands of files on all cores of this machine, or a share of them on each of many machines.

#include <chrono>
#include <cstdlib>
#include <optional>

#include "common.h"
#include "runner.h"
#include "summary.h"
#include "terminal.h"

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/parallel.h"
#include "sinew/base/system.h"
#include "sinew/base/text.h"

namespace sinew::cli {
namespace batch {
namespace fs = std::filesystem;
namespace {

struct BatchArguments {
    PlanWords plan;
    fs::path output;
    std::size_t jobs = 0;
    double time_limit = 3600;
    double memory_limit = 0;
    bool retry = false;
    bool thumbnails = false;
    std::string shard;
    bool merge = false;
    bool list = false;
    std::string run;
    std::string ledger;
    const CLI::App* app = nullptr;
};

struct Shard {
    std::size_t number = 1, count = 1;
    bool whole() const { return count == 1; }
};

std::optional<std::size_t> number_in(const char* variable) {
    const char* const text = std::getenv(variable);
    std::int64_t value = 0;
    if (text == nullptr || !parse_exact(std::string_view(text), value) || value < 0) return {};
    return static_cast<std::size_t>(value);
}

/// Environment variables of schedulers for the tasks of an array: the number, the first number, and the
/// count.
struct ArrayVariables {
    const char *number, *first, *count;
    std::size_t usual_first;
};
constexpr ArrayVariables array_variables[] = {
    {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_COUNT", 1},
    {"SGE_TASK_ID", "SGE_TASK_FIRST", "SGE_TASK_LAST", 1},
    {"PBS_ARRAY_INDEX", "", "", 1},
    {"AWS_BATCH_JOB_ARRAY_INDEX", "", "AWS_BATCH_JOB_ARRAY_SIZE", 0},
    {"JOB_COMPLETION_INDEX", "", "", 0},  // Kubernetes
};

Shard checked(std::size_t number, std::size_t count) {
    if (number < 1 || number > count) fail("--shard", "{} of {} is not a shard: count from 1", number, count);
    return {number, count};
}

/// "3/8", "auto" or "auto/8".
Shard shard_of(const std::string& text) {
    if (text.empty()) return {};
    const std::size_t slash = text.find('/');
    const std::string first = text.substr(0, slash);
    std::int64_t number = 0, count = 0;
    if (slash != std::string::npos &&
        (!parse_exact(std::string_view(text).substr(slash + 1), count) || count < 1))
        fail("--shard", "write I/N, such as 1/4, or auto; not \"{}\"", text);
    if (first != "auto") {
        if (count < 1 || !parse_exact(std::string_view(first), number) || number < 1)
            fail("--shard", "write I/N, such as 1/4, or auto; not \"{}\"", text);
        return checked(static_cast<std::size_t>(number), static_cast<std::size_t>(count));
    }
    for (const ArrayVariables& names : array_variables) {
        const auto index = number_in(names.number);
        if (!index) continue;
        if (count < 1) count = static_cast<std::int64_t>(number_in(names.count).value_or(0));
        if (count < 1) fail("--shard", "{} does not give the number of tasks: write auto/N", names.number);
        const std::size_t from = number_in(names.first).value_or(names.usual_first);
        return checked(*index + 1 - std::min(from, *index + 1), static_cast<std::size_t>(count));
    }
    fail("--shard", "auto: no scheduler has set SLURM_ARRAY_TASK_ID or the like; write I/N");
}

/// Done, failed, rate and time left, on one line that is updated.
class LiveTable {
  public:
    LiveTable(const Run& run, std::size_t jobs) : jobs_(jobs), visible_(!run.quiet && has_terminal()) {}

    void show(const Progress& progress) {
        const auto now = std::chrono::steady_clock::now();
        if (!visible_ || now - shown_ < std::chrono::milliseconds(200)) return;
        shown_ = now;
        const double seconds = std::chrono::duration<double>(now - start_).count();
        const std::size_t run = progress.done + progress.failed, left = jobs_ - progress.finished();
        const double rate = seconds > 0 ? static_cast<double>(run) / seconds : 0;
        fmt::print(stderr, "\r\x1b[K{} done, {} failed, {} left   {:.3g} per minute   {} left",
                   progress.done + progress.settled, progress.failed + progress.failed_before, left,
                   60 * rate, rate > 0 ? clock_text(static_cast<double>(left) / rate) : "?");
        std::fflush(stderr);
        drawn_ = true;
    }
    void clear() {
        if (drawn_) fmt::print(stderr, "\r\x1b[K");
        drawn_ = false;
    }

  private:
    std::size_t jobs_;
    bool visible_, drawn_ = false;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), shown_;
};

RunnerOptions runner_options(const BatchArguments& options, const fs::path& folder, int threads) {
    RunnerOptions runner;
    runner.program = environment("SINEW_PROGRAM").value_or(program_path().string());  // runs the jobs
    runner.folder = folder;
    runner.output = fs::absolute(options.output).lexically_normal();
    const auto cores = static_cast<std::size_t>(thread_count());
    runner.slots = options.jobs > 0 ? options.jobs : cores;
    runner.threads = threads > 0 ? threads : std::max(1, static_cast<int>(cores / runner.slots));
    runner.limits.seconds = options.time_limit;
    // Each job may use its share of the machine's memory, but at least a gigabyte.
    runner.limits.data_bytes =
        options.memory_limit > 0
            ? static_cast<std::uint64_t>(options.memory_limit * 1e9)
            : std::max<std::uint64_t>(1'000'000'000,
                                      machine_memory() / std::max<std::size_t>(1, runner.slots));
    runner.thumbnails = options.thumbnails;
    runner.retry = options.retry;
    return runner;
}

Records read_all(const fs::path& folder, Monitor& monitor) {
    Records records;
    for (const fs::path& path : ledgers_in(folder)) {
        const std::size_t broken = read_ledger(path, records);
        if (broken > 0)
            warn(monitor, "ledger-line", "{}: {} not readable; these jobs are done again", path.string(),
                 broken == 1 ? "a line is" : fmt::format("{} lines are", broken));
    }
    return records;
}

void write_summary(const Run& run, const std::vector<const Record*>& records, const fs::path& output) {
    write_file(output / "reports.csv", table_of(records));
    write_file(output / "index.html", page_of(records, output));
    run.say("wrote {} and reports.csv", (output / "index.html").string());
}

void end_of_batch(Run& run, const std::vector<const Record*>& records, const fs::path& output) {
    write_summary(run, records, output);
    const auto failed = static_cast<std::size_t>(
        std::ranges::count_if(records, [](const Record* record) { return !record->done(); }));
    run.report.extra["failed"] = failed;
    run.report.output = output.string();
    if (failed > 0)
        fail("", "{} of {} failed: {} has the reasons; --retry tries them again", failed,
             count_of(records.size(), "job"), (output / "index.html").string());
}

void merge_ledgers(Run& run, const BatchArguments& options) {
    const fs::path output = fs::absolute(options.output).lexically_normal();
    std::vector<fs::path> others;
    for (const std::string& word : options.plan.words) others.push_back(fs::absolute(word));
    if (others.empty())
        for (const fs::path& path : ledgers_in(output))
            if (path.filename() != "ledger.jsonl") others.push_back(path);
    const std::size_t count = merge(others, output / "ledger.jsonl");
    run.say("{} from {}", count_of(count, "job"), count_of(others.size(), "ledger"));
    const Records records = read_all(output, run.monitor);
    std::vector<const Record*> all;
    std::vector<std::string> done;
    for (const auto& [job, record] : records) {
        all.push_back(&record);
        if (record.done()) done.push_back(job);
    }
    remove_partial_files(done, output);
    run.report.extra = {{"jobs", all.size()}, {"merged", count}};
    end_of_batch(run, all, output);
}

/// One line of JSON for each job, and whether it is finished: for other programs that run the jobs.
void list_jobs(const Run& run, const Plan& plan, const RunnerOptions& runner) {
    const Records records = read_all(runner.output, run.monitor);
    std::vector<const char*> states(plan.jobs.size());
    parallel_for(plan.jobs.size(), 1, [&](std::size_t i) {
        const Job& job = plan.jobs[i];
        const auto known = records.find(job.id);
        const Record* const before = known == records.end() ? nullptr : &known->second;
        const bool same =
            before != nullptr && settled(job, digest_of(job, runner.folder, before->stamps), before, runner);
        states[i] = !same ? "waiting" : before->done() ? "done" : "failed";
    });
    for (std::size_t i = 0; i < plan.jobs.size(); ++i) {
        Json line = to_json(plan.jobs[i]);
        line["state"] = states[i];
        line["folder"] = plan.folder.string();
        fmt::print("{}\n", json_text(line, -1));
    }
}

/// The reverse of list_jobs().
void run_listed_job(const Run& run, const BatchArguments& options, int threads) {
    die_with_parent();
    const Json json = Json::parse(options.run, nullptr, false);
    const Job job = job_of(json);
    const RunnerOptions runner =
        runner_options(options, json.value("folder", fs::current_path().string()), std::max(1, threads));
    const fs::path path = runner.output / fmt::format("ledger.{}.jsonl", options.ledger);
    Records records;
    read_ledger(path, records);
    const auto known = records.find(job.id);
    const Record* const before = known == records.end() ? nullptr : &known->second;
    const Digest digest =
        digest_of(job, runner.folder, before == nullptr ? std::vector<Stamp>{} : before->stamps);
    std::string line;
    if (settled(job, digest, before, runner)) {
        line = before->line;
    } else {
        line = run_job(job, digest, runner, run.monitor).line;
        Ledger ledger(path, Ledger::Others::waited_for);
        ledger.append(line);
        ledger.flush();
    }
    fmt::print("{}\n", line);
}

void run_plan(Run& run, const BatchArguments& options, int threads) {
    Plan plan = read_plan(options.plan, *options.app, run.monitor);
    const RunnerOptions runner = runner_options(options, plan.folder, threads);
    if (options.list) return list_jobs(run, plan, runner);
    const Shard shard = shard_of(options.shard);
    std::vector<Job> jobs;
    for (std::size_t i = shard.number - 1; i < plan.jobs.size(); i += shard.count)
        jobs.push_back(std::move(plan.jobs[i]));
    fs::create_directories(runner.output);
    Ledger ledger(runner.output / (shard.whole()
                                       ? "ledger.jsonl"
                                       : fmt::format("ledger.{}-of-{}.jsonl", shard.number, shard.count)));
    Records records = read_all(runner.output, run.monitor);
    LiveTable table(run, jobs.size());
    Progress progress;
    {
        const StageTimer timer(run.report, "run");
        run_jobs(
            jobs, runner, records, ledger, progress,
            [&](const Record& record) {
                if (record.done() || run.quiet) return;
                table.clear();
                run.say("{}: {}: {}", record.job, record.state, record.error);
            },
            [&] { table.show(progress); }, run.monitor);
        table.clear();
    }
    run.report.extra = {{"jobs", jobs.size()},
                        {"run", progress.done + progress.failed},
                        {"done", progress.done + progress.settled},
                        {"done_before", progress.settled.load()}};
    run.say("{}: {} done now, {} before, {} failed", count_of(jobs.size(), "job"), progress.done.load(),
            progress.settled.load(), progress.failed + progress.failed_before);
    std::vector<const Record*> ended;
    for (const Job& job : jobs)
        if (const auto found = records.find(job.id); found != records.end()) ended.push_back(&found->second);
    if (shard.whole()) return end_of_batch(run, ended, runner.output);
    run.report.extra["failed"] = progress.failed + progress.failed_before;
    run.say("`sinew batch --merge -o {}` joins the shards", options.output.string());
}

void execute(Run& run, const BatchArguments& options, int threads) {
    if (!options.run.empty()) return run_listed_job(run, options, threads);
    if (options.merge) return merge_ledgers(run, options);
    if (options.plan.words.empty()) fail("", "--merge, a plan, or a verb and its inputs is missing");
    run_plan(run, options, threads);
}

}  // namespace
}  // namespace batch

void add_batch(Program& program) {
    auto options = std::make_shared<batch::BatchArguments>();
    CLI::App& verb = program.verb(
        "batch", "Run a verb on thousands of files, on all cores; an interrupted batch continues",
        "  sinew batch rig 'in/**/*.obj' -o out/\n"
        "  sinew batch rig 'in/**/*.obj' -o out/ --name '{folder}/{stem}.fbx' --option template=biped\n"
        "  sinew batch animate 'rigs/*.glb' 'motions/**/*.bvh' -o out/\n"
        "  sinew batch plan.json -o out/ --thumbnails\n"
        "  sinew batch plan.csv -o out/ --shard 3/8 ; sinew batch --merge -o out/",
        [options, &program](Run& run) { batch::execute(run, *options, program.common().threads); });
    options->app = verb.get_parent();
    verb.add_option("plan", options->plan.words,
                    "Plan (json, csv), or a verb and its inputs as quoted patterns (* ? [ab] **); with "
                    "--merge, ledgers")
        ->type_name("PLAN|VERB...");
    verb.add_option("-o,--output", options->output, "Folder for outputs, reports and the ledger")
        ->required()
        ->type_name("DIR");
    verb.add_option("--name", options->plan.output,
                    "Pattern of output names: {folder}, {stem}, {name}, {suffix} of the first input, {stem2} "
                    "of the second, {verb}, {number}")
        ->type_name("PATTERN");
    verb.add_option("--option", options->plan.options,
                    "Option of the verb, such as template=biped; can be repeated")
        ->allow_extra_args(false)
        ->type_name("NAME[=VALUE]");
    verb.add_option("--jobs", options->jobs, "Jobs at once; 0 takes all cores")->check(CLI::Range(0, 4096));
    verb.add_option("--time-limit", options->time_limit, "Time limit of a job in seconds; 0 means no limit")
        ->check(CLI::NonNegativeNumber);
    verb.add_option("--memory-limit", options->memory_limit,
                    "Memory limit of a job in GB; 0 is its share of the machine")
        ->check(CLI::NonNegativeNumber);
    verb.add_flag("--retry", options->retry, "Run failed jobs again");
    verb.add_flag("--thumbnails", options->thumbnails, "Draw each output for the summary page");
    const OptionHeading heading(verb, "Many machines");
    verb.add_option("--shard", options->shard,
                    "Run shard I of N; auto asks the scheduler (Slurm, SGE, AWS), auto/N where it does not "
                    "tell N (PBS, Kubernetes)")
        ->type_name("I/N");
    verb.add_flag("--merge", options->merge, "Join the ledgers of shards, and write the summary");
    verb.add_flag(
        "--list", options->list,
        "Print every job and whether it is done as a line of JSON; such a list is a plan, too (jsonl)");
    verb.add_option("--run", options->run, "Run one job of --list, and print its line of the ledger")
        ->type_name("JSON");
    verb.add_option("--ledger", options->ledger, "With --run: the ledger of this worker is ledger.NAME.jsonl")
        ->type_name("NAME")
        ->needs("--run");
}

}  // namespace sinew::cli
