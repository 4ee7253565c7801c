package dev.mainstay.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Delegation;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Message;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.Seat;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.Terminal;
import dev.mainstay.queue.Artifacts;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.store.Databases;
import dev.mainstay.store.OnDatabase;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.terminal.Inbox.Filter;
import dev.mainstay.workspace.DiskArtifacts;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** What tests of delegations begin with: a caller in a window, and agents that start at once. */
abstract class OnDelegations extends OnDatabase {
  static final String HOST = "here";
  static final Call LEAD = Call.by(Actor.agent("lead"), "test");

  @TempDir Path folder;
  Delegations delegations;

  /** Why nothing is started; null while it is. */
  final AtomicReference<@Nullable Refusal> refusal = new AtomicReference<>();

  private final AtomicInteger started = new AtomicInteger();

  OnDelegations(Databases database) {
    super(database);
  }

  @BeforeEach
  void lead() {
    delegations = delegations(store, 3);
    seat(store, "lead", "code_supervisor", new Seat.Window(HOST, "s", "shop", "lead"), "/shop");
  }

  Delegations delegations(Store of, int terminalsMax) {
    return new Delegations(
        of,
        new Starting(of),
        places(),
        new Artifacts(of, DiskArtifacts.anywhere(of, folder)),
        new Delegations.Setting(HOST, folder, terminalsMax));
  }

  WorkPlaces places() {
    return new NoPlaces();
  }

  /** Starts agents that are ready at once, and ends them likewise. */
  private final class Starting implements Launching {
    private final Store of;

    private Starting(Store of) {
      this.of = of;
    }

    @Override
    public Terminal launch(LaunchOrder order, Call call) {
      return OnDelegations.this.launch(of, order, call);
    }

    @Override
    public boolean retire(String terminal, Call call) {
      stands(terminal, Seat.Status.STOPPED, "it was done");
      return true;
    }
  }

  private Terminal launch(Store of, LaunchOrder order, Call call) {
    Refusal no = refusal.get();
    if (no != null) throw no;
    String id = order.profile() + "-" + started.incrementAndGet();
    var window = new Seat.Window(HOST, "s", order.where().session(), id);
    assertThat(call.actor().isAgent() || call.actor().isPerson()).isTrue();
    return seat(of, id, order.profile(), window, order.where().folder().toString());
  }

  Terminal seat(Store of, String id, String profile, Seat.Window window, String in) {
    return of.inTransaction(
        Once.unkeyed(),
        tx -> {
          tx.terminals().put(id, "shell", profile);
          var begin = new Seat.Begin(in, null, null, List.of());
          var standing = new Seat.Standing(Seat.Status.READY, null, null, tx.now(), List.of());
          tx.terminals().seat(id, new Seat(window, begin, standing), null);
          return tx.terminals().get(id);
        });
  }

  int launched() {
    return started.get();
  }

  void stands(String id, Seat.Status status, @Nullable String why, String... lines) {
    given(
        tx ->
            tx.terminals()
                .stands(id, new Seat.Standing(status, why, null, tx.now(), List.of(lines))));
  }

  /** By the lead, of a developer. */
  Delegation assign(String title) {
    return assign(NewTask.titled(title));
  }

  Delegation assign(NewTask task) {
    return delegations.assign(NewDelegation.of(task, "developer"), LEAD);
  }

  Delegation now(TaskId task) {
    return delegations.show(task).delegation();
  }

  @Nullable String worker(TaskId task) {
    return now(task).standing().terminal();
  }

  Task task(TaskId id) {
    return new Tasks(store).show(id);
  }

  void complete(TaskId id, String result) {
    Call by = Call.by(Actor.agent(String.valueOf(worker(id))), "test");
    new Leases(store)
        .complete(id, JsonObject.of("summary", result), by.withFence(task(id).fence()));
  }

  /** What a terminal was told, oldest first. */
  List<String> told(String terminal) {
    return new Inbox(store).list(terminal, Filter.ALL, 0, 100).stream().map(Message::text).toList();
  }

  static void refused(Code code, ThrowingCallable call, String... words) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            Refusal.class,
            no -> {
              assertThat(no.code()).isEqualTo(code);
              for (String word : words) assertThat(no.sentence()).contains(word);
            });
  }
}
