package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests that lie in the spool, and what those who ask for them are told. */
class DeskTest {
  @TempDir Path temp;
  private Spool spool;
  private final OnSocket.Echo echo = new OnSocket.Echo("");

  @BeforeEach
  void make_the_spool() throws Exception {
    spool = new Spool(temp.resolve("spool"));
    spool.prepare();
  }

  private void put(String name, String... args) throws Exception {
    String text =
        String.join("\0", "mainstay-1", "jar", "/folder", "no", "" + args.length)
            + "\0"
            + String.join("\0", args)
            + "\0USER=ada\0\0input\0mainstay-end";
    Files.writeString(temp.resolve("spool").resolve(name), text);
  }

  private static String askOnce(Desk desk, String name) throws Exception {
    return new String(desk.answer(name), StandardCharsets.UTF_8);
  }

  /** As the launcher does: until there is an answer. */
  private static String ask(Desk desk, String name) throws Exception {
    String answer = askOnce(desk, name);
    while (answer.equals("wait\n.")) answer = askOnce(desk, name);
    return answer;
  }

  @Test
  void who_asks_while_it_is_under_way_is_told_to_wait_and_then_how_it_ended() throws Exception {
    CountDownLatch may = new CountDownLatch(1);
    Desk.Performer slow =
        new OnSocket.Echo("") {
          @Override
          public Desk.Done perform(Request request) {
            try {
              may.await();
            } catch (InterruptedException told) {
              throw new IllegalStateException(told);
            }
            return super.perform(request);
          }
        };
    put("run-1", "task", "list");
    try (Desk desk = new Desk(spool, slow)) {
      assertThat(askOnce(desk, "run-1")).isEqualTo("wait\n.");
      byte[] wait = desk.answer("run-1");
      assertThat(wait).asString().isEqualTo("wait\n.");
      may.countDown();
      assertThat(ask(desk, "run-1")).isEqualTo("done 0\nrun-1[task, list].");
      desk.delivered("run-1", wait); // it ended while this was on its way
      assertThat(ask(desk, "run-1")).isEqualTo("done 0\nrun-1[task, list].");
    }
    assertThat(((OnSocket.Echo) slow).args()).hasSize(1);
  }

  @Test
  void a_request_is_performed_once_however_often_it_is_asked_for() throws Exception {
    put("run-1", "task", "list");
    try (Desk desk = new Desk(spool, echo)) {
      assertThat(ask(desk, "run-1")).startsWith("done 0");
      assertThat(ask(desk, "run-1")).as("its first answer was lost").startsWith("done 0");
      desk.delivered("run-1", desk.answer("run-1"));
      assertThat(ask(desk, "run-1")).as("written, and not read").startsWith("done 0");
      for (int i = 2; i <= Desk.TOLD_MAX + 1; i++) {
        put("run-" + i, "task", "show", "" + i);
        ask(desk, "run-" + i);
        desk.delivered("run-" + i, desk.answer("run-" + i));
      }
      assertThat(ask(desk, "run-1")).as("long ago").isEqualTo("no\n.");
      assertThat(ask(desk, "run-2")).startsWith("done 0");
    }
    assertThat(echo.args()).hasSize(Desk.TOLD_MAX + 1);
  }

  @Test
  void another_request_of_a_name_that_was_told_is_performed() throws Exception {
    put("run-1", "task", "list");
    try (Desk desk = new Desk(spool, echo)) {
      ask(desk, "run-1");
      desk.delivered("run-1", desk.answer("run-1"));
      put("run-1", "task", "show");
      assertThat(ask(desk, "run-1")).isEqualTo("done 0\nrun-1[task, show].");
    }
  }

  /** Its store is locked at first. */
  private static final class LeftOnce extends OnSocket.Echo {
    private final AtomicBoolean left = new AtomicBoolean();

    LeftOnce() {
      super("");
    }

    @Override
    public Desk.Done perform(Request request) {
      if (!left.compareAndSet(false, true)) return super.perform(request);
      return new Desk.Done(HookDoor.LEFT, "", "");
    }

    boolean wasLeft() {
      return left.get();
    }
  }

  @Test
  void an_event_that_had_to_be_left_is_heard_when_the_desk_is_drained_again() throws Exception {
    LeftOnce stuckOnce = new LeftOnce();
    put("hook-1", "hook", "PostToolUse");
    Path hook = temp.resolve("spool/hook-1");
    try (Desk desk = new Desk(spool, stuckOnce)) {
      desk.delivered("hook-1", desk.answer("hook-1"));
      OnSocket.await(() -> stuckOnce.wasLeft() && Files.exists(hook));
      assertThat(stuckOnce.args()).isEmpty();
      Files.setLastModifiedTime(hook, FileTime.from(Instant.now().minusSeconds(5)));
      OnSocket.await(
          () -> {
            desk.drain();
            return !stuckOnce.args().isEmpty();
          });
    }
    assertThat(stuckOnce.args()).containsExactly(List.of("hook", "PostToolUse"));
  }

  @Test
  void who_is_kept_from_its_store_does_not_try_the_events_that_wait_before_each_other_one()
      throws Exception {
    OnSocket.Echo stuck =
        new OnSocket.Echo("") {
          @Override
          public boolean isStuck() {
            return true;
          }
        };
    put("hook-1", "hook", "PostToolUse");
    Path first = temp.resolve("spool/hook-1");
    Files.setLastModifiedTime(first, FileTime.from(Instant.now().minusSeconds(5)));
    put("hook-2", "hook", "PreCompact");
    try (Desk desk = new Desk(spool, stuck)) {
      desk.drain();
      OnSocket.await(() -> askOnce(desk, "hook-2").startsWith("done 0"));
    }
    assertThat(stuck.args()).containsExactly(List.of("hook", "PreCompact"));
    assertThat(first).exists();
  }

  @Test
  void two_desks_do_not_perform_the_same_request() throws Exception {
    put("run-1", "task", "list");
    try (Desk one = new Desk(spool, echo);
        Desk other = new Desk(spool, echo)) {
      assertThat(List.of(ask(one, "run-1"), ask(other, "run-1")))
          .containsExactly("done 0\nrun-1[task, list].", "no\n.");
    }
  }

  @Test
  void what_is_not_there_not_whole_or_not_ours_is_declined() throws Exception {
    Files.writeString(temp.resolve("spool/run-2"), "mainstay-1\0jar\0/folder\0no\0" + "2\0task\0");
    Files.writeString(
        temp.resolve("spool/run-3"), "mainstay-2\0jar\0/f\0no\0" + "0\0\0\0mainstay-end");
    try (Desk desk = new Desk(spool, echo)) {
      for (String name : List.of("run-1", "run-2", "run-3", "x", "hook-1.2")) {
        assertThat(ask(desk, name)).as(name).isEqualTo("no\n.");
      }
    }
    assertThat(echo.args()).isEmpty();
  }

  @Test
  void only_events_are_performed_without_being_asked_for() throws Exception {
    put("run-1", "task", "complete", "T-001");
    put("hook-1", "hook", "PostToolUse");
    put("hook-2", "hook", "Stop");
    for (String name : List.of("run-1", "hook-1")) {
      Files.setLastModifiedTime(
          temp.resolve("spool").resolve(name), FileTime.from(Instant.now().minusSeconds(5)));
    }
    Files.setLastModifiedTime(
        temp.resolve("spool/hook-2"), FileTime.from(Instant.now().plusSeconds(60)));

    try (Desk desk = new Desk(spool, echo)) {
      desk.drain();
    }

    assertThat(echo.args())
        .as("the newest may be under way")
        .containsExactly(List.of("hook", "PostToolUse"));
  }

  @Test
  void an_event_that_was_just_put_down_is_heard_before_it_is_asked_for_and_once() throws Exception {
    put("hook-1", "hook", "PostToolUse");
    try (Desk desk = new Desk(spool, echo)) {
      desk.foresee("hook-1");
      OnSocket.await(() -> echo.args().size() == 1);
      OnSocket.await(() -> !Files.exists(temp.resolve("spool/hook-1")));
      assertThat(ask(desk, "hook-1")).isEqualTo("done 0\nhook-1[hook, PostToolUse].");
      desk.delivered("hook-1", desk.answer("hook-1"));
      desk.foresee("hook-1");
    }
    assertThat(echo.args()).hasSize(1);
  }

  @Test
  void what_is_half_written_old_behind_others_or_a_question_is_left_until_it_is_asked_for()
      throws Exception {
    put("hook-1", "hook", "PostToolUse");
    put("hook-2", "hook", "PostToolUse");
    put("run-3", "task", "list");
    Path first = temp.resolve("spool/hook-1");
    Files.setLastModifiedTime(first, FileTime.from(Instant.now().minusSeconds(5)));
    try (Desk desk = new Desk(spool, echo)) {
      for (String name : List.of("hook-1", "hook-2", "run-3")) desk.foresee(name);
      Files.delete(first);
      Files.delete(temp.resolve("spool/hook-2"));
      put("hook-4", "hook", "UserPromptSubmit");
      desk.foresee("hook-4");
      Files.delete(temp.resolve("spool/hook-4"));
      String half = "mainstay-1\0jar\0/folder\0no\0" + "2\0hook\0PostToolUse\0\0{";
      Files.writeString(temp.resolve("spool/hook-5"), half);
      Files.createSymbolicLink(temp.resolve("spool/hook-6"), temp.resolve("spool/hook-5"));
      for (String name : List.of("hook-5", "hook-6", "hook-7", "../x")) desk.foresee(name);
    }
    assertThat(echo.args()).isEmpty();
  }

  @Test
  void while_one_is_under_way_that_nobody_asked_for_no_other_is_begun_early() throws Exception {
    CountDownLatch may = new CountDownLatch(1);
    OnSocket.Echo slow =
        new OnSocket.Echo("") {
          @Override
          public Desk.Done perform(Request request) {
            Desk.Done done = super.perform(request);
            try {
              may.await();
            } catch (InterruptedException told) {
              throw new IllegalStateException(told);
            }
            return done;
          }
        };
    put("hook-1", "hook", "PostToolUse");
    try (Desk desk = new Desk(spool, slow)) {
      desk.foresee("hook-1");
      OnSocket.await(() -> !Files.exists(temp.resolve("spool/hook-1")));
      put("hook-2", "hook", "SessionEnd");
      desk.foresee("hook-2");
      assertThat(temp.resolve("spool/hook-2")).exists();
      may.countDown();
      assertThat(ask(desk, "hook-1")).startsWith("done 0");
      desk.foresee("hook-2");
      OnSocket.await(() -> slow.args().size() == 2);
    }
    assertThat(slow.args())
        .containsExactly(List.of("hook", "PostToolUse"), List.of("hook", "SessionEnd"));
  }

  @Test
  void launcher_and_owner_agree_on_which_events_need_no_answer() throws Exception {
    String part = Files.readString(Path.of("src/main/sh/ask.sh"));
    String list = part.substring(part.indexOf("only_tells() {"));
    String names = list.substring(list.indexOf(" in\n") + 4, list.indexOf(") return 0"));
    assertThat(names.split("[|\\\\\\s]+"))
        .filteredOn(name -> !name.isEmpty())
        .containsExactlyInAnyOrderElementsOf(Request.TELLING);
  }
}
