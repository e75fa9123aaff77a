#pragma once
/// \file
/// Channels that drive what surrounds a figure in a film: camera, lights, colours.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace sinew::model {

/// What a channel drives, by the name that it has in a .clip file. Camera angles and zoom are relative to the
/// camera that the film would have had; eye and target are places that replace its own.
enum class StageValue : std::uint8_t {
    camera_azimuth,    ///< camera.azimuth: degrees around the figure, to the camera's right
    camera_elevation,  ///< camera.elevation: degrees upwards
    camera_roll,       ///< camera.roll: degrees, clockwise in the picture
    camera_zoom,       ///< camera.zoom: 2 brings the figure twice as near
    camera_fov,        ///< camera.fov: degrees from the lower to the upper border
    camera_eye_x,      ///< camera.eye.x and so on: where the camera stands
    camera_eye_y,
    camera_eye_z,
    camera_target_x,  ///< camera.target.x and so on: what it looks at
    camera_target_y,
    camera_target_z,
    light_azimuth,    ///< light.azimuth: degrees by which the lights turn
    light_elevation,  ///< light.elevation: degrees by which the key light rises
    light_exposure,   ///< light.exposure: 2 is twice as bright
    color_red,        ///< color.red, .green, .blue: of the figure, 0 to 1 on the screen
    color_green,
    color_blue,
    background_red,  ///< background.red, .green, .blue: 0 to 1 on the screen
    background_green,
    background_blue,
};

/// All names, in the order of the values.
std::span<const std::string_view> stage_value_names();
std::string_view name_of(StageValue value);
/// In any case; none when there is no such name.
std::optional<StageValue> stage_value_from_name(std::string_view name);

}  // namespace sinew::model
