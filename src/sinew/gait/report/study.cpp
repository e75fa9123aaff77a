// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>
#include <random>
#include <string_view>

#include <fmt/format.h>

#include "sinew/base/error.h"
#include "sinew/gait/report.h"

namespace sinew::gait {
namespace {

/// Probability that a random order of n items has exactly k of them in position: D(n - k) / (k! (n - k)!),
/// where D is the number of orders with none in position.
std::vector<double> fixed_points(std::size_t n) {
    std::vector<double> none = {1, 0};  // D(m) / m!, by D(m)/m! = D(m-1)/(m-1)! + (-1)^m / m!
    double factorial = 1;
    for (std::size_t m = 2; m <= n; ++m) {
        factorial *= static_cast<double>(m);
        none.push_back(none[m - 1] + (m % 2 == 0 ? 1 : -1) / factorial);
    }
    std::vector<double> chances;
    double k_factorial = 1;
    for (std::size_t k = 0; k <= n; ++k) {
        if (k > 0) k_factorial *= static_cast<double>(k);
        chances.push_back(none[n - k] / k_factorial);
    }
    return chances;
}

/// Probabilities of the sum over independent viewers.
std::vector<double> together(const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> sum(a.size() + b.size() - 1, 0);
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < b.size(); ++j) sum[i + j] += a[i] * b[j];
    return sum;
}

/// Means by a key of the ratings.
template <class Key>
std::map<std::string, double> means(const std::vector<Rating>& ratings, const Key& key) {
    std::map<std::string, std::pair<double, double>> sums;
    for (const Rating& rating : ratings) {
        auto& [sum, count] = sums[key(rating)];
        sum += rating.value;
        ++count;
    }
    std::map<std::string, double> result;
    for (const auto& [name, sum] : sums) result[name] = sum.first / sum.second;
    return result;
}

std::vector<std::size_t> numbers_from(const Json& list, std::string_view location, const char* key) {
    if (!list.is_array()) fail(location, "\"{}\" is not a list of numbers", key);
    std::vector<std::size_t> numbers;
    for (const Json& each : list) {
        if (!each.is_number_unsigned() || each.get<std::size_t>() == 0)
            fail(location, "\"{}\" holds {}, which is not a whole number of at least 1", key, each.dump());
        numbers.push_back(each.get<std::size_t>() - 1);
    }
    return numbers;
}

std::string text_of(const Json& object, const char* key, std::string_view location) {
    if (!object.is_object() || !object.contains(key) || !object[key].is_string())
        fail(location, "an entry has no \"{}\"", key);
    return object[key].get<std::string>();
}

Json numbers_to_json(const std::vector<std::size_t>& numbers) {
    Json list = Json::array();
    for (const std::size_t each : numbers) list.push_back(each + 1);
    return list;
}

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

BlindOrder blind_order(std::size_t items, unsigned seed) {
    BlindOrder order;
    order.answer.resize(items);
    std::iota(order.answer.begin(), order.answer.end(), std::size_t{0});
    std::mt19937 random(seed);
    // Own implementation, because the result of std::shuffle differs between standard libraries.
    for (std::size_t i = items; i > 1; --i) std::swap(order.answer[i - 1], order.answer[random() % i]);
    return order;
}

MatchingResult score_matching(const BlindOrder& truth, const std::vector<Matching>& viewers) {
    MatchingResult result;
    const std::size_t items = truth.answer.size();
    std::vector<double> chances = {1};
    for (const Matching& viewer : viewers) {
        if (viewer.chosen.size() != items)
            fail(viewer.viewer, "matched {} of {} items", viewer.chosen.size(), items);
        std::size_t right = 0;
        for (std::size_t i = 0; i < items; ++i) {
            if (viewer.chosen[i] >= items)
                fail(viewer.viewer, "chose animation {}, but there are {}", viewer.chosen[i] + 1, items);
            right += viewer.chosen[i] == truth.answer[i];
        }
        result.correct.push_back(right);
        result.right += right;
        result.asked += items;
        chances = together(chances, fixed_points(items));
    }
    result.by_chance = static_cast<double>(items > 0 ? viewers.size() : 0);
    for (std::size_t k = result.right; k < chances.size(); ++k) result.chance_of_more += chances[k];
    return result;
}

RatingResult summarise_ratings(const std::vector<Rating>& ratings) {
    RatingResult result;
    for (const Rating& rating : ratings) {
        if (rating.value < 1 || rating.value > 3)
            fail(rating.item, "{} in the {} plane is rated {}, but ratings are 1 to 3", rating.joint,
                 rating.plane, rating.value);
        result.mean += rating.value;
    }
    result.count = ratings.size();
    if (result.count > 0) result.mean /= static_cast<double>(result.count);
    result.by_joint = means(ratings, [](const Rating& r) { return r.joint; });
    result.by_plane = means(ratings, [](const Rating& r) { return r.plane; });
    result.by_item = means(ratings, [](const Rating& r) { return r.item; });
    result.by_item_and_plane = means(ratings, [](const Rating& r) { return r.item + " " + r.plane; });
    return result;
}

Study parse_study(std::string_view json, std::string_view location) {
    const Json file = Json::parse(json, nullptr, false);
    if (!file.is_object()) fail(location, "is not a JSON object with \"truth\", \"matching\" or \"ratings\"");
    Study study;
    if (file.contains("truth")) study.truth.answer = numbers_from(file["truth"], location, "truth");
    for (const Json& each : file.value("matching", Json::array())) {
        const std::string viewer = text_of(each, "viewer", location);
        study.matching.push_back({viewer, numbers_from(each.value("chosen", Json()), location, "chosen")});
    }
    for (const Json& each : file.value("ratings", Json::array())) {
        Rating rating{text_of(each, "item", location), text_of(each, "joint", location),
                      text_of(each, "plane", location), 0};
        if (!each.contains("value") || !each["value"].is_number_integer())
            fail(location, "the rating of {} has no whole \"value\"", rating.joint);
        rating.value = each["value"].get<int>();
        study.ratings.push_back(std::move(rating));
    }
    return study;
}

Json to_json(const Study& study) {
    Json json = {{"truth", numbers_to_json(study.truth.answer)},
                 {"matching", Json::array()},
                 {"ratings", Json::array()}};
    for (const Matching& each : study.matching)
        json["matching"].push_back({{"viewer", each.viewer}, {"chosen", numbers_to_json(each.chosen)}});
    for (const Rating& each : study.ratings)
        json["ratings"].push_back(
            {{"item", each.item}, {"joint", each.joint}, {"plane", each.plane}, {"value", each.value}});
    return json;
}

Json score(const Study& study) {
    Json json;
    if (!study.matching.empty()) {
        const MatchingResult result = score_matching(study.truth, study.matching);
        json["matching"] = {{"right", result.right},
                            {"asked", result.asked},
                            {"by_chance", result.by_chance},
                            {"chance_of_more", result.chance_of_more},
                            {"viewers", Json::object()}};
        for (std::size_t i = 0; i < study.matching.size(); ++i)
            json["matching"]["viewers"][study.matching[i].viewer] = result.correct[i];
    }
    if (!study.ratings.empty()) {
        const RatingResult result = summarise_ratings(study.ratings);
        json["ratings"] = {{"mean", result.mean},         {"count", result.count},
                           {"by_joint", result.by_joint}, {"by_plane", result.by_plane},
                           {"by_item", result.by_item},   {"by_item_and_plane", result.by_item_and_plane}};
    }
    return json;
}

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

}  // namespace sinew::gait
