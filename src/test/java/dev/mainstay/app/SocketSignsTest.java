package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Signs of life of the socket's owner, late ones and missing ones, and its end. */
class SocketSignsTest extends OnSocket {
  /** Takes the next event at once, and has its answer when it is asked for again. */
  private void beLate() throws Exception {
    hang();
    Thread busy =
        new Thread(
            () -> {
              try {
                SocketChannel first = server.accept();
                String name = spooled().get(0);
                spool().take(name);
                SocketChannel again = server.accept();
                again.read(ByteBuffer.allocate(4096));
                byte[] body = new Desk.Done(0, "at last", "").answer(name);
                String head = "HTTP/1.1 200 OK\r\nContent-Length: " + body.length + "\r\n\r\n";
                again.write(ByteBuffer.wrap(head.getBytes(StandardCharsets.UTF_8)));
                again.write(ByteBuffer.wrap(body));
                again.close();
                first.close();
              } catch (IOException closed) {
                assertThat(server.isOpen()).isFalse();
              }
            });
    busy.start();
  }

  @Test
  void an_owner_that_took_an_event_and_is_late_is_asked_once_more() throws Exception {
    bePatient(2);
    beLate();
    assertThat(run(folder, "{}", "hook", "SessionStart")).isEqualTo(new Run(0, "at last", ""));

    beLate();
    assertThat(run(folder, "{}", "hook", "PostToolUse")).isEqualTo(new Run(0, "", ""));
  }

  private String examined() {
    return SocketState.examine(project()).get(0).found();
  }

  @Test
  void the_doctor_says_who_answers_and_what_waits() throws Exception {
    assertThat(examined()).startsWith("nobody answers");
    hang();
    run(folder, "{}", "hook", "PostToolUse");

    long here = ProcessHandle.current().pid();
    assertThat(examined())
        .isEqualTo(
            "process " + here + " listens and does not answer, version 1; 1 events of hooks wait");

    give_up();
    own(new Echo("owner"));
    await(() -> examined().equals("process " + here + " answers, version 1.2.3"));
  }

  @Test
  void the_doctor_does_not_take_a_stopped_process_for_one_that_answers() throws Exception {
    Process owner = SocketProcess.start(this);
    try {
      await(() -> SocketState.read(project()).isPresent());
      signal("STOP", owner);
      assertThat(examined()).contains("process " + owner.pid() + " listens and does not answer");
      signal("CONT", owner);
      await(() -> examined().contains("process " + owner.pid() + " answers"));
    } finally {
      owner.destroyForcibly();
      owner.waitFor();
    }
  }

  private static void signal(String name, Process to) throws Exception {
    new ProcessBuilder("kill", "-" + name, Long.toString(to.pid())).start().waitFor();
  }

  @Test
  void an_owner_that_never_ends_what_it_does_is_still_closed() throws Exception {
    hang();
    run(folder, "{}", "hook", "PostToolUse");
    age(spooled().get(0));
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    SocketOwner owner =
        SocketOwner.start(
            project(),
            env,
            build(),
            new Echo("") {
              @Override
              public Desk.Done perform(Request request) {
                begun.countDown();
                while (never.getCount() > 0) Thread.onSpinWait();
                return super.perform(request);
              }
            });
    begun.await();

    Thread closing = new Thread(owner::close);
    closing.start();
    closing.join(PATIENCE.toMillis());

    boolean closed = !closing.isAlive();
    boolean noted = SocketState.read(project()).isPresent();
    never.countDown();
    assertThat(closed).as("closed").isTrue();
    assertThat(noted).as("launchers are still sent there").isFalse();
  }
}
