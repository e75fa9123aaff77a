// SPDX-License-Identifier: MIT
#pragma once
// Which files were read: inputs, and what inputs name (materials, buffers, textures).

#include <string>
#include <vector>

namespace sinew {

/// Collects the names of all files that are opened while it lives, each once, in their order; one at a time.
class ReadLog {
  public:
    ReadLog();
    ReadLog(const ReadLog&) = delete;
    ReadLog& operator=(const ReadLog&) = delete;
    ~ReadLog();
    /// Names as they were given; also those that were not there.
    std::vector<std::string> names() const;

  private:
    std::vector<std::string> names_;
};

}  // namespace sinew
