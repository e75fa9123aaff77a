// SPDX-License-Identifier: MIT
// The page to share: what its text holds, and what a browser makes of it.

#include <regex>

#include "command.h"
#include <gtest/gtest.h>
#include <zlib.h>

#include "sinew/base/file.h"
#include "sinew/io/interchange.h"
#include "sinew/io/io.h"
#include "sinew/model/character.h"
#include "sinew/sample/samples.h"

namespace sinew {
namespace {

using test::sinew_report;
using test::TemporaryFolder;

bool without_pages(const test::CommandResult& result) {
    return result.err.find("built without pages") != std::string::npos;
}

/// Publishes and gives the page; empty when this build has none (that must say what to install).
std::string published(std::vector<std::string> arguments, const std::filesystem::path& page) {
    arguments.insert(arguments.begin(), "publish");
    arguments.insert(arguments.end(), {"-o", page.string()});
    const test::CommandResult result = test::sinew(arguments);
    if (without_pages(result)) {
        EXPECT_NE(result.err.find("apt-get install nodejs npm"), std::string::npos);
        EXPECT_FALSE(std::filesystem::exists(page));
        return {};
    }
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return test::read_text(page);
}

#define SINEW_NEEDS_PAGE(page) \
    if ((page).empty()) GTEST_SKIP() << "this build has no pages: install nodejs and npm"

/// The text of an element with an id.
std::string inside(const std::string& page, const std::string& id) {
    const std::size_t mark = page.find("id=\"" + id + "\">");
    if (mark == std::string::npos) return {};
    const std::size_t start = page.find('>', mark) + 1;
    return page.substr(start, page.find("</script>", start) - start);
}

std::string unpacked(const std::string& base64) {
    const auto packed = io::decode_base64(base64);
    if (!packed) return {};
    z_stream stream{};
    inflateInit2(&stream, 15 + 16);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed->data()));
    stream.avail_in = static_cast<uInt>(packed->size());
    std::string out, block(1 << 16, '\0');
    for (int state = Z_OK; state == Z_OK;) {
        stream.next_out = reinterpret_cast<Bytef*>(block.data());
        stream.avail_out = static_cast<uInt>(block.size());
        state = inflate(&stream, Z_NO_FLUSH);
        out.append(block, 0, block.size() - stream.avail_out);
    }
    inflateEnd(&stream);
    return out;
}

io::Asset model_of(const std::string& page, const TemporaryFolder& folder) {
    const auto file = folder / "inside.glb";
    write_file(file, unpacked(inside(page, "model")));
    return io::read(file);
}

TEST(Publish, ThePageHoldsAllThatItNeeds) {
    const TemporaryFolder folder;
    const std::string model = (folder / "tube.glb").string();
    sinew_report({"sample", "tube", "-o", model});
    const std::string page = published({model}, folder / "tube.html");
    SINEW_NEEDS_PAGE(page);
    const std::regex outside(R"re((src|href)\s*=|@import|url\s*\()re", std::regex::icase);
    EXPECT_FALSE(std::regex_search(page.substr(0, page.find("id=\"model\"")), outside));
    EXPECT_NE(page.find("default-src 'none'"), std::string::npos);  // the browser itself forbids requests
    EXPECT_NE(page.find("three.js authors"), std::string::npos);    // its licence asks for the notice
    const std::string program = unpacked(inside(page, "program"));
    EXPECT_GT(program.size(), 100'000u);
    EXPECT_LT(program.size(), 700'000u);
    EXPECT_EQ(program.find("import("), std::string::npos);

    const io::Asset written = io::read(model), inside_page = model_of(page, folder);
    ASSERT_EQ(inside_page.character.mesh.positions.size(), written.character.mesh.positions.size());
    EXPECT_EQ(inside_page.character.mesh.positions, written.character.mesh.positions);
    EXPECT_EQ(inside_page.character.skeleton.size(), written.character.skeleton.size());
    ASSERT_EQ(inside_page.character.clips.size(), written.character.clips.size());
    const Json about = Json::parse(inside(page, "about"));
    EXPECT_EQ(about["clips"].size(), written.character.clips.size());
    EXPECT_EQ(about["clips"][0]["frames"], model::frame_count(written.character.clips[0]));
    EXPECT_EQ(about["joints"], written.character.skeleton.size());
    EXPECT_EQ(about["method"], "dqs");
    EXPECT_EQ(about["title"], "tube") << "the name of the page's file";
    const std::string again = published({model, "--title", "tube"}, folder / "again.html");
    EXPECT_TRUE(page == again) << "the same input gives the same bytes";
}

TEST(Publish, NamesCannotBecomeMarkup) {
    const TemporaryFolder folder;
    model::Character tube = sample::make("tube");
    tube.clips.resize(1);
    tube.clips[0].name = "</script><script>alert(1)</script>%MODEL%";
    const auto model = folder / "tube.glb";
    io::write(model, tube);
    const std::string page = published(
        {model.string(), "--title", "<img src=x onerror=alert(2)> & \"%ABOUT%\" '"}, folder / "tube.html");
    SINEW_NEEDS_PAGE(page);
    EXPECT_EQ(page.find("<script>alert"), std::string::npos);
    EXPECT_EQ(page.find("<img"), std::string::npos);
    EXPECT_NE(page.find("<title>&lt;img src=x onerror=alert(2)&gt; &amp; &quot;%ABOUT%&quot; &#39;</title>"),
              std::string::npos);
    EXPECT_EQ(Json::parse(inside(page, "about"))["clips"][0]["name"], tube.clips[0].name);
    EXPECT_EQ(model_of(page, folder).character.mesh.positions.size(), tube.mesh.positions.size());
}

TEST(Publish, ReportsBytesAndTakesOneClipAndAMethod) {
    const TemporaryFolder folder;
    const auto model = folder / "tube.glb", page = folder / "tube.html";
    model::Character tube = sample::make("tube");
    tube.clips.push_back(tube.clips[0]);
    tube.clips.back().name = "second";
    io::write(model, tube);
    if (published({model.string()}, page).empty()) GTEST_SKIP() << "this build has no pages";
    const Json report =
        sinew_report({"publish", model.string(), "-o", page.string(), "--clip", "second", "--method", "lbs"});
    EXPECT_EQ(report["bytes"], std::filesystem::file_size(page));
    const Json about = Json::parse(inside(test::read_text(page), "about"));
    ASSERT_EQ(about["clips"].size(), 1u);
    EXPECT_EQ(about["clips"][0]["name"], "second");
    EXPECT_EQ(about["method"], "lbs");
    const std::string bad = (folder / "page.png").string();
    EXPECT_EQ(test::sinew({"publish", model.string(), "-o", bad}).exit_code, 2);
    EXPECT_FALSE(std::filesystem::exists(bad));
    EXPECT_EQ(test::sinew({"publish", model.string(), "-o", page.string(), "--method", "sbs"}).exit_code, 2);
}

TEST(Publish, AnimateWritesPagesToo) {
    const TemporaryFolder folder;
    const auto model = folder / "tube.glb", page = folder / "bend.html";
    io::write(model, sample::make("tube"));
    const test::CommandResult result = test::sinew({"animate", model.string(), "-o", page.string()});
    if (without_pages(result)) GTEST_SKIP() << "this build has no pages";
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_FALSE(inside(test::read_text(page), "model").empty());
}

TEST(Publish, AnonymousPagesKeepNoNames) {
    const TemporaryFolder folder;
    const auto model = folder / "miller.glb";
    model::Character tube = sample::make("tube");
    tube.name = tube.clips[0].name = "Miller";
    io::write(model, tube);
    const std::string page = published({model.string(), "--anonymous"}, folder / "page.html");
    SINEW_NEEDS_PAGE(page);
    EXPECT_EQ(page.find("iller"), std::string::npos);
    EXPECT_EQ(unpacked(inside(page, "model")).find("iller"), std::string::npos);
}

TEST(Publish, TrialsAreAnonymousUnlessNamesAreKept) {
    const TemporaryFolder folder;
    const auto path = folder / "miller.c3d";
    io::Asset asset;
    asset.trial.rate = 100;
    asset.trial.frames = 2;
    for (const char* const label : {"LASI", "RASI"}) {
        model::PointInfo info;
        info.label = label;
        info.subject = "Miller";
        asset.trial.markers.info.push_back(info);
    }
    asset.trial.markers.positions.assign(4, math::Vec3f(100, 200, 900));
    asset.trial.markers.residuals.assign(4, 0.5f);
    io::write(path, asset);
    const std::string page = published({path.string()}, folder / "page.html");
    SINEW_NEEDS_PAGE(page);
    EXPECT_EQ(page.find("iller"), std::string::npos);
    EXPECT_EQ(unpacked(inside(page, "model")).find("iller"), std::string::npos);
    const std::string named = published({path.string(), "--keep-names"}, folder / "named.html");
    EXPECT_NE(named.find("miller.c3d"), std::string::npos);
}

Json evaluate(const std::string& code) {
    return {{"do", "eval"}, {"code", code}};
}
Json key(const std::string& name) {
    return {{"do", "key"}, {"key", name}};
}
const Json shot = {{"do", "shot"}};
const Json small_window = {{"do", "size"}, {"width", 420}, {"height", 300}};

TEST(PublishInBrowser, PlaysTurnsAndListensToKeys) {
    const TemporaryFolder folder;
    const auto model = folder / "tube.glb", page = folder / "tube.html";
    model::Character tube = sample::make("tube");
    io::write(model, tube);
    SINEW_NEEDS_PAGE(published({model.string(), "--clip", "twist"}, page));
    const std::string state = "[sinew.playing, sinew.frame, sinew.skeleton, sinew.wireframe, sinew.method]";
    std::string reason;
    const Json seen = test::in_browser(
        page,
        Json::array({small_window, evaluate("sinew.playing"), key(" "), evaluate("sinew.seek(0); 1"), shot,
                     shot, evaluate("sinew.seek(sinew.duration / 2); 1"), shot, key("d"), shot, key("d"),
                     evaluate("sinew.seek(0); 1"), key("ArrowRight"), key("ArrowRight"), key("ArrowLeft"),
                     key("s"), key("w"), evaluate(state), shot}),
        folder, reason);
    if (seen.is_null()) GTEST_SKIP() << reason;
    EXPECT_EQ(seen["state"], "ready");
    EXPECT_EQ(seen["said"], Json::array()) << "nothing on the console";
    EXPECT_EQ(seen["requests"], Json::array()) << "nothing from anywhere";
    const Json& values = seen["values"];
    EXPECT_EQ(values[0], true) << "it plays at once";
    EXPECT_GT(values[3]["colors"], 500) << "something is drawn";
    EXPECT_EQ(values[4]["changed"], 0) << "a stopped picture stands still";
    EXPECT_GT(values[6]["changed"], 300) << "time moves it";
    EXPECT_GT(values[8]["changed"], 100) << "dual quaternions keep the volume that linear skinning loses";
    EXPECT_EQ(values[16], Json::array({false, 1, true, true, "dqs"}));
    EXPECT_GT(values[17]["changed"], 100) << "skeleton and edges are drawn";
}

}  // namespace
}  // namespace sinew
