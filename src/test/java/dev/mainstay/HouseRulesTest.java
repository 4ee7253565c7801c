package dev.mainstay;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.constructors;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The walls between the rooms and the limits of the house style. */
class HouseRulesTest {
  private static final int FILE_LINES_MAX = 600;
  private static final int METHOD_LINES_MAX = 50;
  private static final int CONSTRUCTOR_ARGUMENTS_MAX = 5;

  private static final JavaClasses HOUSE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.mainstay");

  /**
   * Each room, the rooms it may touch, and the libraries it may use. ARCHITECTURE.md has the same.
   */
  private static final Map<String, List<String>> ROOMS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("domain", List.of()),
              Map.entry(
                  "json", List.of("domain", "tools.jackson.core", "tools.jackson.dataformat.yaml")),
              Map.entry("process", List.of()),
              Map.entry("trust", List.of("domain", "process")),
              Map.entry("render", List.of("domain", "com.knuddels.jtokkit")),
              Map.entry("context", List.of("domain", "render")),
              Map.entry(
                  "store",
                  List.of("domain", "json", "java.sql", "org.sqlite", "com.zaxxer.hikari")),
              Map.entry("queue", List.of("domain", "store")),
              Map.entry(
                  "workspace",
                  List.of(
                      "domain",
                      "json",
                      "render",
                      "context",
                      "store",
                      "process",
                      "org.eclipse.jgit")),
              Map.entry(
                  "demo",
                  List.of(
                      "domain",
                      "json",
                      "render",
                      "context",
                      "store",
                      "process",
                      "queue",
                      "state",
                      "terminal",
                      "workspace")),
              Map.entry("rules", List.of("domain", "dev.cel", "com.google.common")),
              Map.entry("calendar", List.of("domain", "com.cronutils")),
              Map.entry("bpmn", List.of("domain", "rules", "calendar")),
              Map.entry(
                  "diagram",
                  List.of(
                      "domain",
                      "bpmn",
                      "org.camunda.bpm.model",
                      "javax.xml",
                      "org.xml",
                      "org.w3c")),
              Map.entry("workflow", List.of("domain", "json", "bpmn", "diagram", "store", "queue")),
              Map.entry("state", List.of("domain", "json", "queue", "render", "rules", "store")),
              Map.entry(
                  "directory",
                  List.of("domain", "json", "state", "store", "workspace", "org.commonmark")),
              Map.entry(
                  "session",
                  List.of("domain", "json", "queue", "state", "store", "trust", "workspace")),
              Map.entry(
                  "upkeep", List.of("domain", "json", "store", "process", "trust", "javax.crypto")),
              Map.entry("access", List.of("domain", "store", "javax.crypto")),
              Map.entry("overview", List.of("domain", "json", "store")),
              Map.entry(
                  "terminal",
                  List.of("domain", "json", "store", "process", "queue", "calendar", "trust")),
              Map.entry(
                  "rest",
                  List.of(
                      "domain",
                      "json",
                      "access",
                      "queue",
                      "state",
                      "session",
                      "terminal",
                      "upkeep",
                      "overview",
                      "workflow",
                      "bpmn",
                      "workspace",
                      "directory",
                      "io.javalin",
                      "jakarta.servlet",
                      "org.eclipse.jetty",
                      "io.micrometer",
                      "io.opentelemetry",
                      "kotlin",
                      "org.slf4j")),
              Map.entry(
                  "mcp",
                  List.of(
                      "domain",
                      "json",
                      "render",
                      "access",
                      "queue",
                      "state",
                      "session",
                      "terminal",
                      "upkeep",
                      "workspace",
                      "io.modelcontextprotocol",
                      "jakarta.servlet",
                      "reactor",
                      "tools.jackson",
                      "org.slf4j")),
              Map.entry(
                  "hook",
                  List.of(
                      "domain",
                      "json",
                      "render",
                      "queue",
                      "state",
                      "session",
                      "terminal",
                      "upkeep",
                      "workspace")),
              Map.entry("dashboard", List.of("domain", "jakarta.servlet")),
              Map.entry(
                  "setup",
                  List.of(
                      "domain",
                      "json",
                      "workspace",
                      "trust",
                      "org.eclipse.jgit",
                      "tools.jackson.core",
                      "tools.jackson.databind",
                      "tools.jackson.dataformat.toml")),
              Map.entry(
                  "cli",
                  List.of(
                      "domain",
                      "json",
                      "queue",
                      "state",
                      "session",
                      "upkeep",
                      "workspace",
                      "demo",
                      "directory",
                      "access",
                      "terminal",
                      "workflow",
                      "bpmn",
                      "setup",
                      "trust",
                      "picocli")),
              Map.entry(
                  "app",
                  List.of(
                      "domain",
                      "json",
                      "process",
                      "store",
                      "queue",
                      "state",
                      "session",
                      "workspace",
                      "directory",
                      "demo",
                      "upkeep",
                      "overview",
                      "access",
                      "terminal",
                      "workflow",
                      "rest",
                      "cli",
                      "mcp",
                      "hook",
                      "dashboard",
                      "setup",
                      "trust",
                      "com.sun.management",
                      "org.slf4j",
                      "ch.qos.logback",
                      "io.opentelemetry",
                      "tools.jackson.core",
                      "tools.jackson.databind",
                      "tools.jackson.dataformat.toml"))));

  @Test
  void every_room_is_known_and_touches_only_what_it_may() {
    Set<String> found = new TreeSet<>();
    for (JavaClass each : HOUSE) found.add(room(each.getPackageName()));
    assertThat(found).isEqualTo(ROOMS.keySet());
    ROOMS.forEach(HouseRulesTest::checkRoom);
  }

  private static void checkRoom(String room, List<String> mayTouch) {
    List<String> allowed =
        new ArrayList<>(
            List.of("java.lang..", "java.util..", "java.time..", "java.math..", "java.text.."));
    allowed.addAll(
        List.of("java.nio..", "java.io..", "java.net..", "java.security..", "org.jspecify.."));
    allowed.add("dev.mainstay." + room);
    for (String other : mayTouch) {
      allowed.add(ROOMS.containsKey(other) ? "dev.mainstay." + other : other + "..");
    }
    classes()
        .that(resideInAPackage("dev.mainstay." + room))
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(allowed.toArray(String[]::new))
                .or(DescribedPredicate.describe("primitives and arrays", HouseRulesTest::isPlain)))
        .check(HOUSE);
  }

  private static boolean isPlain(JavaClass type) {
    return type.isPrimitive() || type.isArray();
  }

  private static String room(String packageName) {
    return packageName.replaceFirst("^dev\\.mainstay\\.", "");
  }

  @Test
  void only_process_starts_processes() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.mainstay.process")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(ProcessBuilder.class)
        .orShould()
        .callMethodWhere(
            DescribedPredicate.describe(
                "Runtime.exec",
                call ->
                    call.getTargetOwner().isEquivalentTo(Runtime.class)
                        && call.getName().equals("exec")))
        .check(HOUSE);
  }

  @Test
  void the_domain_touches_no_files_and_no_network() {
    noClasses()
        .that()
        .resideInAPackage("dev.mainstay.domain")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "java.io..", "java.nio.file..", "java.nio.channels..", "java.net..", "java.sql..")
        .check(HOUSE);
  }

  @Test
  void sql_is_written_in_the_store_alone() throws IOException {
    Pattern sql =
        Pattern.compile(
            "\"\\s*(SELECT |INSERT INTO |UPDATE \\w+ SET|DELETE FROM |CREATE TABLE|PRAGMA )");
    for (Path file : sources()) {
      if (file.toString().contains("/store/") || file.startsWith("src/test")) continue;
      assertThat(sql.matcher(Files.readString(file)).find()).as(file.toString()).isFalse();
    }
  }

  @Test
  void files_and_methods_fit_a_screen() throws IOException {
    for (Path file : sources()) {
      List<String> lines = Files.readAllLines(file);
      assertThat(lines.size()).as(file.toString()).isLessThanOrEqualTo(FILE_LINES_MAX);
      assertThat(longestMethod(lines))
          .as("a method of " + file)
          .isLessThanOrEqualTo(METHOD_LINES_MAX);
    }
  }

  /** The formatter puts members two columns in, and those of a nested type four. */
  private static int longestMethod(List<String> lines) {
    int longest = 0;
    for (String indent : List.of("  ", "    ")) {
      int start = -1;
      for (int i = 0; i < lines.size(); i++) {
        String line = lines.get(i);
        if (line.matches(indent + "[A-Za-z<].*")) {
          boolean type = line.matches(".*\\b(class|record|interface|enum)\\b .*");
          start = type || line.matches(".*[;}]$") ? -1 : i;
        }
        if (line.equals(indent + "}") && start >= 0) longest = Math.max(longest, i - start + 1);
      }
    }
    return longest;
  }

  @Test
  void constructors_take_at_most_five_arguments_unless_they_make_a_record() {
    constructors()
        .that()
        .areDeclaredInClassesThat(resideInAPackage("dev.mainstay.."))
        .should(
            new ArchCondition<>("take at most five arguments") {
              @Override
              public void check(JavaConstructor constructor, ConditionEvents events) {
                int count = constructor.getRawParameterTypes().size();
                boolean exempt =
                    constructor.getOwner().isEnum()
                        || constructor.getOwner().isAnonymousClass()
                        || constructor.getOwner().isAssignableTo(Record.class);
                if (count > CONSTRUCTOR_ARGUMENTS_MAX && !exempt) {
                  events.add(SimpleConditionEvent.violated(constructor, constructor.getFullName()));
                }
              }
            })
        .check(HOUSE);
  }

  @Test
  void every_room_says_what_it_is_for() throws IOException {
    for (String room : ROOMS.keySet()) {
      Path info = Path.of("src/main/java/dev/mainstay", room, "package-info.java");
      assertThat(Files.readString(info)).startsWith("/**").contains("@NullMarked");
    }
  }

  @Test
  void sentences_are_the_same_in_every_locale() {
    noClasses()
        .should()
        .callMethod(String.class, "formatted", Object[].class)
        .orShould()
        .callMethod(String.class, "format", String.class, Object[].class)
        .orShould()
        .callMethod(String.class, "toLowerCase")
        .orShould()
        .callMethod(String.class, "toUpperCase")
        .because("they follow the locale of the machine; Phrase.of and Locale.ROOT do not")
        .check(HOUSE);
  }

  @Test
  void names_say_what_a_thing_is() {
    noClasses()
        .should()
        .haveNameMatching(".*(Manager|Helper|Utils?|Impl|DAO|Processor)$")
        .check(HOUSE);
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src"))) {
      return files.filter(f -> f.toString().endsWith(".java")).toList();
    }
  }
}
