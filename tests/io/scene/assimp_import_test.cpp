// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include "io/mesh/mesh_support.h"
#include "io/scene/x_support.h"
#include "support/sanitizer.h"

#include "sinew/io/scene/scene_formats.h"

namespace sinew::io {
namespace foreign_test {

using math::Vec3d;
using math::Vec3f;
namespace fs = std::filesystem;

#define SINEW_NEEDS_IMPORTER() \
    if (!has_importer()) GTEST_SKIP() << "sinew-import was not built: assimp is not installed"

bool has_importer() {
    return fs::exists(find_importer());
}

/// A tetrahedron that is the same in no mirror.
const std::vector<Vec3f> corners = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
const std::vector<geometry::Triangle> faces = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

std::string numbers(const auto& list, std::string_view separator) {
    std::string text;
    for (const auto& item : list) {
        for (int i = 0; i < 3; ++i)
            text += fmt::format("{}{}", text.empty() ? "" : separator, item[static_cast<std::size_t>(i)]);
    }
    return text;
}
std::vector<std::array<float, 3>> corner_list() {
    std::vector<std::array<float, 3>> list;
    for (const Vec3f& p : corners) list.push_back({p.x(), p.y(), p.z()});
    return list;
}

Asset obj_twin(const test::TemporaryFolder& folder) {
    std::string text = "o Tetra\n";
    for (const Vec3f& p : corners) text += fmt::format("v {} {} {}\n", p.x(), p.y(), p.z());
    for (const auto& f : faces) text += fmt::format("f {} {} {}\n", f[0] + 1, f[1] + 1, f[2] + 1);
    test::write_text(folder / "twin.obj", text);
    return read(folder / "twin.obj");
}

/// The same triangles, whatever the order and the splitting of vertices.
std::vector<std::array<float, 9>> soup(const geometry::Mesh& mesh) {
    std::vector<std::array<float, 9>> list;
    for (const geometry::Triangle& t : mesh.triangles) {
        std::array<std::array<float, 3>, 3> p{};
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t k = 0; k < 3; ++k)
                p[i][k] = std::round(mesh.positions[t[i]][static_cast<int>(k)] * 1e4f) / 1e4f + 0.0f;
        }
        std::rotate(p.begin(), std::min_element(p.begin(), p.end()), p.end());
        std::array<float, 9> flat{};
        for (std::size_t i = 0; i < 9; ++i) flat[i] = p[i / 3][i % 3];
        list.push_back(flat);
    }
    std::sort(list.begin(), list.end());
    return list;
}

std::string collada(std::string_view up = "Y_UP", double metre = 1) {
    return fmt::format(
        R"(<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="u" meter="{3}"/><up_axis>{2}</up_axis></asset>
<library_geometries><geometry id="g" name="Tetra"><mesh>
<source id="p"><float_array id="pa" count="12">{0}</float_array><technique_common>
<accessor source="#pa" count="4" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>{1}</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n" name="Tetra"><instance_geometry url="#g"/></node>
</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>)",
        numbers(corner_list(), " "), numbers(faces, " "), up, metre);
}

std::string ascii_fbx() {
    std::string polygons;
    for (const auto& f : faces)
        polygons += fmt::format("{}{},{},-{}", polygons.empty() ? "" : ",", f[0], f[1], f[2] + 1);
    return fmt::format(R"(; FBX 7.3.0 project file
FBXHeaderExtension:  {{
	FBXHeaderVersion: 1003
	FBXVersion: 7300
}}
GlobalSettings:  {{
	Version: 1000
	Properties70:  {{
		P: "UpAxis", "int", "Integer", "",1
		P: "UpAxisSign", "int", "Integer", "",1
		P: "FrontAxis", "int", "Integer", "",2
		P: "FrontAxisSign", "int", "Integer", "",1
		P: "CoordAxis", "int", "Integer", "",0
		P: "CoordAxisSign", "int", "Integer", "",1
		P: "UnitScaleFactor", "double", "Number", "",100
	}}
}}
Objects:  {{
	Geometry: 1000, "Geometry::Tetra", "Mesh" {{
		Vertices: *12 {{
			a: {0}
		}}
		PolygonVertexIndex: *12 {{
			a: {1}
		}}
		GeometryVersion: 124
	}}
	Model: 2000, "Model::Tetra", "Mesh" {{
		Version: 232
	}}
}}
Connections:  {{
	C: "OO",2000,0
	C: "OO",1000,2000
}}
)",
                       numbers(corner_list(), ","), polygons);
}

void put(std::string& bytes, const auto& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}
std::string chunk(std::uint16_t id, const std::string& content) {
    std::string bytes;
    put(bytes, id);
    put(bytes, static_cast<std::uint32_t>(6 + content.size()));
    return bytes + content;
}
/// 3D Studio: z points up, so that (x, y, z) of ours is (x, -z, y) of the file.
std::string studio3d() {
    std::string points, triangles;
    put(points, static_cast<std::uint16_t>(corners.size()));
    for (const Vec3f& p : corners) {
        for (const float x : {p.x(), -p.z(), p.y()}) put(points, x);
    }
    put(triangles, static_cast<std::uint16_t>(faces.size()));
    for (const auto& f : faces) {
        for (const std::uint32_t i : f) put(triangles, static_cast<std::uint16_t>(i));
        put(triangles, std::uint16_t{7});
    }
    const std::string object =
        std::string("Tetra") + '\0' + chunk(0x4100, chunk(0x4110, points) + chunk(0x4120, triangles));
    return chunk(0x4D4D, chunk(0x3D3D, chunk(0x4000, object)));
}

fs::path fake_importer(const test::TemporaryFolder& folder, std::string_view script) {
    const fs::path path = folder / "fake-import";
    test::write_text(path, "#!/bin/sh\n" + std::string(script));
    fs::permissions(path, fs::perms::owner_all);
    return path;
}

std::string foreign_error(const fs::path& path, const ImportLimits& limits, Monitor& monitor = silent()) {
    try {
        import_file(path, limits, monitor);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

std::size_t leftovers() {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(fs::temp_directory_path()))
        count += entry.path().filename().string().starts_with("sinew-import-") ? 1 : 0;
    return count;
}

TEST(Foreign, ColladaFbxAnd3dsEqualTheirObjTwin) {
    SINEW_NEEDS_IMPORTER();
    const test::TemporaryFolder folder;
    const auto expected = soup(obj_twin(folder).character.mesh);
    const std::pair<std::string, std::string> files[] = {
        {"a.dae", collada()}, {"a.fbx", ascii_fbx()}, {"a.3ds", studio3d()}};
    for (const auto& [name, content] : files) {
        test::write_text(folder / name, content);
        const Asset asset = read(folder / name);
        EXPECT_EQ(soup(asset.character.mesh), expected) << name;
        ASSERT_EQ(geometry::parts_of(asset.character.mesh).size(), 1u);
        EXPECT_EQ(geometry::parts_of(asset.character.mesh)[0].name, "Tetra") << name;
        EXPECT_FALSE(asset.character.has_skeleton()) << name;
        EXPECT_EQ(asset.character.name, "a");
    }
}

TEST(Foreign, ColladaUnitsAndAxesAreConverted) {
    SINEW_NEEDS_IMPORTER();
    const test::TemporaryFolder folder;
    test::write_text(folder / "a.dae", collada("Z_UP", 0.01));
    const geometry::Mesh mesh = read(folder / "a.dae").character.mesh;
    const geometry::Box box = geometry::bounds(mesh.positions);
    EXPECT_LT((box.size() - Vec3f(0.01f, 0.03f, 0.02f)).norm(), 1e-6);
    EXPECT_GT(geometry::signed_volume(mesh.positions, mesh.triangles), 0);
}

TEST(Foreign, BytesWithoutAFileAreReadToo) {
    SINEW_NEEDS_IMPORTER();
    const std::string text = collada();
    const Asset asset = read_imported(as_bytes(text), "nowhere/a.dae", {}, silent());
    EXPECT_EQ(asset.character.mesh.triangles.size(), 4u);
}

double farthest(const std::vector<Vec3d>& from, const std::vector<Vec3d>& to) {
    double largest = 0;
    for (const Vec3d& p : from) {
        double nearest = 1e300;
        for (const Vec3d& q : to) nearest = std::min(nearest, (p - q).norm());
        largest = std::max(largest, nearest);
    }
    return largest;
}

Vec3d area_vector(const geometry::Mesh& mesh) {
    Vec3d sum = Vec3d::Zero();
    for (const geometry::Triangle& t : mesh.triangles) {
        const Vec3d a = mesh.positions[t[0]].cast<double>();
        sum += (mesh.positions[t[1]].cast<double>() - a).cross(mesh.positions[t[2]].cast<double>() - a) / 2;
    }
    return sum;
}

TEST(Foreign, DirectXThroughTheImporterEqualsOurOwnReader) {
    SINEW_NEEDS_IMPORTER();
    const test::TemporaryFolder folder;
    test::write_text(folder / "a.x", test::x_file());
    const model::Character ours = read(folder / "a.x").character;
    const model::Character theirs = import_file(folder / "a.x", {}, silent()).character;
    ASSERT_EQ(theirs.clips.size(), ours.clips.size());
    // Polygons may be cut along another diagonal; the way they look stays.
    EXPECT_LT((area_vector(theirs.mesh) - area_vector(ours.mesh)).norm(), 1e-4);
    for (std::size_t k = 0; k < ours.clips.size(); ++k) {
        for (double t = 0; t <= 0.4; t += 0.05) {
            const auto a = test::deformed(ours, &ours.clips[k], t),
                       b = test::deformed(theirs, &theirs.clips[k], t);
            EXPECT_LT(farthest(a, b), 1e-4) << ours.clips[k].name << " at " << t;
            EXPECT_LT(farthest(b, a), 1e-4) << ours.clips[k].name << " at " << t;
            const auto places = model::joint_positions(model::world_matrices(ours, &ours.clips[k], t));
            const auto others = model::joint_positions(model::world_matrices(theirs, &theirs.clips[k], t));
            for (std::size_t j = 0; j < places.size(); ++j) {
                const int found = theirs.skeleton.find(ours.skeleton.joints[j].name);
                ASSERT_GE(found, 0);
                EXPECT_LT((places[j] - others[static_cast<std::size_t>(found)]).norm(), 1e-4);
            }
        }
    }
}

TEST(Foreign, ABrokenFileIsAnErrorWithTheImportersReason) {
    SINEW_NEEDS_IMPORTER();
    const test::TemporaryFolder folder;
    test::write_text(folder / "a.fbx", "; FBX 7.3.0 project file\nObjects: {");
    test::write_text(folder / "a.3ds", studio3d().substr(0, 9));
    for (const std::string_view name : {"a.fbx", "a.3ds"}) {
        const std::string error = foreign_error(folder / name, {});
        EXPECT_HAS(error, std::string(name));
        EXPECT_GT(error.size(), (folder / name).string().size() + 10) << error;
    }
    EXPECT_EQ(leftovers(), 0u);
}

TEST(Foreign, ADyingImporterIsAnError) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "a.fbx", "x");
    ImportLimits limits;
    limits.program = fake_importer(folder, "kill -SEGV $$\n");
    EXPECT_HAS(foreign_error(folder / "a.fbx", limits), "the importer crashed (signal 11) reading a.fbx");
    limits.program = fake_importer(folder, "echo 'error no such thing' >&2\nexit 1\n");
    EXPECT_HAS(foreign_error(folder / "a.fbx", limits), "a.fbx: no such thing");
    limits.program = fake_importer(folder, "exit 3\n");
    EXPECT_HAS(foreign_error(folder / "a.fbx", limits), "failed (code 3)");
    limits.program = fake_importer(folder, "exit 0\n");
    EXPECT_HAS(foreign_error(folder / "a.fbx", limits), "wrote nothing");
    limits.program = fake_importer(folder, "echo nonsense > \"$2\"\n");
    EXPECT_HAS(foreign_error(folder / "a.fbx", limits), "what the importer made of it is broken");
    EXPECT_EQ(leftovers(), 0u);
}

TEST(Foreign, AHangingImporterIsStopped) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "a.fbx", "x");
    ImportLimits limits;
    limits.seconds = 0.3;
    limits.program = fake_importer(folder, "sleep 100\n");
    EXPECT_HAS(foreign_error(folder / "a.fbx", limits), "did not finish a.fbx within 0.3 seconds");
    limits.seconds = 30;
    limits.cpu_seconds = 1;
    limits.program = fake_importer(folder, "while :; do :; done\n");
    EXPECT_HAS(foreign_error(folder / "a.fbx", limits), "did not finish a.fbx within 1 seconds");
    EXPECT_EQ(leftovers(), 0u);
}

TEST(Foreign, MemoryIsLimited) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "a.fbx", "x");
    ImportLimits limits;
    limits.memory_bytes = 123456 * 1024;
    limits.program = fake_importer(folder, "echo \"error limit $(ulimit -v)\" >&2\nexit 1\n");
    EXPECT_HAS(foreign_error(folder / "a.fbx", limits), test::sanitized ? "limit " : "limit 123456");
}

TEST(Foreign, AMissingImporterSaysWhatToDo) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "a.fbx", "x");
    ImportLimits limits;
    limits.program = folder / "nothing";
    EXPECT_HAS(foreign_error(folder / "a.fbx", limits), "libassimp-dev");
    EXPECT_HAS(foreign_error(folder / "a.fbx", limits), "SINEW_IMPORT");
}

TEST(Foreign, WarningsComeThrough) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "a.fbx", "x");
    ImportLimits limits;
    limits.program = fake_importer(folder, "echo 'warning import-odd something is odd' >&2\nexit 1\n");
    Collector collector;
    foreign_error(folder / "a.fbx", limits, collector);
    ASSERT_TRUE(collector.has("import-odd"));
    EXPECT_HAS(collector.warnings()[0].text, "a.fbx: something is odd");
}

TEST(Foreign, BinaryDirectXGoesToTheImporter) {
    const test::TemporaryFolder folder;
    test::write_text(folder / "a.x", "xof 0303bin 0032junk");
    setenv("SINEW_IMPORT", (folder / "nothing").c_str(), 1);
    std::string error;
    try {
        read(folder / "a.x");
    } catch (const Error& e) {
        error = e.what();
    }
    unsetenv("SINEW_IMPORT");
    EXPECT_HAS(error, "sinew-import");
}

}  // namespace foreign_test
}  // namespace sinew::io
