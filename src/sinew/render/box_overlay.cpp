#include "sinew/render/box_overlay.h"

namespace sinew::render {

void add_box(Overlay& overlay, const geometry::OrientedBox& box, const Vec4f& color, float width) {
    const auto corner = [&](int i) {
        const math::Vec3d sign(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
        return Vec3f((box.centre + box.axes * box.half.cwiseProduct(sign)).cast<float>());
    };
    for (int i = 0; i < 8; ++i)
        for (const int bit : {1, 2, 4})
            if ((i & bit) == 0) overlay.segments.push_back({corner(i), corner(i | bit), color, width});
}

}  // namespace sinew::render
