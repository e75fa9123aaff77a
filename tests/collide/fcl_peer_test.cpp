// SPDX-License-Identifier: MIT
// FCL on the deformed vertices finds the same pairs, where it is installed.

#if SINEW_HAS_FCL

#include "scenes.h"
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>
#include <gtest/gtest.h>

namespace sinew::collide {
namespace {

using deform::Method;
using Model = fcl::BVHModel<fcl::OBBRSSd>;

std::shared_ptr<Model> fcl_model(Body& body, const model::Character& character) {
    QueryScratch scratch;
    std::vector<Vec3d> vertices(character.mesh.positions.size());
    for (std::uint32_t v = 0; v < body.tree().data().positions.size(); ++v)
        vertices[body.tree().data().vertex_ids[v]] = body.vertex(v, scratch).cast<double>();
    std::vector<fcl::Triangle> triangles;
    for (const auto& t : character.mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
    auto model = std::make_shared<Model>();
    model->beginModel();
    model->addSubModel(vertices, triangles);
    model->endModel();
    return model;
}

std::vector<Contact> fcl_contacts(Body& a, Body& b, const model::Character& character) {
    const fcl::CollisionObjectd x(fcl_model(a, character)), y(fcl_model(b, character));
    fcl::CollisionRequestd request;
    request.num_max_contacts = 1000000;
    fcl::CollisionResultd result;
    fcl::collide(&x, &y, request, result);
    std::vector<Contact> pairs;
    for (std::size_t i = 0; i < result.numContacts(); ++i) {
        const auto& contact = result.getContact(i);
        pairs.push_back({static_cast<std::uint32_t>(contact.b1), static_cast<std::uint32_t>(contact.b2)});
    }
    std::ranges::sort(pairs);
    return pairs;
}

TEST(FclPeer, FindsTheSamePairs) {
    const Actor horse("horse", 1000);
    std::size_t found = 0;
    for (const Method method : {Method::lbs, Method::sbs, Method::dqs}) {
        Body a(horse.tree, method), b(horse.tree, method);
        QueryScratch scratch;
        for (int frame = 0; frame < 4; ++frame) {
            a.set_pose(horse.pose(0.1 * frame));
            b.set_pose(horse.pose(0.5 + 0.1 * frame, moved(0.45 - 0.1 * frame, 0, 0.1, 0.5)));
            std::vector<Contact> contacts;
            find_contacts(a, b, contacts, scratch);
            ASSERT_EQ(contacts, fcl_contacts(a, b, horse.character)) << frame;
            found += contacts.size();
        }
    }
    EXPECT_GT(found, 100u);
}

}  // namespace
}  // namespace sinew::collide

#endif
