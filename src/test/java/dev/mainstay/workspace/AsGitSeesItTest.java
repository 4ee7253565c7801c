package dev.mainstay.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Seeds;
import dev.mainstay.domain.ScannedFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A scan sees exactly the files that git itself would name. */
class AsGitSeesItTest {
  private static final List<String> NAMES =
      List.of("a", "b", "foo", "bar", "foo.o", "a.log", "b.log", "build", "#x", "!y", "a b", "ä");
  private static final List<String> PATTERNS =
      List.of(
          "foo",
          "/foo",
          "foo/",
          "/foo/",
          "*.log",
          "!b.log",
          "!foo",
          "a/b",
          "/a/b",
          "a/*",
          "!a/foo",
          "**/foo",
          "foo/**",
          "a/**/b",
          "**/build/",
          "*",
          "!*/",
          "!*.o",
          "[ab]",
          "[!a]",
          "[^b].log",
          "?",
          "f?o",
          "f*o",
          "\\#x",
          "\\!y",
          "#x",
          "!y",
          "a b",
          "foo ",
          "foo\\ ",
          "b*",
          "*o",
          "a?b",
          "ä",
          "/**",
          "**",
          "a/**",
          "!a/",
          "!a/b",
          "/*",
          "!/a",
          "*/foo",
          "/*/b",
          "[a-f]oo",
          "fo[o",
          "foo.[oa]",
          "!build/foo",
          "build/*",
          "a//b",
          "./foo",
          "[[:alpha:]]",
          "*.*",
          "\\foo",
          "foo/*/bar",
          "**/a/**",
          "a**b",
          "a/b/",
          "b/../a",
          "[]]",
          "[a-]",
          "foo\\",
          "  ",
          "***");

  @TempDir Path temp;

  static List<String> scanned(Path folder) {
    FileIndex index = new FileIndex(SafeTree.at(folder), ScanLimits.DEFAULT, Set.of());
    index.refresh();
    return index.files().stream().map(ScannedFile::path).toList();
  }

  @Test
  void of_any_tree_with_any_rules() {
    Seeds.forAll(
        120,
        random -> {
          Path root = Files.createTempDirectory(temp, "tree");
          Git git = Git.init(root);
          fill(root, random, 0);
          if (random.nextBoolean()) rules(root.resolve(".git/info/exclude"), random);
          trackSome(git, root, random);
          assertThat(scanned(root)).as(rulesOf(root)).isEqualTo(git.files());
        });
  }

  private static void trackSome(Git git, Path root, Random random) throws IOException {
    List<String> add = new ArrayList<>(List.of("add", "-f", "--"));
    for (Path file : files(root)) {
      if (random.nextInt(12) == 0) add.add(root.relativize(file).toString());
    }
    if (add.size() > 3) git.run(add.toArray(String[]::new));
    if (random.nextInt(3) == 0) git.run("update-index", "--index-version", "4");
  }

  private static List<Path> files(Path root) throws IOException {
    try (var files = Files.walk(root)) {
      return files
          .filter(f -> Files.isRegularFile(f) && !f.startsWith(root.resolve(".git")))
          .toList();
    }
  }

  private static String rulesOf(Path root) throws IOException {
    StringBuilder rules = new StringBuilder();
    for (Path file : files(root)) {
      if (!file.endsWith(".gitignore")) continue;
      rules
          .append(root.relativize(file))
          .append(": ")
          .append(Files.readAllLines(file))
          .append('\n');
    }
    Path exclude = root.resolve(".git/info/exclude");
    return rules.append("exclude: ").append(Files.readAllLines(exclude)).toString();
  }

  private static void fill(Path folder, Random random, int depth) throws IOException {
    List<String> names = new ArrayList<>(NAMES);
    java.util.Collections.shuffle(names, random);
    for (String name : names.subList(0, 4)) {
      Path path = folder.resolve(name);
      if (depth < 3 && random.nextInt(2) > 0) {
        Files.createDirectory(path);
        fill(path, random, depth + 1);
      } else {
        Files.writeString(path, name);
      }
    }
    if (random.nextInt(depth + 1) == 0) rules(folder.resolve(".gitignore"), random);
  }

  private static void rules(Path file, Random random) throws IOException {
    List<String> rules = new ArrayList<>();
    int count = 1 + random.nextInt(5);
    for (int i = 0; i < count; i++) rules.add(PATTERNS.get(random.nextInt(PATTERNS.size())));
    Files.writeString(file, String.join(random.nextInt(4) == 0 ? "\r\n" : "\n", rules));
  }

  @Test
  void of_each_rule_alone() throws IOException {
    Git git = Git.init(temp);
    for (String name : NAMES) {
      for (String below : List.of("a", "b", "bar", "build", "ä")) {
        Path folder = Files.createDirectories(temp.resolve(name).resolve(below));
        for (String file : List.of("foo", "a", "b.log"))
          Files.writeString(folder.resolve(file), "");
      }
      Files.writeString(temp.resolve(name + "o"), "");
      Files.writeString(temp.resolve(name).resolve(name + ".oa"), "");
    }
    SoftAssertions all = new SoftAssertions();
    for (String pattern : PATTERNS) {
      String positive = pattern.startsWith("!") ? "*\n" + pattern : pattern;
      Files.writeString(temp.resolve(".gitignore"), positive);
      all.assertThat(scanned(temp)).as(positive).isEqualTo(git.files());
    }
    all.assertAll();
  }

  @Test
  void of_this_project() throws IOException {
    Path here = Path.of("").toAbsolutePath();
    Git git = Git.at(here);
    org.junit.jupiter.api.Assumptions.assumeTrue(Files.exists(here.resolve(".git")));
    assertThat(scanned(here)).isEqualTo(git.files());
  }
}
