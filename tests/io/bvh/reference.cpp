// SPDX-License-Identifier: MIT
#include "io/bvh/reference.h"

#include <cmath>
#include <sstream>
#include <stdexcept>

namespace sinew::test {
namespace {

using math::Mat4d;
using math::Vec3d;

void expect(std::istream& in, const std::string& word) {
    std::string found;
    in >> found;
    if (found != word) throw std::runtime_error("expected " + word + ", found " + found);
}

std::unique_ptr<BvhNode> read_node(std::istream& in, bool site) {
    auto node = std::make_unique<BvhNode>();
    in >> node->name;
    if (site) node->name.clear();
    expect(in, "{");
    std::string word;
    while (in >> word && word != "}") {
        if (word == "OFFSET") {
            in >> node->offset.x() >> node->offset.y() >> node->offset.z();
        } else if (word == "CHANNELS") {
            int count = 0;
            in >> count;
            node->channels.resize(static_cast<std::size_t>(count));
            for (std::string& channel : node->channels) in >> channel;
        } else {
            node->children.push_back(read_node(in, word == "End"));
        }
    }
    return node;
}

std::size_t count_channels(const BvhNode& node) {
    std::size_t count = node.channels.size();
    for (const auto& child : node.children) count += count_channels(*child);
    return count;
}

Mat4d turn(char axis, double degrees) {
    const double c = std::cos(degrees * M_PI / 180), s = std::sin(degrees * M_PI / 180);
    Mat4d m = Mat4d::Identity();
    const int a = (axis - 'X' + 1) % 3, b = (axis - 'X' + 2) % 3;
    m(a, a) = m(b, b) = c;
    m(a, b) = -s;
    m(b, a) = s;
    return m;
}

void walk(const BvhNode& node, const Mat4d& parent, bool replace, const double*& value,
          std::vector<Vec3d>& joints, std::vector<Vec3d>& tips) {
    Mat4d translation = Mat4d::Identity(), rotation = Mat4d::Identity();
    translation.topRightCorner<3, 1>() = node.offset;
    for (const std::string& channel : node.channels) {
        if (channel.ends_with("position")) {
            double& entry = translation(channel[0] - 'X', 3);
            entry = replace ? *value : entry + *value;
        } else {
            rotation = rotation * turn(channel[0], *value);
        }
        ++value;
    }
    const Mat4d world = parent * translation * rotation;
    (node.name.empty() ? tips : joints).push_back(world.topRightCorner<3, 1>());
    for (const auto& child : node.children) walk(*child, world, replace, value, joints, tips);
}

void evaluate(const BvhReference& bvh, std::size_t frame, bool replace, std::vector<Vec3d>& joints,
              std::vector<Vec3d>& tips) {
    const double* value = bvh.values.data() + frame * bvh.channels;
    for (const auto& root : bvh.roots) walk(*root, Mat4d::Identity(), replace, value, joints, tips);
}

}  // namespace

BvhReference::BvhReference(const std::string& text) {
    std::istringstream in(text);
    expect(in, "HIERARCHY");
    std::string word;
    while (in >> word && word == "ROOT") roots.push_back(read_node(in, false));
    expect(in, "Frames:");
    in >> frames;
    expect(in, "Frame");
    expect(in, "Time:");
    in >> frame_time;
    for (const auto& root : roots) channels += count_channels(*root);
    values.resize(frames * channels);
    for (double& value : values) {
        in >> word;
        value = std::stod(word);
    }
}

std::vector<math::Vec3d> BvhReference::joints(std::size_t frame, bool replace) const {
    std::vector<Vec3d> joints, tips;
    evaluate(*this, frame, replace, joints, tips);
    return joints;
}

std::vector<math::Vec3d> BvhReference::tips(std::size_t frame, bool replace) const {
    std::vector<Vec3d> joints, tips;
    evaluate(*this, frame, replace, joints, tips);
    return tips;
}

}  // namespace sinew::test
