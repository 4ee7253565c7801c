package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
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
      assertThat(askOnce(desk, "run-1")).isEqualTo("wait\n.");
      may.countDown();
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
      desk.delivered("run-1");
      assertThat(ask(desk, "run-1")).isEqualTo("no\n.");
    }
    assertThat(echo.args()).hasSize(1);
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
}
