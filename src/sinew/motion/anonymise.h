#pragma once
/// \file
/// Takes out of a file what could name a person: names, dates, paths, prefixes of labels.

#include "sinew/model/character.h"
#include "sinew/model/trial.h"

namespace sinew::motion {

struct AnonymisedParts {
    std::size_t names = 0;     ///< of subjects, and words that repeat them
    std::size_t texts = 0;     ///< parameters emptied: dates, paths, free text about a person
    std::size_t prefixes = 0;  ///< labels that lost the subject before their colon

    std::size_t all() const { return names + texts + prefixes; }
};

/// Subjects become "subject 1", "subject 2" in the order in which they come; with one subject, labels lose
/// their prefix, and one that repeats a name is numbered. Groups about subjects lose their text; elsewhere,
/// text that looks like a date, a path or an address, or that contains a subject's name, is emptied. Numbers
/// stay: measures of the body are needed.
AnonymisedParts anonymise(model::Trial& trial);
/// Texts of a gait cycle other than what describes the data (PREFIXES, UNITS) are emptied.
AnonymisedParts anonymise(model::GaitCycle& cycle);
/// Names of the character and of its clips.
AnonymisedParts anonymise(model::Character& character);

/// True for text with a date (2007-08-15, 15.8.07, 15/Aug/2007), a path, or an e-mail address in it.
bool looks_private(std::string_view text);

}  // namespace sinew::motion
