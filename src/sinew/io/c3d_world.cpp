#include "sinew/io/c3d_world.h"

#include "sinew/io/c3d/parameters.h"
#include "sinew/io/text/units.h"

namespace sinew::io::c3d {

void place_in_world(model::Trial& trial, const ReadOptions& options, std::vector<Guess>& guesses,
                    Tally& tally) {
    StatedWorld stated;
    stated.unit = text_of(trial.parameters, "POINT", "UNITS");
    stated.right = axis_named(text_of(trial.parameters, "POINT", "X_SCREEN"));
    stated.up = axis_named(text_of(trial.parameters, "POINT", "Y_SCREEN"));
    stated.usual_up = "z";
    stated.usual_reason = "laboratories measure so";
    if (!stated.unit.empty() && !metres_of(stated.unit) && options.units.empty()) {
        tally.note("c3d-units", 0, "POINT:UNITS is \"{}\", which is no known length", stated.unit);
    }
    io::place_in_world(trial, stated, options, guesses);
}

}  // namespace sinew::io::c3d
