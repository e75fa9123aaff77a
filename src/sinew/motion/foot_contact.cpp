#include "sinew/motion/foot_contact.h"

#include <algorithm>
#include <cmath>
#include <deque>

namespace sinew::motion {

using math::Vec3d;

namespace {

std::size_t frames_of(double seconds, double rate) {
    return static_cast<std::size_t>(std::max(0.0, std::round(seconds * rate)));
}

/// Lowest height within `reach` frames to both sides of each frame, in one pass (a queue of rising heights).
std::vector<double> lowest_around(std::span<const Vec3d> places, std::size_t reach) {
    const std::size_t count = places.size();
    std::vector<double> lowest(count);
    std::deque<std::size_t> queue;
    std::size_t next = 0;
    for (std::size_t f = 0; f < count; ++f) {
        for (; next < count && next <= f + reach; ++next) {
            while (!queue.empty() && places[queue.back()].y() >= places[next].y()) queue.pop_back();
            queue.push_back(next);
        }
        while (queue.front() + reach < f) queue.pop_front();
        lowest[f] = places[queue.front()].y();
    }
    return lowest;
}

/// Speed from the frames before and after.
double speed_at(std::span<const Vec3d> places, std::size_t f, double rate) {
    const std::size_t before = f > 0 ? f - 1 : f, after = std::min(f + 1, places.size() - 1);
    return after == before
               ? 0
               : (places[after] - places[before]).norm() * rate / static_cast<double>(after - before);
}

/// Joins contacts with little time and way between them: a jump of the whole body ends a contact.
void close_gaps(std::span<const Vec3d> places, std::size_t gap, double way, std::vector<Contact>& contacts) {
    std::vector<Contact> closed;
    for (const Contact& contact : contacts) {
        if (!closed.empty() && contact.first - closed.back().last - 1 <= gap &&
            (places[contact.first] - places[closed.back().last]).norm() <= way)
            closed.back().last = contact.last;
        else
            closed.push_back(contact);
    }
    contacts = std::move(closed);
}

double smooth_step(double t) {
    return t * t * (3 - 2 * t);
}

}  // namespace

std::vector<Contact> find_contacts(std::span<const Vec3d> places, double rate, double leg_length,
                                   const FootContactOptions& options) {
    std::vector<Contact> contacts;
    if (places.empty() || !(rate > 0) || !(leg_length > 0)) return contacts;
    const std::vector<double> ground = lowest_around(places, frames_of(options.around, rate));
    bool inside = false;
    for (std::size_t f = 0; f < places.size(); ++f) {
        const bool low = places[f].y() - ground[f] <= options.height * leg_length;
        const double limit = (inside ? options.fast : options.slow) * leg_length;
        const bool now = low && speed_at(places, f, rate) <= limit;
        if (now && !inside) contacts.push_back({f, f});
        if (now) contacts.back().last = f;
        inside = now;
    }
    close_gaps(places, frames_of(options.closed_gap, rate), 0.02 * leg_length, contacts);
    const std::size_t least = std::max<std::size_t>(2, frames_of(options.least, rate));
    std::erase_if(contacts, [&](const Contact& contact) { return contact.frames() < least; });
    return contacts;
}

FootSlide measure_slide(std::span<const Vec3d> places, std::span<const Contact> contacts, double leg_length) {
    FootSlide slide;
    if (!(leg_length > 0)) return slide;
    for (const Contact& contact : contacts) {
        for (std::size_t f = contact.first; f < contact.last && f + 1 < places.size(); ++f) {
            const Vec3d step = places[f + 1] - places[f];
            const double percent = 100 * std::hypot(step.x(), step.z()) / leg_length;
            slide.largest = std::max(slide.largest, percent);
            slide.mean += percent;
            ++slide.frames;
        }
    }
    if (slide.frames > 0) slide.mean /= static_cast<double>(slide.frames);
    return slide;
}

std::vector<Vec3d> contact_corrections(std::span<const Vec3d> places, std::span<const Contact> contacts,
                                       std::span<const Vec3d> rest) {
    std::vector<Vec3d> corrections;
    if (contacts.empty()) return corrections;
    corrections.resize(places.size());
    const auto at = [&](std::size_t i, std::size_t f) { return Vec3d(rest[i] - places[f]); };
    std::size_t next = 0;  // first contact that has not ended
    for (std::size_t f = 0; f < places.size(); ++f) {
        while (next < contacts.size() && contacts[next].last < f) ++next;
        if (next == contacts.size()) {
            corrections[f] = at(next - 1, contacts[next - 1].last);
        } else if (f >= contacts[next].first) {
            corrections[f] = at(next, f);
        } else if (next == 0) {
            corrections[f] = at(0, contacts[0].first);
        } else {
            const std::size_t left = contacts[next - 1].last, right = contacts[next].first;
            const double t = smooth_step(static_cast<double>(f - left) / static_cast<double>(right - left));
            corrections[f] = (1 - t) * at(next - 1, left) + t * at(next, right);
        }
    }
    return corrections;
}

}  // namespace sinew::motion
