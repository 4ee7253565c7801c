package dev.mainstay.faults;

import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import dev.mainstay.OwnFolder;
import dev.mainstay.app.CliRun;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.faults.Scenario.Step;
import dev.mainstay.faults.Spoiling.Course;
import dev.mainstay.faults.Strace.Call;
import dev.mainstay.faults.Strace.Traced;
import dev.mainstay.json.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** One scenario's project, put back to its beginning before each fault and judged after it. */
final class Stage {
  private static final Pattern VARYING =
      Pattern.compile(
          "\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z?|\\d{8}T\\d{6}Z?|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{12,}");

  private static final int UNAVAILABLE = 5;

  private final Product product;
  private final String main;
  private final Scenario scenario;
  private final Path project;
  private final Path beginning;
  private final Known before;
  private final Known after;

  /** What is known of a project: what happened in it, and the files that are not Mainstay's. */
  record Known(List<String> happened, Map<String, String> files) {}

  private Stage(Product product, String main, Scenario scenario, Path folder) throws IOException {
    this.product = product;
    this.main = main;
    this.scenario = scenario;
    this.project = Files.createDirectories(folder.resolve("project"));
    this.beginning = folder.resolve("beginning");
    Files.createDirectory(project.resolve(".git"));
    for (Step step : scenario.before()) well(step);
    copy(project, beginning);
    this.before = known();
    well(scenario.command());
    this.after = known();
    if (before.equals(after)) throw new IllegalStateException(scenario.name() + " changes nothing");
  }

  static Stage set(Product product, Scenario scenario, Path folder) throws IOException {
    return new Stage(product, Product.MAIN, scenario, folder.toRealPath());
  }

  /** With another program in place of the product's. */
  static Stage set(Product product, Class<?> program, Scenario scenario, Path folder)
      throws IOException {
    return new Stage(product, program.getName(), scenario, folder.toRealPath());
  }

  Path project() {
    return project;
  }

  private void well(Step step) {
    CliRun run = step.run(project);
    if (run.code() != 0) throw new IllegalStateException(step.args() + ": " + run);
  }

  /** The calls on files of the project that the command makes when nothing is spoilt. */
  Course course() throws Exception {
    String writing = String.join(",", Strace.WRITING);
    Traced all = trace(List.of("-e", "trace=" + writing + "," + Strace.OPEN));
    if (all.ended().exit() != 0) throw new IllegalStateException(all.toString());
    Set<String> making = new LinkedHashSet<>();
    for (Call each : all.calls()) if (each.makes()) making.add(each.place());
    List<String> opening = new ArrayList<>(List.of("-e", "trace=" + Strace.OPEN));
    opening.addAll(Spoiling.only(making));
    List<Call> calls = new ArrayList<>();
    Set<String> seen = new HashSet<>(); // the same number in another thread is spoilt with it
    for (Call each : all.calls()) {
      if (!each.name().equals(Strace.OPEN) && seen.add(each.name() + each.number())) {
        calls.add(each);
      }
    }
    for (Call each : trace(opening).calls()) {
      if (each.makes() && seen.add(each.name() + each.number())) calls.add(each);
    }
    return new Course(List.copyOf(calls), making);
  }

  /** From the beginning, the command under strace. */
  Traced trace(List<String> how) throws Exception {
    clear(project);
    if (Files.exists(beginning.resolve(".mainstay"))) OwnFolder.in(project);
    copy(beginning, project);
    Step step = scenario.command();
    String input = step.input().replace("PROJECT", project.toString());
    return Strace.run(how, product.command(main, step.args()), project, input);
  }

  /** Plays one fault; what was wrong afterwards, nothing if all is well. */
  List<String> complaints(Traced run) throws IOException {
    List<String> wrong = new ArrayList<>();
    String said = run.ended().err().strip();
    Known found = known();
    if (!run.killed()) {
      boolean well = run.ended().exit() == 0;
      if (well && scenario.acknowledges() && !found.equals(after)) {
        wrong.add("a false acknowledgement: " + difference(found));
      }
      if (!well && run.ended().exit() != UNAVAILABLE) wrong.add("exit code " + run.ended().exit());
      if (!well && !said.matches("mainstay: [^\n]{10,}")) wrong.add("no sentence: " + said);
      if (said.contains("Exception") || said.contains("\tat ")) wrong.add("a trace: " + said);
    }
    judge(wrong, "read", CliRun.of(project, "", scenario.look().toArray(String[]::new)));
    for (int times = 1; times <= 2; times++) {
      judge(wrong, "repeat " + times, scenario.command().run(project));
    }
    Known now = known();
    if (!now.equals(after)) wrong.add("repeated: " + difference(now));
    judge(wrong, "verify", CliRun.of(project, "", "verify"));
    return wrong;
  }

  private static void judge(List<String> wrong, String what, CliRun run) {
    if (run.code() != 0) wrong.add(what + ": " + run);
  }

  private String difference(Known found) {
    List<String> missing = new ArrayList<>(after.happened());
    found.happened().forEach(missing::remove);
    List<String> more = new ArrayList<>(found.happened());
    after.happened().forEach(more::remove);
    Set<String> files = new LinkedHashSet<>();
    Set<String> names = new LinkedHashSet<>(after.files().keySet());
    names.addAll(found.files().keySet());
    for (String name : names) {
      if (!String.valueOf(after.files().get(name)).equals(found.files().get(name))) files.add(name);
    }
    return "missing %s, too much %s, other files %s".formatted(missing, more, files);
  }

  private Known known() throws IOException {
    CliRun journal = CliRun.of(project, "", "journal", "--json", "--limit", "1000");
    if (journal.code() != 0) throw new IllegalStateException(journal + " " + ownFiles());
    List<String> happened = new ArrayList<>();
    for (String line : journal.out().lines().toList()) {
      JsonObject entry = JsonText.object(line);
      happened.add(
          VARYING.matcher(entry.text("stream")).replaceAll("*") + " " + entry.text("kind"));
    }
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(project)) {
      for (Path each : (Iterable<Path>) all::iterator) {
        String name = project.relativize(each).toString();
        if (name.startsWith(".mainstay/") || !Files.isRegularFile(each)) continue;
        files.put(name, VARYING.matcher(Files.readString(each)).replaceAll("*"));
      }
    }
    return new Known(happened.stream().sorted().toList(), files);
  }

  /** What lies in Mainstay's folder, with its permissions. */
  private List<String> ownFiles() throws IOException {
    List<String> files = new ArrayList<>();
    try (Stream<Path> all = Files.walk(project.resolve(".mainstay"))) {
      for (Path each : (Iterable<Path>) all::iterator) {
        files.add(project.relativize(each) + " " + Files.getPosixFilePermissions(each));
      }
    }
    return files;
  }

  private static void clear(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      List<Path> deepestFirst = all.sorted((one, other) -> other.compareTo(one)).toList();
      for (Path each : deepestFirst) if (!each.equals(folder)) Files.delete(each);
    }
  }

  /** All files but the mark of the folder, which holds for the one folder it was made in. */
  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path each : (Iterable<Path>) all::iterator) {
        Path target = to.resolve(from.relativize(each));
        if (each.endsWith(".mainstay/mark")) continue;
        if (Files.isDirectory(each)) Files.createDirectories(target);
        else Files.copy(each, target, COPY_ATTRIBUTES, REPLACE_EXISTING);
      }
    }
  }
}
