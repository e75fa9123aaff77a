// SPDX-License-Identifier: MIT
// sinew completion: completion scripts for shells and a manual page, generated from the command line options.

#include "common.h"

#include "sinew/base/file.h"
#include "sinew/base/text.h"

namespace sinew::cli {
namespace {

std::vector<const CLI::App*> verbs_in_order(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App*) { return true; });
}

/// Long options of a verb, once each.
std::vector<const CLI::Option*> long_options(const CLI::App& verb) {
    std::vector<const CLI::Option*> list;
    for (const CLI::Option* option : verb.get_options())
        if (!option->get_lnames().empty()) list.push_back(option);
    return list;
}

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

/// Escapes all characters of a set.
std::string escaped(const std::string& text, std::string_view marks, std::string_view by) {
    std::string result;
    for (const char c : text) {
        if (marks.find(c) != std::string_view::npos) result += by;
        result += c;
    }
    return result;
}

std::string bash_completion(const CLI::App& app) {
    std::string verbs, cases, values;
    for (const CLI::App* verb : verbs_in_order(app)) {
        verbs += " " + verb->get_name();
        std::string words;
        for (const CLI::Option* option : long_options(*verb)) {
            words += " --" + option->get_lnames()[0];
            if (const auto choices = choices_of(*option); !choices.empty())
                values += fmt::format("    {}:--{}) words=\"{}\" ;;\n", verb->get_name(),
                                      option->get_lnames()[0], fmt::join(choices, " "));
        }
        cases += fmt::format("    {}) words=\"{}\" ;;\n", verb->get_name(), words.substr(1));
    }
    return fmt::format(R"(# bash completion of sinew, written by `sinew completion bash`
_sinew() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} verb=${{COMP_WORDS[1]}} words=
  if [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W "{}" -- "$cur"))
    return
  fi
  case "$verb:$prev" in
{}  esac
  if [ -n "$words" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
    return
  fi
  case "$verb" in
{}  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
  else
    COMPREPLY=($(compgen -f -- "$cur"))
  fi
}}
complete -o filenames -F _sinew sinew
)",
                       verbs.substr(1), values, cases);
}

std::string zsh_completion(const CLI::App& app) {
    const auto quoted = [](const std::string& text) {
        return escaped(escaped(text, "[]:", "\\"), "'", "'\\'");
    };
    std::string verbs, cases;
    for (const CLI::App* verb : verbs_in_order(app)) {
        verbs += fmt::format("    '{}:{}'\n", verb->get_name(), quoted(first_line(verb->get_description())));
        cases += fmt::format("    {})\n      _arguments \\\n", verb->get_name());
        for (const CLI::Option* option : long_options(*verb)) {
            const auto choices = choices_of(*option);
            const std::string value = option->get_type_size() == 0 ? ""
                                      : choices.empty()            ? ":value:_files"
                                                        : fmt::format(":value:({})", fmt::join(choices, " "));
            cases += fmt::format("        '--{}[{}]{}' \\\n", option->get_lnames()[0],
                                 quoted(first_line(option->get_description())), value);
        }
        cases += "        '*:file:_files' ;;\n";
    }
    return fmt::format(R"(#compdef sinew
# zsh completion of sinew, written by `sinew completion zsh`
_sinew() {{
  local -a verbs=(
{}  )
  if (( CURRENT == 2 )); then
    _describe verb verbs
    return
  fi
  local verb=$words[2]
  shift words
  (( CURRENT-- ))
  case $verb in
{}  esac
}}
_sinew "$@"
)",
                       verbs, cases);
}

std::string fish_completion(const CLI::App& app) {
    const auto quoted = [](const std::string& text) { return "'" + escaped(text, "'\\", "\\") + "'"; };
    std::string text = "# fish completion of sinew, written by `sinew completion fish`\n";
    for (const CLI::App* verb : verbs_in_order(app)) {
        text += fmt::format("complete -c sinew -n __fish_use_subcommand -f -a {} -d {}\n", verb->get_name(),
                            quoted(first_line(verb->get_description())));
        for (const CLI::Option* option : long_options(*verb)) {
            const auto choices = choices_of(*option);
            text += fmt::format(
                "complete -c sinew -n '__fish_seen_subcommand_from {}' -l {}{} -d {}\n", verb->get_name(),
                option->get_lnames()[0],
                option->get_type_size() == 0 ? ""
                : choices.empty()
                    ? " -r"
                    : fmt::format(" -x -a {}", quoted(fmt::format("{}", fmt::join(choices, " ")))),
                quoted(first_line(option->get_description())));
        }
    }
    return text;
}

/// Escapes text for troff.
std::string roff(const std::string& text) {
    std::string result = escaped(text, "\\", "\\");
    result = escaped(result, "-", "\\");
    for (std::size_t at = 0; (at = result.find('\n', at)) != std::string::npos; at += 5)
        result.replace(at, 1, "\n.br\n");
    // A line that starts with a dot would be a command.
    for (std::size_t at = 0; (at = result.find("\n.", at)) != std::string::npos; at += 2)
        if (result.compare(at, 4, "\n.br") != 0) result.insert(at + 1, "\\&");
    return result;
}

std::string manual_page(const CLI::App& app) {
    std::string text = fmt::format(
        ".TH SINEW 1 \"\" \"sinew {}\"\n.SH NAME\nsinew \\- turn a mesh and a motion into a "
        "moving character\n.SH SYNOPSIS\n.B sinew\n.I VERB\n[\\fIOPTIONS\\fR]\n.SH VERBS\n",
        SINEW_VERSION);
    for (const CLI::App* verb : verbs_in_order(app)) {
        text += fmt::format(".SS sinew {}\n{}\n", verb->get_name(), roff(verb->get_description()));
        for (const CLI::Option* option : verb->get_options()) {
            const std::string type = option->get_type_size() == 0 ? "" : plain_type(option->get_type_name());
            const std::string name = option->get_positional() ? type : option->get_name(false, true);
            text += fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", roff(name),
                                option->get_positional() || type.empty() ? "" : " \\fI" + roff(type) + "\\fR",
                                roff(option->get_description()));
        }
        text += fmt::format(".PP\n.nf\n{}\n.fi\n", roff(verb->get_footer()));
    }
    return text + fmt::format(".SH EXIT STATUS\n{}.\n", exit_codes);
}

}  // namespace

void add_completion(Program& program) {
    struct Options {
        std::string shell;
        const CLI::App* app = nullptr;
    };
    auto options = std::make_shared<Options>();
    CLI::App& verb =
        program.verb("completion", "Print a completion script for a shell, or the manual page",
                     "  sinew completion bash > ~/.local/share/bash-completion/completions/sinew\n"
                     "  sinew completion fish > ~/.config/fish/completions/sinew.fish\n"
                     "  sinew completion man | man -l -",
                     [options](Run&) {
                         const std::string& shell = options->shell;
                         fmt::print("{}", shell == "bash"   ? bash_completion(*options->app)
                                          : shell == "zsh"  ? zsh_completion(*options->app)
                                          : shell == "fish" ? fish_completion(*options->app)
                                                            : manual_page(*options->app));
                     });
    options->app = verb.get_parent();
    verb.add_option("for", options->shell, "Shell, or man for the manual page")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish", "man"}));
}

}  // namespace sinew::cli
