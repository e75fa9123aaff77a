// SPDX-License-Identifier: MIT
#include "reference/marker_trial.h"

namespace sinew::motion {

SubjectModel with_plug_in_gait_markers(const model::Skeleton& skeleton) {
    SubjectModel subject;
    subject.skeleton = skeleton;
    for (const sample::Marker& marker : sample::man_markers(skeleton)) {
        subject.attachments.push_back({marker.joint, marker.offset, 1});
        subject.names.push_back(marker.label);
    }
    return subject;
}

model::Trial record_markers(const SubjectModel& subject, const model::Clip& clip,
                            const MarkerTrialOptions& options) {
    std::vector<sample::Marker> markers;
    for (std::size_t m = 0; m < subject.names.size(); ++m)
        markers.push_back({subject.names[m], subject.attachments[m].joint, subject.attachments[m].offset});
    return sample::record(subject.skeleton, clip, markers, options);
}

}  // namespace sinew::motion
