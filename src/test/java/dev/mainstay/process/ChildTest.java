package dev.mainstay.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ChildTest {
  @Test
  void a_child_is_told_and_heard_while_it_goes_on_and_ends_when_closed() throws IOException {
    Child child = Child.start(List.of("cat"), Set.of()).orElseThrow();
    ProcessHandle process = ProcessHandle.of(child.pid()).orElseThrow();
    var heard = new BufferedReader(new InputStreamReader(child.output(), StandardCharsets.UTF_8));
    for (String line : List.of("one", "two; exit")) {
      child.input().write((line + "\n").getBytes(StandardCharsets.UTF_8));
      child.input().flush();
      assertThat(heard.readLine()).isEqualTo(line);
    }
    child.close();
    process.onExit().join();
    assertThat(process.isAlive()).isFalse();
  }

  @Test
  void a_child_does_not_inherit_what_it_must_not() throws IOException {
    try (Child child =
        Child.start(List.of("sh", "-c", "echo ${HOME-none} oops >&2"), Set.of("HOME"))
            .orElseThrow()) {
      var said = new String(child.output().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(said).isEqualTo("none oops\n");
    }
  }

  @Test
  void a_program_that_is_not_installed_is_no_child() {
    assertThat(Child.start(List.of("mainstay-no-such-program"), Set.of())).isEmpty();
  }
}
