// SPDX-License-Identifier: MIT
#pragma once
/// \file
/// What only the operating system can do: run programs, catch interrupts, name folders. Everything that is
/// bound to Linux stands in base/platform, behind this header and file.h.
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

/// 0 means no limit.
struct ProgramLimits {
    double seconds = 0;               ///< by the clock
    double cpu_seconds = 0;           ///< of processors
    std::uint64_t data_bytes = 0;     ///< memory of its own
    std::uint64_t address_bytes = 0;  ///< address space: libraries reserve far more than they touch
    std::uint64_t file_bytes = 0;     ///< of the longest file that it writes
};

struct ProgramEnd {
    int id = 0;              ///< that its process had
    int code = -1;           ///< what it returned; -1 when it did not end by itself
    int signal = 0;          ///< that ended it
    bool killed = false;     ///< by somebody else, or the machine ran out of memory
    bool timed_out = false;  ///< by either clock
    double seconds = 0;
    std::uint64_t peak_memory = 0;  ///< bytes
    std::string errors;             ///< the first 64 KiB of its standard error
};

/// Runs a program to its end within limits, without a shell; standard input is empty, standard output thrown
/// away. It is killed with all that it started when time is up, the monitor cancels or this process ends.
/// \param command path of the program, and its arguments.
/// \param folder where it runs; empty stands for the current one.
/// \param limits of time and memory.
/// \param monitor asked now and then whether to go on.
/// \throws Error when it cannot be started; Cancelled.
ProgramEnd run_program(const std::vector<std::string>& command, const std::filesystem::path& folder,
                       const ProgramLimits& limits, Monitor& monitor = silent());

/// Runs a program on the search path to its end, with our input, output and terminal.
/// \throws Error when it cannot be started.
ProgramEnd run_attached(const std::vector<std::string>& command);

/// A program that is given its standard input piece by piece. Its standard output is thrown away.
class FedProgram {
  public:
    /// \param command path of the program, and its arguments.
    /// \throws Error when it cannot be started.
    explicit FedProgram(const std::vector<std::string>& command);
    FedProgram(const FedProgram&) = delete;
    FedProgram& operator=(const FedProgram&) = delete;
    ~FedProgram();
    /// \return false when it reads no more.
    bool feed(Bytes bytes);
    /// Ends its input and waits for it. \return true when it did well.
    bool finish();
    /// \return the start of what it wrote to standard error.
    std::string errors() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// \return a program on the search path.
std::optional<std::filesystem::path> find_program(const std::string& name);
/// \return this program.
std::filesystem::path program_path();
/// \return a program that belongs to this one: what the variable names, or what lies beside this program or
/// where programs are installed; empty when there is none.
std::filesystem::path find_own_program(const char* variable, const std::string& name);
/// \return an environment variable; nothing when it is not set, or empty.
std::optional<std::string> environment(const char* name);

/// This process is killed when the one that started it ends.
void die_with_parent();
int process_id();
/// \return true when a process with this number runs the program whose name begins like this.
bool process_runs(int id, std::string_view program);
/// \return words such as "Segmentation fault".
std::string signal_text(int signal);

std::string host_name();
/// \return bytes of memory of this machine.
std::uint64_t machine_memory();

/// Interrupt (Ctrl-C), hang-up and the request to end ask the work to stop while this lives; a limit on the
/// size of files makes writing fail, instead of ending the process. Work that has not stopped after 0.15 s,
/// because it is deep in a computation that asks nobody, ends with the process; files that it was writing do
/// not appear.
class InterruptWatch {
  public:
    InterruptWatch();
    ~InterruptWatch();
    InterruptWatch(const InterruptWatch&) = delete;
    InterruptWatch& operator=(const InterruptWatch&) = delete;
    static bool interrupted();
    /// As shells have it: 128 and the number of the signal.
    static int exit_code();

  private:
    std::jthread thread_;
};

/// \return true when standard error goes to a terminal.
bool has_terminal();

/// A file that one process at a time appends to.
class AppendFile {
  public:
    /// Makes the file, or ends its last line where that was torn.
    /// \param path of the file.
    /// \param when_busy reason of the error when another process appends to it; empty waits for that one.
    /// \throws Error also when the file cannot be written.
    AppendFile(std::filesystem::path path, std::string_view when_busy);
    AppendFile(const AppendFile&) = delete;
    AppendFile& operator=(const AppendFile&) = delete;
    ~AppendFile();
    const std::filesystem::path& path() const { return path_; }
    /// Returns when the text is on the disk. \throws Error when that is full.
    void append(std::string_view text) const;

  private:
    bool open(std::string_view when_busy);

    std::filesystem::path path_;
    int file_ = -1;
};

/// \return true when a file may be changed, or files put into a folder.
bool may_write(const std::filesystem::path& path);
/// \return a folder of its own, whose name begins like this. \throws Error when there is no space for it.
std::filesystem::path make_temporary_folder(const std::string& name);

/// \return where settings, or what a program remembers, are kept for this user; empty when nobody says.
std::filesystem::path settings_folder();
std::filesystem::path state_folder();
/// \return the user's own folder; empty when nobody says.
std::filesystem::path home_folder();
/// \return disks and sticks that are there; the last one holds everything.
std::vector<std::filesystem::path> drives();
/// \return a font with the letters of European languages; empty when there is none.
std::filesystem::path interface_font();
/// Opens a file that takes everything and keeps nothing.
std::FILE* open_null_file();

}  // namespace sinew
