#include "sinew/rig/skeletonize/silhouette_trace.h"
namespace sinew::rig {
Silhouette trace_search(const WeldedSurface&, const Projection&, const OutlineOptions&) {
    return {};
}
Silhouette trace_linkage(const WeldedSurface&, const Projection&) {
    return {};
}
Silhouette trace_linkage_modified(const WeldedSurface&, const Projection&) {
    return {};
}
}  // namespace sinew::rig
