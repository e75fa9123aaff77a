#pragma once
// One page that plays a model: text and nothing else.

#include <string>
#include <string_view>

#include "sinew/base/file.h"
#include "sinew/base/report.h"

namespace sinew::cli {

/// JSON that may stand inside a script element: no "<" that could end it.
std::string script_json(const Json& json);

/// gzip without a name or a time, so that the same bytes give the same page.
std::string gzip(Bytes bytes);

/// Fills the slots %TITLE%, %ABOUT% and %MODEL% of the shell; the model is packed and written as base64.
std::string fill_page(std::string_view shell, std::string_view title, const Json& about, Bytes model);

}  // namespace sinew::cli
