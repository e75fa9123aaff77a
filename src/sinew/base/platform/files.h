// SPDX-License-Identifier: MIT
#pragma once
// System functions that file.h needs. Files are descriptors.

#include <filesystem>
#include <optional>
#include <string>

#include "sinew/base/file.h"

namespace sinew::platform {

/// Closes a descriptor when it is destroyed.
struct Descriptor {
    explicit Descriptor(int opened) : value(opened) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { close(); }
    void close();

    int value;
};

struct FileStatus {
    bool regular = false;
    bool folder = false;
    unsigned mode = 0;  ///< permission bits
};

/// Status of the file that a path leads to; empty when it does not exist.
std::optional<FileStatus> status_of(const std::filesystem::path& path);
void set_mode(const std::filesystem::path& path, unsigned mode);

/// True for the system's names of standard output, or of any open file descriptor.
bool names_standard_output(const std::filesystem::path& path);
bool names_open_file(const std::filesystem::path& path);

/// \throws Error with `name` when it cannot be opened
int open_standard_output(const std::string& name);
int open_device(const std::filesystem::path& path, const std::string& name);
int create_file(const std::filesystem::path& path, unsigned mode, const std::string& name);
/// \throws Error when writing fails, for example because the disk is full
void write_all(int file, Bytes content, const std::string& name);
/// Waits until the written content is on the disk.
void sync_file(int file, const std::string& name);
/// \throws Error when content could not be written
void close_written(int file, const std::string& name);
void close_file(int file);

/// Waits until a file, or the content of a folder, is on the disk.
void sync_content(const std::filesystem::path& path);
/// Waits until the directory entry of a file is on the disk.
void sync_name(const std::filesystem::path& file);

/// Ends the process immediately, without destructors.
[[noreturn]] void exit_at_once(int code);

}  // namespace sinew::platform
