// SPDX-License-Identifier: MIT
// Starting other programs, and information on this one.

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sinew/base/error.h"
#include "sinew/base/platform/files.h"
#include "sinew/base/system.h"

extern char** environ;

namespace sinew {
namespace fs = std::filesystem;
namespace {

using platform::Descriptor;
using Clock = std::chrono::steady_clock;
constexpr int cannot_start = 127;

/// Arguments in the form of the system: ended by a null pointer.
std::vector<char*> raw_words(const std::vector<std::string>& command) {
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    return words;
}

struct Child {
    char* const* arguments;
    const char* folder;
    const ProgramLimits& limits;
    int errors;
    pid_t parent;
};

void limit(__rlimit_resource resource, std::uint64_t value) {
    rlimit bounds{};
    if (value == 0 || ::getrlimit(resource, &bounds) != 0) return;
    bounds.rlim_cur = bounds.rlim_max == RLIM_INFINITY ? value : std::min<rlim_t>(value, bounds.rlim_max);
    ::setrlimit(resource, &bounds);
}

/// Runs in the child, which shares the parent's memory until exec: makes only system calls, and writes
/// nothing to memory.
[[noreturn]] void become(const Child& child) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != child.parent) ::_exit(cannot_start);  // the parent ended before
    ::setpgid(0, 0);
    const int null = ::open("/dev/null", O_RDWR);
    ::dup2(null, STDIN_FILENO);
    ::dup2(null, STDOUT_FILENO);
    ::dup2(child.errors, STDERR_FILENO);
    ::close(null);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    limit(RLIMIT_DATA, child.limits.data_bytes);  // not with a sanitizer, which reserves more than any limit
    limit(RLIMIT_AS, child.limits.address_bytes);
#endif
    limit(RLIMIT_CPU, static_cast<std::uint64_t>(std::ceil(child.limits.cpu_seconds)));
    limit(RLIMIT_FSIZE, child.limits.file_bytes);
    const rlimit no_core{};
    ::setrlimit(RLIMIT_CORE, &no_core);
    if (child.folder[0] != '\0' && ::chdir(child.folder) != 0) ::_exit(cannot_start);
    ::execv(child.arguments[0], child.arguments);
    ::_exit(cannot_start);
}

/// Waits for the end of the process, for the time limit or for cancellation by the monitor; true when it
/// ended.
bool wait_for(pid_t child, double seconds, Monitor& monitor, int& status, rusage& usage) {
    const Descriptor watch(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
    const auto end = Clock::now() + std::chrono::duration<double>(seconds > 0 ? seconds : 1e9);
    pollfd ready{watch.value, POLLIN, 0};
    while (Clock::now() < end && !monitor.cancelled()) {
        if (watch.value >= 0)
            ::poll(&ready, 1, 50);
        else
            ::poll(nullptr, 0, 2);  // kernels before 5.3
        const pid_t ended = ::wait4(child, &status, WNOHANG, &usage);
        if (ended == child) return true;
        if (ended < 0 && errno != EINTR) fail("wait4", "{}", std::strerror(errno));
    }
    return false;
}

void set_ending(ProgramEnd& end, int status) {
    if (WIFEXITED(status)) end.code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
    end.killed = end.signal == SIGKILL || end.code == 128 + SIGINT || end.code == 128 + SIGTERM ||
                 end.code == 128 + SIGHUP;
}

/// Waits without a time limit.
ProgramEnd wait_for_end(pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    ProgramEnd end;
    end.id = child;
    set_ending(end, status);
    return end;
}

std::string start_of(int file) {
    std::string text(65536, '\0');
    const ssize_t count = ::pread(file, text.data(), text.size(), 0);
    text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return text;
}

/// fork would copy the page tables of this process, which takes longer than everything else in a short job of
/// a batch. A separate function, because the child shares the variables of its caller.
[[gnu::noinline]] pid_t started(const Child& plan) {
    const pid_t child = ::vfork();
    if (child == 0) become(plan);
    return child;
}

}  // namespace

ProgramEnd run_program(const std::vector<std::string>& command, const fs::path& folder,
                       const ProgramLimits& limits, Monitor& monitor) {
    const Descriptor errors(::memfd_create("errors", MFD_CLOEXEC));
    if (errors.value < 0) fail(command[0], "cannot start: {}", std::strerror(errno));
    const std::vector<char*> words = raw_words(command);
    const std::string where = folder.string();
    const Child plan{words.data(), where.c_str(), limits, errors.value, ::getpid()};
    const auto start = Clock::now();
    const pid_t child = started(plan);
    if (child < 0) fail(command[0], "cannot start: {}", std::strerror(errno));
    ::setpgid(child, child);
    ProgramEnd end;
    end.id = child;
    int status = 0;
    rusage usage{};
    const bool ended = wait_for(child, limits.seconds, monitor, status, usage);
    ::kill(-child, SIGKILL);  // ends the processes that it left
    if (!ended) {
        while (::wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {
        }
        if (monitor.cancelled()) throw Cancelled();
    } else {
        set_ending(end, status);
    }
    end.timed_out = !ended || end.signal == SIGXCPU;
    end.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    end.peak_memory = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    end.errors = start_of(errors.value);
    if (end.code == cannot_start)
        fail(command[0], "cannot be started{}", end.errors.empty() ? "" : ": " + end.errors);
    return end;
}

ProgramEnd run_attached(const std::vector<std::string>& command) {
    pid_t child = 0;
    const int error =
        ::posix_spawnp(&child, command[0].c_str(), nullptr, nullptr, raw_words(command).data(), environ);
    if (error != 0) fail(command[0], "cannot be started: {}", std::strerror(error));
    return wait_for_end(child);
}

struct FedProgram::State {
    Descriptor input{-1};  ///< our end of the socket
    Descriptor errors{::memfd_create("errors", MFD_CLOEXEC)};
    pid_t child = 0;
};

FedProgram::FedProgram(const std::vector<std::string>& command) : state_(std::make_unique<State>()) {
    // A socket instead of a pipe: writing to a closed socket is an error here, but a closed pipe sends a
    // signal to the whole program.
    std::array<int, 2> ends{};
    if (state_->errors.value < 0 || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        fail(command[0], "cannot be started: {}", std::strerror(errno));
    state_->input.value = ends[0];
    const Descriptor theirs(ends[1]);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, theirs.value, STDIN_FILENO);
    ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, state_->errors.value, STDERR_FILENO);
    const int error = ::posix_spawn(&state_->child, command[0].c_str(), &actions, nullptr,
                                    raw_words(command).data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
        state_->child = 0;
        fail(command[0], "cannot be started: {}", std::strerror(error));
    }
}

FedProgram::~FedProgram() {
    finish();
}

bool FedProgram::feed(Bytes bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(state_->input.value, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(sent));
    }
    return true;
}

bool FedProgram::finish() {
    state_->input.close();
    if (state_->child == 0) return false;
    return wait_for_end(std::exchange(state_->child, 0)).code == 0;
}

std::string FedProgram::errors() const {
    return start_of(state_->errors.value);
}

std::optional<fs::path> find_program(const std::string& name) {
    const char* const path = std::getenv("PATH");
    std::istringstream folders(path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin");
    for (std::string folder; std::getline(folders, folder, ':');) {
        const fs::path program = fs::path(folder.empty() ? "." : folder) / name;
        std::error_code ignored;
        if (fs::is_regular_file(program, ignored) && ::access(program.c_str(), X_OK) == 0) return program;
    }
    return std::nullopt;
}

fs::path program_path() {
    std::error_code code;
    return fs::read_symlink("/proc/self/exe", code);
}

fs::path find_own_program(const char* variable, const std::string& name) {
    if (const auto named = environment(variable)) return *named;
    std::error_code code;
    const fs::path here = program_path().parent_path();
    for (const fs::path& folder :
         {here, here / "..", here / "../bin", fs::path("/usr/local/bin"), fs::path("/usr/bin")}) {
        fs::path program = (folder / name).lexically_normal();
        if (fs::is_regular_file(program, code)) return program;
    }
    return {};
}

void die_with_parent() {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
}

int process_id() {
    return ::getpid();
}

bool process_runs(int id, std::string_view program) {
    if (id == ::getpid()) return true;
    if (::kill(id, 0) != 0 && errno == ESRCH) return false;
    // "N (name) state ...": the process may be a zombie, or the id may belong to another program now.
    std::ifstream file(fmt::format("/proc/{}/stat", id));
    const std::string stat{std::istreambuf_iterator<char>(file), {}};
    const std::size_t open = stat.find('('), close = stat.rfind(')');
    if (open == std::string::npos || close == std::string::npos || close + 2 >= stat.size()) return false;
    const bool ended = stat[close + 2] == 'Z' || stat[close + 2] == 'X';
    return !ended && stat.compare(open + 1, program.size(), program) == 0;
}

std::string signal_text(int signal) {
    return ::strsignal(signal);
}

}  // namespace sinew
