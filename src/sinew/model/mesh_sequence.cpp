#include "sinew/model/character.h"

#include "sinew/base/error.h"

namespace sinew::model {

void validate(const MeshSequence& sequence, std::string_view place) {
    geometry::validate(sequence.rest, place);
    for (std::size_t f = 0; f < sequence.frames.size(); ++f) {
        const auto& frame = sequence.frames[f];
        if (frame.size() != sequence.rest.positions.size()) {
            fail(place, "frame {} has {} vertices, the rest pose {}", f, frame.size(),
                 sequence.rest.positions.size());
        }
        for (std::size_t v = 0; v < frame.size(); ++v) {
            if (!frame[v].allFinite()) fail(place, "frame {}, vertex {}: position is not finite", f, v);
        }
    }
}

}  // namespace sinew::model
