// SPDX-License-Identifier: MIT
#include "support/data.h"
#include <gtest/gtest.h>

#include "sinew/gait/report.h"
#include "sinew/io/io.h"

namespace sinew::gait {
namespace {

TEST(Anonymise, DatesPathsAndAddressesAreSeen) {
    for (const char* text : {"2007-08-15", "taken 15.8.2007", "15/Aug/2007", "C:\\Patients\\x.c3d",
                             "/home/lab/x.c3d", "C:/Data/x", "a.b@clinic.org"})
        EXPECT_TRUE(looks_private(text)) << text;
    for (const char* text : {"LASI", "Vicon 1.8.5", "mm", "N/m", "Foot Strike", "and/or", "3.5", "Nexus"})
        EXPECT_FALSE(looks_private(text)) << text;
}

TEST(Anonymise, SubjectsLoseTheirNamesEverywhere) {
    model::Trial trial;
    trial.name = "Miller_walk1";
    trial.frames = 1;
    trial.rate = 100;
    trial.markers.info.push_back({"LHEE", "Miller", "of Miller", model::PointKind::marker, ""});
    trial.markers.positions.resize(1);
    trial.markers.residuals.resize(1);
    trial.events.push_back({"Foot Strike", "Left", 0.5, "Miller", "", false});
    trial.parameters.set("SUBJECTS", {"NAMES", "", false, {6, 1}, std::vector<std::string>{"Miller"}});
    trial.parameters.set("SUBJECTS", {"MASS", "", false, {}, std::vector<float>{71}});
    trial.parameters.set("TRIAL", {"DATE", "", false, {10, 1}, std::vector<std::string>{"yesterday"}});
    trial.parameters.set("MANUFACTURER", {"SOFTWARE", "", false, {5, 1}, std::vector<std::string>{"Nexus"}});
    trial.parameters.set("POINT", {"NOTE", "", false, {5, 1}, std::vector<std::string>{"for miller only"}});
    const AnonymisedParts parts = anonymise(trial);
    EXPECT_GT(parts.all(), 4u);
    EXPECT_EQ(trial.name, "trial");
    EXPECT_EQ(trial.markers.info[0].subject, "");
    EXPECT_EQ(trial.markers.info[0].label, "LHEE");
    EXPECT_EQ(trial.markers.info[0].description, "");
    EXPECT_EQ(trial.events[0].subject, "subject 1");
    const auto text = [&](const char* group, const char* name) {
        return std::get<std::vector<std::string>>(trial.parameters.find(group, name)->values)[0];
    };
    EXPECT_EQ(text("SUBJECTS", "NAMES"), "subject 1");
    EXPECT_EQ(text("TRIAL", "DATE"), "");
    EXPECT_EQ(text("POINT", "NOTE"), "");
    EXPECT_EQ(text("MANUFACTURER", "SOFTWARE"), "Nexus");
    EXPECT_EQ(trial.parameters.find("SUBJECTS", "MASS")->number(0), 71);
}

TEST(Anonymise, CyclesAndCharacters) {
    model::GaitCycle cycle;
    cycle.texts = {{"SUBJECT", {"Miller"}}, {"PREFIXES", {"Left", "Right"}}};
    anonymise(cycle);
    EXPECT_TRUE(cycle.texts[0].lines.empty());
    EXPECT_EQ(cycle.texts[1].lines.size(), 2u);
    model::Character character;
    character.name = "Miller";
    character.clips.resize(2);
    anonymise(character);
    EXPECT_EQ(character.name, "character");
    EXPECT_EQ(character.clips[1].name, "motion 2");
}

TEST(AnonymiseRealData, NothingOfTheSubjectIsLeft) {
    SINEW_NEEDS_DATA();
    for (const char* file : {"c3d/PiG_walk.c3d", "c3d/PlugInC3D.c3d"}) {
        model::Trial trial = io::read(test::data(file)).trial;
        std::vector<std::string> names;
        if (const auto* known = trial.parameters.find("SUBJECTS", "NAMES"))
            names = std::get<std::vector<std::string>>(known->values);
        anonymise(trial);
        model::validate(trial, "trial");
        for (const auto& group : trial.parameters.groups) {
            for (const auto& parameter : group.parameters) {
                const auto* const texts = std::get_if<std::vector<std::string>>(&parameter.values);
                if (texts == nullptr) continue;
                for (const std::string& text : *texts)
                    for (const std::string& name : names)
                        EXPECT_TRUE(name.size() < 3 || text.find(name) == std::string::npos)
                            << parameter.name;
            }
        }
    }
}

}  // namespace
}  // namespace sinew::gait
