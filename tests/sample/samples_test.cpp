// SPDX-License-Identifier: MIT
#include "sinew/sample/samples.h"

#include <gtest/gtest.h>

#include "sinew/base/error.h"

namespace sinew::sample {
namespace {

TEST(Samples, EverySampleIsAValidCharacter) {
    ASSERT_GE(list().size(), 2u);
    for (const Sample& sample : list()) {
        SampleOptions options;
        const bool fixed = sample.name == "man" || sample.name == "tube" || sample.name == "screws";
        if (!fixed) options.faces = 5000;  // for speed
        const model::Character character = make(sample.name, options);
        EXPECT_EQ(character.name, sample.name);
        EXPECT_FALSE(sample.what.empty());
        EXPECT_NO_THROW(model::validate(character, sample.name));
        EXPECT_TRUE(character.has_skin());
        EXPECT_FALSE(character.clips.empty());
    }
}

TEST(Samples, UnknownNameListsTheNames) {
    try {
        make("unicorn");
        FAIL() << "no error";
    } catch (const Error& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("unicorn"), std::string::npos);
        EXPECT_NE(text.find("man"), std::string::npos);
        EXPECT_NE(text.find("tube"), std::string::npos);
    }
}

}  // namespace
}  // namespace sinew::sample
