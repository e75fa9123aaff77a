// SPDX-License-Identifier: MIT
// Batches: sixty jobs of six verbs, of which two fail, one hangs and one crashes, killed and resumed, in
// shards, and on Dask; nothing is lost, nothing is done twice, and outputs are those of single runs.

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <map>
#include <random>
#include <sstream>
#include <thread>

#include "command.h"
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace sinew {
namespace {

namespace fs = std::filesystem;
using test::CommandResult;
using test::TemporaryFolder;

/// A program that runs beside the test, with all that it starts in a group of its own.
class Child {
  public:
    Child(std::vector<std::string> words, const fs::path& log) {
        std::vector<char*> raw;
        for (std::string& word : words) raw.push_back(word.data());
        raw.push_back(nullptr);
        posix_spawn_file_actions_t files;
        posix_spawn_file_actions_init(&files);
        posix_spawn_file_actions_addopen(&files, 1, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
        posix_spawn_file_actions_adddup2(&files, 1, 2);
        posix_spawnattr_t how;
        posix_spawnattr_init(&how);
        posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP);
        posix_spawnattr_setpgroup(&how, 0);
        EXPECT_EQ(::posix_spawn(&id_, words[0].c_str(), &files, &how, raw.data(), environ), 0) << words[0];
        posix_spawn_file_actions_destroy(&files);
        posix_spawnattr_destroy(&how);
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child() { kill_group(); }
    pid_t id() const { return id_; }
    bool running() {
        if (id_ > 0 && ::waitpid(id_, &status_, WNOHANG) == id_) id_ = 0;
        return id_ > 0;
    }
    /// Its exit code; -1 when it does not end in time.
    int wait(int seconds) {
        for (int i = 0; i < 100 * seconds && running(); ++i) ::usleep(10000);
        return running() ? -1 : WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
    }
    /// The process alone, as `kill -9` does it.
    void kill_it() {
        ::kill(id_, SIGKILL);
        ::waitpid(id_, &status_, 0);
        id_ = 0;
    }
    void kill_group() {
        if (id_ <= 0) return;
        ::kill(-id_, SIGKILL);
        ::waitpid(id_, &status_, 0);
        id_ = 0;
    }

  private:
    pid_t id_ = 0;
    int status_ = 0;
};

/// Inputs, the plan, a program that hangs and crashes where it is told to, and what single runs write.
struct Scene {
    TemporaryFolder folder;
    fs::path plan, program, starts;
    std::map<std::string, std::string> expected;  ///< outputs, by their names in the output folder

    Scene() {
        plan = folder / "plan.json";
        program = folder / "sinew-with-faults";
        starts = folder / "starts";
        for (const char* name : {"good", "faults", "motions", "single"})
            fs::create_directories(folder / name);
        const std::string tube = (folder / "tube.glb").string(), motion = (folder / "motion.bvh").string();
        test::sinew({"sample", "tube", "-o", tube});
        test::sinew({"convert", tube, "-o", motion});
        for (int i = 0; i < 10; ++i)
            test::sinew({"convert", tube, "-o", good(i), "--scale", "1." + std::to_string(i)});
        for (int i = 0; i < 6; ++i)
            fs::copy_file(motion, folder / "motions" / ("m" + std::to_string(i) + ".bvh"));
        for (const char* name : {"bad1.glb", "bad2.glb"}) test::write_text(folder / "faults" / name, "junk");
        for (const char* name : {"hang.glb", "crash.glb"}) fs::copy_file(tube, folder / "faults" / name);
        test::write_text(plan, R"({"jobs": [
            {"verb": "info", "inputs": "good/*.glb"},
            {"verb": "info", "inputs": "faults/*.glb"},
            {"verb": "convert", "inputs": "good/*.glb", "output": "{stem}.ply", "options": {"bare": true}},
            {"verb": "deform", "inputs": "good/*.glb", "output": "deformed/{stem}.ply", "options": {"frame": 3}},
            {"verb": "segment", "inputs": "good/*.glb", "output": "parts/{stem}.glb"},
            {"verb": "measure", "inputs": ["good/0.glb", "good/*.glb"], "output": "{stem2}.measure"},
            {"verb": "retarget", "inputs": ["motions/*.bvh", "good/0.glb"], "output": "moved/{stem}.bvh"}]})");
        test::write_text(program,
                         "#!/bin/sh\necho \"$*\" >> '" + starts.string() +
                             "'\ncase \"$*\" in *hang.glb*) exec sleep 1000;; *crash.glb*) kill -SEGV $$;; "
                             "esac\nexec '" SINEW_CLI "' \"$@\"\n");
        ::chmod(program.c_str(), 0755);
        for (int i = 0; i < 10; ++i) {
            const std::string n = std::to_string(i);
            single({"convert", good(i), "--bare"}, n + ".ply");
            single({"deform", good(i), "--frame", "3"}, "deformed/" + n + ".ply");
            single({"segment", good(i)}, "parts/" + n + ".glb");
            if (i < 6)
                single({"retarget", (folder / ("motions/m" + n + ".bvh")).string(), good(0)},
                       "moved/m" + n + ".bvh");
        }
        ::setenv("SINEW_PROGRAM", program.c_str(), 1);
    }
    ~Scene() { ::unsetenv("SINEW_PROGRAM"); }
    std::string good(int i) const { return (folder / ("good/" + std::to_string(i) + ".glb")).string(); }
    void single(std::vector<std::string> words, const std::string& name) {
        const fs::path path = folder / "single" / name;
        fs::create_directories(path.parent_path());
        words.insert(words.end(), {"-o", path.string(), "--quiet"});
        EXPECT_EQ(test::sinew(words).exit_code, 0) << name;
        expected[name] = test::read_text(path);
    }
    /// How often jobs were started.
    std::size_t started() const {
        const std::string text = test::read_text(starts);
        return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    }
};

std::vector<Json> lines_of(const fs::path& output) {
    std::vector<Json> lines;
    std::error_code code;
    for (const auto& entry : fs::directory_iterator(output, code)) {
        if (entry.path().extension() != ".jsonl") continue;
        std::istringstream text(test::read_text(entry.path()));
        for (std::string line; std::getline(text, line);) {
            const Json json = Json::parse(line, nullptr, false);
            if (json.is_object()) lines.push_back(json);
        }
    }
    return lines;
}

bool wait_for_lines(const fs::path& output, std::size_t count, Child& child) {
    for (int i = 0; i < 6000 && child.running(); ++i) {
        if (lines_of(output).size() >= count) return true;
        ::usleep(5000);
    }
    return false;
}

/// Every job once, the right four not done, every output as a single run writes it, and nothing half-written.
void expect_all_done(const Scene& scene, const fs::path& output) {
    std::map<std::string, std::string> states;
    for (const Json& line : lines_of(output))
        EXPECT_TRUE(states.emplace(line["job"], line["state"]).second) << line["job"] << " was done twice";
    EXPECT_EQ(states.size(), 60u);
    for (const auto& [job, state] : states) {
        const std::string expected = job.starts_with("bad")     ? "failed"
                                     : job.starts_with("hang")  ? "timeout"
                                     : job.starts_with("crash") ? "crashed"
                                                                : "done";
        EXPECT_EQ(state, expected) << job;
    }
    for (const auto& [name, bytes] : scene.expected)
        EXPECT_TRUE(test::read_text(output / name) == bytes) << name << " is not as a single run writes it";
    for (const auto& entry : fs::recursive_directory_iterator(output))
        EXPECT_FALSE(entry.path().filename().string().starts_with(".")) << entry.path();
    const std::string page = test::read_text(output / "index.html"),
                      table = test::read_text(output / "reports.csv");
    EXPECT_NE(page.find("56 of 60 jobs done"), std::string::npos);
    EXPECT_NE(page.find("neither GLB nor valid JSON"), std::string::npos) << page;
    EXPECT_NE(page.find("Segmentation fault"), std::string::npos);
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 61);
}

std::vector<std::string> batch(const Scene& scene, const fs::path& output) {
    return {"batch", scene.plan.string(), "-o", output.string(), "--time-limit", "4"};
}

TEST(Batch, KilledTwiceAndResumedLosesNothingAndRepeatsNothing) {
    const Scene scene;
    const fs::path output = scene.folder / "out";
    const unsigned seed = std::random_device()();
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    std::size_t before = 0;
    std::vector<std::string> words = batch(scene, output);
    words.insert(words.begin(), SINEW_CLI);
    for (int round = 0; round < 2; ++round) {
        Child child(words, scene.folder / "log");
        ASSERT_TRUE(wait_for_lines(output, before + 3 + random() % 20, child))
            << test::read_text(scene.folder / "log");
        child.kill_it();
        before = lines_of(output).size();
        EXPECT_LT(before, 60u);
    }
    // As if the power had failed within a line.
    test::write_text(output / "ledger.jsonl",
                     test::read_text(output / "ledger.jsonl") + "{\"job\": \"moved/m0");
    const CommandResult result = test::sinew(batch(scene, output));
    EXPECT_EQ(result.exit_code, 1) << "four jobs failed";
    EXPECT_NE(result.err.find("[ledger-line]"), std::string::npos) << result.err;
    expect_all_done(scene, output);
    const auto slots = static_cast<std::size_t>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
    EXPECT_LE(scene.started(), 60 + 2 * slots) << "only what ran when it was killed is started again";
    const std::size_t started = scene.started();
    EXPECT_EQ(test::sinew(batch(scene, output)).exit_code, 1);
    EXPECT_EQ(scene.started(), started) << "nothing is left to do, and what failed is not tried again";
}

TEST(Batch, ShardsMergedAreTheWhole) {
    const Scene scene;
    const fs::path output = scene.folder / "out";
    for (int i = 1; i <= 4; ++i) {
        std::vector<std::string> words = batch(scene, output);
        words.insert(words.end(), {"--shard", i == 4 ? "auto" : std::to_string(i) + "/4"});
        ::setenv("SLURM_ARRAY_TASK_ID", "3", 1);
        ::setenv("SLURM_ARRAY_TASK_MIN", "0", 1);
        ::setenv("SLURM_ARRAY_TASK_COUNT", "4", 1);
        const CommandResult result = test::sinew(words);
        EXPECT_EQ(result.exit_code, 0) << result.err;
    }
    for (const char* name : {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_COUNT"})
        ::unsetenv(name);
    EXPECT_TRUE(fs::exists(output / "ledger.4-of-4.jsonl"));
    EXPECT_EQ(test::sinew({"batch", "--merge", "-o", output.string()}).exit_code, 1) << "four jobs failed";
    EXPECT_FALSE(fs::exists(output / "ledger.4-of-4.jsonl"));
    expect_all_done(scene, output);
    EXPECT_EQ(scene.started(), 60u);
}

/// A number that nobody listens at now.
int free_port() {
    const int opened = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    ::bind(opened, reinterpret_cast<sockaddr*>(&address), size);
    ::getsockname(opened, reinterpret_cast<sockaddr*>(&address), &size);
    ::close(opened);
    return ntohs(address.sin_port);
}

/// The page whose address the program printed.
std::string dashboard_of(const fs::path& log) {
    const std::string text = test::read_text(log), before = ", dashboard ";
    const std::size_t at = text.find(before);
    if (at == std::string::npos) return "no address in:\n" + text;
    const std::string link = text.substr(at + before.size(), text.find('\n', at) - at - before.size());
    const fs::path page = log.parent_path() / "dashboard.html";
    std::system(("/usr/bin/python3 -c 'import urllib.request as u; print(u.urlopen(\"" + link +
                 "\", timeout=20).read().decode())' > '" + page.string() + "'")
                    .c_str());
    return test::read_text(page);
}

TEST(Batch, DaskSurvivesALostWorkerAndANewScheduler) {
    if (std::system("/usr/bin/python3 -c 'import distributed' 2>/dev/null") != 0)
        GTEST_SKIP() << "python3-distributed is not installed";
    const Scene scene;
    const fs::path output = scene.folder / "out", log = scene.folder / "log";
    const std::string python = "/usr/bin/python3", port = std::to_string(free_port());
    const std::string address = "tcp://127.0.0.1:" + port;
    const std::vector<std::string> schedule = {python,
                                               "-m",
                                               "distributed.cli.dask_scheduler",
                                               "--host",
                                               "127.0.0.1",
                                               "--port",
                                               port,
                                               "--dashboard-address",
                                               "127.0.0.1:" + std::to_string(free_port()),
                                               "--no-show"};
    const std::vector<std::string> work = {python,
                                           "-m",
                                           "distributed.cli.dask_worker",
                                           address,
                                           "--nthreads",
                                           "1",
                                           "--no-nanny",
                                           "--no-dashboard",
                                           "--local-directory",
                                           (scene.folder / "dask").string()};
    // A worker goes with its scheduler; whatever keeps it up starts it again.
    std::string again = "while :; do";
    for (const std::string& word : work) again += " " + word;
    again += "; done";
    auto scheduler = std::make_unique<Child>(schedule, log);
    Child first(work, log), second({"/bin/sh", "-c", again}, log), third({"/bin/sh", "-c", again}, log);
    Child driver({python, SINEW_SOURCE_DIR "/apps/python/sinew/batch.py", scene.plan.string(), "-o",
                  output.string(), "--scheduler", address, "--program", SINEW_CLI, "--time-limit", "4"},
                 log);
    ASSERT_TRUE(wait_for_lines(output, 8, driver)) << test::read_text(log);
    EXPECT_NE(dashboard_of(log).find("127.0.0.1:"), std::string::npos) << "a worker in its table";
    first.kill_it();
    ASSERT_TRUE(wait_for_lines(output, 20, driver)) << test::read_text(log);
    scheduler->kill_it();
    scheduler = std::make_unique<Child>(schedule, log);
    EXPECT_EQ(driver.wait(120), 1) << test::read_text(log);
    expect_all_done(scene, output);
    EXPECT_LE(scene.started(), 60u + 1 + 3) << "what ran on the worker, and what ran when the scheduler went";
}

/// A few small files.
struct Files {
    TemporaryFolder folder;
    fs::path output;
    Files() : output(folder / "out") {
        fs::create_directories(folder / "in/a/b");
        const std::string tube = (folder / "in/tube.obj").string();
        test::sinew({"sample", "tube", "--bare", "-o", tube});
        fs::copy_file(tube, folder / "in/a/tube.obj");
        fs::copy_file(tube, folder / "in/a/b/other.obj");
    }
    std::string pattern() const { return (folder / "in/**/*.obj").string(); }
    Json run(std::vector<std::string> words, bool fails = false) const {
        words.insert(words.begin(), "batch");
        words.insert(words.end(), {"-o", output.string(), "--report", (folder / "report").string()});
        const CommandResult result = test::sinew(words);
        EXPECT_EQ(result.exit_code, fails ? 1 : 0) << result.err;
        return Json::parse(test::read_text(folder / "report"));
    }
};

TEST(Batch, DoesOnlyWhatChanged) {
    const Files files;
    const std::vector<std::string> words = {"convert", files.pattern(), "--name", "{folder}/{stem}.ply"};
    EXPECT_EQ(files.run(words)["run"], 3);
    for (const char* name : {"tube.ply", "a/tube.ply", "a/b/other.ply"})
        EXPECT_TRUE(fs::exists(files.output / name)) << name;
    EXPECT_EQ(files.run(words)["run"], 0);
    // Touched, but the same; changed; and an output that somebody removed.
    const std::string mesh = test::read_text(files.folder / "in/tube.obj");
    test::write_text(files.folder / "in/tube.obj", mesh);
    EXPECT_EQ(files.run(words)["run"], 0);
    test::write_text(files.folder / "in/tube.obj", mesh + "\nv 0 0 0\n");
    EXPECT_EQ(files.run(words)["run"], 1);
    fs::remove(files.output / "a/tube.ply");
    EXPECT_EQ(files.run(words)["run"], 1);
    std::vector<std::string> scaled = words;
    scaled.insert(scaled.end(), {"--option", "scale=2"});
    EXPECT_EQ(files.run(scaled)["run"], 3);
    test::write_text(files.folder / "in/a/broken.obj", "junk");
    EXPECT_EQ(files.run(scaled, true)["run"], 1);
    EXPECT_EQ(files.run(scaled, true)["run"], 0) << "it would fail again";
    scaled.emplace_back("--retry");
    EXPECT_EQ(files.run(scaled, true)["run"], 1);
}

TEST(Batch, WhatAnInputNamesCountsToo) {
    const Files files;
    const std::string mesh = test::read_text(files.folder / "in/tube.obj");
    test::write_text(files.folder / "in/tube.obj", "mtllib tube.mtl\nusemtl skin\n" + mesh);
    const std::vector<std::string> words = {"convert", files.pattern(), "--name", "{folder}/{stem}.glb"};
    EXPECT_EQ(files.run(words)["run"], 3);
    EXPECT_EQ(files.run(words)["run"], 0);
    test::write_text(files.folder / "in/tube.mtl", "newmtl skin\nKd 1 0 0\n");
    EXPECT_EQ(files.run(words)["run"], 1) << "it was not there before";
    EXPECT_EQ(files.run(words)["run"], 0);
    test::write_text(files.folder / "in/tube.mtl", "newmtl skin\nKd 0 1 0\n");
    EXPECT_EQ(files.run(words)["run"], 1);
    EXPECT_EQ(files.run(words)["run"], 0);
}

TEST(Batch, WhatKilledJobsBeganToWriteIsRemovedAndNothingElse) {
    const Files files;
    const std::vector<std::string> words = {"convert", files.pattern(), "--name", "{folder}/{stem}.ply"};
    fs::create_directories(files.output / "reports/a");
    const std::vector<std::string> stale = {".tube.123.partial.ply", "reports/.tube.ply.77.partial.json",
                                            "reports/a/.tube.ply.9.partial.json"};
    const std::vector<std::string> others = {".another.123.partial.ply", "tube.partial.ply", "a.partial"};
    for (const auto* names : {&stale, &others})
        for (const std::string& name : *names) test::write_text(files.output / name, "half");
    files.run(words);
    for (const std::string& name : stale) EXPECT_FALSE(fs::exists(files.output / name)) << name;
    for (const std::string& name : others) EXPECT_TRUE(fs::exists(files.output / name)) << name;
}

TEST(Batch, APlanMayBeATable) {
    const Files files;
    test::write_text(files.folder / "in/plan.csv",
                     "verb,input,output,scale,bare\nconvert,a/**/*.obj,\"{folder}/"
                     "{stem}.ply\",2,true\n\ninfo,tube.obj,,,\n");
    EXPECT_EQ(files.run({(files.folder / "in/plan.csv").string()})["done"], 3);
    EXPECT_TRUE(fs::exists(files.output / "b/other.ply"));
    // A list of it is a plan, too: patterns are not looked up again.
    const CommandResult list = test::sinew(
        {"batch", (files.folder / "in/plan.csv").string(), "-o", files.output.string(), "--list"});
    test::write_text(files.folder / "plan.jsonl", list.out);
    fs::copy_file(files.folder / "in/tube.obj", files.folder / "in/a/late.obj");
    const Json again = files.run({(files.folder / "plan.jsonl").string()});
    EXPECT_EQ(again["jobs"], 3);
    EXPECT_EQ(again["run"], 0);
    const Json report = Json::parse(test::read_text(files.output / "reports/tube.obj.info.json"));
    EXPECT_EQ(report["inputs"][0], "tube.obj") << "names are those of the plan";
}

TEST(Batch, WhatIsWrongWithAPlanIsSaidBeforeAnythingIsDone) {
    const Files files;
    const auto error = [&](const std::string& plan) {
        test::write_text(files.folder / "in/plan.json", plan);
        const CommandResult result =
            test::sinew({"batch", (files.folder / "in/plan.json").string(), "-o", files.output.string()});
        EXPECT_NE(result.exit_code, 0) << plan;
        EXPECT_FALSE(fs::exists(files.output)) << plan;
        return result.err;
    };
    const auto has = [](const std::string& text, const char* part) {
        return text.find(part) != std::string::npos;
    };
    EXPECT_PRED2(has, error(R"([{"verb": "covert", "inputs": "*.obj"}])"),
                 "entry 1: there is no verb \"covert\"");
    EXPECT_PRED2(has, error(R"([{"verb": "rig", "inputs": "*.obj", "options": {"templat": "biped"}}])"),
                 "did you mean --template?");
    EXPECT_PRED2(has, error(R"([{"verb": "rig", "inputs": "*.fbx"}])"), "matches no file");
    EXPECT_PRED2(has, error(R"([{"verb": "rig", "inputs": "**/*.obj", "output": "{stem}.glb"}])"),
                 "would both write tube.glb");
    EXPECT_PRED2(has, error(R"([{"verb": "convert", "inputs": "*.obj"}])"),
                 "convert needs an output pattern");
    EXPECT_PRED2(has, error(R"([{"verb": "info", "inputs": "*.obj", "output": "{stm}"}])"), "{stem}");
}

TEST(Batch, LimitsAndLocks) {
    const Files files;
    // Far less memory than any mesh needs.
    const std::vector<std::string> words = {"info",  files.pattern(), "--memory-limit",
                                            "0.006", "--time-limit",  "20"};
    EXPECT_EQ(files.run(words, true)["failed"], 3);
    for (const Json& line : lines_of(files.output))
        EXPECT_NE(line["error"].get<std::string>(), "") << line.dump();
    // Nobody else writes to the ledger meanwhile.
    test::write_text(files.folder / "sleeper", "#!/bin/sh\nexec sleep 1000\n");
    ::chmod((files.folder / "sleeper").c_str(), 0755);
    ::setenv("SINEW_PROGRAM", (files.folder / "sleeper").c_str(), 1);
    const std::string other = (files.folder / "other").string();
    Child child({SINEW_CLI, "batch", "info", files.pattern(), "-o", other}, files.folder / "log");
    ::unsetenv("SINEW_PROGRAM");
    for (int i = 0; i < 1000 && !fs::exists(other + "/reports"); ++i) ::usleep(5000);
    const CommandResult second = test::sinew({"batch", "info", files.pattern(), "-o", other});
    EXPECT_EQ(second.exit_code, 1);
    EXPECT_NE(second.err.find("another batch writes"), std::string::npos) << second.err;
}

/// Three point caches of one sheet that waves, and its rest mesh.
void write_sheets(const fs::path& folder) {
    constexpr int side = 12, frames = 10;
    std::ostringstream rest;
    std::vector<float> points;
    for (int v = 0; v < side * side; ++v) {
        const float x = static_cast<float>(v / side) / side, z = static_cast<float>(v % side) / side;
        rest << "v " << x << " 0 " << z << "\n";
        points.insert(points.end(), {x, 0, z});
    }
    for (int v = 1; v + side < side * side; ++v)
        if (v % side != 0) rest << "f " << v << " " << v + 1 << " " << v + side << "\n";
    test::write_text(folder / "rest.obj", rest.str());
    for (int sequence = 0; sequence < 3; ++sequence) {
        const std::int32_t head[] = {1, side * side, 0, 0x3f800000, frames};
        std::string bytes("POINTCACHE2\0", 12);
        bytes.append(reinterpret_cast<const char*>(head), sizeof(head));
        for (int f = 0; f < frames; ++f) {
            const float time = 0.3f * static_cast<float>(f + 7 * sequence);
            for (std::size_t i = 0; i < points.size(); i += 3)
                points[i + 1] = 0.2f * std::sin((3 + static_cast<float>(sequence)) * points[i] + time) *
                                std::cos(3 * points[i + 2] - time);
            bytes.append(reinterpret_cast<const char*>(points.data()), points.size() * sizeof(float));
        }
        test::write_text(folder / ("wave" + std::to_string(sequence) + ".pc2"), bytes);
    }
}

TEST(Batch, AFitInPartsIsThatOfOneMachine) {
    const TemporaryFolder folder;
    write_sheets(folder.path());
    const auto path = [&](const std::string& name) { return (folder / name).string(); };
    const std::string rest = path("rest.obj");
    const auto fit = [&](std::vector<std::string> inputs, const std::string& output,
                         const std::vector<std::string>& more) {
        for (std::string& input : inputs) input = path(input);
        inputs.insert(inputs.begin(), "fit");
        inputs.insert(inputs.end(), {"-o", path(output)});
        inputs.insert(inputs.end(), more.begin(), more.end());
        return test::sinew_report(inputs);
    };
    const std::vector<std::string> waves = {"wave0.pc2", "wave1.pc2", "wave2.pc2"};
    const std::vector<std::string> how = {"--rest",  rest, "--method", "decomposition",
                                          "--bones", "6",  "--chunk",  "6"};
    std::vector<std::string> rounds = how;
    rounds.insert(rounds.end(), {"--rounds", "2", "--precision", "exact"});
    const double before = fit(waves, "none.fit", how)["rms"], one = fit(waves, "one.fit", rounds)["rms"];
    EXPECT_LT(one, 0.99 * before) << "weights from all frames are better than those from six";
    std::vector<std::string> start = how;
    start.insert(start.end(), {"--stage", "start"});
    fit(waves, "rig0.fit", start);
    for (int round = 0; round < 3; ++round) {
        const std::string n = std::to_string(round), parts = "parts" + n + "/wave";
        const CommandResult result =
            test::sinew({"batch", "fit", path("wave*.pc2"), "-o", path("parts" + n), "--name", "{stem}.fit",
                         "--option", "stage=part", "--option", "resume=" + path("rig" + n + ".fit"),
                         "--option", "rest=" + rest, "--option", "chunk=4"});
        EXPECT_EQ(result.exit_code, 0) << result.err;
        if (round == 2) {
            fit({parts + "0.fit", parts + "1.fit", parts + "2.fit"}, "many.fit",
                {"--stage", "join", "--precision", "exact"});
        } else {
            const Json report = fit({parts + "0.sums", parts + "1.sums", parts + "2.sums"},
                                    "rig" + std::to_string(round + 1) + ".fit",
                                    {"--stage", "weights", "--resume", path("rig" + n + ".fit")});
            EXPECT_EQ(report["frames"], 30);
        }
    }
    fit({"one.fit"}, "one", {});
    fit({"many.fit"}, "many", {});
    const Json difference = test::sinew_report({"measure", path("one"), path("many")});
    EXPECT_LT(difference["rms"].get<double>(), 1e-7)
        << "of a sheet of side 1, within the rounding of its files";
}

TEST(Batch, TheSummaryShowsPictures) {
    const TemporaryFolder folder;
    const std::string tube = (folder / "a tube.glb").string(), output = (folder / "out").string();
    test::sinew({"sample", "tube", "-o", tube});
    const CommandResult result =
        test::sinew({"batch", "convert", tube, "-o", output, "--name", "{stem}.glb", "--thumbnails"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_NE(test::read_text(folder / "out/index.html").find("src=\"thumbnails/a%20tube.glb.png\""),
              std::string::npos);
    EXPECT_EQ(test::read_text(folder / "out/thumbnails/a tube.glb.png").substr(1, 3), "PNG");
}

}  // namespace
}  // namespace sinew
