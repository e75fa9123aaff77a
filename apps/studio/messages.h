// SPDX-License-Identifier: MIT
#pragma once
// What went wrong or was odd, for the list that a person reads.

#include <string>
#include <vector>

#include "sinew/base/monitor.h"

namespace sinew::studio {

enum class Severity { note, warning, error };

struct Message {
    Severity severity = Severity::note;
    std::string code;  ///< of a warning
    std::string text;
    int count = 1;  ///< how often it came
};

/// The newest last; the same again only counts. The oldest are forgotten.
class Messages {
  public:
    void add(Severity severity, std::string text, std::string code = {});
    void clear() { list_.clear(); }
    const std::vector<Message>& list() const { return list_; }
    int count(Severity severity) const;
    /// When the newest came, in seconds_now().
    double newest() const { return newest_; }

  private:
    std::vector<Message> list_;
    double newest_ = 0;
};

/// Warnings of a piece of work go into the list.
class MessageMonitor : public Monitor {
  public:
    explicit MessageMonitor(Messages& messages) : messages_(messages) {}
    void warn(Warning warning) override;

  private:
    Messages& messages_;
};

}  // namespace sinew::studio
