#include "publish_page.h"

#include <limits>

#include <zlib.h>

#include "sinew/base/error.h"
#include "sinew/base/text.h"
#include "sinew/io/interchange.h"

namespace sinew::cli {

std::string script_json(const Json& json) {
    std::string out;
    // Names from files may not be UTF-8: what is not becomes U+FFFD.
    for (const char c : json.dump(-1, ' ', false, Json::error_handler_t::replace)) {
        if (c == '<')
            out += "\\u003c";
        else
            out += c;
    }
    return out;
}

std::string gzip(Bytes bytes) {
    constexpr int with_gzip_header = 15 + 16;
    z_stream stream{};
    if (deflateInit2(&stream, 9, Z_DEFLATED, with_gzip_header, 9, Z_DEFAULT_STRATEGY) != Z_OK)
        fail("", "the page cannot be packed: no memory");
    std::string out;
    std::string block(1 << 16, '\0');
    const auto* next = reinterpret_cast<const Bytef*>(bytes.data());
    std::size_t left = bytes.size();
    int state = Z_OK;
    while (state == Z_OK) {
        constexpr std::size_t most = std::numeric_limits<uInt>::max();
        if (stream.avail_in == 0 && left > 0) {
            stream.next_in = const_cast<Bytef*>(next);
            stream.avail_in = static_cast<uInt>(std::min(left, most));
            next += stream.avail_in;
            left -= stream.avail_in;
        }
        stream.next_out = reinterpret_cast<Bytef*>(block.data());
        stream.avail_out = static_cast<uInt>(block.size());
        state = deflate(&stream, left == 0 ? Z_FINISH : Z_NO_FLUSH);
        out.append(block, 0, block.size() - stream.avail_out);
    }
    deflateEnd(&stream);
    if (state != Z_STREAM_END) fail("", "the page cannot be packed (zlib: {})", state);
    return out;
}

std::string fill_page(std::string_view shell, std::string_view title, const Json& about, Bytes model) {
    const std::string packed = gzip(model);
    const std::string values[] = {markup_text(title), script_json(about),
                                  io::encode_base64(as_bytes(packed))};
    constexpr std::string_view slots[] = {"%TITLE%", "%ABOUT%", "%MODEL%"};
    std::string page;
    page.reserve(shell.size() + values[1].size() + values[2].size() + 1024);
    // In one pass, so that a slot in a name is not filled.
    for (std::size_t at = 0; at < shell.size();) {
        const std::size_t sign = shell.find('%', at);
        page.append(shell.substr(at, sign - at));
        if (sign == std::string_view::npos) break;
        at = sign;
        std::size_t slot = 0;
        while (slot < std::size(slots) && !shell.substr(at).starts_with(slots[slot])) ++slot;
        if (slot < std::size(slots)) {
            page += values[slot];
            at += slots[slot].size();
        } else {
            page += shell[at++];
        }
    }
    return page;
}

}  // namespace sinew::cli
