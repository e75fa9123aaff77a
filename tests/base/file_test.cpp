// SPDX-License-Identifier: MIT
#include "sinew/base/file.h"

#include "support/data.h"
#include <gtest/gtest.h>

#include "sinew/base/error.h"

namespace sinew {
namespace {

std::vector<std::string> names_in(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

std::string error_of(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(FileView, GivesTheBytes) {
    const test::TemporaryFolder folder;
    const std::string content("a\0b\n", 4);
    test::write_text(folder / "f", content);
    FileView view(folder / "f");
    EXPECT_EQ(view.text(), content);
    EXPECT_EQ(view.bytes().size(), 4u);
    const FileView moved = std::move(view);
    EXPECT_EQ(moved.text(), content);
    EXPECT_EQ(as_text(as_bytes("xyz")), "xyz");
}

TEST(FileView, EmptyFile) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "empty", "");
    EXPECT_TRUE(FileView(folder / "empty").bytes().empty());
    EXPECT_EQ(FileView(folder / "empty").text(), "");
}

TEST(FileView, SaysWhyItCannotRead) {
    const test::TemporaryFolder folder;
    const auto message = [](const std::filesystem::path& path) {
        return error_of([&] { FileView view(path); });
    };
    EXPECT_EQ(message(folder / "missing"),
              (folder / "missing").string() + ": cannot open: No such file or directory");
    EXPECT_EQ(message(folder.path()), folder.path().string() + ": is a folder, not a file");
    EXPECT_EQ(message("/dev/null"), "/dev/null: is not a regular file");
}

TEST(WriteFile, WritesAndReplaces) {
    const test::TemporaryFolder folder;
    write_file(folder / "f.txt", "one");
    EXPECT_EQ(test::read_text(folder / "f.txt"), "one");
    write_file(folder / "f.txt", "a longer second content");
    EXPECT_EQ(test::read_text(folder / "f.txt"), "a longer second content");
    write_file(folder / "f.txt", "");
    EXPECT_EQ(test::read_text(folder / "f.txt"), "");
    EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"f.txt"});
}

TEST(WriteFile, LargeContentIsWhole) {
    const test::TemporaryFolder folder;
    std::string content(20 << 20, 'x');
    content[12345678] = 'y';
    write_file(folder / "large", content);
    EXPECT_EQ(test::read_text(folder / "large"), content);
}

TEST(WriteFile, ToAFolderFailsAndLeavesNothing) {
    const test::TemporaryFolder folder;
    std::filesystem::create_directory(folder / "target");
    EXPECT_EQ(error_of([&] { write_file(folder / "target", "text"); }),
              (folder / "target").string() + ": cannot write: is a folder");
    EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"target"});
    EXPECT_TRUE(names_in(folder / "target").empty());
}

TEST(WriteFile, IntoWhatIsNoFolderFails) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "file", "kept");
    EXPECT_EQ(error_of([&] { write_file(folder / "missing/f", "text"); }),
              (folder / "missing/f").string() + ": cannot write: No such file or directory");
    EXPECT_NE(error_of([&] { write_file(folder / "file/f", "text"); }).find("cannot write"),
              std::string::npos);
    EXPECT_NE(error_of([&] { write_file(folder / std::string(300, 'n'), "text"); }).find("cannot write"),
              std::string::npos);
    EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"file"});
    EXPECT_EQ(test::read_text(folder / "file"), "kept");
}

TEST(WriteFile, IntoAFolderWithoutPermissionFails) {
    // Nobody may create files there, not even root.
    const std::string message = error_of([] { write_file("/proc/self/task/f.txt", "text"); });
    EXPECT_EQ(message.find("/proc/self/task/f.txt: cannot write: "), 0u) << message;
}

TEST(PendingFile, IsRemovedUnlessCommitted) {
    const test::TemporaryFolder folder;
    {
        const PendingFile pending(folder / "film.mp4");
        EXPECT_EQ(pending.path().extension(), ".mp4");
        EXPECT_EQ(pending.path().parent_path(), folder.path());
        test::write_text(pending.path(), "half");
    }
    EXPECT_TRUE(names_in(folder.path()).empty());
    {
        PendingFile pending(folder / "film.mp4");
        test::write_text(pending.path(), "whole");
        pending.commit();
    }
    EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"film.mp4"});
    EXPECT_EQ(test::read_text(folder / "film.mp4"), "whole");
}

TEST(PendingFile, CommitOfNothingFails) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "old.txt", "old");
    PendingFile pending(folder / "old.txt");
    EXPECT_THROW(pending.commit(), Error);
    EXPECT_EQ(test::read_text(folder / "old.txt"), "old");
}

TEST(Suffix, LowerCaseWithoutDot) {
    EXPECT_EQ(suffix("a/Walk.BVH"), "bvh");
    EXPECT_EQ(suffix("noext"), "");
    EXPECT_EQ(suffix("a.tar.GZ"), "gz");
    EXPECT_EQ(suffix("dir.d/file"), "");
}

}  // namespace
}  // namespace sinew
