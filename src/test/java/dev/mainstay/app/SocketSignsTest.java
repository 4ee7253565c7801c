package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mainstay.Pause;
import dev.mainstay.Standstill;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Signs of life of the socket's owner, late ones and missing ones, and its end. */
class SocketSignsTest extends OnSocket {
  /** Takes the next event at once and says nothing; counts those who ask. */
  private AtomicInteger takeInSilence() throws Exception {
    hang();
    AtomicInteger asks = new AtomicInteger();
    Thread silent =
        new Thread(
            () -> {
              try {
                while (true) {
                  closing(server.accept());
                  if (asks.getAndIncrement() == 0) spool().take(spooled().get(0));
                }
              } catch (IOException closed) {
                assertThat(server.isOpen()).isFalse();
              }
            });
    silent.start();
    return asks;
  }

  @ParameterizedTest
  @ValueSource(strings = {"SessionStart", "PostToolUse"})
  void an_owner_that_took_an_event_and_says_nothing_is_not_asked_again(String event)
      throws Exception {
    bePatient(1);
    Path part = lib.resolve("sh/ask.sh");
    // The owner is this very process, which always has something to do; that must not count.
    Files.writeString(part, Files.readString(part).replaceAll("LOOKS_MAX=[0-9]+", "LOOKS_MAX=0"));
    AtomicInteger asks = takeInSilence();

    assertThat(run(folder, "{}", "hook", event)).isEqualTo(new Run(0, "", ""));

    assertThat(asks).hasValue(1);
  }

  /** Or whoever looks again would have left when the sign comes. */
  @Test
  void a_sign_of_life_comes_before_those_who_ask_give_up() throws IOException {
    Matcher most =
        Pattern.compile("(?m)^(HOOK|LOOK)_SECONDS_MAX=([0-9.]+)")
            .matcher(Files.readString(lib.resolve("sh/ask.sh")));
    for (String each : List.of("HOOK", "LOOK")) {
      assertThat(most.find()).isTrue();
      assertThat(most.group(1)).isEqualTo(each);
      assertThat(Double.parseDouble(most.group(2)))
          .isGreaterThan(1.5 * Desk.SIGN_LIMIT.toMillis() / 1_000);
    }
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
      Standstill.begin(owner);
      assertThat(examined()).contains("process " + owner.pid() + " listens and does not answer");
      Standstill.end(owner);
      await(() -> examined().contains("process " + owner.pid() + " answers"));
    } finally {
      owner.destroyForcibly();
      owner.waitFor();
    }
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
                while (never.getCount() > 0) Pause.briefly();
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

  @Test
  void an_event_is_heard_when_its_last_word_is_written_and_not_only_when_it_is_asked_for()
      throws Exception {
    assumeThat(System.getProperty("os.name")).isEqualTo("Linux");
    Echo echo = new Echo("");
    own(echo);
    Path file = folder.resolve(".mainstay/spool/hook-1");

    String words = "mainstay-1\0jar\0/folder\0no\0" + "2\0hook\0PostToolUse\0\0";
    Files.writeString(file, words);
    Files.writeString(file, "\0mainstay-end", StandardOpenOption.APPEND);
    // What waits is heard after a while without being asked for, and this one will not be.
    try {
      Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(600)));
    } catch (NoSuchFileException heardAlready) {
      assertThat(file).doesNotExist();
    }

    await(() -> spooled().isEmpty());
    assertThat(echo.args()).containsExactly(List.of("hook", "PostToolUse"));
  }
}
