// SPDX-License-Identifier: MIT

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/monitor.h"
#include "sinew/base/text.h"
#include "sinew/io/gltf/gltf.h"
#include "sinew/io/scene/scene_formats.h"

namespace sinew::io {
namespace {

// A program run to its end, within limits.

struct ProcessLimits {
    std::uint64_t memory_bytes = 0;  ///< address space; 0 means no limit
    double cpu_seconds = 0;
    double seconds = 0;
};

struct ProcessEnd {
    int code = -1;           ///< what it returned; -1 when it did not end by itself
    int signal = 0;          ///< that ended it
    bool timed_out = false;  ///< by either clock
    bool started = true;     ///< false when there is no such program
    std::string errors;      ///< what it wrote to standard error, the first 64 KiB
};

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

/// Runs a program without a shell; standard input is empty, standard output thrown away, standard error goes
/// to the file `errors` first. Its whole process group is killed when time is up or the monitor cancels.
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

namespace fs = std::filesystem;

/// A folder for the length of an import.
class Workplace {
  public:
    Workplace() {
        std::error_code code;
        fs::path base = fs::temp_directory_path(code);
        if (code) base = "/tmp";
        std::string name = (base / "sinew-import-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr)
            fail(name, "cannot make a temporary folder: {}", std::strerror(errno));
        path_ = name;
    }
    Workplace(const Workplace&) = delete;
    Workplace& operator=(const Workplace&) = delete;
    ~Workplace() {
        std::error_code code;
        fs::remove_all(path_, code);
    }
    fs::path operator/(std::string_view name) const { return path_ / name; }

  private:
    fs::path path_;
};

fs::path program_folder() {
    std::error_code code;
    const fs::path program = fs::read_symlink("/proc/self/exe", code);
    return code ? fs::path() : program.parent_path();
}

/// Lines `warning CODE TEXT` go to the monitor; `error TEXT` or else the last line says what went wrong.
std::string hear(std::string_view text, std::string_view location, Monitor& monitor) {
    std::string reason;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trim(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.starts_with("warning ")) {
            const std::string_view rest = line.substr(8);
            const std::size_t blank = std::min(rest.find(' '), rest.size());
            warn(monitor, rest.substr(0, blank), "{}: {}", location, trim(rest.substr(blank)));
        } else if (line.starts_with("error ")) {
            reason = line.substr(6);
        } else if (!line.empty() && reason.empty()) {
            reason = line;
        }
    }
    return reason;
}

[[noreturn]] void fail_import(const ProcessEnd& end, const std::string& reason, const fs::path& program,
                              const ImportLimits& limits, const fs::path& path) {
    const std::string said = reason.empty() ? "" : fmt::format(": {}", reason);
    const std::string name = path.filename().string();
    if (!end.started) fail(path.string(), "the importer {} cannot be started", program.string());
    if (end.timed_out) {
        fail(path.string(),
             "the importer did not finish {} within {:g} seconds and was stopped{} (SINEW_IMPORT_SECONDS "
             "allows more)",
             name, std::min(limits.seconds, limits.cpu_seconds), said);
    }
    if (end.signal != 0)
        fail(path.string(), "the importer crashed (signal {}) reading {}{}", end.signal, name, said);
    fail(path.string(), "{}",
         reason.empty() ? fmt::format("the importer failed (code {})", end.code) : reason);
}

ImportLimits limits_of_environment() {
    ImportLimits limits;
    const char* const text = std::getenv("SINEW_IMPORT_SECONDS");
    double seconds = 0;
    if (text != nullptr && parse_exact(text, seconds) && seconds > 0) {
        limits.seconds = seconds;
        limits.cpu_seconds = seconds;
    }
    return limits;
}

}  // namespace

fs::path find_importer() {
    std::error_code code;
    if (const char* const named = std::getenv("SINEW_IMPORT"); named != nullptr && *named != '\0')
        return named;
    const fs::path here = program_folder();
    for (const fs::path& folder :
         {here, here / "..", here / "../bin", fs::path("/usr/local/bin"), fs::path("/usr/bin")}) {
        fs::path program = (folder / "sinew-import").lexically_normal();
        if (fs::is_regular_file(program, code)) return program;
    }
    return {};
}

Asset import_file(const fs::path& path, const ImportLimits& limits, Monitor& monitor) {
    const fs::path program = limits.program.empty() ? find_importer() : limits.program;
    std::error_code code;
    if (program.empty() || !fs::is_regular_file(program, code)) {
        fail(path.string(),
             ".{} files are read by sinew-import, which is not here{}: install it beside sinew (it is built "
             "when "
             "libassimp-dev is installed), or name it in SINEW_IMPORT",
             suffix(path), program.empty() ? "" : fmt::format(" ({})", program.string()));
    }
    const Workplace workplace;
    const fs::path output = workplace / "scene.glb";
    step(monitor, "importing", 0);
    std::vector<std::string> command = {program.string(), fs::absolute(path, code).string(), output.string()};
    if (limits.allow_outside) command.emplace_back("--allow-outside");
    const ProcessEnd end = run_process(command, {limits.memory_bytes, limits.cpu_seconds, limits.seconds},
                                       workplace / "errors", monitor);
    const std::string reason = hear(end.errors, path.string(), monitor);
    if (end.code != 0) fail_import(end, reason, program, limits, path);
    if (!fs::is_regular_file(output, code)) fail(path.string(), "the importer wrote nothing");
    const FileView view(output);
    Asset asset;
    try {
        asset = read_gltf(view.bytes(), output, {}, monitor);
    } catch (const Error& error) {
        fail(path.string(), "what the importer made of it is broken: {}", error.reason());
    }
    asset.character.name = path.stem().string();
    return asset;
}

Asset read_imported(Bytes bytes, const fs::path& path, const ReadOptions& options, Monitor& monitor) {
    std::error_code code;
    ImportLimits limits = limits_of_environment();
    limits.allow_outside = options.allow_outside;
    if (fs::is_regular_file(path, code) && fs::file_size(path, code) == bytes.size()) {
        return import_file(path, limits, monitor);
    }
    const Workplace workplace;
    const fs::path file = workplace / ("file" + path.extension().string());
    write_file(file, bytes, Sync::later);
    return import_file(file, limits, monitor);
}

}  // namespace sinew::io
