// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "sinew/base/text.h"

namespace sinew {
namespace {

TEST(Markup, NothingInATextEndsATagOrAnAttribute) {
    EXPECT_EQ(markup_text("a < b & \"c\" > 'd'"), "a &lt; b &amp; &quot;c&quot; &gt; &#39;d&#39;");
    EXPECT_EQ(markup_text("Größe"), "Größe");
    EXPECT_EQ(markup_text(""), "");
}

}  // namespace
}  // namespace sinew
