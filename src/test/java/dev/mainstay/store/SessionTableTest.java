package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.AgentSession;
import dev.mainstay.domain.AgentSession.Bond;
import dev.mainstay.domain.AgentSession.Host;
import dev.mainstay.domain.AgentSession.Place;
import dev.mainstay.domain.AgentSession.Seen;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task.Brief;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class SessionTableTest {
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
    private static final TaskId ONE = TaskId.of(1);
    private static final TaskId TWO = TaskId.of(2);
    private static final Place HERE = new Place("/src/größe", "main");
    private static final JsonObject FUSE =
        JsonObject.copyOf(Map.of("last", List.of("a", "✓ 😀"), "count", 2));

    Contract(Databases database) {
      super(database);
    }

    @BeforeEach
    void twoTasks() {
      for (int i = 0; i < 2; i++) {
        given(
            tx -> {
              var brief = new Brief("t", "", TaskType.CODE, 0, JsonObject.EMPTY);
              var created = new TaskEvent.Created(brief, null, null, List.of());
              tx.tasks().create(tx.tasks().nextId(), created, 0, ADA);
            });
      }
    }

    private AgentSession session(String id, @Nullable Bond bond) {
      return new AgentSession(
          id,
          new Host("bot", "host-" + id, null),
          HERE,
          bond,
          new Seen(clock.instant(), clock.instant(), FUSE));
    }

    private AgentSession inserted(AgentSession session) {
      given(tx -> tx.sessions().insert(session));
      return session;
    }

    private AgentSession on(String id, TaskId task) {
      return inserted(session(id, new Bond(task, 1L)));
    }

    private AgentSession get(String id) {
      return store.reading(tx -> tx.sessions().get(id));
    }

    private Optional<AgentSession> find(Host host) {
      return store.reading(tx -> tx.sessions().find(host));
    }

    private Optional<AgentSession> working(String agent, Place place) {
      return store.reading(tx -> tx.sessions().working(agent, place));
    }

    private Optional<AgentSession> newestOn(TaskId task) {
      return store.reading(tx -> tx.sessions().newestOn(task));
    }

    private void run(String sql) {
      given(tx -> tx.sql(sql).update());
    }

    @Test
    void a_session_comes_back_as_it_was_kept() {
      run("INSERT INTO terminals (id, provider) VALUES ('tty1', 'tmux')");
      AgentSession free = inserted(session("a", null));
      AgentSession watching = inserted(session("b", new Bond(ONE, null)));
      AgentSession holding =
          inserted(
              new AgentSession(
                  "c",
                  new Host("bot", "h", "tty1"),
                  new Place("/src", ""),
                  new Bond(ONE, 3_000_000_000L),
                  new Seen(clock.instant(), clock.instant().plusSeconds(1), JsonObject.EMPTY)));
      for (AgentSession kept : List.of(free, watching, holding)) {
        assertThat(get(kept.id())).isEqualTo(kept);
        assertThat(find(kept.host())).contains(kept);
      }
    }

    @Test
    void an_unknown_session_is_refused_as_not_found() {
      assertThatThrownBy(() -> get("a"))
          .isInstanceOfSatisfying(
              Refusal.class, r -> assertThat(r.code()).isEqualTo(Refusal.Code.NOT_FOUND))
          .hasMessageContaining("no session a");
    }

    @Test
    void a_session_is_found_by_agent_and_host_session_together() {
      AgentSession kept = inserted(session("a", null));
      assertThat(find(new Host("bot", "host-a", "elsewhere"))).contains(kept);
      assertThat(find(new Host("bot", "host-b", null))).isEmpty();
      assertThat(find(new Host("other", "host-a", null))).isEmpty();
    }

    @Test
    void an_update_changes_where_and_on_what_but_not_who_and_since_when() {
      run("INSERT INTO terminals (id, provider) VALUES ('tty1', 'tmux')");
      AgentSession kept = inserted(session("a", null));
      AgentSession other = inserted(session("b", null));
      clock.advance(Duration.ofSeconds(9));
      var place = new Place("/elsewhere", "fix");
      var seen = new Seen(clock.instant(), clock.instant(), JsonObject.EMPTY);
      var moved = new AgentSession("a", new Host("x", "y", "tty1"), place, new Bond(TWO, 4L), seen);
      given(tx -> tx.sessions().update(moved));
      var since = new Seen(kept.seen().startedAt(), clock.instant(), JsonObject.EMPTY);
      assertThat(get("a"))
          .isEqualTo(
              new AgentSession(
                  "a", new Host("bot", "host-a", "tty1"), place, new Bond(TWO, 4L), since));
      given(tx -> tx.sessions().update(moved.bound(null)));
      assertThat(get("a").bond()).isNull();
      assertThat(get("b")).isEqualTo(other);
    }

    @Test
    void the_last_seen_session_of_an_agent_in_a_place_is_the_one_at_work() {
      on("a", ONE);
      clock.advance(Duration.ofSeconds(1));
      AgentSession newer = on("b", ONE);
      clock.advance(Duration.ofSeconds(1));
      inserted(session("c", null));
      assertThat(working("bot", HERE)).contains(newer);
      assertThat(working("other", HERE)).isEmpty();
      assertThat(working("bot", new Place(HERE.worktree(), "fix"))).isEmpty();
      assertThat(working("bot", new Place("/elsewhere", HERE.branch()))).isEmpty();
    }

    @Test
    void of_sessions_seen_at_once_the_one_on_the_newer_task_is_at_work() {
      AgentSession newer = on("a", TWO);
      on("b", ONE);
      assertThat(working("bot", HERE)).contains(newer);
    }

    @Test
    void nobody_is_at_work_on_a_task_that_has_ended() {
      AgentSession older = on("a", ONE);
      clock.advance(Duration.ofSeconds(1));
      on("b", TWO);
      for (String end :
          List.of(
              "status = 'CANCELLED'",
              "status = 'FAILED'",
              "status = 'COMPLETED', completed_at = updated_at")) {
        run("UPDATE tasks SET " + end + " WHERE id = 'T-002'");
        assertThat(working("bot", HERE)).as(end).contains(older);
      }
      for (String live : List.of("ASSIGNED", "IN_PROGRESS")) {
        run(
            "UPDATE tasks SET completed_at = NULL, lease_holder = 'bot', lease_until = updated_at,"
                + " status = '"
                + live
                + "' WHERE id = 'T-002'");
        assertThat(working("bot", HERE).orElseThrow().id()).as(live).isEqualTo("b");
      }
    }

    @Test
    void the_last_seen_session_on_a_task_is_found_whoever_and_wherever_it_is() {
      AgentSession first = on("b", ONE);
      on("c", ONE);
      assertThat(newestOn(ONE)).contains(first);
      clock.advance(Duration.ofSeconds(1));
      var host = new Host("other", "h", null);
      var seen = new Seen(clock.instant(), clock.instant(), FUSE);
      var away = new AgentSession("d", host, new Place("/away", ""), new Bond(ONE, null), seen);
      inserted(away);
      assertThat(newestOn(ONE)).contains(away);
      given(tx -> tx.sessions().update(first.seen(clock.instant().plusSeconds(1), FUSE)));
      assertThat(newestOn(ONE).orElseThrow().id()).isEqualTo("b");
      assertThat(newestOn(TWO)).isEmpty();
    }

    @Test
    void who_opens_under_the_lock_sees_what_the_one_before_opened() throws Exception {
      List<String> ids =
          Both.atOnce(
              6,
              () ->
                  store.inTransaction(
                      Once.<String>unkeyed(),
                      tx -> {
                        tx.sessions().lockOpening();
                        var there = tx.sessions().working("bot", HERE);
                        if (there.isPresent()) return "found";
                        tx.sessions().insert(session("a", new Bond(ONE, 1L)));
                        return "opened";
                      }));
      assertThat(ids).filteredOn("opened"::equals).hasSize(1);
      assertThat(ids).filteredOn("found"::equals).hasSize(5);
    }

    @Test
    void the_table_itself_keeps_a_session_once_and_refuses_what_points_nowhere() {
      AgentSession kept = inserted(session("a", null));
      var again = new AgentSession("b", kept.host(), HERE, null, kept.seen());
      var same = new AgentSession("a", new Host("bot", "h", null), HERE, null, kept.seen());
      for (AgentSession bad : List.of(again, same, session("b", new Bond(TaskId.of(9), 1L)))) {
        assertThatThrownBy(() -> inserted(bad))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("constraint");
      }
      var elsewhere = new Host("other", "host-a", null);
      inserted(new AgentSession("b", elsewhere, HERE, null, kept.seen()));
      assertThat(get("a")).isEqualTo(kept);
    }

    @Test
    void a_session_outlives_its_task_and_its_terminal() {
      run("INSERT INTO terminals (id, provider) VALUES ('tty1', 'tmux')");
      var host = new Host("bot", "h", "tty1");
      var seen = new Seen(clock.instant(), clock.instant(), FUSE);
      inserted(new AgentSession("a", host, HERE, new Bond(ONE, 1L), seen));
      run("DELETE FROM tasks WHERE id = 'T-001'");
      run("DELETE FROM terminals WHERE id = 'tty1'");
      assertThat(get("a"))
          .isEqualTo(new AgentSession("a", new Host("bot", "h", null), HERE, null, seen));
      assertThat(newestOn(ONE)).isEmpty();
    }
  }
}
