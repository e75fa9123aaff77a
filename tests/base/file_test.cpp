// SPDX-License-Identifier: MIT
#include "sinew/base/file.h"

#include <thread>

#include "support/data.h"
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

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

TEST(FileView, APipeIsRefusedAtOnce) {
    const test::TemporaryFolder folder;
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    // Nobody writes to it: opening it the plain way would block for ever.
    EXPECT_NE(error_of([&] { FileView view(folder / "pipe"); }).find("is a pipe, not a file"),
              std::string::npos);
}

TEST(FileView, AFileThatIsCutMeanwhileReadsAsZerosAndIsTold) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "f", std::string(100'000, 'x'));
    {
        const FileView view(folder / "f");
        check_mapped_files();
        std::filesystem::resize_file(folder / "f", 10);
        EXPECT_EQ(view.text()[5], 'x');
        EXPECT_EQ(view.text()[99'999], '\0');  // ends the process without the guard
        EXPECT_NE(error_of(check_mapped_files).find("another program cut the file"), std::string::npos);
        EXPECT_EQ(error_of(check_mapped_files), "no error") << "told once";
    }
    EXPECT_EQ(error_of(check_mapped_files), "no error");
    test::write_text(folder / "f", std::string(100, 'x'));
    {
        const FileView view(folder / "f");
        std::filesystem::resize_file(folder / "f", 10);  // within a page: nothing faults
    }
    EXPECT_NE(error_of(check_mapped_files).find((folder / "f").string()), std::string::npos);
    test::write_text(folder / "f", std::string(100, 'x'));
    {
        const FileView view(folder / "f");
        write_file(folder / "f", "short");  // replaced, not cut: the view keeps what it had
        EXPECT_EQ(view.text()[99], 'x');
    }
    EXPECT_EQ(error_of(check_mapped_files), "no error");
}

mode_t mode_of(const std::filesystem::path& path) {
    struct stat info{};
    EXPECT_EQ(::stat(path.c_str(), &info), 0);
    return info.st_mode;
}

TEST(WriteFile, KeepsTheMode) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "patient.csv", "old");
    ASSERT_EQ(::chmod((folder / "patient.csv").c_str(), 0600), 0);
    write_file(folder / "patient.csv", "new");
    EXPECT_EQ(mode_of(folder / "patient.csv") & 07777, 0600u);
    EXPECT_EQ(test::read_text(folder / "patient.csv"), "new");
    PendingFile film(folder / "patient.csv");  // another program writes it
    test::write_text(film.path(), "film");
    film.commit();
    EXPECT_EQ(mode_of(folder / "patient.csv") & 07777, 0600u);
}

TEST(WriteFile, FollowsSymbolicLinks) {
    const test::TemporaryFolder folder;
    std::filesystem::create_directory(folder / "real");
    test::write_text(folder / "real/a", "old");
    std::filesystem::create_symlink("real/a", folder / "link");
    std::filesystem::create_symlink("link", folder / "second");
    std::filesystem::create_symlink("real/b", folder / "dangling");
    std::filesystem::create_symlink("round", folder / "round");
    write_file(folder / "second", "new");
    write_file(folder / "dangling", "b");
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "second"));
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
    EXPECT_EQ(test::read_text(folder / "real/a"), "new");
    EXPECT_EQ(test::read_text(folder / "real/b"), "b");
    EXPECT_NE(error_of([&] { write_file(folder / "round", "x"); }).find("too many symbolic links"),
              std::string::npos);
    EXPECT_EQ(names_in(folder / "real"), (std::vector<std::string>{"a", "b"}));
}

TEST(WriteFile, WritesThroughWhatIsNoRegularFile) {
    const test::TemporaryFolder folder;
    const std::filesystem::path pipe = folder / "pipe", device = folder / "null";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    std::string heard;
    std::thread reader([&] { heard = test::read_text(pipe); });
    write_file(pipe, "through the pipe");
    reader.join();
    EXPECT_EQ(heard, "through the pipe");
    EXPECT_TRUE(S_ISFIFO(mode_of(pipe)));
    if (::mknod(device.c_str(), S_IFCHR | 0666, ::makedev(1, 3)) != 0) return;  // only root may
    write_file(device, "gone");
    EXPECT_TRUE(S_ISCHR(mode_of(device)));
    EXPECT_EQ(names_in(folder.path()), (std::vector<std::string>{"null", "pipe"}));
}

TEST(WriteFile, KnowsTheNamesOfStandardOutput) {
    for (const char* name : {"-", "-.bvh", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"})
        EXPECT_TRUE(is_standard_output(name)) << name;
    for (const char* name : {"", "--", "-a.bvh", "out/-", "./-.bvh", "/dev/stderr"})
        EXPECT_FALSE(is_standard_output(name)) << name;
}

TEST(FileWriter, AppearsWholeOrNotAtAll) {
    const test::TemporaryFolder folder;
    {
        FileWriter file(folder / "a");
        file.append(as_bytes("one "));
        file.append(as_bytes("two"));
        EXPECT_FALSE(std::filesystem::exists(folder / "a"));
        file.commit();
        FileWriter never(folder / "b");
        never.append(as_bytes("half"));
    }
    EXPECT_EQ(test::read_text(folder / "a"), "one two");
    EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"a"});
}

TEST(PendingFile, AFolderIsRemovedWithAllInIt) {
    const test::TemporaryFolder folder;
    {
        const PendingFile pending(folder / "frames");
        std::filesystem::create_directories(pending.path() / "inner");
        test::write_text(pending.path() / "inner/f", "half");
    }
    EXPECT_TRUE(names_in(folder.path()).empty());
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
