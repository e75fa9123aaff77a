// SPDX-License-Identifier: MIT
#include "sinew/base/report.h"

#include <string>

namespace sinew {

std::string json_text(const Json& json, int indent) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::string_view version() {
    return SINEW_VERSION;
}

Json Report::to_json() const {
    Json json;
    json["sinew"] = version();
    json["schema"] = report_schema;
    json["verb"] = verb;
    json["inputs"] = inputs;
    json["output"] = output;
    json["options"] = options;
    json["seconds"] = Json::object();
    for (const auto& [stage, time] : seconds) json["seconds"][stage] = time;
    json["warnings"] = Json::array();
    for (const Warning& warning : warnings) {
        json["warnings"].push_back({{"code", warning.code}, {"text", warning.text}});
    }
    for (const auto& [key, value] : extra.items()) json[key] = value;
    return json;
}

StageTimer::StageTimer(Report& report, std::string_view stage)
    : report_(report), stage_(stage), start_(std::chrono::steady_clock::now()) {}

StageTimer::~StageTimer() {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    report_.seconds.emplace_back(stage_, elapsed.count());
}

}  // namespace sinew
