// SPDX-License-Identifier: MIT
#include <cstdlib>

#include "command.h"
#include <gtest/gtest.h>

#include "sinew/render/renderer.h"

namespace sinew::test {
namespace {

TEST(StudioVerb, PassesItsWordsOnToTheProgram) {
    const TemporaryFolder folder;
    const std::string shot = (folder / "shot.png").string();
    const Json report = sinew_report(
        {"studio", "--sample", "tube", "--width", "800", "--height", "500", "--screenshot", shot});
    EXPECT_EQ(report["verb"], "studio");
    EXPECT_EQ(render::load_picture(shot).width, 800);
}

TEST(StudioVerb, HelpTeachesAndFailuresAreTold) {
    const CommandResult help = sinew({"studio", "--help"});
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_NE(help.out.find("sinew-studio --help"), std::string::npos) << help.out;
    const CommandResult wrong = sinew({"studio", "--nonsense"});
    EXPECT_EQ(wrong.exit_code, 1);
    EXPECT_NE(wrong.err.find("ended with code 2"), std::string::npos) << wrong.err;
    ::setenv("SINEW_STUDIO", "/there/is/none", 1);
    const CommandResult absent = sinew({"studio"});
    ::unsetenv("SINEW_STUDIO");
    EXPECT_EQ(absent.exit_code, 1);
    EXPECT_NE(absent.err.find("cannot be started"), std::string::npos) << absent.err;
}

}  // namespace
}  // namespace sinew::test
