// SPDX-License-Identifier: MIT
#pragma once
// The same scenes in Embree and, where it is installed, in FCL.

#include <memory>

#include <embree3/rtcore.h>
#if SINEW_HAS_FCL
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>
#endif

#include "collide_scenes.h"

namespace sinew::collide::bench {

/// One body in Embree: a user geometry with one primitive a triangle.
struct Peer {
    const std::vector<geometry::Triangle>* triangles = nullptr;
    std::vector<Vec3f> vertices;
    RTCScene scene = nullptr;
    RTCGeometry geometry = nullptr;

    Corners corners(unsigned t) const {
        const geometry::Triangle& i = (*triangles)[t];
        return {vertices[i[0]].cast<double>(), vertices[i[1]].cast<double>(), vertices[i[2]].cast<double>()};
    }
};

inline void peer_bounds(const RTCBoundsFunctionArguments* arguments) {
    const auto* peer = static_cast<const Peer*>(arguments->geometryUserPtr);
    geometry::Box box;
    for (const std::uint32_t v : (*peer->triangles)[arguments->primID]) box.include(peer->vertices[v]);
    RTCBounds* out = arguments->bounds_o;
    out->lower_x = box.low.x();
    out->lower_y = box.low.y();
    out->lower_z = box.low.z();
    out->upper_x = box.high.x();
    out->upper_y = box.high.y();
    out->upper_z = box.high.z();
}

inline void add_peer(RTCDevice device, Peer& peer, const Cast& cast) {
    peer.triangles = &cast.character.mesh.triangles;
    peer.vertices = cast.character.mesh.positions;
    peer.scene = rtcNewScene(device);
    rtcSetSceneFlags(peer.scene, RTC_SCENE_FLAG_DYNAMIC);
    rtcSetSceneBuildQuality(peer.scene, RTC_BUILD_QUALITY_LOW);
    peer.geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryBuildQuality(peer.geometry, RTC_BUILD_QUALITY_REFIT);
    rtcSetGeometryUserPrimitiveCount(peer.geometry, static_cast<unsigned>(peer.triangles->size()));
    rtcSetGeometryUserData(peer.geometry, &peer);
    rtcSetGeometryBoundsFunction(peer.geometry, peer_bounds, nullptr);
    rtcCommitGeometry(peer.geometry);
    rtcAttachGeometry(peer.scene, peer.geometry);
    rtcCommitScene(peer.scene);
}

struct PeerPair {
    Peer a, b;
    std::size_t contacts = 0;
};

inline void peer_collisions(void* data, RTCCollision* list, unsigned count) {
    auto* pair = static_cast<PeerPair*>(data);
    for (unsigned i = 0; i < count; ++i) {
        pair->contacts += triangles_meet(pair->a.corners(list[i].primID0), pair->b.corners(list[i].primID1));
    }
}

inline Timing embree(RTCDevice device, const Scene& scene, Method method) {
    PeerPair pair;
    add_peer(device, pair.a, scene.a);
    add_peer(device, pair.b, scene.b);
    deform::Skinner::Pose pose_a(scene.a.skinner), pose_b(scene.b.skinner);
    const Timing timing = measure(scene.poses_a.size(), [&](std::size_t f) {
        skin_all(scene.a, scene.poses_a[f], method, pose_a, pair.a.vertices);
        skin_all(scene.b, scene.poses_b[f], method, pose_b, pair.b.vertices);
        for (Peer* peer : {&pair.a, &pair.b}) {
            rtcCommitGeometry(peer->geometry);
            rtcCommitScene(peer->scene);
        }
        pair.contacts = 0;
        rtcCollide(pair.a.scene, pair.b.scene, peer_collisions, &pair);
        return pair.contacts;
    });
    for (Peer* peer : {&pair.a, &pair.b}) {
        rtcReleaseGeometry(peer->geometry);
        rtcReleaseScene(peer->scene);
    }
    return timing;
}

#if SINEW_HAS_FCL
using FclModel = fcl::BVHModel<fcl::OBBRSSd>;

inline std::shared_ptr<FclModel> fcl_model(const Cast& cast) {
    auto model = std::make_shared<FclModel>();
    std::vector<Vec3d> vertices;
    for (const Vec3f& p : cast.character.mesh.positions) vertices.push_back(p.cast<double>());
    std::vector<fcl::Triangle> triangles;
    for (const auto& t : cast.character.mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
    model->beginModel();
    model->addSubModel(vertices, triangles);
    model->endModel();
    return model;
}

inline void fcl_update(FclModel& model, const std::vector<Vec3f>& vertices) {
    std::vector<Vec3d> wide(vertices.size());
    for (std::size_t v = 0; v < wide.size(); ++v) wide[v] = vertices[v].cast<double>();
    model.beginUpdateModel();
    model.updateSubModel(wide);
    model.endUpdateModel(true, true);
}

inline Timing fcl_peer(const Scene& scene, Method method) {
    const auto x = fcl_model(scene.a), y = fcl_model(scene.b);
    deform::Skinner::Pose pose_a(scene.a.skinner), pose_b(scene.b.skinner);
    std::vector<Vec3f> va, vb;
    return measure(std::min<std::size_t>(scene.poses_a.size(), 6), [&](std::size_t f) {
        skin_all(scene.a, scene.poses_a[f], method, pose_a, va);
        skin_all(scene.b, scene.poses_b[f], method, pose_b, vb);
        fcl_update(*x, va);
        fcl_update(*y, vb);
        const fcl::CollisionObjectd a(x), b(y);
        fcl::CollisionRequestd request;
        request.num_max_contacts = 1000000;
        fcl::CollisionResultd result;
        fcl::collide(&a, &b, request, result);
        return result.numContacts();
    });
}
#endif

}  // namespace sinew::collide::bench
