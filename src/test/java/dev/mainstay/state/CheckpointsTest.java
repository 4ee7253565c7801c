package dev.mainstay.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Checkpoint;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.DossierDiff;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.Notebook.Section;
import dev.mainstay.domain.NotebookDelta;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.RunPhase;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.queue.NewTask;
import dev.mainstay.store.Databases;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.Tamper;
import dev.mainstay.upkeep.Rebuild;
import dev.mainstay.upkeep.Verification;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class CheckpointsTest {
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

  abstract static class Contract extends OnState {
    private TaskStates states;
    private Checkpoints checkpoints;
    private TimeTravel travel;

    Contract(Databases database) {
      super(database);
    }

    @BeforeEach
    void rooms() {
      states = new TaskStates(store);
      checkpoints = new Checkpoints(store);
      travel = new TimeTravel(store);
    }

    private void decide(String text) {
      notebooks.merge(ONE, NotebookDelta.of(Section.DECISIONS, text), BOT);
    }

    private List<String> decisions(Known known) {
      return known.dossier().notebook().texts(Section.DECISIONS);
    }

    @Test
    void every_earlier_moment_can_be_seen_by_place_entry_time_and_name() {
      decide("one");
      clock.advance(Duration.ofMinutes(1));
      Checkpoint saved = checkpoints.save(ONE, "first", BOT);
      clock.advance(Duration.ofMinutes(1));
      decide("two");
      JournalEntry last = notebooks.history(ONE, saved.number(), 10).get(0);
      for (Moment then :
          List.of(
              new Moment("first"),
              Moment.entry(saved.number()),
              Moment.seq(last.seq() - 1),
              Moment.time(saved.createdAt()))) {
        assertThat(decisions(travel.at(ONE, then))).as(then.named()).containsExactly("one");
      }
      assertThat(decisions(travel.at(ONE, Moment.seq(last.seq())))).containsExactly("one", "two");
      assertThat(decisions(travel.at(ONE, Moment.NOW))).containsExactly("one", "two");
      refused(Code.NOT_FOUND, () -> travel.at(ONE, Moment.seq(0)), "did not exist");
      refused(Code.NOT_FOUND, () -> travel.at(ONE, Moment.entry(99)), "#99");
      refused(Code.NOT_FOUND, () -> travel.at(ONE, new Moment("never")), "checkpoint list");
      refused(Code.INVALID, () -> travel.at(ONE, new Moment("2026-13-45")), "not a time");
    }

    @Test
    void the_difference_of_two_moments_names_what_went_and_what_came() {
      decide("one");
      states.setPlan(ONE, List.of("a"), BOT);
      checkpoints.save(ONE, "before", BOT);
      states.moveStep(ONE, 0, StepStatus.DONE, null, BOT);
      decide("two");
      var changes = travel.diff(ONE, new Moment("before"), Moment.NOW).changes();
      assertThat(changes)
          .containsOnlyKeys("plan", "decisions")
          .containsEntry("plan", new DossierDiff.Change(List.of("[todo] a"), List.of("[done] a")))
          .containsEntry("decisions", new DossierDiff.Change(List.of(), List.of("two")));
    }

    @Test
    void a_checkpoint_keeps_its_place_and_its_name() {
      Checkpoint saved = checkpoints.save(ONE, "first", BOT);
      refused(Code.CONFLICT, () -> checkpoints.save(ONE, "first", ADA), "another name");
      refused(Code.INVALID, () -> checkpoints.save(ONE, "12", ADA), "letter");
      refused(Code.INVALID, () -> checkpoints.save(ONE, "now", ADA), "now");
      Checkpoint unnamed = checkpoints.save(ONE, null, BOT.withKey("k"));
      assertThat(checkpoints.save(ONE, null, BOT.withKey("k"))).isEqualTo(unnamed);
      assertThat(unnamed.name()).isEqualTo("entry-3");
      assertThat(checkpoints.list(ONE)).containsExactly(saved, unnamed);
    }

    @Test
    void going_back_is_a_new_event_and_can_itself_be_undone() {
      decide("one");
      checkpoints.save(ONE, "first", BOT);
      decide("two");
      Dossier before = notebooks.known(ONE).dossier();
      Receipt back = checkpoints.restore(ONE, new Moment("first"), BOT);
      assertThat(decisions(notebooks.known(ONE))).containsExactly("one");
      assertThat(checkpoints.restore(ONE, new Moment("first"), BOT).isChange()).isFalse();
      checkpoints.restore(ONE, Moment.entry(back.number() - 1), BOT);
      assertThat(notebooks.known(ONE).dossier()).isEqualTo(before);
    }

    @Test
    void going_back_changes_no_goal_and_loses_no_binding_order_and_nothing_observed() {
      states.addDirective(ONE, "old order", true, ADA);
      states.addDirective(ONE, "hint", false, BOT);
      checkpoints.save(ONE, "first", BOT);
      states.liftDirective(ONE, "old order", ADA);
      states.addDirective(ONE, "new order", true, ADA);
      states.addDirective(ONE, "later hint", false, BOT);
      states.start(ONE, "goal", List.of(), BOT);
      states.noteActions(ONE, "read", BOT);
      checkpoints.restore(ONE, new Moment("first"), BOT);
      var state = states.load(ONE);
      assertThat(state.run().goal()).isEqualTo("goal");
      assertThat(state.trail().actions()).containsExactly("read");
      assertThat(state.directives().items().stream().map(d -> d.text()))
          .containsExactly("hint", "new order");
      checkpoints.save(ONE, "under goal", BOT);
      states.end(ONE, RunPhase.ABANDONED, "", ADA);
      states.start(ONE, "another", List.of(), ADA);
      refused(
          Code.CONFLICT,
          () -> checkpoints.restore(ONE, new Moment("under goal"), ADA),
          "another goal",
          "fork");
    }

    @Test
    void a_fork_of_an_earlier_moment_is_no_way_around_a_binding_order() {
      states.start(ONE, "goal", List.of(), BOT);
      checkpoints.save(ONE, "before", BOT);
      states.addDirective(ONE, "do not touch the API", true, ADA);
      Task fork = checkpoints.fork(ONE, new Moment("before"), null, BOT);
      assertThat(states.load(fork.id()).directives().binding())
          .extracting(order -> order.text())
          .containsExactly("do not touch the API");
    }

    @Test
    void a_fork_knows_what_its_origin_knew_and_goes_its_own_way() {
      states.start(ONE, "goal", List.of(), BOT);
      decide("one");
      checkpoints.save(ONE, "first", BOT);
      decide("two");
      Task fork = checkpoints.fork(ONE, new Moment("first"), "another way", BOT.withKey("f"));
      assertThat(checkpoints.fork(ONE, new Moment("first"), "another way", BOT.withKey("f")))
          .isEqualTo(fork);
      assertThat(fork.links().parent()).as("it is no part of the other").isNull();
      assertThat(fork.title()).isEqualTo("another way");
      assertThat(decisions(notebooks.known(fork.id()))).containsExactly("one");
      notebooks.merge(fork.id(), NotebookDelta.of(Section.DECISIONS, "three"), BOT);
      assertThat(decisions(notebooks.known(ONE))).containsExactly("one", "two");
      assertThat(states.load(fork.id()).run().goal()).isEqualTo("goal");
      var first = notebooks.history(fork.id(), 0, 10).get(0);
      assertThat(first.content().kind()).isEqualTo("dossier.forked");
      assertThat(first.content().payload()).contains("\"from\":\"T-001\"");
    }

    @Test
    void a_long_history_is_snapshotted_and_every_moment_of_it_is_right() {
      List<Dossier> at = new ArrayList<>(List.of(Dossier.EMPTY));
      store.inTransaction(
          Once.unkeyed(),
          tx -> {
            for (int i = 1; i <= 2_100; i++) {
              var before = tx.dossiers().get(ONE);
              var delta = NotebookDelta.of(Section.HISTORY, "turn " + i);
              var events = before.dossier().notebook().merge(delta);
              at.add(tx.dossiers().record(ONE, before, events, BOT).dossier());
            }
            return 0;
          });
      List<Long> numbers = store.reading(tx -> tx.snapshots().numbers(ONE.stream()));
      assertThat(numbers).containsExactly(1_000L, 2_000L);
      for (int number : List.of(1, 2, 999, 1_000, 1_001, 1_500, 2_000, 2_001, 2_101)) {
        assertThat(travel.at(ONE, Moment.entry(number)).dossier()).isEqualTo(at.get(number - 1));
      }
    }

    @Test
    void damaged_rows_are_found_and_a_rebuild_makes_them_right() {
      decide("one");
      checkpoints.save(ONE, "first", BOT);
      states.start(ONE, "goal", List.of(), BOT);
      TaskId two = tasks.create(NewTask.titled("two"), ADA).id();
      notebooks.merge(two, NotebookDelta.of(Section.GOALS, "mine"), ADA);
      Dossier right = notebooks.known(ONE).dossier();
      Tamper.with(store, "UPDATE dossiers SET number = number + 5 WHERE task_id = 'T-001'");
      Tamper.with(store, "DELETE FROM dossiers WHERE task_id = 'T-002'");
      Tamper.with(store, "UPDATE checkpoints SET number = 1");
      assertThat(Verification.of(store).findings().stream().map(f -> f.where()).distinct())
          .containsExactlyInAnyOrder("dossiers.T-001", "checkpoints.T-001", "dossiers.T-002");
      StoreAddress target = database().fresh();
      Rebuild.into(store, target);
      store.close();
      store = open(target);
      assertThat(new Notebooks(store).known(ONE).dossier()).isEqualTo(right);
      assertThat(new Checkpoints(store).list(ONE)).hasSize(1);
      try (Store again = open(target)) {
        assertThat(new Notebooks(again).load(two).texts(Section.GOALS)).containsExactly("mine");
      }
    }
  }
}
