package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two agents that talk by commands; without a name the caller is the agent "codex". */
class InboxCliTest {
  @TempDir Path folder;

  @BeforeEach
  void terminals() {
    ok("", "terminal", "register", "dev-1");
    ok("", "terminal", "register", "dev-2");
  }

  private CliRun run(String input, String... args) {
    return CliRun.of(folder, input, args);
  }

  private CliRun as(String terminal, String... args) {
    return CliRun.of(folder, new byte[0], Map.of("MAINSTAY_TERMINAL", terminal), args);
  }

  private String ok(String input, String... args) {
    CliRun run = run(input, args);
    assertThat(run.code()).as(run.err()).isZero();
    return run.out();
  }

  @Test
  void a_list_takes_its_terminal_as_an_argument_or_by_as() {
    ok("", "inbox", "send", "dev-2", "The API is ready", "--as", "dev-1");
    assertThat(ok("", "inbox", "list", "--as", "dev-2")).contains("The API is ready");
    assertThat(ok("", "inbox", "list", "--as", "dev-1")).isEmpty();
    assertThat(run("", "inbox", "list", "dev-2", "--as", "dev-2").code()).isEqualTo(1);
  }

  @Test
  void two_agents_talk() {
    assertThat(ok("", "inbox", "send", "dev-2", "The API is ready", "--as", "dev-1"))
        .isEqualTo("message 1 to dev-2 waits to be pulled\n");
    ok("first line\nsecond line\n", "inbox", "send", "dev-2", "-", "--as", "dev-1");
    assertThat(ok("", "inbox", "list", "dev-2"))
        .containsPattern("1 +PENDING +dev-1 +dev-2 +0 .*The API is ready");
    assertThat(as("dev-2", "inbox", "pull").out())
        .contains("message 1 from dev-1, ", "\n  The API is ready\n", "\n  second line\n")
        .endsWith("then: mainstay inbox ack 1 2 --as dev-2\n");
    assertThat(run("", "inbox", "pull", "--as", "dev-2").err()).contains("no message for dev-2");
    assertThat(as("dev-2", "inbox", "reply", "1", "Thanks").out()).contains("message 3 to dev-1");
    assertThat(ok("", "inbox", "ack", "1", "--as", "dev-2")).isEqualTo("message 1 is delivered\n");
    assertThat(ok("", "inbox", "ack", "1", "2", "--as", "dev-2"))
        .isEqualTo("message 2 is delivered\nmessage 1 was acknowledged before; nothing changed\n");
    JsonObject pulled = JsonText.object(ok("", "inbox", "pull", "--as", "dev-1", "--json"));
    assertThat(pulled.objects("messages")).hasSize(1);
    JsonObject answer = pulled.objects("messages").get(0);
    assertThat(answer.text("sender_id")).isEqualTo("dev-2");
    assertThat(answer.text("message")).isEqualTo("Thanks");
    assertThat(answer.text("status")).isEqualTo("DELIVERING");
    assertThat(ok("", "inbox", "list")).contains("Thanks").doesNotContain("The API is ready");
    assertThat(ok("", "inbox", "list", "--all")).contains("Thanks", "The API is ready");
    assertThat(ok("", "verify")).startsWith("all is well");
  }

  @Test
  void what_cannot_be_is_refused_with_the_right_code_and_a_way_out() {
    CliRun self = run("", "inbox", "send", "dev-1", "me", "--as", "dev-1");
    assertThat(self.code()).isEqualTo(1);
    assertThat(self.err()).contains("itself");
    CliRun nobody = run("", "inbox", "send", "dev-9", "hello");
    assertThat(nobody.code()).isEqualTo(3);
    assertThat(nobody.err()).contains("mainstay terminal list");
    CliRun nameless = run("", "inbox", "pull");
    assertThat(nameless.code()).isEqualTo(1);
    assertThat(nameless.err()).contains("--as");
    CliRun other = as("dev-1", "inbox", "pull", "--as", "dev-2");
    assertThat(other.code()).isEqualTo(1);
    assertThat(other.err()).contains("you are dev-1");
    ok("", "inbox", "send", "dev-2", "hello", "--as", "dev-1");
    assertThat(run("", "inbox", "ack", "1", "--as", "dev-2").code()).isEqualTo(4);
    assertThat(run("", "inbox", "ack", "1", "--as", "dev-1").code()).isEqualTo(3);
    assertThat(as("dev-1", "inbox", "reply", "1", "me").err()).contains("message 1 is for dev-2");
    assertThat(run("", "inbox", "ack").code()).isEqualTo(2);
  }

  @Test
  void an_agent_without_a_terminal_of_its_own_can_be_answered() {
    ok("", "inbox", "send", "dev-2", "anybody there?");
    ok("", "inbox", "reply", "1", "yes");
    assertThat(ok("", "inbox", "pull", "--as", "codex")).contains("message 2 from dev-2", "yes");
    CliRun bytes =
        CliRun.of(
            folder,
            "\u00e9".getBytes(StandardCharsets.ISO_8859_1),
            Map.of("MAINSTAY_TERMINAL", "dev-1"),
            "inbox",
            "send",
            "dev-2",
            "-");
    assertThat(bytes.err()).contains("UTF-8");
  }
}
