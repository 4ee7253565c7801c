package dev.mainstay.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mainstay.dashboard.PageDoor;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import dev.mainstay.process.Programs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** What the page weighs, and its own tests, which Node runs where it is installed. */
class BuiltFilesTest {
  private static final long WEIGHT_BYTES_MAX = 1_500_000;
  private static final Duration NODE_LIMIT = Duration.ofMinutes(2);

  @Test
  void all_the_jar_serves_weighs_less_than_a_megabyte_and_a_half() throws IOException {
    assumeThat(PageDoor.class.getResource("page/files")).as("the page was built").isNotNull();
    List<String> names = new String(read("files"), StandardCharsets.UTF_8).lines().toList();
    long weight = 0;
    for (String name : names) weight += zipped(read(name));
    assertThat(weight).as("bytes, compressed").isBetween(1L, WEIGHT_BYTES_MAX);
    assertThat(names).noneMatch(name -> name.contains("axe") || name.contains("test"));
  }

  private static byte[] read(String name) throws IOException {
    try (InputStream in = PageDoor.class.getResourceAsStream("page/" + name)) {
      assertThat(in).as(name).isNotNull();
      return in.readAllBytes();
    }
  }

  private static long zipped(byte[] plain) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new GZIPOutputStream(bytes)) {
      out.write(plain);
    }
    return bytes.size();
  }

  private static final Pattern IMPORTED = Pattern.compile("from ?\"(\\.[^\"]+)\"");
  private static final Pattern PRELOADED =
      Pattern.compile("modulepreload\" href=\"/page/([^\"]+)\"");

  /** A browser learns of an import only when it has read the module before it. */
  @Test
  void all_modules_of_the_first_page_are_asked_for_at_once() throws IOException {
    assumeThat(PageDoor.class.getResource("page/files")).as("the page was built").isNotNull();
    Set<String> needed = new TreeSet<>();
    var next = new ArrayDeque<>(List.of("app.js", "pages/now.js"));
    while (!next.isEmpty()) {
      String name = next.remove();
      if (!needed.add(name)) continue;
      Matcher imported = IMPORTED.matcher(new String(read(name), StandardCharsets.UTF_8));
      while (imported.find()) {
        next.add(
            Path.of("/" + name)
                .resolveSibling(imported.group(1))
                .normalize()
                .toString()
                .substring(1));
      }
    }
    needed.remove("app.js"); // it is the script itself
    String index = new String(read("index.html"), StandardCharsets.UTF_8);
    Set<String> asked = new TreeSet<>();
    Matcher preloaded = PRELOADED.matcher(index);
    while (preloaded.find()) asked.add(preloaded.group(1));
    assertThat(asked).isEqualTo(needed);
  }

  @Test
  void nothing_is_fetched_that_is_neither_served_nor_tests_it() throws IOException {
    JsonObject wanted = JsonText.object(Files.readString(Path.of("page/package.json")));
    String build = Files.readString(Path.of("page/build"));
    assertThat(wanted.object("dependencies").asMap().keySet())
        .allMatch(name -> build.contains(" " + name + "/"));
    assertThat(wanted.object("devDependencies").asMap().keySet()).containsExactly("axe-core");
  }

  /** A kind of event in the source: what a class returns or keeps, not a name that it passes on. */
  private static final Pattern KIND =
      Pattern.compile("(?:return|=|[?:])\\s+\"([a-z]+\\.[a-z_]+)\"");

  @Test
  void the_journal_page_has_a_sentence_for_every_kind_of_event() throws IOException {
    String sentences = Files.readString(Path.of("page/parts/happened.js"));
    Set<String> kinds = new TreeSet<>();
    try (var files = Files.walk(Path.of("src/main/java"))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
        String code = Files.readString(file);
        if (!code.contains("public String kind()")) continue;
        Matcher kind = KIND.matcher(code);
        while (kind.find()) kinds.add(kind.group(1));
      }
    }
    assertThat(kinds).contains("task.created", "state.compressed", "agent.refused", "flow.added");
    assertThat(kinds).allMatch(kind -> sentences.contains("\"" + kind + "\": "));
  }

  /** What signs in and out changes nothing of the project. */
  private static final Set<String> NO_ACTIONS =
      Set.of("page/api.js", "page/app.js", "page/parts/sign-in.js");

  private static final String ACT = "<${Act}";

  @Test
  void whatever_changes_something_shows_the_command_it_equals() throws IOException {
    int actions = 0;
    for (Path file : modules()) {
      String code = Files.readString(file);
      if (!code.contains("send(") && !code.contains("sendOnce(")) continue;
      if (NO_ACTIONS.contains(file.toString())) continue;
      assertThat(code).as(file + " shows commands").contains("mainstay");
      for (int at = code.indexOf(ACT); at >= 0; at = code.indexOf(ACT, at + 1)) {
        actions++;
        assertThat(tag(code, at)).as("an action of " + file).contains("command=");
      }
    }
    assertThat(actions).isGreaterThan(20);
  }

  /** A tag up to its end, which is the first that stands in none of its values. */
  private static String tag(String code, int from) {
    int open = 0;
    for (int at = from + ACT.length(); at < code.length(); at++) {
      if (code.charAt(at) == '{') open++;
      if (code.charAt(at) == '}') open--;
      if (code.charAt(at) == '>' && open == 0) return code.substring(from, at);
    }
    return code.substring(from);
  }

  private static List<Path> modules() throws IOException {
    try (var files = Files.walk(Path.of("page"))) {
      return files
          .filter(file -> file.toString().endsWith(".js"))
          .filter(file -> !file.startsWith("page/lib") && !file.startsWith("page/node_modules"))
          .toList();
    }
  }

  @Test
  void the_modules_of_the_page_pass_their_own_tests() throws IOException {
    assumeThat(Programs.run(List.of("node", "--version"), NODE_LIMIT))
        .as("node is installed; the page's own tests need it")
        .isPresent();
    List<String> command = new ArrayList<>(List.of("node", "--test"));
    try (var files = Files.walk(Path.of("page"))) {
      files
          .filter(
              file ->
                  file.toString().endsWith(".test.mjs") && !file.startsWith("page/node_modules"))
          .map(Path::toString)
          .forEach(command::add);
    }
    assertThat(command).hasSizeGreaterThan(2);
    var ended = Programs.run(command, NODE_LIMIT).orElseThrow();
    assertThat(ended.exit()).as(ended.toString()).isZero();
  }
}
