package dev.mainstay.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.directory.Finding.Kind;
import dev.mainstay.directory.StateDirectories.Report;
import dev.mainstay.domain.Execution;
import dev.mainstay.domain.ExecutionMode;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Plan;
import dev.mainstay.domain.Plan.Step;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.StepRecord.Field;
import dev.mainstay.domain.TaskId;
import dev.mainstay.state.Executions;
import dev.mainstay.state.Executions.Beginning;
import dev.mainstay.state.Executions.View;
import dev.mainstay.state.StepWork;
import dev.mainstay.state.TaskStates;
import dev.mainstay.store.Databases;
import dev.mainstay.store.OnDatabase;
import dev.mainstay.upkeep.Verification;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** What the tests of state directories begin with: a folder that is yet to be made. */
abstract class OnDirectory extends OnDatabase {
  static final String GOAL = "Brew coffee";

  @TempDir Path temp;
  Path folder;
  StateDirectories directories;
  Executions executions;
  StepWork steps;
  TaskStates states;

  OnDirectory(Databases database) {
    super(database);
  }

  @BeforeEach
  void rooms() {
    folder = temp.resolve("workspace/state");
    directories = new StateDirectories(store);
    executions = new Executions(store);
    steps = new StepWork(store);
    states = new TaskStates(store);
  }

  /** Whatever a test did, journal and tables must agree afterwards, and nothing is left behind. */
  @AfterEach
  void the_tables_equal_the_replay() throws IOException {
    assertThat(Verification.of(store).findings()).isEmpty();
    if (Files.isDirectory(folder)) {
      assertThat(names())
          .allMatch(
              name ->
                  name.matches(
                      "[a-z]+\\.(md|json)|history.edited-.*|\\.gitignore|\\.mainstay\\.lock|own.*"));
    }
  }

  static Beginning goal(String goal) {
    return new Beginning(null, goal, ExecutionMode.EXECUTION, null);
  }

  /** An execution under way with three steps. */
  TaskId begun() {
    return begun(ExecutionMode.EXECUTION);
  }

  TaskId begun(ExecutionMode mode) {
    directories.init(folder, new Beginning(null, GOAL, mode, null), ADA);
    states.setPlan(task(), List.of("grind", "boil", "pour"), BOT);
    sync();
    return task();
  }

  TaskId task() {
    return directories.get(folder).task();
  }

  Report sync() {
    return directories.sync(folder, BOT);
  }

  /** A sync with nothing to tell about but what is good to know. */
  Report quiet() {
    Report report = sync();
    assertThat(report.findings()).allMatch(finding -> finding.kind() == Finding.Kind.NOTE);
    return report;
  }

  /** A sync that has nothing left to do on either side. */
  void settled() {
    Report report = sync();
    assertThat(report.written()).isEmpty();
    assertThat(report.taken()).isZero();
  }

  View view() {
    return executions.view(task());
  }

  Execution execution() {
    return view().execution();
  }

  Plan plan() {
    return view().dossier().state().plan();
  }

  List<String> labels() {
    return plan().steps().stream().map(Step::label).toList();
  }

  void done(int step, String output) {
    steps.start(task(), step, ADA);
    steps.finish(
        task(),
        new StepWork.Report(
            Map.of(Field.REAL_OUTPUTS, output), StepWork.Usage.UNKNOWN, JsonObject.EMPTY, null),
        ADA);
  }

  Path file(PageName page) {
    return folder.resolve(page.file());
  }

  String text(PageName page) throws IOException {
    return Files.readString(file(page));
  }

  void save(PageName page, String text) throws IOException {
    Files.writeString(file(page), text);
  }

  /** Replaces words that stand in the file exactly once. */
  void edit(PageName page, String was, String is) throws IOException {
    String text = text(page);
    assertThat(text.split(Pattern.quote(was), -1)).as(was + " in\n" + text).hasSize(2);
    save(page, text.replace(was, is));
  }

  /** All plain files of the folder with their content, but for the lock. */
  Map<String, String> contents() throws IOException {
    Map<String, String> all = new TreeMap<>();
    for (String name : names()) {
      Path path = folder.resolve(name);
      if (name.equals(".mainstay.lock") || !Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
        continue;
      }
      all.put(name, Files.readString(path, StandardCharsets.ISO_8859_1));
    }
    return all;
  }

  List<String> names() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  /** The one finding of a kind. */
  static Finding found(Report report, Kind kind) {
    List<Finding> found = report.findings().stream().filter(f -> f.kind() == kind).toList();
    assertThat(found).as(kind + " in " + report.findings()).hasSize(1);
    return found.get(0);
  }

  /** The text of the line that a finding names. */
  String lineOf(Finding finding) throws IOException {
    assertThat(finding.line()).as(finding.toString()).isNotNull();
    return Files.readAllLines(folder.resolve(finding.file())).get(finding.line() - 1);
  }

  static void refused(Code code, ThrowingCallable call, String... words) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> {
              assertThat(refusal.code()).isEqualTo(code);
              for (String word : words) assertThat(refusal.sentence()).contains(word);
            });
  }
}
