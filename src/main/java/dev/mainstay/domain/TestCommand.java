package dev.mainstay.domain;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which commands run a project's tests, by their words, such that exit code 0 means that they
 * passed. It knows the usual tools and errs on the side of no: a pipe hides how tests ended. Who
 * wants no guess requires a command in so many words.
 */
final class TestCommand {
  private static final Pattern ASSIGNMENT = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*=.*");
  private static final Pattern ERRORS_TOO = Pattern.compile("\\s2>&1(?=\\s|$)");

  /** They do nothing but test. */
  private static final Set<String> RUNNERS =
      Set.of(
          "pytest",
          "py.test",
          "tox",
          "nox",
          "jest",
          "vitest",
          "mocha",
          "ava",
          "rspec",
          "phpunit",
          "pest",
          "ctest",
          "behave",
          "cucumber");

  private static final Set<String> TEST = Set.of("test");
  private static final Set<String> TARGETS = Set.of("test", "tests", "check", "verify");

  /** They test when told so by one of these words. */
  private static final Map<String, Set<String>> TOOLS =
      Map.ofEntries(
          Map.entry("mvn", Set.of("test", "package", "integration-test", "verify", "install")),
          Map.entry("mvnw", Set.of("test", "package", "integration-test", "verify", "install")),
          Map.entry("gradle", Set.of("test", "check", "build")),
          Map.entry("gradlew", Set.of("test", "check", "build")),
          Map.entry("npm", Set.of("test", "t")),
          Map.entry("pnpm", Set.of("test", "t")),
          Map.entry("yarn", TEST),
          Map.entry("bun", TEST),
          Map.entry("deno", TEST),
          Map.entry("node", Set.of("--test")),
          Map.entry("python", Set.of("pytest", "unittest", "tox", "nox")),
          Map.entry("python3", Set.of("pytest", "unittest", "tox", "nox")),
          Map.entry("go", TEST),
          Map.entry("cargo", Set.of("test", "nextest")),
          Map.entry("dotnet", TEST),
          Map.entry("swift", TEST),
          Map.entry("mix", TEST),
          Map.entry("bazel", TEST),
          Map.entry("flutter", TEST),
          Map.entry("dart", TEST),
          Map.entry("sbt", TEST),
          Map.entry("stack", TEST),
          Map.entry("cabal", TEST),
          Map.entry("meson", TEST),
          Map.entry("composer", TEST),
          Map.entry("rake", Set.of("test", "spec")),
          Map.entry("make", TARGETS),
          Map.entry("ninja", TARGETS),
          Map.entry("just", TARGETS));

  /** With one of these, nothing is tested or not everything is. */
  private static final Set<String> NOT_RUN =
      Set.of(
          "-h",
          "--help",
          "-V",
          "--version",
          "--collect-only",
          "--co",
          "--dry-run",
          "--listTests",
          "--list-tests",
          "--no-run",
          "--passWithNoTests",
          "--if-present",
          "-x",
          "-n",
          "-DskipTests",
          "-DskipTests=true",
          "-Dmaven.test.skip",
          "-Dmaven.test.skip=true");

  /** What stands before a command and hands on how it ended. */
  private static final List<List<String>> BEFORE =
      List.of(
          List.of("env"),
          List.of("time"),
          List.of("npx"),
          List.of("uv", "run"),
          List.of("poetry", "run"),
          List.of("pipenv", "run"),
          List.of("bundle", "exec"),
          List.of("pnpm", "exec"));

  private TestCommand() {}

  static boolean isOne(String command) {
    String plain = ERRORS_TOO.matcher(command).replaceAll("");
    boolean tests = false;
    for (String part : plain.split("&&", -1)) {
      try {
        tests |= isOne(Argv.split(part));
      } catch (Refusal needsAShell) {
        return false; // what a pipe or a list ends with is not how its tests ended
      }
    }
    return tests;
  }

  private static boolean isOne(List<String> typed) {
    List<String> words = bare(typed);
    if (words.isEmpty()) return false;
    String first = words.get(0);
    String program = first.substring(first.lastIndexOf('/') + 1);
    List<String> rest = words.subList(1, words.size());
    if (rest.stream().anyMatch(NOT_RUN::contains)) return false;
    if (RUNNERS.contains(program)) return true;
    Set<String> goals = TOOLS.getOrDefault(program, Set.of());
    return rest.stream().anyMatch(word -> isGoal(word, goals));
  }

  /** {@code :app:test} is a goal of Gradle's, {@code test:unit} a script of npm's. */
  private static boolean isGoal(String word, Set<String> goals) {
    if (goals.contains(word)) return true;
    return goals.contains("test") && (word.endsWith(":test") || word.startsWith("test:"));
  }

  private static List<String> bare(List<String> typed) {
    List<String> words = typed;
    while (true) {
      List<String> now = words;
      int before =
          BEFORE.stream()
              .filter(each -> now.size() > each.size())
              .filter(each -> now.subList(0, each.size()).equals(each))
              .mapToInt(List::size)
              .findFirst()
              .orElse(0);
      if (!now.isEmpty() && ASSIGNMENT.matcher(now.get(0)).matches()) before = 1;
      if (now.size() > 2 && now.get(0).equals("timeout")) before = 2;
      if (before == 0) return now;
      words = now.subList(before, now.size());
    }
  }
}
