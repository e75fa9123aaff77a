// SPDX-License-Identifier: MIT
#include "sinew/fit/fit_file.h"

#include "fit/sequences.h"
#include <gtest/gtest.h>

#include "sinew/fit/decomposition/corrections.h"
#include "sinew/fit/decomposition/decomposition.h"
#include "sinew/fit/proxy/proxy.h"

namespace sinew::fit {
namespace fit_file_test {

model::MeshSequence rolling() {
    return test::played(test::sheet(14, 0.2), 8, test::rolled);
}

FitResult some_fit(const model::MeshSequence& sequence, bool rigid, DualMethod method = DualMethod::newton) {
    ProxyOptions options;
    options.joints = 9;
    options.rigid = rigid;
    options.dual.method = method;
    options.own_normals = true;
    FitResult fit = fit_proxy(sequence, options);
    fit.corrections = eigen_displacements(fit, sequence, 3);
    fit.normal_corrections = normal_displacements(fit, sequence, 2);
    return fit;
}

std::string error_of(std::string_view bytes) {
    try {
        read_fit(as_bytes(bytes), "a.fit");
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST(FitFile, ExactFilesGiveBackEveryBit) {
    const model::MeshSequence sequence = rolling();
    for (const FitResult& fit :
         {some_fit(sequence, true), some_fit(sequence, false),
          some_fit(sequence, true, DualMethod::published), fit_decomposition(sequence, {.bones = 4})}) {
        const std::string bytes = write_fit(fit, {.precision = FitPrecision::exact});
        const FitResult again = read_fit(as_bytes(bytes), "a.fit");
        EXPECT_EQ(write_fit(again, {.precision = FitPrecision::exact}), bytes);
        for (std::size_t f = 0; f < sequence.frames.size(); ++f)
            EXPECT_EQ(deformed(again, f), deformed(fit, f));
        EXPECT_EQ(again.weights, fit.weights);
        EXPECT_EQ(again.history, fit.history);
    }
}

TEST(FitFile, SingleAndQuantisedFilesPlayNearlyTheSame) {
    const model::MeshSequence sequence = rolling();
    for (const FitResult& fit :
         {some_fit(sequence, true), some_fit(sequence, false),
          some_fit(sequence, true, DualMethod::published), fit_decomposition(sequence, {.bones = 4})}) {
        const double own = fit_error(sequence, fit).rms;
        const std::string single = write_fit(fit);
        const std::string small = write_fit(fit, {.precision = FitPrecision::quantised, .bits = 16});
        EXPECT_LT(small.size(), single.size());
        EXPECT_LT(single.size(), write_fit(fit, {.precision = FitPrecision::exact}).size());
        EXPECT_LT(fit_error(sequence, read_fit(as_bytes(single), "a.fit")).rms, 1.05 * own + 1e-5);
        // 16 bits add less than a tenth to the error.
        EXPECT_LT(fit_error(sequence, read_fit(as_bytes(small), "a.fit")).rms, 1.1 * own + 1e-5);
        if (fit.normals.empty()) continue;
        const FitResult played = read_fit(as_bytes(single), "a.fit");
        EXPECT_LT(normal_error(sequence, played).mean, normal_error(sequence, fit).mean + 0.05);
    }
}

TEST(FitFile, BitsAreChosenByTheErrorTheyAdd) {
    const model::MeshSequence sequence = rolling();
    const FitResult fit = some_fit(sequence, true);
    const int bits = bits_for(sequence, fit, 0.1);
    EXPECT_GE(bits, 8);
    EXPECT_LE(bits, 20);
    const double own = fit_error(sequence, fit).rms;
    const std::string bytes = write_fit(fit, {.precision = FitPrecision::quantised, .bits = bits});
    EXPECT_LE(fit_error(sequence, read_fit(as_bytes(bytes), "a.fit")).rms, 1.1 * own);
    EXPECT_LE(bits, bits_for(sequence, fit, 0.001));
}

TEST(FitFile, AFileThatIsCutOffPlaysWithFewerCorrections) {
    const model::MeshSequence sequence = rolling();
    FitResult fit = some_fit(sequence, true);
    fit.normal_corrections = {};
    const std::string bytes = write_fit(fit);
    const std::size_t layer = 12 + 4 * (1 + 3 * fit.rest.positions.size() + fit.frames.size());
    std::size_t expected = 3;
    double before = 0;
    for (const std::size_t missing :
         {std::size_t{0}, std::size_t{1}, layer, layer + 1, 2 * layer, 3 * layer}) {
        Collector monitor;
        const FitResult part =
            read_fit(as_bytes(std::string_view(bytes).substr(0, bytes.size() - missing)), "a.fit", monitor);
        expected = 3 - (missing + layer - 1) / layer;
        EXPECT_EQ(part.corrections.count(), expected) << missing;
        EXPECT_EQ(monitor.has("fit-cut-off"), missing > 0);
        const double error = fit_error(sequence, part).rms;
        EXPECT_GE(error, before - 1e-9);
        before = error;
    }
    EXPECT_EQ(read_fit(as_bytes(bytes), "a.fit", silent(), 1).corrections.count(), 1u);
}

TEST(FitFile, BrokenFilesAreNamedWithTheByte) {
    const std::string good = write_fit(some_fit(rolling(), true));
    EXPECT_EQ(error_of(""), "a.fit: is not a .fit file");
    EXPECT_EQ(error_of("SINEWFIT"), "a.fit: byte 8: the file is truncated");
    std::string bad = good;
    bad[8] = 9;
    EXPECT_EQ(error_of(bad), "a.fit: version 9 of .fit files is not supported");
    EXPECT_NE(error_of(std::string_view(good).substr(0, 60)), "");
    // Every cut before the corrections is an error; no change of a byte crashes.
    for (std::size_t size = 12; size < 2000; size += 37)
        EXPECT_NE(error_of(std::string_view(good).substr(0, size)), "") << size;
    test::Random random(3);
    for (int trial = 0; trial < 300; ++trial) {
        bad = good;
        for (int i = 0; i < 3; ++i)
            bad[static_cast<std::size_t>(random.uniform(8, 400))] = static_cast<char>(random.uniform(0, 255));
        error_of(bad);
    }
}

}  // namespace fit_file_test
}  // namespace sinew::fit
