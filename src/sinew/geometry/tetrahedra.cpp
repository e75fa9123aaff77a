#include "sinew/geometry/tetrahedra.h"

#include <algorithm>
#include <cstdio>

#include <libqhull_r/qhull_ra.h>

#include "sinew/base/error.h"

namespace sinew::geometry {
namespace {

/// One run of Qhull and the memory that it holds.
class Delaunay {
  public:
    Delaunay() : messages_(std::fopen("/dev/null", "w")) { qh_zero(&state_, messages_); }
    Delaunay(const Delaunay&) = delete;
    Delaunay& operator=(const Delaunay&) = delete;
    ~Delaunay() {
        qh_freeqhull(&state_, qh_ALL);
        int current = 0, total = 0;
        qh_memfreeshort(&state_, &current, &total);
        if (messages_ != nullptr) std::fclose(messages_);
    }

    bool run(std::vector<double>& coordinates) {
        char options[] = "qhull d Qbb Qt Pp";
        const auto count = static_cast<int>(coordinates.size() / 3);
        return qh_new_qhull(&state_, 3, count, coordinates.data(), False, options, nullptr, messages_) == 0;
    }

    std::vector<Tetrahedron> tetrahedra() {
        std::vector<Tetrahedron> result;
        for (facetT* facet = state_.facet_list; facet != nullptr && facet->next != nullptr;
             facet = facet->next) {
            if (facet->upperdelaunay) continue;
            Tetrahedron corners{};
            std::size_t count = 0;
            for (void** at = &facet->vertices->e[0].p; *at != nullptr && count < 4; ++at)
                corners[count++] =
                    static_cast<std::uint32_t>(qh_pointid(&state_, static_cast<vertexT*>(*at)->point));
            if (count < 4) continue;
            std::ranges::sort(corners);
            result.push_back(corners);
        }
        std::ranges::sort(result);
        return result;
    }

  private:
    std::FILE* messages_;  ///< what Qhull says about flat input is for nobody
    qhT state_{};
};

}  // namespace

std::vector<Tetrahedron> delaunay_tetrahedra(const std::vector<Vec3d>& points) {
    if (points.size() < 5)
        return points.size() < 4 ? std::vector<Tetrahedron>{} : std::vector<Tetrahedron>{{0, 1, 2, 3}};
    Vec3d middle = Vec3d::Zero();
    for (const Vec3d& p : points) {
        if (!p.allFinite()) fail("", "Delaunay tetrahedra need finite points");
        middle += p / static_cast<double>(points.size());
    }
    std::vector<double> coordinates;
    for (const Vec3d& p : points)
        for (int i = 0; i < 3; ++i) coordinates.push_back(p[i] - middle[i]);
    Delaunay delaunay;
    if (!delaunay.run(coordinates)) return {};
    return delaunay.tetrahedra();
}

}  // namespace sinew::geometry
