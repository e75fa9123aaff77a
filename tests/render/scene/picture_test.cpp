// SPDX-License-Identifier: MIT
#include "support/data.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"
#include "sinew/render/figures.h"
#include "sinew/render/renderer.h"

namespace sinew::render {
namespace {

Picture gradient(int width, int height) {
    Picture picture(width, height);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            picture.at(x, y) = {static_cast<std::uint8_t>(x * 7), static_cast<std::uint8_t>(y * 5), 30,
                                static_cast<std::uint8_t>(255 - x)};
    return picture;
}

TEST(Picture, PngKeepsEveryPixel) {
    const Picture picture = gradient(37, 23);
    const std::string png = encode_png(picture);
    EXPECT_EQ(png.substr(1, 3), "PNG");
    EXPECT_EQ(decode_picture(as_bytes(png), "test"), picture);
    EXPECT_EQ(png, encode_png(picture));
}

TEST(Picture, SaveAndLoad) {
    const sinew::test::TemporaryFolder folder;
    const Picture picture = gradient(5, 4);
    save_png(folder / "a.png", picture);
    EXPECT_EQ(load_picture(folder / "a.png"), picture);
    EXPECT_THROW(save_png(folder / "missing/a.png", picture), Error);
}

TEST(Picture, SidesGoFromOneTo8192) {
    EXPECT_THROW(Picture(0, 4), Error);
    EXPECT_THROW(Picture(4, -1), Error);
    EXPECT_THROW(Picture(8193, 4), Error);
    EXPECT_EQ(Picture(8192, 1).pixels.size(), 8192u);
    EXPECT_THROW(encode_png(Picture()), Error);
}

TEST(Picture, BrokenFilesAreErrorsThatNameThem) {
    const std::string png = encode_png(gradient(64, 64));
    for (const std::string& bytes :
         {std::string(), std::string("GIF89a"), png.substr(0, 20), png.substr(0, png.size() / 2)})
        EXPECT_THROW(decode_picture(as_bytes(bytes), "skin.png"), Error) << bytes.size();
    try {
        decode_picture(as_bytes("nonsense"), "skin.png");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.location(), "skin.png");
    }
}

TEST(Picture, AHugeClaimIsRefusedBeforeItIsAllocated) {
    std::string png = encode_png(Picture(1, 1));
    png[16] = png[20] = 0x00;  // width and height: big-endian at 16 and 20
    png[17] = png[21] = 0x01;  // 65536 + 1
    EXPECT_THROW(decode_picture(as_bytes(png), "bomb.png"), Error);
}

TEST(Picture, MeanDifference) {
    const Picture a(2, 1, {10, 10, 10, 255});
    Picture b = a;
    EXPECT_EQ(mean_difference(a, b), 0);
    b.at(1, 0)[0] = 18;
    EXPECT_DOUBLE_EQ(mean_difference(a, b), 1);
    EXPECT_THROW(mean_difference(a, Picture(1, 1)), Error);
}

TEST(ContactSheet, TilesRowByRowWithGaps) {
    const std::vector<Picture> pictures = {Picture(4, 3, {255, 0, 0, 255}), Picture(4, 3, {0, 255, 0, 255}),
                                           Picture(2, 1, {0, 0, 255, 255})};
    const Picture sheet = contact_sheet(pictures, {.columns = 2, .gap = 2, .color = {9, 9, 9, 255}});
    EXPECT_EQ(sheet.width, 2 + 4 + 2 + 4 + 2);
    EXPECT_EQ(sheet.height, 2 + 3 + 2 + 3 + 2);
    EXPECT_EQ(sheet.at(2, 2), (Pixel{255, 0, 0, 255}));
    EXPECT_EQ(sheet.at(8, 4), (Pixel{0, 255, 0, 255}));
    EXPECT_EQ(sheet.at(3, 8), (Pixel{0, 0, 255, 255})) << "centred in its cell";
    EXPECT_EQ(sheet.at(2, 7), (Pixel{9, 9, 9, 255}));
    EXPECT_EQ(sheet.at(0, 0), (Pixel{9, 9, 9, 255}));
    EXPECT_EQ(sheet.at(9, 8), (Pixel{9, 9, 9, 255})) << "the empty cell";
}

TEST(ContactSheet, BadRequestsAreErrors) {
    EXPECT_THROW(contact_sheet({}), Error);
    const std::vector<Picture> wide(3, Picture(4000, 1));
    EXPECT_THROW(contact_sheet(wide, {.columns = 3}), Error);
    EXPECT_THROW(contact_sheet(wide, {.columns = -1}), Error);
}

}  // namespace
}  // namespace sinew::render
