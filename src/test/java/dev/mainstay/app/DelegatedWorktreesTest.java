package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Artifact;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Delegation;
import dev.mainstay.domain.Delegation.Status;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Seat;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.Terminal;
import dev.mainstay.process.Programs;
import dev.mainstay.process.Programs.Ended;
import dev.mainstay.process.Programs.Order;
import dev.mainstay.queue.Artifacts;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.store.Databases;
import dev.mainstay.store.OnDatabase;
import dev.mainstay.store.Once;
import dev.mainstay.terminal.Delegations;
import dev.mainstay.terminal.Inbox;
import dev.mainstay.terminal.LaunchOrder;
import dev.mainstay.terminal.NewDelegation;
import dev.mainstay.trust.UserFolders;
import dev.mainstay.workspace.DiskArtifacts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workers in worktrees that git itself makes. */
class DelegatedWorktreesTest {
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
  }

  abstract static class Contract extends OnDatabase {
    private static final Call LEAD = Call.by(Actor.agent("lead"), "test");

    @TempDir Path temp;
    private Path shop;
    private Delegations delegations;
    private int started;

    Contract(Databases database) {
      super(database);
    }

    @BeforeEach
    void aRepository() throws IOException {
      shop = Files.createDirectories(temp.toRealPath().resolve("shop"));
      assumeThat(run(shop, "init", "-q", ".")).as("git is installed").isPresent();
      Files.writeString(shop.resolve("a.txt"), "one\n");
      git(shop, "add", "a.txt");
      git(shop, "commit", "-q", "-m", "one");
      delegations =
          new Delegations(
              store,
              (order, call) -> launched(order),
              new GitPlaces(UserFolders.of(Map.of())),
              new Artifacts(store, DiskArtifacts.anywhere(store, shop)),
              new Delegations.Setting("here", shop, 10));
    }

    private Optional<Ended> run(Path folder, String... args) {
      List<String> command = new ArrayList<>(List.of("git", "-c", "user.name=Ada"));
      command.addAll(List.of("-c", "user.email=ada@example.org"));
      command.addAll(List.of(args));
      return Programs.run(Order.of(command, Duration.ofMinutes(1)).in(folder));
    }

    private String git(Path folder, String... args) {
      Ended ended = run(folder, args).orElseThrow();
      assertThat(ended.exit()).as(ended.output()).isZero();
      return ended.output();
    }

    private Terminal launched(LaunchOrder order) {
      String id = order.profile() + "-" + ++started;
      return store.inTransaction(
          Once.unkeyed(),
          tx -> {
            tx.terminals().put(id, "shell", order.profile());
            var window = new Seat.Window("here", "s", order.where().session(), id);
            var begin = new Seat.Begin(order.where().folder().toString(), null, null, List.of());
            var standing = new Seat.Standing(Seat.Status.READY, null, null, tx.now(), List.of());
            tx.terminals().seat(id, new Seat(window, begin, standing), null);
            return tx.terminals().get(id);
          });
    }

    private TaskId assign(String title) {
      var wanted = NewDelegation.of(NewTask.titled(title), "developer").in(null, shop);
      return delegations.assign(wanted.apart(true), LEAD).task();
    }

    private Delegation now(TaskId id) {
      return delegations.show(id).delegation();
    }

    private Path placeOf(TaskId id) {
      return shop.resolve(".mainstay/worktrees").resolve(id.value());
    }

    private void complete(TaskId id) {
      Task held = new Tasks(store).show(id);
      String worker = held.lease().orElseThrow().holder();
      Call by = Call.by(Actor.agent(worker), "test").withFence(held.fence());
      new Leases(store).complete(id, JsonObject.EMPTY, by);
    }

    private Artifacts artifacts() {
      return new Artifacts(store, DiskArtifacts.anywhere(store, shop));
    }

    private List<Artifact> of(TaskId id, String type) {
      return artifacts().list(id).stream().filter(a -> a.type().name().equals(type)).toList();
    }

    private String only(TaskId id, String type) {
      List<Artifact> found = of(id, type);
      assertThat(found).hasSize(1);
      byte[] content = artifacts().get(id, found.get(0).id()).content();
      return new String(content, StandardCharsets.UTF_8);
    }

    @Test
    void each_worker_has_a_worktree_and_its_branch_and_changes_become_artifacts()
        throws IOException {
      TaskId one = assign("one");
      TaskId two = assign("two");
      delegations.serve();
      assertThat(now(one).standing().terminal()).isEqualTo("developer-1");
      assertThat(now(two).standing().terminal()).isEqualTo("developer-2");
      String folder =
          store.reading(tx -> tx.terminals().get("developer-1").seated().begin().folder());
      assertThat(folder).isEqualTo(placeOf(one).toString());
      Files.writeString(placeOf(one).resolve("a.txt"), "one\ncommitted\n");
      git(placeOf(one), "commit", "-q", "-a", "-m", "change");
      Files.writeString(placeOf(one).resolve("a.txt"), "one\ncommitted\nopen\n");
      Files.writeString(placeOf(one).resolve("new.txt"), "new\n");
      String before = git(placeOf(one), "status", "--porcelain");
      complete(one);
      complete(two);
      delegations.serve();
      assertThat(only(one, "BRANCH")).isEqualTo("mainstay/T-001");
      assertThat(only(one, "DIFF"))
          .contains("+committed", "+open", "+++ b/new.txt")
          .doesNotContain(".mainstay");
      assertThat(git(placeOf(one), "status", "--porcelain")).isEqualTo(before);
      assertThat(only(two, "BRANCH")).isEqualTo("mainstay/T-002");
      assertThat(of(two, "DIFF")).isEmpty();
      assertThat(git(shop, "status", "--porcelain")).isEmpty();
      List<String> told =
          new Inbox(store)
              .list("lead", Inbox.Filter.ALL, 0, 10).stream().map(each -> each.text()).toList();
      assertThat(told).hasSize(2);
      assertThat(told.get(0))
          .startsWith("T-001 COMPLETED by developer-1 (one)")
          .containsPattern("Artifacts: BRANCH \\d+, DIFF \\d+");
    }

    @Test
    void large_changes_are_handed_over_as_a_file() throws IOException {
      TaskId id = assign("large");
      delegations.serve();
      Files.writeString(placeOf(id).resolve("large.txt"), "0123456789\n".repeat(10_000));
      complete(id);
      delegations.serve();
      assertThat(of(id, "DIFF").get(0).isInline()).isFalse();
      assertThat(only(id, "DIFF")).contains("+++ b/large.txt").hasLineCount(10_006);
    }

    @Test
    void what_was_collected_before_a_crash_is_not_collected_again() throws IOException {
      TaskId id = assign("one");
      delegations.serve();
      Delegation given = now(id);
      Files.writeString(placeOf(id).resolve("new.txt"), "new\n");
      complete(id);
      delegations.serve();
      // As if the process had died between the artifacts and the report.
      given(tx -> tx.delegations().put(given));
      given(tx -> tx.delegations().moved(given));
      Files.writeString(placeOf(id).resolve("later.txt"), "later\n");
      delegations.serve();
      assertThat(now(id).status()).isEqualTo(Status.REPORTED);
      assertThat(only(id, "BRANCH")).isEqualTo("mainstay/T-001");
      assertThat(only(id, "DIFF")).contains("new.txt").doesNotContain("later.txt");
    }

    @Test
    void a_worktree_that_is_gone_keeps_nobody_from_being_told() throws IOException {
      TaskId id = assign("one");
      delegations.serve();
      git(shop, "worktree", "remove", "--force", placeOf(id).toString());
      complete(id);
      delegations.serve();
      assertThat(now(id).status()).isEqualTo(Status.REPORTED);
      assertThat(new Inbox(store).list("lead", Inbox.Filter.ALL, 0, 10).get(0).text())
          .contains("could not be collected", "worktree T-001 is gone");
    }

    @Test
    void another_worker_goes_on_in_the_worktree_of_one_that_is_over() throws IOException {
      TaskId id = assign("one");
      delegations.serve();
      Files.writeString(placeOf(id).resolve("half.txt"), "half\n");
      given(
          tx ->
              tx.terminals()
                  .stands(
                      "developer-1",
                      new Seat.Standing(Seat.Status.CRASHED, null, 1, tx.now(), List.of())));
      clock.advance(Duration.ofHours(1));
      new Leases(store).expire();
      delegations.serve();
      assertThat(now(id).standing().terminal()).isEqualTo("developer-2");
      assertThat(placeOf(id).resolve("half.txt")).exists();
      complete(id);
      delegations.serve();
      assertThat(only(id, "DIFF")).contains("half.txt");
    }

    @Test
    void a_terminal_that_was_started_and_never_told_is_used_and_a_place_is_nobody_elses() {
      TaskId apart = assign("apart");
      launched(LaunchOrder.of("developer", placeOf(apart)));
      var plain = NewDelegation.of(NewTask.titled("plain"), "developer").in(null, shop);
      TaskId other = delegations.assign(plain, LEAD).task();
      delegations.serve();
      assertThat(now(apart).standing().terminal()).isEqualTo("developer-1");
      assertThat(now(other).standing().terminal()).isEqualTo("developer-2");
      complete(apart);
      complete(other);
      delegations.serve();
      TaskId again = delegations.assign(plain, LEAD).task();
      delegations.serve();
      assertThat(now(again).standing().terminal()).isEqualTo("developer-2");
    }

    @Test
    void a_repository_without_a_commit_and_a_plain_folder_are_refused_at_once() throws IOException {
      Path empty = Files.createDirectories(temp.toRealPath().resolve("empty"));
      var wanted = NewDelegation.of(NewTask.titled("x"), "developer").in(null, empty).apart(true);
      assertThatThrownBy(() -> delegations.assign(wanted, LEAD))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("git repository");
      git(empty, "init", "-q", ".");
      assertThatThrownBy(() -> delegations.assign(wanted, LEAD))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("no commit yet");
      assertThat(delegations.list(false, 0, 10)).isEmpty();
    }
  }
}
