#include "sinew/io/child_process.h"

#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sinew/base/error.h"
#include "sinew/base/file.h"

namespace sinew::io {
namespace {

constexpr int cannot_start = 127;

void limit(int resource, std::uint64_t value) {
    rlimit bounds{};
    if (value == 0 || getrlimit(static_cast<__rlimit_resource>(resource), &bounds) != 0) return;
    bounds.rlim_cur = bounds.rlim_max == RLIM_INFINITY ? value : std::min<rlim_t>(value, bounds.rlim_max);
    setrlimit(static_cast<__rlimit_resource>(resource), &bounds);
}

/// In the child: nothing here may allocate, because other threads of the parent may have held the heap.
[[noreturn]] void become(char* const* arguments, const ProcessLimits& limits, int errors, int null) {
    setpgid(0, 0);
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    limit(RLIMIT_AS, limits.memory_bytes);  // a sanitizer reserves more than any limit
#endif
    limit(RLIMIT_CPU, static_cast<std::uint64_t>(std::ceil(limits.cpu_seconds)));
    limit(RLIMIT_FSIZE, limits.memory_bytes);
    const rlimit no_core{};
    setrlimit(RLIMIT_CORE, &no_core);
    execv(arguments[0], arguments);
    _exit(cannot_start);
}

/// Waits for the end; 0 when it has not come.
int wait_for(pid_t child, double seconds, Monitor& monitor) {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration<double>(seconds > 0 ? seconds : 1e9);
    auto pause = std::chrono::microseconds(500);
    for (int status = 0; Clock::now() < end && !monitor.cancelled();) {
        const pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == child) return status == 0 ? 1 << 30 : status;
        if (ended < 0 && errno != EINTR) break;
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, std::chrono::microseconds(20000));
    }
    return 0;
}

std::string read_start(const std::filesystem::path& path) {
    std::error_code code;
    if (std::filesystem::file_size(path, code) == 0 || code) return {};
    const FileView view(path);
    return std::string(view.text().substr(0, 65536));
}

struct Descriptor {
    explicit Descriptor(int opened) : value(opened) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (value >= 0) close(value);
    }
    int value;
};

}  // namespace

ProcessEnd run_process(const std::vector<std::string>& command, const ProcessLimits& limits,
                       const std::filesystem::path& errors, Monitor& monitor) {
    ProcessEnd end;
    if (access(command[0].c_str(), X_OK) != 0) {
        end.started = false;
        return end;
    }
    const Descriptor error_file(open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    const Descriptor null(open("/dev/null", O_RDWR | O_CLOEXEC));
    if (error_file.value < 0 || null.value < 0)
        fail(errors.string(), "cannot write: {}", std::strerror(errno));
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const pid_t child = fork();
    if (child < 0) fail(command[0], "cannot start: {}", std::strerror(errno));
    if (child == 0) become(arguments.data(), limits, error_file.value, null.value);
    setpgid(child, child);
    int status = wait_for(child, limits.seconds, monitor);
    if (status == 0) {
        end.timed_out = true;
        kill(-child, SIGKILL);
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
        if (monitor.cancelled()) throw Cancelled();
    } else {
        kill(-child, SIGKILL);  // whatever it left running
        if (status == 1 << 30) status = 0;
        if (WIFEXITED(status)) end.code = WEXITSTATUS(status);
        if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
        end.timed_out = end.signal == SIGXCPU;
    }
    end.started = end.code != cannot_start;
    end.errors = read_start(errors);
    return end;
}

}  // namespace sinew::io
