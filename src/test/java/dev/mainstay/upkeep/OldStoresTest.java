package dev.mainstay.upkeep;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.access.AccessTokens;
import dev.mainstay.domain.AccessToken;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.ArtifactFiles;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Notebook;
import dev.mainstay.domain.NotebookDelta;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RepoPath;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.Task.Brief;
import dev.mainstay.domain.TaskFilter;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskState;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.TaskType;
import dev.mainstay.domain.Terms;
import dev.mainstay.json.JsonText;
import dev.mainstay.queue.Artifacts;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.state.Checkpoints;
import dev.mainstay.state.Notebooks;
import dev.mainstay.state.TaskStates;
import dev.mainstay.store.Databases;
import dev.mainstay.store.OldStores;
import dev.mainstay.store.Raw;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import dev.mainstay.terminal.Inbox;
import dev.mainstay.workflow.Question;
import dev.mainstay.workflow.WorkflowExecutions;
import dev.mainstay.workspace.FileWrites;
import dev.mainstay.workspace.Tracker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** People have stores that an earlier version wrote: they open, verify, and go on. */
class OldStoresTest {
  private static final Call USER = Call.by(Actor.person("user"), "cli");
  private static final Call DEV = Call.by(Actor.agent("dev-2"), "test");
  private static final TaskId REPORT = TaskId.of(3);
  private static final String SECRET = String.join("-", "open", "sesame", "4711");

  @Nested
  class OnSqlite extends Contract {
    OnSqlite() {
      super(Databases.SQLITE);
    }
  }

  @Nested
  class OnPostgresql extends Contract {
    OnPostgresql() {
      super(Databases.POSTGRESQL);
    }

    @Test
    void the_dump_names_no_role_and_holds_only_sql() {
      assertThat(OldStores.text("postgresql.sql.gz").lines())
          .noneMatch(line -> line.matches("(?i).*\\b(owner to|grant|revoke|set role)\\b.*"))
          .noneMatch(line -> line.startsWith("\\") || line.startsWith("COPY "));
    }
  }

  /** The files that were handed over lie on the old store's host. */
  private record NoFiles() implements ArtifactFiles {
    @Override
    public String host() {
      return "another";
    }

    @Override
    public Seen look(String path) {
      throw new AssertionError(path);
    }

    @Override
    public Held hold(String path, long bytesMax) {
      throw new AssertionError(path);
    }
  }

  abstract static class Contract {
    private final Databases database;
    private StoreAddress address;
    private Store store;

    Contract(Databases database) {
      this.database = database;
    }

    @BeforeEach
    void openCopy() {
      address = OldStores.copy(database);
      store = open(address);
    }

    @AfterEach
    void drop() {
      store.close();
      OldStores.drop(address);
    }

    private Store open(StoreAddress where) {
      return Store.open(where, StoreSettings.DEFAULT.withClock(OldStores.clock(where)));
    }

    private static List<String> findings(Store store) {
      return Verification.of(store).findings().stream().map(Object::toString).toList();
    }

    @Test
    void it_verifies_and_its_rebuild_has_the_same_rows() {
      assertThat(findings(store)).isEmpty();
      StoreAddress target = OldStores.beside(address);
      Rebuild.Result result = Rebuild.into(store, target);
      assertThat(result.kept()).isEmpty();
      try (Store rebuilt = open(target)) {
        assertThat(findings(rebuilt)).isEmpty();
        assertThat(rows(rebuilt)).isEqualTo(rows(store));
      }
      assertThat(findings(store)).isEmpty();
    }

    /**
     * The marks of one store, its transactions, and the seal with which a rebuild ends, differ.
     * What is remembered is compared as it is read: a later version may write more fields.
     */
    private static List<String> rows(Store store) {
      List<String> rows = new ArrayList<>();
      for (String row : Raw.dump(store)) {
        boolean other = row.matches("(?s)(store_meta|dossiers|notebooks|snapshots)\\[.*");
        if (!other && !row.contains("store/seals"))
          rows.add(row.replaceFirst(", xid=[0-9]+]$", "]"));
      }
      for (Task task : new Tasks(store).list(TaskFilter.ALL, null, 100).tasks()) {
        rows.add(store.reading(tx -> task.id() + " " + tx.dossiers().get(task.id()).dossier()));
      }
      return rows;
    }

    @Test
    void every_table_that_the_version_fills_has_rows() {
      Map<String, List<String>> tables =
          Raw.dump(store).stream()
              .collect(Collectors.groupingBy(row -> row.substring(0, row.indexOf('['))));
      assertThat(tables.keySet())
          .contains(
              "access_tokens",
              "agent_sessions",
              "archived_streams",
              "artifact_contents",
              "budget_reservations",
              "checkpoints",
              "delegations",
              "dossiers",
              "file_writes",
              "flows",
              "idempotency_keys",
              "inbox",
              "journal",
              "notebooks",
              "prompts_given",
              "reservations",
              "runs",
              "state_directories",
              "state_files",
              "task_artifacts",
              "task_assignments",
              "task_budgets",
              "task_dependencies",
              "task_types",
              "terminal_states",
              "terminals",
              "workflow_executions",
              "workflow_messages",
              "workflow_starts",
              "workflow_waits",
              "workspace_files",
              "workspace_touches");
    }

    @Test
    void what_was_known_about_a_task_is_known() {
      Task task = new Tasks(store).show(REPORT);
      assertThat(task.title()).isEqualTo("Write the report");
      assertThat(task.brief().description()).startsWith("Größe ✓, two lines\n");
      TaskState state = new TaskStates(store).load(REPORT);
      assertThat(state.run().goal()).isEqualTo("A report on billing");
      assertThat(state.toString())
          .contains("Ask before deleting anything", "Write short sentences", "the tests pass");
      assertThat(state.plan().steps()).extracting("status").contains(StepStatus.DONE);
      Notebook notebook = new Notebooks(store).load(REPORT);
      assertThat(notebook.toString())
          .contains("use SQLite", "use tables", "no figures for May", "write the conclusion");
      assertThat(new Checkpoints(store).list(REPORT))
          .extracting("name")
          .containsExactly("before-writing");
      assertThat(new TaskStates(store).load(TaskId.of(1)).toString())
          .contains("From now on always run the tests");
      assertThat(new TaskStates(store).load(TaskId.of(2)).toString()).contains("Never change the ");
    }

    @Test
    void an_erased_secret_is_in_no_row() {
      assertThat(Raw.dump(store)).noneMatch(row -> row.contains(SECRET));
      assertThat(
              Raw.texts(store, "SELECT kind FROM journal WHERE stream = 'store/forgotten'", "kind"))
          .isNotEmpty();
    }

    @Test
    void the_key_of_a_request_still_gives_its_answer() {
      long before = count();
      Task task =
          new Tasks(store).create(report("Größe ✓, two lines\nof text"), key("create-report"));
      assertThat(task.id()).isEqualTo(REPORT);
      var delta =
          NotebookDelta.fromJson(
              JsonObject.of("goals", List.of("a report of two pages"))
                  .with("decisions", List.of("use SQLite"))
                  .with("hypotheses", List.of("the totals are rounded"))
                  .with("open_issues", List.of("no figures for May"))
                  .with("history", List.of("read the sources"))
                  .with("next_focus", "write the summary"));
      new Notebooks(store).merge(REPORT, delta, key("merge-report"));
      assertThat(count()).isEqualTo(before);
      assertThatThrownBy(
              () -> new Tasks(store).create(report("another text"), key("create-report")))
          .isInstanceOfSatisfying(
              Refusal.class,
              refusal -> assertThat(refusal.code()).isEqualTo(Refusal.Code.CONFLICT));
    }

    private static Call key(String key) {
      return USER.withKey(key);
    }

    private static NewTask report(String description) {
      JsonObject metadata = JsonText.object("{\"area\": \"billing\", \"points\": [1, 2.5, null]}");
      TaskType type = TaskType.ANALYZE;
      var brief = new Brief("Write the report", description, type, 7, metadata);
      return new NewTask(brief, null, null, List.of(), Terms.NONE);
    }

    private long count() {
      return store.reading(tx -> tx.journal().count());
    }

    @Test
    void a_running_workflow_goes_on() {
      WorkflowExecutions executions = new WorkflowExecutions(store);
      List<Question> questions = executions.questions(10);
      assertThat(questions)
          .extracting(Question::text)
          .singleElement()
          .asString()
          .startsWith("May 1.4.0 be released?");
      executions.answer(
          questions.get(0).execution(), "approve", JsonObject.of("answer", "approve"), USER);
      assertThat(ready()).contains("Publish 1.4.0");
      complete("Interface: Invoices");
      complete("Tests: Invoices");
      assertThat(ready()).contains("Review: Invoices");
      assertThat(findings(store)).isEmpty();
    }

    private List<String> ready() {
      return new Tasks(store).ready(null, 100).stream().map(Task::title).toList();
    }

    private void complete(String title) {
      Leases leases = new Leases(store);
      Task task =
          new Tasks(store)
              .ready(null, 100).stream()
                  .filter(t -> t.title().equals(title))
                  .findFirst()
                  .orElseThrow();
      long fence = leases.hold(task.id(), "dev-2", Duration.ofMinutes(5), DEV).fence();
      leases.complete(task.id(), JsonObject.EMPTY, DEV.withFence(fence));
    }

    @Test
    void held_work_and_messages_are_finished_by_those_who_have_them() {
      Call holder = Call.by(Actor.agent("dev-1"), "test");
      Task held = new Tasks(store).show(TaskId.of(5));
      assertThat(held.status()).isEqualTo(TaskStatus.IN_PROGRESS);
      new Leases(store).complete(held.id(), JsonObject.EMPTY, holder.withFence(held.fence()));
      assertThat(new Inbox(store).acknowledge("dev-2", List.of(1L), DEV).now()).containsExactly(1L);
      assertThat(new AccessTokens(store).list())
          .extracting(AccessToken::name)
          .containsExactlyInAnyOrder("wall", "dev-1");
      assertThat(findings(store)).isEmpty();
    }

    /** The workspace lay on another host; here the intent is met in a folder of the test. */
    @Test
    void a_file_write_whose_writer_was_killed_is_settled(@TempDir Path folder) throws Exception {
      Tracker tracker = Tracker.open(store, folder);
      assertThat(Raw.texts(store, "SELECT path FROM file_writes", "path"))
          .containsExactly("docs/three.txt");
      String move = "UPDATE file_writes SET workspace_id = '%s'";
      Raw.run(store, move.formatted(tracker.workspace().id()));
      Files.createDirectory(folder.resolve("docs"));
      assertThat(tracker.recover()).isEqualTo(1);
      assertThat(Raw.texts(store, "SELECT path FROM file_writes", "path")).isEmpty();
      var wanted =
          new FileWrites.Wanted(
              new RepoPath("docs/three.txt"), "three\n".getBytes(UTF_8), null, REPORT);
      assertThat(new FileWrites(tracker).write(wanted, key("write-three")).changed()).isTrue();
      assertThat(findings(store)).isEmpty();
    }

    @Test
    void artifacts_are_whole_and_the_archived_stream_stays_away() {
      var artifacts = new Artifacts(store, new NoFiles());
      TaskId task = TaskId.of(5);
      assertThat(artifacts.list(task)).hasSize(2);
      long log = artifacts.list(task).get(0).id();
      assertThat(new String(artifacts.get(task, log).content(), UTF_8))
          .isEqualTo("three figures: 1, 2, 3");
      assertThat(Raw.texts(store, "SELECT stream FROM archived_streams", "stream"))
          .containsExactly("task/T-009");
    }
  }
}
