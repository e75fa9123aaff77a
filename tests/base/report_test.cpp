// SPDX-License-Identifier: MIT
#include "sinew/base/report.h"

#include <thread>

#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(Report, JsonHasTheCommonKeysInOrder) {
    Report report;
    report.verb = "convert";
    report.inputs = {"a.bvh", "b.obj"};
    report.output = "c.glb";
    report.seconds = {{"read", 0.5}, {"write", 0.25}};
    report.warnings = {{"bvh-name", "odd \"name\""}};
    report.extra["frames"] = 12;
    report.options["up"] = "z";
    EXPECT_EQ(report.to_json().dump(),
              fmt::format(R"({{"sinew":"{}","schema":1,)", version()) +
                  R"("verb":"convert","inputs":["a.bvh","b.obj"],"output":"c.glb","options":{"up":"z"},)"
                  R"("seconds":{"read":0.5,"write":0.25},)"
                  R"("warnings":[{"code":"bvh-name","text":"odd \"name\""}],"frames":12})");
}

TEST(Report, EmptyReportIsComplete) {
    const Json report = Report().to_json();
    for (const char* key : {"sinew", "schema", "verb", "inputs", "output", "options", "seconds", "warnings"})
        EXPECT_TRUE(report.contains(key)) << key;
    EXPECT_EQ(report.at("schema"), report_schema);
}

TEST(Report, BytesThatAreNotUtf8AreReplaced) {
    EXPECT_EQ(json_text({{"name", "caf\xe9"}}, -1), "{\"name\":\"caf\xef\xbf\xbd\"}");
}

TEST(StageTimer, AddsItsStage) {
    Report report;
    {
        const StageTimer outer(report, "all");
        const StageTimer inner(report, "part");
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ASSERT_EQ(report.seconds.size(), 2u);
    EXPECT_EQ(report.seconds[0].first, "part");
    EXPECT_EQ(report.seconds[1].first, "all");
    EXPECT_GE(report.seconds[0].second, 0.005);
    EXPECT_GE(report.seconds[1].second, report.seconds[0].second);
}

}  // namespace
}  // namespace sinew
