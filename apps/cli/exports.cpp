// SPDX-License-Identifier: MIT
#include "exports.h"

#include "sinew/base/error.h"
#include "sinew/deform/deformer.h"
#include "sinew/io/interchange.h"

namespace sinew::cli {
namespace {

using math::Mat4d;

void append_matrix(std::vector<float>& values, const Mat4d& m) {
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 4; ++c) values.push_back(static_cast<float>(m(r, c)));
}

/// Largest entry of M^T M - I of the linear part: 0 for a rigid transformation.
double distance_from_rigid(const Mat4d& transform) {
    const math::Mat3d linear = transform.topLeftCorner<3, 3>();
    return (linear.transpose() * linear - math::Mat3d::Identity()).cwiseAbs().maxCoeff();
}

void append_dual_quaternion(std::vector<float>& values, const Mat4d& m, std::string_view what) {
    if (distance_from_rigid(m) > 1e-3)
        fail("", "a {} is not rigid: export matrices instead of dual quaternions", what);
    const math::DualQuatd q = math::to_dual_quaternion(math::Rigidd{
        math::from_matrix<double>(m.topLeftCorner<3, 3>()), math::Vec3d(m.topRightCorner<3, 1>())});
    for (const math::Quatd& part : {q.real, q.dual})
        for (const double number : {part.w(), part.x(), part.y(), part.z()})
            values.push_back(static_cast<float>(number));
}

/// Collects frames of transforms in the requested form.
class Collection {
  public:
    Collection(bool dual_quaternions, std::string_view what) : dual_(dual_quaternions), what_(what) {}

    void add_frame(std::span<const Mat4d> transforms) {
        for (const Mat4d& m : transforms)
            dual_ ? append_dual_quaternion(array_.values, m, what_) : append_matrix(array_.values, m);
        items_ = transforms.size();
        ++frames_;
    }

    void write(Run& run, const std::filesystem::path& path) {
        array_.shape = {frames_, items_};
        if (dual_)
            array_.shape.push_back(8);
        else
            array_.shape.insert(array_.shape.end(), {3, 4});
        const std::string kind = suffix(path);
        write_file(path, kind == "npy" ? io::encode_npy(array_) : io::encode_csv(array_, "frame", what_));
        run.report.extra["files"].push_back(path.string());
        run.say("wrote {}: {} of {} {}", path.string(), count_of(frames_, "frame"), items_,
                dual_ ? "dual quaternions" : "matrices");
    }

  private:
    bool dual_;
    std::string_view what_;
    std::size_t frames_ = 0, items_ = 0;
    io::NumberArray array_;
};

}  // namespace

void add_export_options(CLI::App& verb, ExportOptions& options) {
    verb.add_option("--export-palette", options.palette,
                    "Write the matrix of each joint (rest pose to posed) for every frame: .npy or .csv")
        ->type_name("FILE");
    verb.add_option("--export-transforms", options.transforms,
                    "Write the blended transform of each vertex for every frame: .npy or .csv")
        ->type_name("FILE");
    verb.add_flag("--dual-quaternions", options.dual_quaternions,
                  "Exports hold dual quaternions (w x y z, real part first) instead of 3 x 4 matrices");
}

void write_exports(Run& run, const model::Character& character, const model::Clip* clip,
                   std::span<const double> times, deform::Method method, const ExportOptions& options) {
    if (!options.any()) return;
    const StageTimer timer(run.report, "export");
    deform::Deformer deformer(character, {.method = method});
    Collection palettes(options.dual_quaternions, "joint"), vertices(options.dual_quaternions, "vertex");
    for (const double time : times) {
        const std::vector<Mat4d> palette =
            model::palette(character.skin, model::world_matrices(character, clip, time));
        if (!options.palette.empty()) palettes.add_frame(palette);
        if (options.transforms.empty()) continue;
        deformer.at(clip, time);
        vertices.add_frame(deformer.transforms());
    }
    if (!options.palette.empty()) palettes.write(run, options.palette);
    if (!options.transforms.empty()) vertices.write(run, options.transforms);
}

}  // namespace sinew::cli
