// SPDX-License-Identifier: MIT
#include "sinew/io/text/unicode_names.h"

namespace sinew::io {
namespace {

/// Number of bytes after the first byte of a character; empty for a byte that cannot be the first.
int following(unsigned char first) {
    if (first < 0x80) return 0;
    if (first >= 0xC2 && first < 0xE0) return 1;
    if (first >= 0xE0 && first < 0xF0) return 2;
    return first >= 0xF0 && first < 0xF5 ? 3 : -1;
}

void make_unicode(std::string& name) {
    if (is_utf8(name)) return;
    std::string text;
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80) {
            text += c;
        } else {
            text += static_cast<char>(0xC0 | (byte >> 6));
            text += static_cast<char>(0x80 | (byte & 0x3F));
        }
    }
    name = std::move(text);
}

template <class List, class... Members>
void make_unicode(List& list, Members... members) {
    for (auto& item : list) (make_unicode(item.*members), ...);
}

void make_unicode(geometry::Mesh& mesh) {
    make_unicode(mesh.name);
    make_unicode(mesh.parts, &geometry::Part::name);
    make_unicode(mesh.materials, &geometry::Material::name);
    make_unicode(mesh.images, &geometry::Image::name);
    make_unicode(mesh.morphs, &geometry::Morph::name);
}

void make_unicode(model::Points& points) {
    make_unicode(points.info, &model::PointInfo::label, &model::PointInfo::subject,
                 &model::PointInfo::description);
}

}  // namespace

bool is_utf8(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto first = static_cast<unsigned char>(text[i]);
        const int more = following(first);
        if (more < 0 || i + static_cast<std::size_t>(more) >= text.size()) return false;
        for (int k = 1; k <= more; ++k) {
            const auto next = static_cast<unsigned char>(text[i + static_cast<std::size_t>(k)]);
            if ((next & 0xC0) != 0x80) return false;
            // An overlong encoding, a surrogate, or beyond the last code point.
            const bool wrong = k == 1 && ((first == 0xE0 && next < 0xA0) || (first == 0xED && next >= 0xA0) ||
                                          (first == 0xF0 && next < 0x90) || (first == 0xF4 && next >= 0x90));
            if (wrong) return false;
        }
        i += static_cast<std::size_t>(more);
    }
    return true;
}

void make_names_unicode(Asset& asset) {
    model::Character& character = asset.character;
    make_unicode(character.name);
    make_unicode(character.mesh);
    make_unicode(character.skeleton.joints, &model::Joint::name);
    make_unicode(character.clips, &model::Clip::name);
    make_unicode(asset.sequence.rest);
    make_unicode(asset.channels.name);
    model::Trial& trial = asset.trial;
    make_unicode(trial.name);
    make_unicode(trial.markers);
    make_unicode(trial.outputs);
    make_unicode(trial.analog.channels, &model::AnalogChannel::label, &model::AnalogChannel::description);
    make_unicode(trial.events, &model::Event::label, &model::Event::context, &model::Event::subject,
                 &model::Event::description);
    for (std::string& label : trial.rotations.labels) make_unicode(label);
    for (model::GaitText& text : asset.cycle.texts)
        for (std::string& line : text.lines) make_unicode(line);
    make_unicode(asset.cycle.variables, &model::GaitVariable::name);
}

}  // namespace sinew::io
