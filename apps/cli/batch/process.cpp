// SPDX-License-Identifier: MIT
#include "process.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sinew/base/error.h"

namespace sinew::cli::batch {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int cannot_start = 127;

struct Descriptor {
    explicit Descriptor(int opened) : value(opened) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (value >= 0) ::close(value);
    }
    int value;
};

struct Child {
    char* const* arguments;
    const char* folder;
    std::uint64_t memory;
    int errors;
    pid_t parent;
};

/// In the child, which borrows the parent's memory until it becomes another program: system calls alone, and
/// nothing is written.
[[noreturn]] void become(const Child& child) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != child.parent) ::_exit(cannot_start);  // it died before
    ::setpgid(0, 0);
    const int null = ::open("/dev/null", O_RDWR);
    ::dup2(null, STDIN_FILENO);
    ::dup2(null, STDOUT_FILENO);
    ::dup2(child.errors, STDERR_FILENO);
    ::close(null);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    // Data, not address space: libraries reserve far more than they touch. A sanitizer touches it.
    const rlimit memory{child.memory, child.memory};
    if (child.memory > 0) ::setrlimit(RLIMIT_DATA, &memory);
#endif
    const rlimit no_core{};
    ::setrlimit(RLIMIT_CORE, &no_core);
    if (child.folder[0] != '\0' && ::chdir(child.folder) != 0) ::_exit(cannot_start);
    ::execv(child.arguments[0], child.arguments);
    ::_exit(cannot_start);
}

/// Waits until it ended, time is up or the monitor cancels; true when it ended.
bool wait_for(pid_t child, double seconds, Monitor& monitor, int& status, rusage& usage) {
    const Descriptor watch(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
    const auto end = Clock::now() + std::chrono::duration<double>(seconds > 0 ? seconds : 1e9);
    pollfd ready{watch.value, POLLIN, 0};
    while (Clock::now() < end && !monitor.cancelled()) {
        if (watch.value >= 0)
            ::poll(&ready, 1, 50);
        else
            ::poll(nullptr, 0, 2);  // a kernel before 5.3
        const pid_t ended = ::wait4(child, &status, WNOHANG, &usage);
        if (ended == child) return true;
        if (ended < 0 && errno != EINTR) fail("wait4", "{}", std::strerror(errno));
    }
    return false;
}

std::string start_of(int file) {
    std::string text(65536, '\0');
    const ssize_t count = ::pread(file, text.data(), text.size(), 0);
    text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return text;
}

}  // namespace

ProcessEnd run_process(const std::vector<std::string>& command, const std::filesystem::path& folder,
                       const Limits& limits, Monitor& monitor) {
    const Descriptor errors(::memfd_create("errors", MFD_CLOEXEC));
    if (errors.value < 0) fail(command[0], "cannot start: {}", std::strerror(errno));
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const std::string where = folder.string();
    const Child plan{arguments.data(), where.c_str(), limits.memory, errors.value, ::getpid()};
    const auto start = Clock::now();
    // fork would copy the tables of all our pages and protect them, which costs more than all else that a
    // batch does for a short job.
    const pid_t child = ::vfork();
    if (child < 0) fail(command[0], "cannot start: {}", std::strerror(errno));
    if (child == 0) become(plan);
    ::setpgid(child, child);
    ProcessEnd end;
    end.id = child;
    int status = 0;
    rusage usage{};
    const bool ended = wait_for(child, limits.seconds, monitor, status, usage);
    ::kill(-child, SIGKILL);  // whatever it left running
    if (!ended) {
        end.timed_out = true;
        while (::wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {
        }
        if (monitor.cancelled()) throw Cancelled();
    } else if (WIFEXITED(status)) {
        end.code = WEXITSTATUS(status);
    } else if (WIFSIGNALED(status)) {
        end.signal = WTERMSIG(status);
    }
    end.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    end.peak_memory = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    end.errors = start_of(errors.value);
    if (end.code == cannot_start)
        fail(command[0], "cannot be started{}", end.errors.empty() ? "" : ": " + end.errors);
    return end;
}

void die_with_parent() {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
}

std::uint64_t machine_memory() {
    return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
           static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace sinew::cli::batch
