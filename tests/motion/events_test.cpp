#include "sinew/motion/events.h"

#include "support/data.h"
#include <gtest/gtest.h>

#include "sinew/io/asset.h"

namespace sinew::motion {
namespace {

TEST(EventsRealData, Table) {
    SINEW_NEEDS_DATA();
    for (const char* name : {"c3d/PiG_walk.c3d", "c3d/PlugInC3D.c3d"}) {
        const model::Trial trial = io::read(test::data(name)).trial;
        const GaitMotion motion = gait_motion(trial);
        for (auto& s : motion.found) printf("%s; ", s.c_str());
        printf("travel %g forward %g %g\n", motion.travel, motion.forward.x(), motion.forward.z());
        const auto file = events_from_file(trial);
        Collector c;
        for (auto& e : events_from_platforms(trial, motion, 20, c)) printf("plate %s %s %.3f\n", std::string(model::name_of(e.side)).c_str(), std::string(name_of(e.kind)).c_str(), e.time);
        for (auto& w : c.warnings()) printf("%s\n", w.text.c_str());
        for (auto& e : file) printf("file %s %s %.3f\n", std::string(model::name_of(e.side)).c_str(), std::string(name_of(e.kind)).c_str(), e.time);
        for (const EventRule rule : event_rules())
            for (auto kind : {GaitEventKind::strike, GaitEventKind::off}) {
                const EventError e = compare_events(file, events_by_rule(motion, rule), kind, trial.rate);
                printf("%-15s %-12s matched %zu missed %zu mean %6.2f median %6.2f largest %6.2f\n", std::string(name_of(rule)).c_str(), std::string(name_of(kind)).c_str(), e.matched, e.missed, e.mean, e.median, e.largest);
            }
    }
}

}  // namespace
}  // namespace sinew::motion
