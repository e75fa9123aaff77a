#include "sinew/render/renderer.h"

#include <algorithm>


namespace sinew::render {

geometry::Mesh with_part_colors(geometry::Mesh mesh) {
    mesh.parts = geometry::parts_of(mesh);
    mesh.materials.clear();
    mesh.images.clear();
    for (geometry::Part& part : mesh.parts) {
        auto known = std::ranges::find(mesh.materials, part.name, &geometry::Material::name);
        if (known == mesh.materials.end()) {
            geometry::Material material;
            material.name = part.name;
            material.base_color.head<3>() = joint_color(mesh.materials.size());
            known = mesh.materials.insert(mesh.materials.end(), std::move(material));
        }
        part.material = static_cast<int>(known - mesh.materials.begin());
    }
    return mesh;
}

}  // namespace sinew::render
