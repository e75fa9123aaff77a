#include <cmath>
#include <iterator>

#include "sinew/base/file.h"
#include "sinew/io/acclaim/acclaim.h"
#include "sinew/io/asf_layout.h"
#include "sinew/math/quaternion.h"

namespace sinew::io {
namespace asf {
namespace {

using math::Vec3d;

/// Numbers that read back exactly, and no negative zero.
void put(std::string& text, double value) {
    fmt::format_to(std::back_inserter(text), " {}", value == 0 ? 0.0 : value);
}
void put(std::string& text, const Vec3d& v) {
    for (int axis = 0; axis < 3; ++axis) put(text, v[axis]);
}

std::string_view word_of(const Dof& dof) {
    constexpr std::string_view turns[] = {"rx", "ry", "rz"}, shifts[] = {"tx", "ty", "tz"};
    const auto axis = static_cast<std::size_t>(dof.axis);
    if (dof.kind == Dof::Kind::length) return "l";
    return dof.kind == Dof::Kind::rotation ? turns[axis] : shifts[axis];
}

void put(std::string& text, const std::vector<Dof>& dofs) {
    for (const Dof& dof : dofs) text.append(" ").append(word_of(dof));
    text += '\n';
}

void put_bone(std::string& text, const WrittenBone& bone, std::size_t id) {
    const double length = bone.end.norm();
    fmt::format_to(std::back_inserter(text), "  begin\n    id {}\n    name {}\n    direction", id, bone.name);
    put(text, length > 0 ? Vec3d(bone.end / length) : Vec3d(Vec3d::UnitY()));
    text += "\n    length";
    put(text, length);
    // C = R_z R_y R_x of the angles.
    const Vec3d angles = math::to_euler({2, 1, 0}, bone.axes) * (180 / math::pi);
    text += "\n    axis";
    put(text, Vec3d(angles.reverse()));
    text += " XYZ\n";
    if (!bone.dofs.empty()) {
        text += "    dof";
        put(text, bone.dofs);
    }
    for (std::size_t i = 0; i < bone.limits.size(); ++i) {
        fmt::format_to(std::back_inserter(text), "    {} ({} {})\n", i == 0 ? "limits" : "      ",
                       bone.limits[i].first, bone.limits[i].second);
    }
    text += "  end\n";
}

}  // namespace

std::string skeleton_text(const Layout& layout) {
    // One number is 0.0254 / length metres.
    std::string text = fmt::format(
        ":version 1.10\n:name skeleton\n:units\n  mass 1\n  length {}\n  angle deg\n:root\n  order",
        0.0254 / layout.unit);
    put(text, layout.bones[0].dofs);
    text += "  axis XYZ\n  position";
    put(text, layout.position);
    text += "\n  orientation 0 0 0\n:bonedata\n";
    for (std::size_t i = 1; i < layout.bones.size(); ++i) put_bone(text, layout.bones[i], i);
    text += ":hierarchy\n  begin\n";
    std::vector<std::string> lines(layout.bones.size());
    for (std::size_t i = 1; i < layout.bones.size(); ++i) {
        lines[static_cast<std::size_t>(layout.bones[i].parent)].append(" ").append(layout.bones[i].name);
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (!lines[i].empty()) text += "    " + layout.bones[i].name + lines[i] + "\n";
    }
    return text + "  end\n";
}

namespace {

std::string motion_text(const Layout& layout) {
    std::string text = ":FULLY-SPECIFIED\n:DEGREES\n";
    for (std::size_t f = 0; f < layout.frames; ++f) {
        fmt::format_to(std::back_inserter(text), "{}\n", f + 1);
        for (const WrittenBone& bone : layout.bones) {
            if (bone.dofs.empty()) continue;
            text += bone.name;
            for (std::size_t i = 0; i < bone.dofs.size(); ++i) {
                const double value = bone.values[f * bone.dofs.size() + i];
                fmt::format_to(std::back_inserter(text), " {:.9g}", std::abs(value) < 1e-9 ? 0.0 : value);
            }
            text += '\n';
        }
    }
    return text;
}

/// Writes the skeleton unless the same stands there already.
void put_companion(const std::filesystem::path& path, const std::string& text, Monitor& monitor) {
    std::error_code code;
    if (std::filesystem::exists(path, code)) {
        if (FileView(path).text() == text) return;
        warn(monitor, "amc-skeleton-replaced", "{} held another skeleton and is replaced", path.string());
    }
    write_file(path, text);
}

}  // namespace
}  // namespace asf

std::string write_asf(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor) {
    return asf::skeleton_text(asf::lay_out(asset, path.string(), options, monitor));
}

std::string write_amc(const Asset& asset, const std::filesystem::path& path, const WriteOptions& options,
                      Monitor& monitor) {
    const asf::Layout layout = asf::lay_out(asset, path.string(), options, monitor);
    const std::string skeleton = asf::skeleton_text(layout);
    std::string motion = asf::motion_text(layout);
    asf::put_companion(std::filesystem::path(path).replace_extension("asf"), skeleton, monitor);
    return motion;
}

}  // namespace sinew::io
