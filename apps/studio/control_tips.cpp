// SPDX-License-Identifier: MIT
#include "control_tips.h"

#include <algorithm>
#include <array>

namespace sinew::studio {
namespace {

constexpr std::array table = {
    // Dialogs
    ControlTip{"Close", "closes this window (Esc)"},
    ControlTip{"Close curves", "closes the curve editor"},
    ControlTip{"By name and role", "finds the joints that belong together anew"},
    ControlTip{"Apply", "puts the motion on again by this map"},
    ControlTip{"Save ...", "saves a project first", "Ctrl+S"},
    ControlTip{"Do not save", "the changes are lost"},
    ControlTip{"Cancel", "stops, and changes nothing"},
    ControlTip{"Replace", "writes over the file"},
    ControlTip{"Recover", "opens this work"},
    ControlTip{"Discard", "deletes this work for good"},
    ControlTip{"Later", "asks again at the next start (Esc)"},
    ControlTip{"Path", "name or folder of a file; Enter opens it"},
    ControlTip{"Show", "kinds of files in the list"},
    ControlTip{"Sort by", "order of the list"},
    ControlTip{"Units", "lengths of the file; a file that does not state them is measured by its body"},
    ControlTip{"Up", "the axis of the file that points up"},
    ControlTip{"Open", "opens the chosen file (Enter)"},
    ControlTip{"Target", "the file to write; its suffix is its format"},
    ControlTip{"Write", "writes the file (Enter)"},
    ControlTip{"Show at startup", "this window, whenever the studio begins without a file"},
    ControlTip{"Try the walking man", "opens a built-in character that walks"},
    ControlTip{"Interface scale", "size of letters and buttons"},
    ControlTip{"Theme", "dark or light panels"},
    ControlTip{"Frames per second", "the largest frame rate of the view"},
    ControlTip{"First steps at startup", "whenever the studio begins without a file", "F1"},
    // The guide and joints
    ControlTip{"Next uncertain joint", "looks at the next joint whose position is not certain"},
    ControlTip{"Previous step", "back to the step before"},
    ControlTip{"Next step", "on to the next step; nothing has to be done in this one"},
    ControlTip{"Clear marks", "takes all marks away"},
    ControlTip{"Name", "the new name of the selected joint"},
    ControlTip{"Parent", "the parent of the selected joint"},
    ControlTip{"Naming", "names of joints as another program has them"},
    // The body
    ControlTip{"Page", "mesh and rig, joints, weights, motion, measurements"},
    ControlTip{"Pick", "what a click in the view selects"},
    ControlTip{"Colour", "what the colours of the mesh show"},
    ControlTip{"Opacity", "how much of the mesh is seen when it is transparent"},
    ControlTip{"Forces", "arrows of the force platforms"},
    ControlTip{"Skeleton method", "how a skeleton is found in the mesh"},
    ControlTip{"Follow openings", "rotates each part so that its openings meet those of its neighbours"},
    ControlTip{"Max degrees", "largest rotation of a part by its openings"},
    ControlTip{"Follow parents", "rotates parts along with their parents"},
    ControlTip{"Max for parents", "largest rotation of a part by its parent"},
    ControlTip{"Depth by", "how joints get their depth in the body"},
    ControlTip{"Prune", "branches shorter than this, in widths of the limb, are left out"},
    ControlTip{"Bind method", "how weights are computed; auto chooses by the mesh"},
    ControlTip{"Bind the skin to it", "a new skeleton gets weights at once"},
    ControlTip{"Find skeleton", "finds a skeleton by this method, in the background"},
    ControlTip{"Bind skin", "computes weights for the skeleton that is there, in the background"},
    ControlTip{"Method", "how the skin follows the joints"},
    ControlTip{"Other method", "the method on the right of the view"},
    ControlTip{"Border", "where the right part of the view begins"},
    // The selection
    ControlTip{"step", "degrees of one press of a button or key"},
    ControlTip{"Move", "moves the joint, in metres"},
    ControlTip{"Scale", "makes the joint and all below it larger or smaller"},
    ControlTip{"Reset joint", "this joint as the clip has it"},
    ControlTip{"Bake to clip", "adds the change to the whole clip"},
    ControlTip{"Find joint", "shows the joints with these letters in their names"},
    ControlTip{"Print", "prints this to the terminal", "I"},
    ControlTip{"Clear", "takes the messages away"},
    // Weights
    ControlTip{"Brush", "what a stroke on the skin does"},
    ControlTip{"Value", "the weight that Replace paints"},
    ControlTip{"Search", "shows the joints with these letters in their names"},
    ControlTip{"passes", "how often weights are smoothed"},
    ControlTip{"weight", "smaller weights are removed"},
    ControlTip{"at most", "joints that may move one vertex"},
    ControlTip{"Other binding", "the method to compare with"},
    ControlTip{"Split", "where the right part of the view begins"},
    ControlTip{"Use the right ones", "the mesh gets the weights on the right of the view"},
    ControlTip{"Keep the left ones", "the weights stay as they are"},
    ControlTip{"Show weights", "what the colours of the mesh show"},
    // Motion
    ControlTip{"Speed", "how fast the clip plays; the clip itself stays"},
    ControlTip{"Trim", "keeps the part between the two times alone"},
    ControlTip{"tolerance", "largest error, as a fraction of the size of the body"},
    ControlTip{"degrees", "degrees by which each arm turns outwards"},
    ControlTip{"Layer weight", "how much of the layer is seen"},
    ControlTip{"With clip", "the clip to combine with"},
    ControlTip{"Its weight", "how much of the other clip is taken"},
    ControlTip{"Fade", "time in which one clip goes over into the other"},
    ControlTip{"Property", "the keys that are shown and changed"},
    ControlTip{"Add key", "a key of the selected joint at this time; the motion stays"},
    ControlTip{"Interpolation",
               "how values between keys are found: kept, straight lines, or curves with tangents"},
    ControlTip{"Frames between", "frames from one onion skin to the next"},
    ControlTip{"Joint map ...", "which joint of the motion moves which joint here"},
    // Measure
    ControlTip{"Event", "foot strike or foot off"},
    ControlTip{"Add left here", "an event of the left foot at this time"},
    ControlTip{"Add right here", "an event of the right foot at this time"},
    ControlTip{"Curve", "the angle that is shown"},
    ControlTip{"Measure the walk", "finds steps and computes angles, times and lengths"},
    ControlTip{"Marker labels", "names beside the markers"},
    ControlTip{"Bones", "how many bones are fitted"},
};

}  // namespace

const ControlTip* tip_of(std::string_view control) {
    const auto found = std::ranges::find(table, control, &ControlTip::control);
    return found == table.end() ? nullptr : &*found;
}

}  // namespace sinew::studio
