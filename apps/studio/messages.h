// SPDX-License-Identifier: MIT
#pragma once
// Errors and warnings for the list that the user reads.

#include <string>
#include <vector>

#include "sinew/base/monitor.h"

namespace sinew::studio {

enum class Severity { note, warning, error };

struct Message {
    Severity severity = Severity::note;
    std::string code;  ///< of a warning
    std::string text;
    int count = 1;  ///< number of occurrences
};

/// The newest last; a repeated message only increases its count. The oldest are removed.
class Messages {
  public:
    void add(Severity severity, std::string text, std::string code = {});
    void clear() { list_.clear(); }
    const std::vector<Message>& list() const { return list_; }
    int count(Severity severity) const;
    /// Time of the newest message, in seconds_now().
    double newest() const { return newest_; }

  private:
    std::vector<Message> list_;
    double newest_ = 0;
};

/// Adds the warnings of a task to the list.
class MessageMonitor : public Monitor {
  public:
    explicit MessageMonitor(Messages& messages) : messages_(messages) {}
    void warn(Warning warning) override;

  private:
    Messages& messages_;
};

}  // namespace sinew::studio
