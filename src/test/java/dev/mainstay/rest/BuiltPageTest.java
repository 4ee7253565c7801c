package dev.mainstay.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mainstay.dashboard.PageDoor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The page that the build put together; where npm was missing there is none, and nothing to test.
 */
class BuiltPageTest {
  private static final Pattern IMPORT =
      Pattern.compile("(?<![-\\w])(?:from|import)\\s*\\(?\\s*\"([^\"\\s]+)\"");
  private static final Pattern LINK = Pattern.compile("(?:href|src)=\"(/[^\"]+)\"");

  private static String read(String name) {
    try (InputStream in = PageDoor.class.getResourceAsStream("page/" + name)) {
      assumeTrue(in != null, "built without the page");
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException fault) {
      throw new IllegalStateException(name, fault);
    }
  }

  private static List<String> files() {
    return read("files").lines().toList();
  }

  @Test
  void everything_a_file_asks_for_is_there() {
    List<String> files = files();
    assertThat(files).contains("index.html", "app.js", "style.css", "lib/preact.js");
    Matcher links = LINK.matcher(read("index.html"));
    while (links.find()) {
      assertThat(links.group(1)).startsWith("/page/");
      assertThat(files).contains(links.group(1).substring("/page/".length()));
    }
    for (String file : files) {
      if (!file.endsWith(".js") || file.startsWith("lib/")) continue;
      Matcher imports = IMPORT.matcher(read(file));
      while (imports.find()) {
        String asked = imports.group(1);
        assertThat(asked).as(file).matches("\\.{1,2}/.*");
        String path =
            java.nio.file.Path.of("/" + file).resolveSibling(asked).normalize().toString();
        assertThat(files).as(file).contains(path.substring(1));
      }
    }
  }

  @Test
  void markup_has_no_script_and_no_style_of_its_own() {
    String index = read("index.html");
    assertThat(index).doesNotContain("<style").doesNotContain(" style=").doesNotContain(" on");
    assertThat(index).doesNotContainPattern("<script(?! type=\"module\" src=)");
    for (String file : files()) {
      if (!file.endsWith(".js") || file.startsWith("lib/")) continue;
      assertThat(read(file))
          .as(file)
          .doesNotContain("innerHTML")
          .doesNotContain("outerHTML")
          .doesNotContain("insertAdjacentHTML")
          .doesNotContain("document.write")
          .doesNotContainPattern("\\beval\\(");
    }
  }

  @Test
  void nothing_is_fetched_from_elsewhere() {
    for (String file : files()) {
      if (file.startsWith("lib/") || file.endsWith(".txt")) continue;
      String text = read(file).replace("http://www.w3.org/2000/svg", "");
      assertThat(text).as(file).doesNotContainPattern("https?://[a-z]");
    }
  }

  @Test
  void the_libraries_bring_their_licences() {
    assertThat(read("lib/LICENSES.txt"))
        .contains("======== preact ========")
        .contains("======== bpmn-js ========")
        .contains("======== @xterm/xterm ========")
        .contains("MIT License");
  }
}
