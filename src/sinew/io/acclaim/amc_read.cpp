// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/io/acclaim/amc_motion.h"
#include "sinew/io/text/scan.h"

namespace sinew::io::amc {
namespace {

/// Numbers that are converted together; a block of rows fits in the first-level cache.
constexpr std::size_t block_numbers = 3072;
constexpr std::size_t none = static_cast<std::size_t>(-1);

const char* next_line(const char* at, const char* end) {
    at = find_line_end(at, end);
    return at == end ? end : at + 1;
}

/// Upper bound of the number of frames: the number of lines that may be frame numbers.
std::size_t count_frames(const char* at, const char* end) {
    std::size_t count = 0;
    while (at < end) {
        at = skip_blanks(at, end);
        if (at < end && is_digit(*at)) ++count;
        at = next_line(at, end);
    }
    return count;
}

class MotionReader {
  public:
    MotionReader(std::string_view text, std::string_view file, const asf::Figure& figure, bvh::Tally& tally,
                 Monitor& monitor);
    std::vector<model::Track> run(double rate);

  private:
    const char* header(const char* at);
    void flag(std::string_view word, const char* at);
    const char* line(const char* at);
    bool frame_line(const char* at);
    void begin_frame(std::int64_t number, const char* at);
    void end_frame(const char* at);
    void flush();
    const char* bone_line(const char* at);
    std::size_t find_bone(std::string_view name, const char* at);
    void enter_bone(std::size_t joint, const char* at);
    const char* quick_numbers(const char* at, std::size_t joint);
    void slow_numbers(std::string_view line, std::size_t joint);
    double* row() { return rows_.data() + (buffered_ - 1) * width_; }

    /// Formats a message only for irregular content.
    template <class... Args>
    void note(std::string_view code, const char* at, fmt::format_string<Args...> text, Args&&... args) {
        cursor_.seek(static_cast<std::size_t>(at - text_.data()));
        tally_.note(code, cursor_, text, std::forward<Args>(args)...);
    }

    std::string_view text_;
    const char* end_;
    const asf::Figure& figure_;
    bvh::Tally& tally_;
    Monitor& monitor_;
    TextCursor cursor_;
    std::string file_;
    bool radians_;

    std::vector<Columns> columns_;
    std::unordered_map<std::string_view, std::size_t> joints_;
    std::size_t width_ = 0;
    std::size_t per_block_ = 1;
    std::optional<KeyMaker> keys_;
    std::vector<double> rows_;
    std::vector<double> last_;  ///< the row before the block
    std::size_t buffered_ = 0;  ///< rows of the block
    std::size_t frames_ = 0;
    std::size_t max_frames_ = 0;
    std::int64_t number_ = 0;  ///< of the frame that is being read
    std::vector<Hole> holes_;

    std::vector<std::size_t> sequence_;   ///< bones in the order of the previous frame
    std::size_t next_ = 0;                ///< position in it
    std::vector<std::size_t> last_seen_;  ///< frame of each joint, from 1
    std::size_t lines_ = 0;               ///< different bones in this frame
    std::size_t known_ = 0;               ///< different bones in the file so far
};

MotionReader::MotionReader(std::string_view text, std::string_view file, const asf::Figure& figure,
                           bvh::Tally& tally, Monitor& monitor)
    : text_(text),
      end_(text.data() + text.size()),
      figure_(figure),
      tally_(tally),
      monitor_(monitor),
      cursor_(text, file),
      file_(file),
      radians_(!figure.degrees),
      columns_(columns_of(figure)),
      last_seen_(figure.moves.size(), 0) {
    for (std::size_t j = 0; j < figure.skeleton.size(); ++j)
        joints_.emplace(figure.skeleton.joints[j].name, j);
    for (const Columns& columns : columns_) width_ += columns.count;
    per_block_ = std::max<std::size_t>(1, block_numbers / std::max<std::size_t>(width_, 1));
    rows_.resize(per_block_ * width_);
    last_.assign(width_, 0.0);
}

void MotionReader::flag(std::string_view word, const char* at) {
    if (equal_ignoring_case(word, ":radians") || equal_ignoring_case(word, ":degrees")) {
        radians_ = equal_ignoring_case(word, ":radians");
    } else if (!equal_ignoring_case(word, ":fully-specified")) {
        note("amc-unknown-flag", at, "\"{}\" is not known", word.substr(0, 40));
    }
}

/// Everything before the first frame.
const char* MotionReader::header(const char* at) {
    while (at < end_) {
        const char* const line_end = find_line_end(at, end_);
        const char* const first = skip_blanks(at, line_end);
        if (first < line_end && *first == ':') {
            flag({first, skip_word(first, line_end)}, first);
        } else if (first < line_end && *first != '#') {
            if (frame_line(first)) return at;
            note("amc-stray-line", first, "a line before the first frame is skipped");
        }
        at = next_line(line_end, end_);
    }
    return end_;
}

/// True when a line is nothing but a whole number without a sign.
bool MotionReader::frame_line(const char* at) {
    std::int64_t number = 0;
    const char* behind = at < end_ && is_digit(*at) ? scan_integer(at, end_, number) : nullptr;
    if (behind == nullptr) return false;
    behind = skip_blanks(behind, end_);
    return behind == end_ || *behind == '\n' || *behind == '#';
}

std::vector<model::Track> MotionReader::run(double rate) {
    const char* at = header(text_.data());
    max_frames_ = count_frames(at, end_);
    // A line has about as many bytes as its key, so only damaged files need more than this.
    const std::size_t max_bytes = 8 * text_.size() + 1'000'000;
    keys_.emplace(figure_, radians_, max_frames_, max_bytes, file_);
    if (static_cast<double>(width_) * static_cast<double>(max_frames_) > 8 * static_cast<double>(max_bytes))
        fail(file_, "{} frames, but numbers for few of the {} dofs in them", max_frames_, width_);
    while (at < end_) at = line(at);
    if (frames_ > 0) end_frame(end_);
    flush();
    std::vector<model::Track> tracks = keys_->take(1 / rate);
    // A damaged number may skip millions of frames; each gap is limited so that the sum cannot overflow.
    const std::size_t max_missing = frames_ + 100;
    std::size_t missing = 0;
    for (const Hole& hole : holes_) missing += std::min(hole.count, max_missing + 1);
    if (missing > max_missing) {
        note("amc-large-gap", end_,
             "frame numbers leave out more frames than there are; the gaps are closed");
    } else if (missing > 0) {
        fill_holes(tracks, holes_, 1 / rate);
    }
    return tracks;
}

/// Reads one line and returns the start of the next.
const char* MotionReader::line(const char* at) {
    const char* const first = skip_blanks(at, end_);
    if (first == end_) return end_;
    if (*first == '\n') return first + 1;
    if (frame_line(first)) {
        std::int64_t number = 0;
        scan_integer(first, end_, number);
        begin_frame(number, first);
    } else if (*first == ':') {
        note("amc-late-flag", first, "a flag after the first frame is ignored");
    } else if (*first != '#') {
        return bone_line(first);
    }
    return next_line(first, end_);
}

void MotionReader::begin_frame(std::int64_t number, const char* at) {
    if (frames_ > 0) {
        end_frame(at);
        if (number > number_ + 1) {
            holes_.push_back({frames_, static_cast<std::size_t>(number - number_ - 1)});
            note("amc-frame-gap", at, "frame {} follows {}; what is between is interpolated", number,
                 number_);
        } else if (number <= number_) {
            note("amc-frame-order", at, "frame {} follows {}; the order of the file is kept", number,
                 number_);
        }
    }
    number_ = number;
    ++frames_;
    if (buffered_ == per_block_) flush();
    const double* const before = buffered_ == 0 ? last_.data() : row();
    ++buffered_;
    std::copy(before, before + width_, row());
    next_ = lines_ = 0;
}

void MotionReader::end_frame(const char* at) {
    if (lines_ < known_) {
        note("amc-missing-bone", at, "frame {} has {} bones of {}; the others keep their values", number_,
             lines_, known_);
    }
}

void MotionReader::flush() {
    if (buffered_ == 0) return;
    step(monitor_, "read motion", static_cast<double>(frames_) / static_cast<double>(max_frames_));
    keys_->add(rows_.data(), width_, buffered_);
    std::copy(row(), row() + width_, last_.begin());
    buffered_ = 0;
}

std::size_t MotionReader::find_bone(std::string_view name, const char* at) {
    const auto found = joints_.find(name);
    if (found == joints_.end()) {
        note("amc-unknown-bone", at, "the skeleton has no bone \"{}\"; its lines are skipped",
             name.substr(0, 40));
        return none;
    }
    if (columns_[found->second].count == 0) {
        note("amc-fixed-bone", at, "bone \"{}\" has no dof; its lines are skipped", name.substr(0, 40));
        return none;
    }
    return found->second;
}

/// Records the bones of a frame and their order.
void MotionReader::enter_bone(std::size_t joint, const char* at) {
    if (last_seen_[joint] == frames_) {
        note("amc-double-bone", at, "bone \"{}\" is given twice in frame {}; the last is used",
             figure_.skeleton.joints[joint].name, number_);
        return;
    }
    if (last_seen_[joint] == 0) {
        keys_->see(joint);
        ++known_;
    }
    last_seen_[joint] = frames_;
    ++lines_;
}

const char* MotionReader::bone_line(const char* at) {
    std::size_t joint = none;
    const char* behind = nullptr;
    if (next_ < sequence_.size()) {
        const std::string& name = figure_.skeleton.joints[sequence_[next_]].name;
        const auto size = static_cast<std::ptrdiff_t>(name.size());
        if (end_ - at > size && std::memcmp(at, name.data(), name.size()) == 0 && is_blank(at[size])) {
            joint = sequence_[next_];
            behind = at + size;
        }
    }
    if (joint == none) {
        behind = skip_word(at, end_);
        joint = find_bone({at, behind}, at);
        if (joint == none) return next_line(behind, end_);
        sequence_.resize(next_);
        sequence_.push_back(joint);
    }
    ++next_;
    enter_bone(joint, at);
    if (const char* const done = quick_numbers(behind, joint)) return done;
    slow_numbers({behind, find_line_end(behind, end_)}, joint);
    return next_line(behind, end_);
}

/// Reads a regular line; returns the next line, or null when the line is irregular in any respect.
const char* MotionReader::quick_numbers(const char* at, std::size_t joint) {
    double* out = row() + columns_[joint].first;
    for (std::size_t i = 0; i < columns_[joint].count; ++i, ++out) {
        at = skip_blanks(at, end_);
        double value = 0;
        const char* const behind = scan_double(at, end_, value);
        if (behind == nullptr || !at_word_end(behind, end_) || !(std::abs(value) < 1e15)) return nullptr;
        *out = value;
        at = behind;
    }
    at = skip_blanks(at, end_);
    if (at == end_) return at;
    return *at == '\n' ? at + 1 : nullptr;
}

void MotionReader::slow_numbers(std::string_view line, std::size_t joint) {
    const char* const start = line.data();
    const std::string& name = figure_.skeleton.joints[joint].name;
    const std::size_t count = columns_[joint].count;
    const double* const before = buffered_ == 1 ? last_.data() : row() - width_;
    std::copy_n(before + columns_[joint].first, count, row() + columns_[joint].first);
    line = line.substr(0, line.find('#'));
    std::size_t found = 0;
    while (true) {
        constexpr std::string_view gaps = " \t\r\v\f,()";
        line.remove_prefix(std::min(line.find_first_not_of(gaps), line.size()));
        if (line.empty()) break;
        const std::string_view word = line.substr(0, line.find_first_of(gaps));
        line.remove_prefix(word.size());
        if (++found > count) continue;
        double value = 0;
        if (word.size() <= bvh::max_token && bvh::read_value(word, value) == bvh::Value::good) {
            row()[columns_[joint].first + found - 1] = value;
        } else {
            note("amc-bad-number", start, "\"{}\" of bone \"{}\" is not a number; the previous value is used",
                 word.substr(0, 40), name);
        }
    }
    if (found < count) {
        note("amc-few-numbers", start, "bone \"{}\" has {} numbers of {}; the previous values are used", name,
             found, count);
    } else if (found > count) {
        note("amc-many-numbers", start, "bone \"{}\" has {} numbers for {} dofs; the last are ignored", name,
             found, count);
    }
}

}  // namespace

std::vector<model::Track> read_motion(std::string_view text, std::string_view file, const asf::Figure& figure,
                                      double rate, bvh::Tally& tally, Monitor& monitor) {
    return MotionReader(text, file, figure, tally, monitor).run(rate);
}

}  // namespace sinew::io::amc

namespace sinew::io {
namespace {

constexpr double usual_rate = 120;

bool is_asf(const std::filesystem::path& path) {
    return suffix(path) == "asf";
}

/// All skeletons of a folder, sorted by name.
std::vector<std::filesystem::path> skeletons_in(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> found;
    std::error_code code;
    const auto start = folder.empty() ? std::filesystem::path(".") : folder;
    for (std::filesystem::directory_iterator at(start, code), end; !code && at != end; at.increment(code)) {
        if (is_asf(at->path())) found.push_back(folder / at->path().filename());
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::filesystem::path find_skeleton(const std::filesystem::path& path, const ReadOptions& options) {
    if (!options.skeleton.empty()) return options.skeleton;
    const std::vector<std::filesystem::path> found = skeletons_in(path.parent_path());
    const std::string stem = path.stem().string();
    for (const std::string& wanted : {stem, stem.substr(0, stem.find('_'))}) {
        for (const std::filesystem::path& each : found) {
            if (each.stem() == wanted) return each;
        }
    }
    if (found.size() == 1) return found[0];
    fail(
        path.string(),
        "an AMC motion needs its ASF skeleton, and {} beside it: name the skeleton file, or put {}.asf there",
        found.empty() ? "there is none" : fmt::format("none of {} fits", found.size()), stem);
}

}  // namespace

Asset read_amc(Bytes bytes, const std::filesystem::path& path, const ReadOptions& options, Monitor& monitor) {
    const std::string file = path.string();
    if (bytes.empty()) fail(file, "the file is empty");
    if (options.rate < 0 || !std::isfinite(options.rate))
        fail(file, "{} frames per second is not a frame rate", options.rate);
    const std::filesystem::path skeleton = find_skeleton(path, options);
    std::string utf8, lines;
    bvh::Tally tally;
    const FileView view(skeleton);
    asf::Figure figure = asf::read_figure(as_utf8(view.text(), utf8), skeleton.string(), tally);
    const std::string_view text = with_line_feeds(as_utf8(as_text(bytes), utf8), lines);
    const double rate = options.rate > 0 ? options.rate : usual_rate;
    Asset asset;
    model::Clip clip;
    clip.tracks = amc::read_motion(text, file, figure, rate, tally, monitor);
    tally.report(monitor);
    if (clip.tracks.empty()) warn(monitor, "amc-no-frames", "{}: no motion: only the skeleton is read", file);
    asset.character.name = clip.name = path.stem().string();
    if (options.units.empty()) asset.guesses.push_back(asf::unit_guess(figure));
    if (options.rate == 0) {
        asset.guesses.push_back(
            {"fps", fmt::format("{}", usual_rate), "AMC files state no rate; 120 is usual", usual_rate});
    }
    asset.character.skeleton = std::move(figure.skeleton);
    if (!clip.tracks.empty()) asset.character.clips.push_back(std::move(clip));
    return asset;
}

}  // namespace sinew::io
