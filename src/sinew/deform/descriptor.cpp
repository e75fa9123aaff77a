#include "sinew/deform/descriptor.h"

namespace sinew::deform {
namespace {

/// What all blends of unit quaternions share.
MethodDescriptor rigid_blend(Method method, BlendFamily family) {
    MethodDescriptor d;
    d.method = method;
    d.family = family;
    d.rigid = d.signs = d.moves_along = d.any_rest = true;
    return d;
}

MethodDescriptor spherical(Method method, CenterKind center) {
    MethodDescriptor d = rigid_blend(method, BlendFamily::spherical);
    d.center = center;
    return d;
}

/// Linear blending, and following one joint, which is linear blending with one weight.
MethodDescriptor linear(Method method) {
    MethodDescriptor d;
    d.method = method;
    d.family = BlendFamily::linear;
    d.convex = d.moves_along = d.any_rest = d.affine = true;
    d.rigid = method == Method::rigid;
    return d;
}

}  // namespace

MethodDescriptor descriptor(Method method) {
    switch (method) {
        case Method::sbs:
            return spherical(method, CenterKind::set);
        case Method::sbs_weighted:
            return spherical(method, CenterKind::weights);
        case Method::cor:
            return spherical(method, CenterKind::vertex);
        case Method::qlb: {
            MethodDescriptor d = spherical(method, CenterKind::origin);
            d.any_rest = false;
            return d;
        }
        case Method::dqs:
            return rigid_blend(method, BlendFamily::dual_quaternion);
        case Method::dib: {
            MethodDescriptor d = rigid_blend(method, BlendFamily::unbounded);
            d.iterative = true;
            return d;
        }
        case Method::log: {
            MethodDescriptor d = rigid_blend(method, BlendFamily::unbounded);
            // Each logarithm is the shortest turn from the identity, whatever the others are.
            d.signs = d.moves_along = d.any_rest = false;
            return d;
        }
        case Method::lbs:
        case Method::rigid:
            break;
    }
    return linear(method);
}

}  // namespace sinew::deform
