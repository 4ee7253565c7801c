package dev.mainstay.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.mainstay.Seeds;
import dev.mainstay.directory.StateDirectories.Report;
import dev.mainstay.domain.Directives.Directive;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.Execution;
import dev.mainstay.domain.ExecutionMode;
import dev.mainstay.domain.ExecutionType;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.Setting;
import dev.mainstay.domain.StepRecord;
import dev.mainstay.domain.StepRecord.Field;
import dev.mainstay.state.Executions;
import dev.mainstay.state.Executions.Beginning;
import dev.mainstay.state.Executions.View;
import dev.mainstay.state.StepWork;
import dev.mainstay.state.TaskStates;
import dev.mainstay.store.Databases;
import dev.mainstay.store.Store;
import dev.mainstay.upkeep.Verification;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The files alone are enough: a store that never heard of them learns what the first one knew. */
class ImportTest {
  @Nested
  class FromSqlite extends Contract {
    FromSqlite() {
      super(Databases.SQLITE, Databases.POSTGRESQL);
    }
  }

  @Nested
  class FromPostgresql extends Contract {
    FromPostgresql() {
      super(Databases.POSTGRESQL, Databases.SQLITE);
    }
  }

  abstract static class Contract extends OnDirectory {
    private static final int CASES = 6;
    private static final int DEEDS = 14;
    private final Databases other;

    Contract(Databases database, Databases other) {
      super(database);
      this.other = other;
    }

    private void deed(Random random, int n) throws IOException {
      switch (random.nextInt(9)) {
        case 0 -> steps.start(task(), null, ADA);
        case 1, 2 -> finish(random, n);
        case 3 -> executions.feedback(task(), "Great work!", true, ADA);
        case 4 -> executions.set(task(), Setting.MAX_WEB_REQUESTS, (long) random.nextInt(50), ADA);
        case 5 -> states.addDirective(task(), "For the next 3 steps, try " + n, n % 2 == 0, ADA);
        case 6 ->
            edit(PageName.CONTEXT, "### Key Findings\n", "### Key Findings\nFound " + n + ".\n");
        case 7 ->
            edit(
                PageName.VARIABLES,
                "\"flags\": {",
                "\"flags\": {\"f"
                    + n
                    + "\": "
                    + n
                    + (text(PageName.VARIABLES).contains("\"flags\": {}") ? "" : ","));
        default -> save(PageName.PLAN, text(PageName.PLAN) + "\n## Own " + n + "\nwords\n");
      }
    }

    private void finish(Random random, int n) {
      Map<Field, String> texts =
          random.nextInt(4) == 0
              ? Map.of(Field.ERRORS, "broke at " + n)
              : Map.of(Field.REAL_OUTPUTS, "output " + n, Field.TOOL_USED, "Write");
      var usage = new StepWork.Usage(new BigDecimal("0.01"), BigDecimal.valueOf(n), null, null);
      steps.finish(
          task(), new StepWork.Report(texts, usage, JsonObject.of("own.v" + n, n), null), ADA);
    }

    private void played(Random random) throws IOException {
      ExecutionMode mode =
          random.nextInt(3) == 0 ? ExecutionMode.SIMULATION : ExecutionMode.EXECUTION;
      ExecutionType type = random.nextBoolean() ? ExecutionType.RESEARCH : null;
      directories.init(folder, new Beginning(null, GOAL, mode, type), ADA);
      states.setPlan(task(), List.of("grind", "boil", "pour", "pour", "drink"), ADA);
      sync();
      for (int n = 1; n <= DEEDS; n++) {
        clock.advance(Duration.ofSeconds(random.nextInt(9)));
        try {
          deed(random, n);
        } catch (Refusal notNow) {
          continue;
        }
        sync();
      }
      settled();
    }

    /**
     * What must be the same. Left out are times of change, authors, proposals and approvals, the
     * rules that stand, why it was paused, the start of a step under way, which of the counted
     * tools belong to which entry, and the layouts, which hold old values beside the words of the
     * files.
     */
    private static void same(View is, View was) {
      Execution mine = is.execution();
      Execution theirs = was.execution();
      assertThat(mine.head().identity()).isEqualTo(theirs.head().identity());
      assertThat(mine.status()).isEqualTo(theirs.status());
      assertThat(mine.constraints()).isEqualTo(theirs.constraints());
      assertThat(mine.figures()).isEqualTo(theirs.figures());
      assertThat(mine.pages().variables()).isEqualTo(theirs.pages().variables());
      assertThat(mine.pages().context()).isEqualTo(theirs.pages().context());
      Dossier here = is.dossier();
      Dossier there = was.dossier();
      assertThat(here.state().plan()).isEqualTo(there.state().plan());
      assertThat(here.state().run().goal()).isEqualTo(there.state().run().goal());
      assertThat(orders(here)).isEqualTo(orders(there));
      assertThat(is.history().stream().map(Contract::told).toList())
          .isEqualTo(was.history().stream().map(Contract::told).toList());
    }

    private static List<String> orders(Dossier dossier) {
      return dossier.state().directives().items().stream()
          .map(each -> each.text() + each.binding() + each.stepsLeft())
          .toList();
    }

    private static String told(StepRecord record) {
      return record.step()
          + " "
          + record.at()
          + record.simulated()
          + record.texts()
          + record.spent().cost().stripTrailingZeros()
          + record.spent().time().stripTrailingZeros();
    }

    @Test
    void the_files_alone_give_the_same_dossier_in_another_database() {
      Seeds.forAll(
          CASES,
          random -> {
            folder = temp.resolve("state-" + random.nextLong());
            played(random);
            View was = view();
            boolean asked = !was.execution().review().open().isEmpty();
            Map<String, String> before = contents();
            try (Store fresh = open(other.fresh())) {
              StateDirectories theirs = new StateDirectories(fresh);
              Report report = theirs.importFrom(folder, ADA);
              assertThat(report.findings()).isEmpty();
              same(new Executions(fresh).view(theirs.get(folder).task()), was);
              Map<String, String> after = contents();
              for (var each : after.entrySet()) {
                if (asked && each.getKey().equals("constraints.md")) continue; // no longer open
                assertThat(plain(each.getValue())).isEqualTo(plain(before.get(each.getKey())));
              }
              Report again = theirs.sync(folder, ADA);
              assertThat(again.written()).isEmpty();
              assertThat(again.taken()).isZero();
              assertThat(Verification.of(fresh).findings()).isEmpty();
            }
          });
    }

    private static String plain(String text) {
      return text.replaceAll("\\*\\*last_updated\\*\\*:.*", "");
    }

    @Test
    void what_is_known_faulty_or_missing_is_not_imported_and_stays_as_it_is() throws Exception {
      begun();
      refused(Code.CONFLICT, () -> directories.importFrom(folder, ADA), "known already");
      edit(PageName.VARIABLES, "\"flags\": {}", "\"flags\": {");
      Map<String, String> before = contents();
      try (Store fresh = open(other.fresh())) {
        StateDirectories theirs = new StateDirectories(fresh);
        refused(Code.INVALID, () -> theirs.importFrom(folder, ADA), "variables.json:", "column");
        Files.delete(file(PageName.VARIABLES));
        refused(Code.NOT_FOUND, () -> theirs.importFrom(folder, ADA), "variables.json is missing");
        assertThat(theirs.find(folder)).isEmpty();
        assertThat(fresh.<Long>reading(tx -> tx.journal().count())).isZero();
      }
      before.remove("variables.json");
      assertThat(contents()).isEqualTo(before);
    }

    @Test
    void a_copy_of_the_folder_is_refused_where_the_execution_is_known() throws Exception {
      begun();
      var copy = Files.createDirectory(temp.resolve("copy"));
      for (PageName page : PageName.values()) Files.copy(file(page), copy.resolve(page.file()));
      refused(Code.CONFLICT, () -> directories.importFrom(copy, ADA), "has exec_", "already");
    }

    @Test
    void a_directive_without_a_mark_holds_for_the_steps_that_its_words_name() throws Exception {
      begun();
      String order = "For the next 2 steps, hum";
      edit(
          PageName.CONSTRAINTS,
          "[Dynamic behavioral rules that evolve during execution]\n",
          "[Dynamic behavioral rules that evolve during execution]\n- " + order + "\n");
      try (Store fresh = open(other.fresh())) {
        StateDirectories theirs = new StateDirectories(fresh);
        theirs.importFrom(folder, ADA);
        var task = theirs.get(folder).task();
        StepWork work = new StepWork(fresh);
        for (int left = 2; left > 0; left--) {
          assertThat(new TaskStates(fresh).load(task).directives().items())
              .extracting(Directive::text, Directive::stepsLeft)
              .containsExactly(tuple(order, left));
          work.start(task, null, ADA);
          work.finish(
              task,
              new StepWork.Report(
                  Map.of(Field.REAL_OUTPUTS, "x"), StepWork.Usage.UNKNOWN, JsonObject.EMPTY, null),
              ADA);
        }
        assertThat(new TaskStates(fresh).load(task).directives().items()).isEmpty();
      }
    }

    @Test
    void an_agent_s_import_makes_no_order_binding() throws Exception {
      begun();
      states.addDirective(task(), "Never boil it dry", true, ADA);
      sync();
      try (Store fresh = open(other.fresh())) {
        StateDirectories theirs = new StateDirectories(fresh);
        theirs.importFrom(folder, BOT);
        var known = new Executions(fresh).view(theirs.get(folder).task()).dossier();
        assertThat(known.state().directives().items()).hasSize(1).noneMatch(each -> each.binding());
      }
    }
  }
}
