// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// Services of the operating system: running programs, catching interrupts, standard folders. All code that
/// depends on Linux is in base/platform, behind this header and file.h.
///
/// \code
/// const ProgramEnd end = run_program({find_program("ffmpeg")->string(), "-version"}, ".", {.seconds = 10});
/// if (end.code != 0) fail("ffmpeg", "{}", end.errors);
/// \endcode

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "sinew/base/file.h"
#include "sinew/base/monitor.h"

namespace sinew {

/// Limits for a program; 0 means no limit.
struct ProgramLimits {
    double seconds = 0;               ///< wall time
    double cpu_seconds = 0;           ///< processor time
    std::uint64_t data_bytes = 0;     ///< private memory
    std::uint64_t address_bytes = 0;  ///< address space; libraries reserve far more than they use
    std::uint64_t file_bytes = 0;     ///< size of any file that it writes
};

struct ProgramEnd {
    int id = 0;              ///< process id
    int code = -1;           ///< exit code; -1 when it did not exit by itself
    int signal = 0;          ///< signal that ended it; 0 for none
    bool killed = false;     ///< ended by another process or because memory ran out
    bool timed_out = false;  ///< the limit of wall or processor time was reached
    double seconds = 0;
    std::uint64_t peak_memory = 0;  ///< bytes
    std::string errors;             ///< the first 64 KiB of its standard error
};

/// Runs a program to its end within limits, without a shell. Standard input is empty, standard output is
/// discarded. The program and its child processes are killed when a time limit is reached, when the monitor
/// cancels, or when this process ends.
/// \param command path of the program and its arguments
/// \param folder working directory; empty means the current one
/// \param limits limits of time and memory
/// \param monitor can cancel; it is polled while the program runs
/// \throws Error when the program cannot be started
/// \throws Cancelled when the monitor cancels
ProgramEnd run_program(const std::vector<std::string>& command, const std::filesystem::path& folder,
                       const ProgramLimits& limits, Monitor& monitor = silent());

/// Runs a program found on the search path to its end; it shares the input, output and terminal of this
/// process.
/// \throws Error when the program cannot be started
ProgramEnd run_attached(const std::vector<std::string>& command);

/// A running program whose standard input is written in pieces. Its standard output is discarded.
class FedProgram {
  public:
    /// \param command path of the program and its arguments
    /// \throws Error when the program cannot be started
    explicit FedProgram(const std::vector<std::string>& command);
    FedProgram(const FedProgram&) = delete;
    FedProgram& operator=(const FedProgram&) = delete;
    ~FedProgram();
    /// Writes to its standard input. \return false when the program no longer reads
    bool feed(Bytes bytes);
    /// Closes its standard input and waits for its end. \return true when it succeeded
    bool finish();
    /// \return the beginning of its standard error
    std::string errors() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// \return the path of a program on the search path; empty when it is not found
std::optional<std::filesystem::path> find_program(const std::string& name);
/// \return the path of this program
std::filesystem::path program_path();
/// \return a program that belongs to this one: the path in the environment variable, else the program beside
/// this one or in the installation folders; empty when none is found
std::filesystem::path find_own_program(const char* variable, const std::string& name);
/// \return the value of an environment variable; nothing when it is unset or empty
std::optional<std::string> environment(const char* name);

/// Makes the system kill this process when its parent process ends.
void die_with_parent();
int process_id();
/// \return true when the process with this id runs a program whose name begins with `program`
bool process_runs(int id, std::string_view program);
/// \return the description of a signal, such as "Segmentation fault"
std::string signal_text(int signal);

std::string host_name();
/// \return the memory of this machine in bytes
std::uint64_t machine_memory();

/// During its lifetime SIGINT (Ctrl-C), SIGHUP and SIGTERM ask the work to stop, and exceeding the file size
/// limit makes writing fail instead of ending the process. If the work has not stopped after 0.15 s, because
/// the current computation does not poll its monitor, the process ends; files that are being written do not
/// appear.
class InterruptWatch {
  public:
    InterruptWatch();
    ~InterruptWatch();
    InterruptWatch(const InterruptWatch&) = delete;
    InterruptWatch& operator=(const InterruptWatch&) = delete;
    static bool interrupted();
    /// Exit code by the convention of shells: 128 plus the signal number.
    static int exit_code();

  private:
    std::jthread thread_;
};

/// \return true when standard error is a terminal
bool has_terminal();

/// A file to which only one process at a time appends.
class AppendFile {
  public:
    /// Creates the file, or completes its last line if that was cut off.
    /// \param path the file
    /// \param when_busy reason of the error that is thrown when another process appends to the file; empty
    /// waits for that process
    /// \throws Error when the file is busy or cannot be written
    AppendFile(std::filesystem::path path, std::string_view when_busy);
    AppendFile(const AppendFile&) = delete;
    AppendFile& operator=(const AppendFile&) = delete;
    ~AppendFile();
    const std::filesystem::path& path() const { return path_; }
    /// Appends text and returns when it is on the disk. \throws Error when the disk is full
    void append(std::string_view text) const;

  private:
    bool open(std::string_view when_busy);

    std::filesystem::path path_;
    int file_ = -1;
};

/// \return true when this process may change the file, or create files in the folder
bool may_write(const std::filesystem::path& path);
/// \return a new temporary folder whose name begins with `name`. \throws Error when it cannot be created
std::filesystem::path make_temporary_folder(const std::string& name);

/// \return the folder of this user's settings, or of state that a program keeps; empty when the environment
/// defines none
std::filesystem::path settings_folder();
std::filesystem::path state_folder();
/// \return the home folder of this user; empty when the environment defines none
std::filesystem::path home_folder();
/// \return mounted disks and removable media; the last entry is the root folder
std::vector<std::filesystem::path> drives();
/// \return a font file that covers European languages; empty when none is found
std::filesystem::path interface_font();
/// Opens a file that discards everything written to it.
std::FILE* open_null_file();

}  // namespace sinew
