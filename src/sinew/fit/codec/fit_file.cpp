// SPDX-License-Identifier: MIT
#include "sinew/fit/fit_file.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "sinew/fit/codec/pose_code.h"

namespace sinew::fit {
namespace {

constexpr std::string_view magic = "SINEWFIT";
constexpr std::uint32_t version = 1;
constexpr std::size_t chunk_head = 12;  ///< four letters and the size

/// Values that everything else depends on.
struct Head {
    std::uint32_t vertices = 0, triangles = 0, bones = 0, frames = 0, influences = 0;
    std::uint32_t corrections = 0, normal_corrections = 0, history = 0;
    double rate = 30;
    double hat_reach = 0;
    std::uint8_t blend = 0, rigid = 0, precision = 0, bits = 0, kind = 0, normal_kind = 0;
    std::uint8_t own_normals = 0, rest_normals = 0, normal_rule = 0, clips = 0, unused[6] = {};
};

Head head_of(const FitResult& fit, const FitFileOptions& options) {
    Head head;
    head.vertices = static_cast<std::uint32_t>(fit.rest.positions.size());
    head.triangles = static_cast<std::uint32_t>(fit.rest.triangles.size());
    head.bones = static_cast<std::uint32_t>(fit.bone_count());
    head.frames = static_cast<std::uint32_t>(fit.frames.size());
    head.influences = static_cast<std::uint32_t>(fit.weights.limit());
    head.corrections = static_cast<std::uint32_t>(std::min(fit.corrections.count(), options.corrections));
    head.normal_corrections =
        static_cast<std::uint32_t>(std::min(fit.normal_corrections.count(), options.corrections));
    head.history = static_cast<std::uint32_t>(fit.history.size());
    head.rate = fit.rate;
    head.hat_reach = fit.hat_reach;
    head.blend = fit.blend == Blend::dual;
    head.rigid = fit.rigid;
    head.precision = static_cast<std::uint8_t>(options.precision);
    head.bits = static_cast<std::uint8_t>(std::clamp(options.bits, 4, 24));
    head.kind = static_cast<std::uint8_t>(pose_kind(fit, fit.frames, false));
    head.normal_kind = static_cast<std::uint8_t>(pose_kind(fit, fit.normals, true));
    head.own_normals = !fit.normals.empty();
    head.normal_rule = static_cast<std::uint8_t>(fit.normal_rule);
    head.rest_normals = fit.rest.normals.size() == fit.rest.positions.size();
    head.clips = !fit.clips.empty();
    return head;
}

PoseCode code_of(const Head& head) {
    return {static_cast<FitPrecision>(head.precision), head.bits};
}

void put_chunk(std::string_view tag, const ByteWriter& chunk, ByteWriter& out) {
    out.append(tag);
    out.put(static_cast<std::uint64_t>(chunk.bytes().size()));
    out.append(chunk.bytes());
}

void put_points(const std::vector<math::Vec3f>& points, ByteWriter& out) {
    for (const math::Vec3f& p : points) {
        for (int c = 0; c < 3; ++c) out.put(p(c));
    }
}

std::vector<math::Vec3f> get_points(std::size_t count, ByteReader& in) {
    in.need(count, 12);
    std::vector<math::Vec3f> points(count);
    for (math::Vec3f& p : points) {
        for (int c = 0; c < 3; ++c) p(c) = in.get<float>();
        if (!p.allFinite()) in.broken("a position is not finite");
    }
    return points;
}

void put_rest(const FitResult& fit, const Head& head, ByteWriter& out) {
    put_points(fit.rest.positions, out);
    if (head.rest_normals != 0) put_points(fit.rest.normals, out);
    for (const geometry::Triangle& t : fit.rest.triangles) {
        for (const std::uint32_t v : t) out.put(v);
    }
}

geometry::Mesh get_rest(const Head& head, ByteReader& in) {
    geometry::Mesh mesh;
    mesh.positions = get_points(head.vertices, in);
    if (head.rest_normals != 0) mesh.normals = get_points(head.vertices, in);
    in.need(head.triangles, 12);
    mesh.triangles.resize(head.triangles);
    for (geometry::Triangle& t : mesh.triangles) {
        for (std::uint32_t& v : t) {
            v = in.get<std::uint32_t>();
            if (v >= head.vertices) in.broken("a triangle refers to a vertex that does not exist");
        }
    }
    return mesh;
}

/// Weights as doubles, or in 16 bits with sum 65535.
void put_weights(const FitResult& fit, const Head& head, ByteWriter& out) {
    for (const Vec3d& c : fit.centers) {
        for (int i = 0; i < 3; ++i) out.put(c(i));
    }
    const bool exact = code_of(head).precision == FitPrecision::exact;
    for (std::size_t v = 0; v < head.vertices; ++v) {
        const auto list = fit.weights.of(v);
        out.put(static_cast<std::uint8_t>(list.size()));
        double sum = 0;
        std::int64_t before = 0;
        for (const BoneWeight& w : list) {
            out.put(static_cast<std::uint16_t>(w.bone));
            if (exact) {
                out.put(w.weight);
                continue;
            }
            sum += w.weight;
            const std::int64_t now = std::llround(65535 * std::min(1.0, sum));
            out.put(static_cast<std::uint16_t>(now - before));
            before = now;
        }
    }
}

void get_weights(const Head& head, ByteReader& in, FitResult& fit) {
    in.need(head.bones, 24);
    fit.centers.resize(head.bones);
    for (Vec3d& c : fit.centers) {
        for (int i = 0; i < 3; ++i) c(i) = in.get<double>();
        if (!c.allFinite()) in.broken("the position of a bone is not finite");
    }
    in.need(head.vertices, 1);
    const bool exact = code_of(head).precision == FitPrecision::exact;
    // Lists first: how many there are is known only when they have been read.
    std::vector<std::vector<BoneWeight>> lists(head.vertices);
    for (auto& list : lists) {
        const auto count = in.get<std::uint8_t>();
        if (count == 0 || count > head.influences) in.broken("a vertex has no weights, or too many");
        in.need(count, exact ? 10 : 4);
        for (int i = 0; i < count; ++i) {
            const std::uint32_t bone = in.get<std::uint16_t>();
            const double weight = exact ? in.get<double>() : in.get<std::uint16_t>() / 65535.0;
            if (bone >= head.bones || !(weight >= 0 && weight <= 1.001)) in.broken("a weight is invalid");
            list.push_back({bone, weight});
        }
    }
    std::size_t largest = 8;
    for (const auto& list : lists) largest = std::max(largest, list.size());
    fit.weights = BlendWeights(head.vertices, std::min<std::size_t>(head.influences, largest));
    for (std::size_t v = 0; v < lists.size(); ++v) fit.weights.set(v, lists[v]);
}

void put_clips(const std::vector<ClipRange>& clips, ByteWriter& out) {
    out.put(static_cast<std::uint32_t>(clips.size()));
    for (const ClipRange& clip : clips) {
        const std::string_view name = std::string_view(clip.name).substr(0, 65535);
        out.put(static_cast<std::uint16_t>(name.size()));
        out.append(name);
        out.put(static_cast<std::uint32_t>(clip.count));
        out.put(clip.rate);
    }
}

/// Clips are consecutive, so counts are sufficient; together they are all frames.
std::vector<ClipRange> get_clips(const Head& head, ByteReader in) {
    const auto count = in.get<std::uint32_t>();
    in.need(count, 14);
    std::vector<ClipRange> clips(count);
    std::size_t first = 0;
    for (ClipRange& clip : clips) {
        const auto size = in.get<std::uint16_t>();
        in.need(size, 1);
        for (int i = 0; i < size; ++i) clip.name.push_back(in.get<char>());
        clip.first = first;
        clip.count = in.get<std::uint32_t>();
        clip.rate = in.get<double>();
        first += clip.count;
        if (clip.count == 0 || first > head.frames || !std::isfinite(clip.rate) || clip.rate <= 0)
            in.broken("a clip is invalid");
    }
    if (first != head.frames) in.broken("the clips do not cover all frames");
    return clips;
}

void put_correction(const Corrections& c, std::size_t number, FitPrecision precision, ByteWriter& out) {
    const auto j = static_cast<Eigen::Index>(number);
    if (precision == FitPrecision::exact) {
        for (Eigen::Index i = 0; i < c.shapes.rows(); ++i) out.put(c.shapes(i, j));
        for (Eigen::Index f = 0; f < c.amounts.cols(); ++f) out.put(c.amounts(j, f));
        return;
    }
    const double largest = c.shapes.col(j).cwiseAbs().maxCoeff();
    const auto scale = static_cast<float>(precision == FitPrecision::quantised ? largest / 32767 : 1);
    out.put(scale);
    for (Eigen::Index i = 0; i < c.shapes.rows(); ++i) {
        if (precision == FitPrecision::quantised) {
            out.put(static_cast<std::int16_t>(
                scale > 0 ? std::lround(c.shapes(i, j) / static_cast<double>(scale)) : 0));
        } else {
            out.put(static_cast<float>(c.shapes(i, j)));
        }
    }
    for (Eigen::Index f = 0; f < c.amounts.cols(); ++f) out.put(static_cast<float>(c.amounts(j, f)));
}

void get_correction(const Head& head, std::size_t number, ByteReader& in, Corrections& c) {
    const auto j = static_cast<Eigen::Index>(number);
    const FitPrecision precision = code_of(head).precision;
    const std::uint64_t each = precision == FitPrecision::exact       ? 8
                               : precision == FitPrecision::quantised ? 2
                                                                      : 4;
    in.need(3 * std::uint64_t{head.vertices}, each);
    c.shapes.conservativeResize(3 * static_cast<Eigen::Index>(head.vertices), j + 1);
    c.amounts.conservativeResize(j + 1, static_cast<Eigen::Index>(head.frames));
    const bool exact = precision == FitPrecision::exact;
    const double scale = exact ? 1 : static_cast<double>(in.get<float>());
    for (Eigen::Index i = 0; i < c.shapes.rows(); ++i) {
        c.shapes(i, j) = exact                                  ? in.get<double>()
                         : precision == FitPrecision::quantised ? scale * in.get<std::int16_t>()
                                                                : static_cast<double>(in.get<float>());
    }
    for (Eigen::Index f = 0; f < c.amounts.cols(); ++f)
        c.amounts(j, f) = exact ? in.get<double>() : static_cast<double>(in.get<float>());
    if (!c.shapes.col(j).allFinite() || !c.amounts.row(j).allFinite())
        in.broken("a correction is not finite");
}

Head get_head(ByteReader in) {
    const auto head = in.get<Head>();
    if (head.blend > 1 || head.rigid > 1 || head.precision > 2 || head.kind > 5 || head.normal_kind > 5 ||
        head.bits < 4 || head.bits > 24 || head.influences == 0 || head.influences > 255 ||
        !std::isfinite(head.rate) || head.rate <= 0 || head.vertices == 0 || head.bones == 0 ||
        head.bones > 65535 || !std::isfinite(head.hat_reach))
        in.broken("the header is invalid");
    const auto kind = static_cast<PoseKind>(head.kind);
    const bool duals = kind == PoseKind::dual || kind == PoseKind::dual_rigid;
    if (duals != (head.blend == 1) || head.kind > 3 || head.normal_kind < 4 || head.normal_rule > 4)
        in.broken("the poses do not match the blend");
    return head;
}

/// The next chunk, which must be `tag`; nothing when the file ends before or within it.
std::optional<ByteReader> chunk(std::string_view tag, ByteReader& in) {
    if (in.left() < chunk_head) return std::nullopt;
    std::string found;
    for (int i = 0; i < 4; ++i) found.push_back(in.get<char>());
    if (found != tag) in.broken(fmt::format("expected the section \"{}\"", tag));
    const auto size = in.get<std::uint64_t>();
    if (size > in.left()) return std::nullopt;
    return in.part(size);
}

ByteReader needed(std::string_view tag, ByteReader& in) {
    auto found = chunk(tag, in);
    if (!found) in.broken(fmt::format("the file ends before the section \"{}\"", tag));
    return *found;
}

/// Reads corrections until there are as many as wanted or the file ends.
bool get_corrections(std::string_view tag, const Head& head, std::size_t count, std::size_t wanted,
                     ByteReader& in, Corrections& corrections) {
    for (std::size_t j = 0; j < count; ++j) {
        auto found = chunk(tag, in);
        if (!found) return false;
        if (j < wanted) get_correction(head, j, *found, corrections);
    }
    return true;
}

}  // namespace

std::string write_fit(const FitResult& fit, const FitFileOptions& options) {
    if (fit.bone_count() > 65535) fail("fit", "{} bones are too many for a file", fit.bone_count());
    const Head head = head_of(fit, options);
    const PoseCode code = code_of(head);
    ByteWriter out;
    out.append(magic);
    out.put(version);
    const auto add = [&](std::string_view tag, const auto& fill) {
        ByteWriter part;
        fill(part);
        put_chunk(tag, part, out);
    };
    add("HEAD", [&](ByteWriter& part) { part.put(head); });
    add("REST", [&](ByteWriter& part) { put_rest(fit, head, part); });
    add("WGHT", [&](ByteWriter& part) { put_weights(fit, head, part); });
    add("POSE", [&](ByteWriter& part) {
        write_poses(fit.frames, fit.centers, static_cast<PoseKind>(head.kind), code, part);
    });
    add("HIST", [&](ByteWriter& part) {
        for (const double e : fit.history) part.put(e);
    });
    if (head.clips != 0) add("CLIP", [&](ByteWriter& part) { put_clips(fit.clips, part); });
    if (head.own_normals != 0) {
        add("NPOS", [&](ByteWriter& part) {
            write_poses(fit.normals, fit.centers, static_cast<PoseKind>(head.normal_kind), code, part);
        });
    }
    for (std::size_t j = 0; j < head.corrections; ++j)
        add("CORR", [&](ByteWriter& part) { put_correction(fit.corrections, j, code.precision, part); });
    for (std::size_t j = 0; j < head.normal_corrections; ++j)
        add("NCOR",
            [&](ByteWriter& part) { put_correction(fit.normal_corrections, j, code.precision, part); });
    return out.bytes();
}

FitResult read_fit(Bytes bytes, std::string_view location, Monitor& monitor, std::size_t corrections) {
    ByteReader in(bytes, std::string(location));
    if (!as_text(bytes).starts_with(magic)) fail(location, "is not a .fit file");
    in.part(magic.size());
    const auto found = in.get<std::uint32_t>();
    if (found != version) fail(location, "version {} of .fit files is not supported", found);
    const Head head = get_head(needed("HEAD", in));
    FitResult fit;
    ByteReader rest = needed("REST", in), weights = needed("WGHT", in), poses = needed("POSE", in);
    fit.rest = get_rest(head, rest);
    fit.rate = head.rate;
    fit.hat_reach = head.hat_reach;
    fit.blend = head.blend != 0 ? Blend::dual : Blend::linear;
    fit.rigid = head.rigid != 0;
    fit.normal_rule = static_cast<NormalRule>(head.normal_rule);
    get_weights(head, weights, fit);
    fit.frames = read_poses(head.frames, fit.centers, static_cast<PoseKind>(head.kind), code_of(head), poses);
    ByteReader history = needed("HIST", in);
    history.need(head.history, 8);
    for (std::uint32_t i = 0; i < head.history; ++i) fit.history.push_back(history.get<double>());
    if (head.clips != 0) fit.clips = get_clips(head, needed("CLIP", in));
    if (head.own_normals != 0) {
        ByteReader normals = needed("NPOS", in);
        fit.normals = read_poses(head.frames, fit.centers, static_cast<PoseKind>(head.normal_kind),
                                 code_of(head), normals);
    }
    const bool whole =
        get_corrections("CORR", head, head.corrections, corrections, in, fit.corrections) &&
        get_corrections("NCOR", head, head.normal_corrections, corrections, in, fit.normal_corrections);
    if (!whole)
        warn(monitor, "fit-cut-off", "{}: the file is truncated: it has {} of {} corrections", location,
             fit.corrections.count(), head.corrections);
    return fit;
}

namespace {

constexpr std::string_view sums_magic = "SINEWSUM";

void put_numbers(const double* numbers, Eigen::Index count, ByteWriter& out) {
    out.append({reinterpret_cast<const char*>(numbers), static_cast<std::size_t>(count) * sizeof(double)});
}

void get_numbers(ByteReader& in, double* numbers, Eigen::Index count) {
    in.need(static_cast<std::uint64_t>(count), sizeof(double));
    for (Eigen::Index i = 0; i < count; ++i) {
        numbers[i] = in.get<double>();
        if (!std::isfinite(numbers[i])) in.broken("a sum is not finite");
    }
}

}  // namespace

std::string write_sums(const WeightSums& sums) {
    ByteWriter out;
    out.append(sums_magic);
    out.put(version);
    out.put(static_cast<std::uint64_t>(sums.frames));
    out.put(static_cast<std::uint32_t>(sums.moments.rows()));
    out.put(static_cast<std::uint32_t>(sums.squares.size()));
    put_numbers(sums.moments.data(), sums.moments.size(), out);
    put_numbers(sums.cross.data(), sums.cross.size(), out);
    put_numbers(sums.squares.data(), sums.squares.size(), out);
    return out.bytes();
}

WeightSums read_sums(Bytes bytes, std::string_view location) {
    ByteReader in(bytes, std::string(location));
    if (!as_text(bytes).starts_with(sums_magic)) fail(location, "contains no sums of a fit");
    in.part(sums_magic.size());
    const auto found = in.get<std::uint32_t>();
    if (found != version) fail(location, "version {} of sums is not supported", found);
    WeightSums sums;
    sums.frames = static_cast<std::size_t>(in.get<std::uint64_t>());
    const auto rows = in.get<std::uint32_t>(), vertices = in.get<std::uint32_t>();
    in.need(rows, 8 * std::uint64_t{std::max(rows, vertices)});
    sums.moments.resize(rows, rows);
    sums.cross.resize(rows, vertices);
    sums.squares.resize(vertices);
    get_numbers(in, sums.moments.data(), sums.moments.size());
    get_numbers(in, sums.cross.data(), sums.cross.size());
    get_numbers(in, sums.squares.data(), sums.squares.size());
    return sums;
}

int bits_for(const model::MeshSequence& sequence, const FitResult& fit, double share) {
    const double own = fit_error(sequence, fit).rms;
    for (int bits = 8; bits < 24; ++bits) {
        FitFileOptions options;
        options.precision = FitPrecision::quantised;
        options.bits = bits;
        const FitResult rounded = read_fit(as_bytes(write_fit(fit, options)), "fit");
        if (fit_error(sequence, rounded).rms <= (1 + share) * own) return bits;
    }
    return 24;
}

}  // namespace sinew::fit
