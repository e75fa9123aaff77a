#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/io/scene/x_file.h"

namespace sinew::io::x {
namespace {

/// Numbers of a key of each type.
constexpr std::size_t widths[] = {4, 3, 3, 16, 16};

class Parser {
  public:
    Parser(Text& text, Oddities& oddities) : text_(text), oddities_(oddities) {}

    File run() {
        while (!text_.at(Token::Kind::end)) {
            if (text_.at(Token::Kind::open) || text_.at(Token::Kind::close)) {
                fail(text_.place(), "expected an object, found \"{}\"", text_.peek().text);
            }
            if (text_.peek().text == "template") {
                parse_header(text_);
                text_.skip_object();
            } else {
                object(-1, 0);
            }
        }
        place_references();
        return std::move(file_);
    }

  private:
    /// A use of a mesh by its name inside a frame.
    struct Reference {
        std::string name;
        int frame;
        std::size_t offset;
    };

    /// An object of a frame, or of the file when `frame` is -1.
    void object(int frame, int depth) {
        Header header = parse_header(text_);
        if (header.type == "Frame") {
            parse_frame(std::move(header), frame, depth);
        } else if (header.type == "FrameTransformMatrix" && frame >= 0) {
            file_.frames[static_cast<std::size_t>(frame)].matrix = parse_matrix(text_);
            text_.skip_object();
        } else if (header.type == "Mesh") {
            file_.meshes.push_back(parse_mesh(text_, file_, oddities_));
            file_.meshes.back().name = std::move(header.name);
            file_.meshes.back().frame = frame;
        } else if (header.type == "Material") {
            parse_material(text_, file_, std::move(header.name));
        } else if (header.type == "AnimTicksPerSecond") {
            const double ticks = text_.finite("the ticks of a second");
            if (!(ticks > 0)) fail(text_.place(header.offset), "{} ticks a second is no rate", ticks);
            file_.ticks_per_second = ticks;
            text_.skip_object();
        } else if (header.type == "AnimationSet") {
            parse_set(std::move(header.name));
        } else {
            text_.skip_object();
        }
    }

    void parse_frame(Header header, int parent, int depth) {
        if (depth > max_depth)
            fail(text_.place(header.offset), "frames are nested deeper than {}", max_depth);
        const int frame = static_cast<int>(file_.frames.size());
        if (!header.name.empty() && !file_.frame_numbers.emplace(header.name, frame).second) {
            oddities_.add("x-duplicate-frame", header.offset, [&] {
                return fmt::format("the frame \"{}\" stands twice: its name means the first", header.name);
            });
        }
        file_.frames.emplace_back();
        file_.frames.back().name = std::move(header.name);
        file_.frames.back().parent = parent;
        while (!text_.at(Token::Kind::close)) {
            if (text_.at(Token::Kind::open)) {
                const std::size_t offset = text_.next().offset;
                references_.push_back({std::string(text_.peek().text), frame, offset});
                text_.skip_object();
            } else {
                object(frame, depth + 1);
            }
        }
        text_.next();
    }

    void parse_set(std::string name) {
        file_.sets.emplace_back();
        file_.sets.back().name = std::move(name);
        while (!text_.at(Token::Kind::close)) {
            if (text_.at(Token::Kind::open)) {
                text_.next();
                text_.skip_object();
                continue;
            }
            const Header header = parse_header(text_);
            if (header.type == "Animation") {
                parse_animation(header.offset);
            } else {
                text_.skip_object();
            }
        }
        text_.next();
    }

    void parse_animation(std::size_t place) {
        Animation animation;
        animation.place = place;
        while (!text_.at(Token::Kind::close)) {
            if (text_.at(Token::Kind::open)) {
                text_.next();
                if (text_.at(Token::Kind::word)) animation.frame = text_.peek().text;
                text_.skip_object();
                continue;
            }
            const Header header = parse_header(text_);
            if (header.type == "AnimationKey") parse_keys(animation);
            text_.skip_object();
        }
        text_.next();
        file_.sets.back().animations.push_back(std::move(animation));
    }

    void parse_keys(Animation& animation) {
        const std::size_t offset = text_.peek().offset;
        AnimationKeys keys;
        const std::uint32_t type = text_.index("the type of animation keys");
        if (type >= std::size(widths)) {
            oddities_.add("x-keys", offset, [&] {
                return fmt::format("animation keys of type {} are unknown: left out", type);
            });
            return;
        }
        keys.type = static_cast<int>(type);
        keys.width = widths[type];
        const std::size_t count = text_.count("the number of keys");
        std::size_t odd = 0;
        for (std::size_t k = 0; k < count; ++k) {
            const double time = text_.finite("the time of a key");
            const std::size_t width = text_.count("the number of values of a key");
            if (width == keys.width) keys.times.push_back(time);
            for (std::size_t i = 0; i < width; ++i) {
                const double value = text_.finite("a value of a key");
                if (width == keys.width) keys.values.push_back(value);
            }
            odd += width != keys.width ? 1 : 0;
        }
        if (odd > 0) {
            oddities_.add("x-keys", offset, [&] {
                return fmt::format("{} keys of type {} have not {} values: left out", odd, type, keys.width);
            });
        }
        animation.keys.push_back(std::move(keys));
    }

    /// Meshes that stand by themselves and are used by frames.
    void place_references() {
        std::map<std::string, std::size_t> named;
        for (std::size_t m = 0; m < file_.meshes.size(); ++m) {
            if (!file_.meshes[m].name.empty() && file_.meshes[m].frame < 0)
                named.emplace(file_.meshes[m].name, m);
        }
        for (const Reference& reference : references_) {
            const auto found = named.find(reference.name);
            if (found == named.end() || file_.meshes[found->second].frame >= 0) {
                oddities_.add("x-reference", reference.offset, [&] {
                    return fmt::format("\"{}\" names no mesh that is free: left out", reference.name);
                });
            } else {
                file_.meshes[found->second].frame = reference.frame;
            }
        }
    }

    Text& text_;
    Oddities& oddities_;
    File file_;
    std::vector<Reference> references_;
};

}  // namespace

Header parse_header(Text& text) {
    const Token type = text.next();
    if (!type.is(Token::Kind::word)) {
        fail(text.place(type.offset), "expected an object, found {}",
             type.is(Token::Kind::end) ? "the end of the file"
                                       : fmt::format("\"{}\"", type.text.substr(0, 40)));
    }
    Header header{std::string(type.text), {}, type.offset};
    // Names with blanks in them are several words; a class number may stand between name and brace.
    while (!text.at(Token::Kind::open)) {
        const Token token = text.next();
        if (token.is(Token::Kind::guid)) continue;
        if (!token.is(Token::Kind::word) && !token.is(Token::Kind::string)) {
            fail(text.place(token.offset), "expected \"{{\" behind {}, found {}", header.type,
                 token.is(Token::Kind::end) ? "the end of the file"
                                            : fmt::format("\"{}\"", token.text.substr(0, 40)));
        }
        if (header.name.size() < 1000)
            header.name += (header.name.empty() ? "" : " ") + std::string(token.text);
    }
    text.next();
    return header;
}

File parse(Text& text, Oddities& oddities) {
    return Parser(text, oddities).run();
}

}  // namespace sinew::io::x
