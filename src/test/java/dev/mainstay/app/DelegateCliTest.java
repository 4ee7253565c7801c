package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Pause;
import dev.mainstay.cli.Serving;
import dev.mainstay.domain.Delegation;
import dev.mainstay.domain.Delegation.Status;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Seat;
import dev.mainstay.json.JsonText;
import dev.mainstay.process.Programs;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import dev.mainstay.workspace.SafeFolder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A lead and one developer that is there already; no other terminal may be started. */
class DelegateCliTest {
  private static final Map<String, String> LEAD =
      Map.of("MAINSTAY_TERMINAL", "lead", "MAINSTAY_TERMINALS_MAX", "1");

  @TempDir Path folder;

  @BeforeEach
  void aDeveloper() {
    assertThat(as(LEAD, "terminal", "register", "lead").code()).isZero();
    seat(Seat.Status.READY);
  }

  /** Whoever looks for the terminal starts a tmux there, which must not outlive the test. */
  @AfterEach
  void endTmux() {
    if (!Files.exists(Path.of(socket()))) return;
    Programs.run(List.of("tmux", "-S", socket(), "kill-server"), Duration.ofSeconds(60));
  }

  private String socket() {
    return folder.resolve("s").toString();
  }

  private String db() {
    return folder.resolve(".mainstay/state.sqlite3").toString();
  }

  private void seat(Seat.Status status) {
    try (Store store = Store.open(StoreAddress.parse(db()), StoreSettings.DEFAULT)) {
      store.inTransaction(
          Once.unkeyed(),
          tx -> {
            var window = new Seat.Window(SafeFolder.host(), socket(), "mainstay", "dev-1");
            var begin = new Seat.Begin(folder.toString(), null, null, List.of());
            var standing = new Seat.Standing(status, null, null, tx.now(), List.of());
            tx.terminals().put("dev-1", "shell", "developer");
            tx.terminals().seat("dev-1", new Seat(window, begin, standing), null);
            return 0;
          });
    }
  }

  private CliRun as(Map<String, String> env, String... args) {
    return CliRun.of(folder, "in\ndetail".getBytes(StandardCharsets.UTF_8), env, args);
  }

  private CliRun lead(String... args) {
    return as(LEAD, args);
  }

  private CliRun developer(String... args) {
    return as(Map.of("MAINSTAY_TERMINAL", "dev-1"), args);
  }

  @Test
  void what_is_assigned_is_given_done_and_told() {
    CliRun assigned =
        lead("delegate", "assign", "--to", "developer", "Add login", "--description", "-");
    assertThat(assigned.err()).isEmpty();
    assertThat(assigned.out()).isEqualTo("T-001 ASSIGNED by dev-1 (READY)\n");
    assertThat(developer("inbox", "pull").out())
        .contains("You have been assigned T-001: Add login", "detail", "--fence 1");
    assertThat(lead("delegate", "assign", "--to", "developer", "Add logout").out())
        .isEqualTo(
            "T-002 waits for an agent of the profile developer; as many terminals run as terminals.max"
                + " allows (1); it waits for a free one\n");
    assertThat(lead("delegate", "list").out())
        .containsPattern("T-001 +GIVEN +developer +dev-1 +lead +-")
        .containsPattern("T-002 +WAITING +developer +- +lead +as many terminals run");
    String result = "{\"file\": \"login.js\"}";
    assertThat(developer("task", "complete", "T-001", "--fence", "1", "--result", result).code())
        .isZero();
    JsonObject third =
        JsonText.object(
            lead("delegate", "assign", "--to", "developer", "third", "--priority", "-1", "--json")
                .out());
    assertThat(third.text("status")).isEqualTo("WAITING");
    assertThat(third.object("task").text("title")).isEqualTo("third");
    assertThat(lead("inbox", "pull").out())
        .contains("T-001 COMPLETED by dev-1 (Add login): {\"file\":\"login.js\"}");
    assertThat(lead("delegate", "list", "--all", "--json").out())
        .contains("\"REPORTED\"", "\"GIVEN\"", "\"WAITING\"");
    assertThat(lead("verify").out()).startsWith("all is well");
  }

  @Test
  void the_list_says_what_an_unplaced_delegation_waits_for() {
    lead("task", "create", "first");
    lead("task", "create", "second", "--depends-on", "T-001");
    lead("delegate", "assign", "--to", "reviewer", "--task", "T-002");
    assertThat(lead("delegate", "list").out())
        .containsPattern("T-002 +WAITING .* waiting for 1 other");
    lead("task", "cancel", "T-002");
    assertThat(lead("delegate", "list").out())
        .contains("T-002 is CANCELLED; a running server reports it");
  }

  @Test
  void a_handoff_waits_for_the_result_and_shows_it() throws Exception {
    var waits =
        new FutureTask<>(
            () -> lead("delegate", "handoff", "--to", "developer", "Add login", "--timeout", "1m"));
    new Thread(waits).start();
    awaitGiven();
    developer("task", "complete", "T-001", "--fence", "1", "--result", "{\"tests\": 12}");
    CliRun run = waits.get();
    assertThat(run.code()).isZero();
    assertThat(run.out()).isEqualTo("{\"tests\":12}\n");
    assertThat(run.err()).contains("T-001 ASSIGNED by dev-1", "T-001 COMPLETED by dev-1");
  }

  @Test
  void a_handoff_that_fails_says_why() throws Exception {
    var waits =
        new FutureTask<>(() -> lead("delegate", "handoff", "--to", "developer", "Add login"));
    new Thread(waits).start();
    awaitGiven();
    developer("task", "fail", "T-001", "--fence", "1", "--error", "the API is gone");
    CliRun run = waits.get();
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).endsWith("mainstay: T-001 is FAILED: the API is gone\n");
  }

  private void awaitGiven() {
    try (Mainstay open = Mainstay.open(db())) {
      while (open.delegations().list(true, 0, 1).stream()
          .map(Delegation::status)
          .noneMatch(Status.GIVEN::equals)) Pause.briefly();
    }
  }

  @Test
  void a_server_reports_what_is_over() {
    seat(Seat.Status.BUSY);
    assertThat(lead("delegate", "assign", "--to", "developer", "Add login").out())
        .contains("waits for an agent");
    lead("task", "cancel", "T-001", "--reason", "not needed");
    try (Serving serving =
            new Wiring(LEAD, folder).serve(null, new Serving.Wanted("127.0.0.1", 0, null, null));
        Mainstay open = Mainstay.open(db())) {
      assertThat(serving.address()).isNotBlank();
      while (!open.delegations().list(true, 0, 1).isEmpty()) Pause.briefly();
    }
    assertThat(lead("inbox", "pull").out()).contains("T-001 CANCELLED (Add login): not needed");
  }

  @Test
  void a_handoff_that_takes_too_long_goes_on() {
    CliRun late = lead("delegate", "handoff", "--to", "developer", "Add login", "--timeout", "0s");
    assertThat(late.code()).isEqualTo(1);
    assertThat(late.err()).contains("the work goes on", "mainstay task show T-001");
    assertThat(lead("task", "show", "T-001").out()).contains("ASSIGNED");
  }

  @Test
  void what_cannot_be_is_refused_with_the_right_code_and_a_way_out() {
    assertThat(lead("delegate", "assign", "title").code()).isEqualTo(2);
    assertThat(lead("delegate", "assign", "--to", "developer").err()).contains("title");
    lead("task", "create", "there");
    assertThat(lead("delegate", "assign", "--to", "developer", "x", "--task", "T-001").err())
        .contains("mainstay task update");
    assertThat(lead("delegate", "assign", "--to", "developer", "--task", "T-001").out())
        .startsWith("T-001 ASSIGNED");
    assertThat(lead("delegate", "assign", "--to", "developer", "--task", "T-001").code())
        .isEqualTo(4);
    assertThat(lead("delegate", "assign", "--to", "developer", "--task", "T-009").code())
        .isEqualTo(3);
    assertThat(lead("delegate", "assign", "--to", "developer", "x", "--worktree").err())
        .contains("git repository");
    assertThat(lead("delegate", "handoff", "--to", "developer", "x", "--timeout", "soon").err())
        .contains("a timeout is a time such as");
    assertThat(lead("delegate", "handoff", "--to", "developer", "x", "--timeout", "90h").err())
        .contains("between 0 seconds and 1 day");
    for (String wrong : List.of("0", "1001", "many")) {
      CliRun run = as(Map.of("MAINSTAY_TERMINALS_MAX", wrong), "task", "list");
      assertThat(run.code()).isEqualTo(1);
      assertThat(run.err()).contains("terminals.max", "from 1 to 1,000");
    }
  }
}
