package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mainstay.Jvm;
import dev.mainstay.OwnFolder;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Artifact;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Delegation;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.Terminal;
import dev.mainstay.domain.WorkflowExecution;
import dev.mainstay.json.JsonText;
import dev.mainstay.process.Programs;
import dev.mainstay.queue.NewTask;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import dev.mainstay.terminal.LaunchOrder;
import dev.mainstay.terminal.NewDelegation;
import dev.mainstay.terminal.StandIns;
import dev.mainstay.workflow.NewExecution;
import dev.mainstay.workspace.Host;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Flows A to D of the document with real processes: a supervisor in a terminal, developers that are
 * started for its tasks, told by the store, typed to, and done by commands of their own.
 */
class DelegatedTerminalsTest {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int TERMINALS_MAX = 3;

  @TempDir Path folder;
  private Mainstay mainstay;
  private Errands errands;
  private Terminal boss;

  @BeforeEach
  void open() throws IOException {
    assumeThat(Programs.run(List.of("tmux", "-V"), PATIENCE))
        .as("tmux is installed; terminals cannot be tested without it")
        .isPresent();
    git("init", "-q");
    git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-q", "--allow-empty", "-m", "x");
    OwnFolder.in(folder);
    agent("boss", List.of("--log", folder.resolve("boss.log").toString(), "--work", "20"));
    agent("developer", List.of("--do", worker().toString()));
    var address = StoreAddress.parse(folder.resolve(".mainstay/state.sqlite3").toString());
    var env = Map.of("HOME", folder.toString(), "PATH", System.getenv("PATH"));
    var setup = new TerminalSetup(folder, env, TERMINALS_MAX, "");
    mainstay = Mainstay.open(address, StoreSettings.DEFAULT, setup);
    errands = Errands.start(mainstay, null, folder.resolve("archive"));
    boss = mainstay.launches().launch(LaunchOrder.of("boss", folder), ada());
  }

  @AfterEach
  void close() {
    if (mainstay == null) return;
    errands.close();
    String socket = boss.seated().window().socket();
    Programs.run(List.of("tmux", "-S", socket, "kill-server"), PATIENCE);
    mainstay.close();
  }

  private static Call ada() {
    return Call.by(Actor.person("ada"), "test");
  }

  private Call byBoss() {
    return Call.by(Actor.agent(boss.id()), "test");
  }

  private void git(String... words) {
    List<String> argv = Stream.concat(Stream.of("git"), Stream.of(words)).toList();
    var ended = Programs.run(Programs.Order.of(argv, PATIENCE).in(folder)).orElseThrow();
    assertThat(ended.exit()).as(ended.output()).isZero();
  }

  private void agent(String name, List<String> arguments) throws IOException {
    Path own = folder.resolve(".mainstay");
    Files.createDirectories(own.resolve("agents"));
    Files.createDirectories(own.resolve("providers"));
    String yaml = StandIns.providerYaml(arguments);
    Files.writeString(
        own.resolve("providers/" + name + ".yaml"),
        yaml.replace("name: " + StandIns.PROVIDER, "name: " + name));
    Files.writeString(
        own.resolve("agents/" + name + ".md"),
        "---\nname: " + name + "\ndescription: works\nprovider: " + name + "\n---\n");
  }

  /** Does what a developer does: writes a file, and completes its task as it was told to. */
  private Path worker() throws IOException {
    Path script = folder.resolve("worker.sh");
    String main = "'" + String.join("' '", Jvm.words(List.of(), Main.class)) + "'";
    Files.writeString(
        script,
        """
        #!/bin/sh
        told=$(cat)
        set -- $(echo "$told" | sed -n 's/.*task complete \\(T-[0-9]*\\) --fence \\([0-9]*\\).*/\\1 \\2/p')
        [ -n "$1" ] || exit 0
        echo "made for $1 by $MAINSTAY_TERMINAL" >"made-$1.txt"
        exec %s \\
          task complete "$1" --fence "$2" --result '{"summary": "made it"}'
        """
            .formatted(main),
        StandardCharsets.UTF_8);
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    return script;
  }

  private Delegation delegate(String title, boolean worktree) {
    var wanted = NewDelegation.of(NewTask.titled(title), "developer").apart(worktree);
    return mainstay.delegations().assign(wanted, byBoss());
  }

  private void awaitEnd(TaskId task) {
    var view = mainstay.delegations().await(task, PATIENCE, progress -> {});
    assertThat(view.isOver()).as("%s is over", task).isTrue();
    assertThat(mainstay.tasks().show(task).status()).isEqualTo(TaskStatus.COMPLETED);
  }

  private String heardByBoss() throws IOException {
    Path log = folder.resolve("boss.log");
    return Files.exists(log) ? Files.readString(log) : "";
  }

  private void awaitHeard(TaskId task) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!heardByBoss().contains(task + " COMPLETED")) {
      assertThat(System.nanoTime()).as(heardByBoss()).isLessThan(end);
      java.util.concurrent.locks.LockSupport.parkNanos(50_000_000);
    }
  }

  @Test
  void tasks_are_done_in_parallel_by_as_many_as_may_run_the_rest_queue_and_each_end_is_told()
      throws Exception {
    List<TaskId> tasks =
        Stream.of("login", "logout", "reset").map(t -> delegate(t, false).task()).toList();
    tasks.forEach(this::awaitEnd);
    for (TaskId each : tasks) awaitHeard(each);
    Set<String> workers =
        mainstay.screens().sessions(true).stream()
            .flatMap(group -> group.terminals().stream())
            .filter(each -> "developer".equals(each.profile()))
            .map(Terminal::id)
            .collect(Collectors.toSet());
    assertThat(workers).hasSize(TERMINALS_MAX - 1);
    for (TaskId each : tasks) {
      String made = Files.readString(folder.resolve("made-" + each + ".txt")).strip();
      String by = made.substring(made.lastIndexOf(' ') + 1);
      assertThat(workers).contains(by);
      assertThat(mainstay.assignments().ofTask(each))
          .singleElement()
          .matches(assignment -> assignment.terminal().equals(by));
    }
  }

  @Test
  void a_worker_with_a_worktree_leaves_its_branch_and_its_changes() throws Exception {
    TaskId task = delegate("apart", true).task();
    awaitEnd(task);
    awaitHeard(task);
    assertThat(folder.resolve("made-" + task + ".txt")).doesNotExist();
    var artifacts = mainstay.artifacts(folder);
    List<Artifact> left = artifacts.list(task);
    assertThat(left).extracting(each -> each.type().toString()).contains("BRANCH", "DIFF");
    String all =
        left.stream()
            .map(each -> artifacts.get(task, each.id()).content())
            .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
            .collect(Collectors.joining("\n"));
    assertThat(all).contains("mainstay/" + task, "made-" + task + ".txt", "+made for " + task);
  }

  @Test
  void a_workflow_gives_its_tasks_to_terminals_of_their_profile_and_goes_on_with_what_they_made() {
    mainstay.workflows().importJson(threefold(), ada());
    var wanted = new NewExecution("threefold", "agents", Host.current(), folder, JsonObject.EMPTY);
    String id = mainstay.workflowExecutions().start(wanted, ada()).id();
    Fleet.await("the workflow is done", () -> now(id).status().isOver());
    assertThat(now(id).status()).isEqualTo(WorkflowExecution.Status.COMPLETED);
    JsonObject variables = now(id).standing().data().object("variables");
    for (String node : List.of("first", "second", "third")) {
      assertThat(variables.object(node + "_result").text("summary")).isEqualTo("made it");
    }
  }

  private WorkflowExecution now(String id) {
    return mainstay.workflowExecutions().show(id).execution();
  }

  private static JsonObject threefold() {
    return JsonText.object(
        """
        {"name": "threefold", "title": "", "nodes": [
           {"id": "start", "kind": "start_event"}, {"id": "split", "kind": "parallel_gateway"},
           {"id": "first", "kind": "service_task", "profile": "developer"},
           {"id": "second", "kind": "service_task", "profile": "developer"},
           {"id": "third", "kind": "service_task", "profile": "developer"},
           {"id": "join", "kind": "parallel_gateway"}, {"id": "end", "kind": "end_event"}],
         "edges": [
           {"source": "start", "target": "split"},
           {"source": "split", "target": "first"}, {"source": "first", "target": "join"},
           {"source": "split", "target": "second"}, {"source": "second", "target": "join"},
           {"source": "split", "target": "third"}, {"source": "third", "target": "join"},
           {"source": "join", "target": "end"}]}""");
  }
}
