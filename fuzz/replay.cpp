// Runs a fuzz target over every file of a corpus folder, and over each file cut at several places and with
// single bytes changed, so that the ordinary tests keep what fuzzing has found.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
    std::size_t runs = 0;
    for (int i = 1; i < argc; ++i) {
        if (!std::filesystem::is_directory(argv[i])) continue;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i])) {
            if (!entry.is_regular_file()) continue;
            std::ifstream file(entry.path(), std::ios::binary);
            std::vector<char> content((std::istreambuf_iterator<char>(file)),
                                      std::istreambuf_iterator<char>());
            auto* bytes = reinterpret_cast<std::uint8_t*>(content.data());
            LLVMFuzzerTestOneInput(bytes, content.size());
            ++runs;
            constexpr std::size_t cuts = 32;
            for (std::size_t cut = 0; cut < cuts && !content.empty(); ++cut) {
                LLVMFuzzerTestOneInput(bytes, content.size() * cut / cuts);
                const std::size_t place = (content.size() * cut + cuts / 2) / cuts % content.size();
                const std::uint8_t kept = bytes[place];
                bytes[place] = static_cast<std::uint8_t>(kept ^ (1u << (cut % 8)));
                LLVMFuzzerTestOneInput(bytes, content.size());
                bytes[place] = kept;
                runs += 2;
            }
        }
    }
    std::printf("%zu inputs replayed\n", runs);
    return runs == 0 ? 1 : 0;
}
