#include "study_form.h"

#include <string_view>

#include <fmt/format.h>

namespace sinew::cli {
namespace {

constexpr std::string_view head =
    R"(<!doctype html><html lang="en"><meta charset="utf-8"><title>Study</title><style>
body{font:15px/1.5 system-ui,sans-serif;max-width:900px;margin:30px auto;padding:0 16px;color:#1d2733}
table{border-collapse:collapse;margin:8px 0 20px}th,td{padding:4px 12px;border-bottom:1px solid #dde3e8;text-align:left}
button{font:inherit;padding:6px 18px}</style><h1>Study</h1>
<p><label>Your sign (no name): <input id="viewer" value="viewer"></label></p>
<h2>Which animation shows the walk of which video?</h2><table>)";

constexpr std::string_view save_script = R"(<button id="save">Save answers</button><script>
document.getElementById('save').onclick=()=>{
const all=s=>[...document.querySelectorAll(s)];
const chosen=all('.match').map(e=>+e.value);
const ratings=all('.rate').filter(e=>e.value).map(e=>({item:e.dataset.item,joint:e.dataset.joint,plane:e.dataset.plane,value:+e.value}));
const viewer=document.getElementById('viewer').value;
const study={matching:chosen.every(v=>v>0)?[{viewer,chosen}]:[],ratings};
const link=document.createElement('a');
link.href=URL.createObjectURL(new Blob([JSON.stringify(study,null,1)],{type:'application/json'}));
link.download='answers_'+viewer+'.json';link.click()};
</script></html>
)";

std::string video_name(std::size_t item) {
    return item < 26 ? std::string(1, static_cast<char>('A' + item)) : fmt::format("V{}", item + 1);
}

}  // namespace

std::string study_form(std::size_t items) {
    std::string html(head);
    for (std::size_t item = 0; item < items; ++item) {
        html += fmt::format("<tr><td>video {}</td><td><select class=\"match\"><option value=\"0\">?</option>",
                            video_name(item));
        for (std::size_t k = 1; k <= items; ++k)
            html += fmt::format("<option value=\"{0}\">animation {0}</option>", k);
        html += "</select></td></tr>";
    }
    html += "</table><h2>How alike are they? 1 not at all, 2 in part, 3 exactly</h2>";
    for (std::size_t item = 0; item < items; ++item) {
        html += fmt::format(
            "<table><tr><th>video {}</th><th>sagittal</th><th>coronal</th><th>transverse</th></tr>",
            video_name(item));
        for (const char* joint : {"pelvis", "hip", "knee", "ankle"}) {
            html += fmt::format("<tr><td>{}</td>", joint);
            for (const char* plane : {"sagittal", "coronal", "transverse"})
                html += fmt::format(
                    "<td><select class=\"rate\" data-item=\"{}\" data-joint=\"{}\" "
                    "data-plane=\"{}\"><option></option><option>1</option><option>2</option><option>3</"
                    "option>"
                    "</select></td>",
                    video_name(item), joint, plane);
            html += "</tr>";
        }
        html += "</table>";
    }
    return html + std::string(save_script);
}

}  // namespace sinew::cli
