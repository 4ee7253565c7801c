package dev.mainstay.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Seeds;
import dev.mainstay.domain.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Entries go in and out of a JSON text, and everything else stays byte for byte. */
class JsonFileTest {
  private static final List<String> SERVERS = List.of("mcpServers");

  private static String wired(String text) {
    JsonFile file = new JsonFile("f", text, true);
    file.put(SERVERS, "mainstay", Servers.entry());
    return file.text();
  }

  @Test
  void a_member_is_written_as_its_neighbours_are() {
    assertThat(wired("{\"mcpServers\": {\"web\": {}}}"))
        .isEqualTo(
            "{\"mcpServers\": {\"web\": {}, \"mainstay\": {\"command\": \"mainstay\", \"args\": [\"mcp\"]}}}");
    assertThat(wired("{\r\n\t\"mcpServers\": {\r\n\t\t\"web\": {}\r\n\t}\r\n}"))
        .isEqualTo(
            "{\r\n\t\"mcpServers\": {\r\n\t\t\"web\": {},\r\n\t\t\"mainstay\": {\r\n\t\t\t\"command\": \"mainstay\",\r\n\t\t\t\"args\": [\"mcp\"]\r\n\t\t}\r\n\t}\r\n}");
  }

  @Test
  void a_comment_stays_with_what_it_is_about() {
    assertThat(wired("{\n    \"a\": 1 // one\n    // the end\n}\n"))
        .startsWith("{\n    \"a\": 1, // one\n    \"mcpServers\": {\n        \"mainstay\"")
        .endsWith("    }\n    // the end\n}\n");
    assertThat(wired("{\n  // nothing yet\n}"))
        .startsWith("{\n  // nothing yet\n  \"mcpServers\": {");
  }

  @Test
  void a_list_that_ends_with_a_comma_still_does() {
    assertThat(wired("{\n  \"a\": 1,\n}")).startsWith("{\n  \"a\": 1,\n  \"mcp").endsWith("},\n}");
  }

  @Test
  void what_follows_a_comment_is_not_drawn_into_it_when_an_entry_goes() {
    String text = "{\n  \"a\": 1, // one\n  \"own\": 2, \"z\": 3\n}";
    JsonFile file = new JsonFile("f", text, true);
    file.remove(List.of("own"), Map.of());
    assertThat(JsonReader.read("f", file.text(), true).value()).isEqualTo(Map.of("a", 1L, "z", 3L));
    assertThat(file.text()).contains("// one");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "{\"a\": }",
        "{\"a\": 1,}",
        "{\"a\": 1 \"b\": 2}",
        "{\"a\": 1} x",
        "{'a': 1}",
        "{\"a\": 01}",
        "{\"a\": \"x\ny\"}",
        "{\"a\": \"\\x\"}",
        "// c\n{}",
        "[1]",
        "{\"a\": 1, \"a\": 2}",
        "{\"a\": tru}",
        "{\"a\": 1e99999999999}",
        "{\"a\": \"x"
      })
  void what_is_not_json_is_refused_with_its_place(String text) {
    assertThatThrownBy(() -> new JsonFile("settings.json", text, false))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("settings.json cannot be read at line ")
        .hasMessageContaining("mend it and repeat, nothing was written");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "// team\n{}",
        "{\n// team\n\"a\": 1}",
        "{\"a\": 1 /* one */}",
        "{\"a\": // one\n 1}",
        "{} // end"
      })
  void a_comment_where_the_format_has_none_is_called_one(String text) {
    assertThatThrownBy(() -> new JsonFile("settings.json", text, false))
        .hasMessageContaining("comments are not allowed in this file");
  }

  @Test
  void depth_has_a_limit() {
    String deep = "{\"a\":".repeat(200) + "1" + "}".repeat(200);
    assertThatThrownBy(() -> new JsonFile("f", deep, true)).hasMessageContaining("deeper than 100");
  }

  @Test
  void whatever_is_in_the_file_ours_goes_in_beside_it_and_out_without_a_trace() {
    Seeds.forAll(
        1_000,
        random -> {
          boolean comments = random.nextBoolean();
          String text = new Documents(random, comments).document();
          JsonFile before = new JsonFile("f", text, comments);
          Map<?, ?> all = (Map<?, ?>) JsonReader.read("f", text, comments).value();
          JsonFile with = new JsonFile("f", text, comments);
          with.put(SERVERS, "mainstay", Servers.entry());
          HookEntries.merge(with, ClaudeCode.hooks());
          Map<?, ?> merged = (Map<?, ?>) JsonReader.read("f", with.text(), comments).value();
          assertThat(Servers.isOwn(((Map<?, ?>) merged.get("mcpServers")).get("mainstay")))
              .isTrue();
          assertThat(merged.keySet().containsAll(all.keySet())).isTrue();
          JsonFile again = new JsonFile("f", with.text(), comments);
          HookEntries.merge(again, ClaudeCode.hooks());
          assertThat(again.text()).isEqualTo(with.text());
          JsonFile out = new JsonFile("f", with.text(), comments);
          HookEntries.remove(out, with.empties());
          Servers.remove(out, "mcpServers", with.empties());
          assertThat(out.text()).as(with.text()).isEqualTo(before.text());
        });
  }

  /** Documents as people leave them: any layout, with and without the keys that matter here. */
  private record Documents(Random random, boolean comments) {
    String document() {
      List<String> members = new ArrayList<>();
      if (random.nextInt(3) > 0) members.add("\"hooks\"" + colon() + hooks());
      if (random.nextInt(3) > 0) members.add("\"mcpServers\"" + colon() + object(2));
      for (int i = random.nextInt(3); i > 0; i--) members.add(member(i, 3));
      return (random.nextInt(8) == 0 ? "\ufeff" : "") + gap() + list("{", members, "}") + gap();
    }

    private String hooks() {
      List<String> events = new ArrayList<>();
      for (String event : List.of("PreToolUse", "Stop", "Other")) {
        if (random.nextBoolean()) events.add("\"" + event + "\"" + colon() + groups());
      }
      return list("{", events, "}");
    }

    private String groups() {
      List<String> groups = new ArrayList<>();
      for (int i = random.nextInt(3); i > 0; i--) {
        String command = list("{", List.of("\"command\"" + colon() + "\"echo // " + i + "\""), "}");
        String hooks = "\"hooks\"" + colon() + list("[", List.of(command), "]");
        groups.add(list("{", List.of("\"matcher\"" + colon() + "\"Bash\"", hooks), "}"));
      }
      return list("[", groups, "]");
    }

    private String object(int depth) {
      List<String> members = new ArrayList<>();
      for (int i = random.nextInt(3); i > 0; i--) members.add(member(i, depth));
      return list("{", members, "}");
    }

    private String member(int number, int depth) {
      String value =
          switch (random.nextInt(depth > 0 ? 6 : 4)) {
            case 0 -> "-1.5e3";
            case 1 -> "\"https://a/\\\"\\u00e9{[,\"";
            case 2 -> "null";
            case 3 -> "true";
            case 4 -> object(depth - 1);
            default -> list("[", List.of("1", "\"x\""), "]");
          };
      return "\"k" + number + "\"" + colon() + value;
    }

    private String list(String open, List<String> entries, String close) {
      StringBuilder text = new StringBuilder(open).append(gap());
      for (int i = 0; i < entries.size(); i++) {
        text.append(entries.get(i)).append(gap());
        boolean last = i == entries.size() - 1;
        if (!last || (comments && random.nextInt(4) == 0)) text.append(",").append(gap());
      }
      return text.append(close).toString();
    }

    private String colon() {
      return random.nextBoolean() ? ": " : ":";
    }

    private String gap() {
      String newline = random.nextInt(6) == 0 ? "\r\n" : "\n";
      return switch (random.nextInt(comments ? 9 : 5)) {
        case 0 -> " ";
        case 1 -> newline;
        case 2 -> newline + "  ";
        case 3 -> newline + "\t" + newline + "\t\t";
        case 5 -> " // a comment, \"with\" { things" + newline;
        case 6 -> "/* one */ ";
        case 7 -> newline + "  /* two" + newline + " lines */" + newline;
        default -> "";
      };
    }
  }
}
