// SPDX-License-Identifier: MIT
#include "messages.h"

#include <algorithm>

#include "timeline.h"

namespace sinew::studio {
namespace {

constexpr std::size_t max_messages = 200;

}  // namespace

void Messages::add(Severity severity, std::string text, std::string code) {
    const auto same = std::find_if(list_.begin(), list_.end(), [&](const Message& message) {
        return message.severity == severity && message.text == text && message.code == code;
    });
    Message message{severity, std::move(code), std::move(text), 1};
    if (same != list_.end()) {
        message.count = same->count + 1;
        list_.erase(same);
    }
    list_.push_back(std::move(message));
    newest_ = seconds_now();
    if (list_.size() > max_messages) list_.erase(list_.begin());
}

int Messages::count(Severity severity) const {
    return static_cast<int>(std::count_if(
        list_.begin(), list_.end(), [&](const Message& message) { return message.severity == severity; }));
}

void MessageMonitor::warn(Warning warning) {
    messages_.add(Severity::warning, std::move(warning.text), std::move(warning.code));
}

}  // namespace sinew::studio
