// SPDX-License-Identifier: MIT
#pragma once
// A small strict reader of USD text, to prove what is written: prims, metadata, attributes, relationships,
// time samples. Ends of lines count, as they do in USD's own grammar: a value begins on the line of its name,
// and every property, prim and piece of metadata ends its line.

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/text.h"

namespace sinew::io::usda_test {

struct UsdValue {
    std::vector<double> numbers;       ///< of tuples and arrays, one behind the other
    std::vector<std::string> strings;  ///< texts, and targets of relationships
    std::size_t items = 0;             ///< of an array
};

struct UsdProperty {
    std::string type;  ///< "float3[]", "rel"
    UsdValue value;
    std::map<double, UsdValue> samples;
    std::map<std::string, UsdValue> metadata;
};

struct UsdPrim {
    std::string type, name;
    std::map<std::string, UsdValue> metadata;
    std::map<std::string, UsdProperty> properties;
    std::vector<UsdPrim> children;

    const UsdPrim& child(std::string_view of_type) const {
        for (const UsdPrim& each : children)
            if (each.type == of_type) return each;
        throw std::runtime_error("no " + std::string(of_type) + " in " + name);
    }
};

class UsdParser {
  public:
    explicit UsdParser(std::string_view text) : rest_(text) {}

    /// The layer: its metadata, and its prims as children.
    UsdPrim parse() {
        expect("#usda 1.0");
        end_line();
        UsdPrim layer;
        skip_lines();
        if (next() == '(') layer.metadata = metadata();
        for (skip_lines(); !rest_.empty(); skip_lines()) layer.children.push_back(prim());
        return layer;
    }

  private:
    char next() {
        while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\t')) rest_.remove_prefix(1);
        return rest_.empty() ? '\0' : rest_[0];
    }
    [[noreturn]] void wrong(std::string_view wanted) const {
        throw std::runtime_error(std::string(wanted) + " expected at: " + std::string(rest_.substr(0, 60)));
    }
    void expect(std::string_view word) {
        next();
        if (!rest_.starts_with(word)) wrong(word);
        rest_.remove_prefix(word.size());
    }
    void end_line() {
        if (next() != '\n') wrong("end of line");
        rest_.remove_prefix(1);
    }
    void skip_lines() {
        while (next() == '\n') rest_.remove_prefix(1);
    }
    std::string word(std::string_view also = "") {
        next();
        std::size_t size = 0;
        const auto fits = [&](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || also.find(c) != also.npos;
        };
        while (size < rest_.size() && fits(rest_[size])) ++size;
        if (size == 0) wrong("a word");
        const std::string result(rest_.substr(0, size));
        rest_.remove_prefix(size);
        return result;
    }
    std::string text() {
        expect("\"");
        std::string result;
        while (!rest_.starts_with('"')) {
            if (rest_.empty() || rest_[0] == '\n') wrong("a quote");
            if (rest_[0] == '\\') rest_.remove_prefix(1);
            result += rest_[0];
            rest_.remove_prefix(1);
        }
        expect("\"");
        return result;
    }

    void value_into(UsdValue& value) {
        switch (next()) {
            case '"':
                value.strings.push_back(text());
                return;
            case '<': {
                const std::size_t end = rest_.find('>');
                if (end == rest_.npos) wrong(">");
                value.strings.emplace_back(rest_.substr(1, end - 1));
                rest_.remove_prefix(end + 1);
                return;
            }
            case '(':
                value_list(value, "(", ")");
                return;
            case '[':
                value.items = value_list(value, "[", "]");
                return;
            default:
                const auto number = parse_number(rest_);
                if (!number) wrong("a value");
                value.numbers.push_back(*number);
        }
    }
    std::size_t value_list(UsdValue& value, std::string_view open, std::string_view close) {
        expect(open);
        std::size_t items = 0;
        while (next() != close[0]) {
            if (items > 0) expect(",");
            value_into(value);
            ++items;
        }
        expect(close);
        return items;
    }

    std::map<std::string, UsdValue> metadata() {
        std::map<std::string, UsdValue> entries;
        expect("(");
        end_line();
        for (skip_lines(); next() != ')'; skip_lines()) {
            std::string name = word();
            if (name == "prepend") name = word();
            expect("=");
            value_into(entries[name]);
            end_line();
        }
        expect(")");
        return entries;
    }

    UsdPrim prim() {
        UsdPrim result;
        expect("def");
        result.type = word();
        result.name = text();
        if (next() == '(') result.metadata = metadata();
        skip_lines();
        expect("{");
        for (skip_lines(); next() != '}'; skip_lines()) {
            if (rest_.starts_with("def "))
                result.children.push_back(prim());
            else
                property(result);
        }
        expect("}");
        end_line();
        return result;
    }

    void property(UsdPrim& prim) {
        UsdProperty result;
        result.type = word("[]");
        if (result.type == "uniform") result.type = word("[]");
        const std::string name = word(":");
        const bool sampled = rest_.starts_with(".timeSamples");
        if (sampled) expect(".timeSamples");
        expect("=");
        if (sampled) {
            expect("{");
            for (skip_lines(); next() != '}'; skip_lines()) {
                const auto time = parse_number(rest_);
                if (!time) wrong("a time");
                expect(":");
                value_into(result.samples[*time]);
                expect(",");
            }
            expect("}");
        } else {
            value_into(result.value);
        }
        if (next() == '(') result.metadata = metadata();
        end_line();
        if (!prim.properties.emplace(name, std::move(result)).second) wrong(name + " once");
    }

    std::string_view rest_;
};

}  // namespace sinew::io::usda_test
