// SPDX-License-Identifier: MIT
#pragma once
// What the rules of file.h need of the system. Files are descriptors.

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
    unsigned mode = 0;  ///< who may do what
};

/// Of what a path leads to; nothing when that is not there.
std::optional<FileStatus> status_of(const std::filesystem::path& path);
void set_mode(const std::filesystem::path& path, unsigned mode);

/// A name that the system has for standard output, or for any open file.
bool names_standard_output(const std::filesystem::path& path);
bool names_open_file(const std::filesystem::path& path);

/// \throws Error with `name` when it cannot be opened.
int open_standard_output(const std::string& name);
int open_device(const std::filesystem::path& path, const std::string& name);
int create_file(const std::filesystem::path& path, unsigned mode, const std::string& name);
/// \throws Error when there is no space left, for example.
void write_all(int file, Bytes content, const std::string& name);
/// Brings what was written to the disk.
void sync_file(int file, const std::string& name);
/// \throws Error when something was lost.
void close_written(int file, const std::string& name);
void close_file(int file);

/// Brings a file, or all that a folder holds, to the disk.
void sync_content(const std::filesystem::path& path);
/// Brings the name of a file to the disk.
void sync_name(const std::filesystem::path& file);

/// Ends the process as it is.
[[noreturn]] void exit_at_once(int code);

}  // namespace sinew::platform
