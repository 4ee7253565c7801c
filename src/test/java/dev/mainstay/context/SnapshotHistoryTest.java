package dev.mainstay.context;

import static dev.mainstay.context.SnapshotPromptTest.TEMPLATE;
import static dev.mainstay.context.SnapshotPromptTest.state;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.context.Message.ToolCall;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RepoState;
import dev.mainstay.json.JsonText;
import dev.mainstay.render.Tokens;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotHistoryTest {
  private static final RepoState STATE = state(3, 2);
  private static final String NOOP =
      "{\"success\":true,\"noop\":true,\"changed\":false,\"message\":\"take the next step\"}";

  private final SnapshotHistory history = SnapshotHistory.start(TEMPLATE, Tokens.O200K::count);

  private static Message call(String id, String call) {
    return Message.assistant(id, "", new ToolCall(call, "write_file", "{\"path\":\"a\"}"));
  }

  private void turn(Message... messages) {
    for (Message message : messages) history.add(message);
    history.turnEnded();
  }

  private List<String> ids(boolean useSnapshot) {
    return history.messages(useSnapshot, STATE, "").stream().map(Message::id).toList();
  }

  @Test
  void before_the_first_turn_it_is_the_documents_prompt() {
    assertThat(history.messages(true, STATE, "more"))
        .isEqualTo(SnapshotPrompt.build(TEMPLATE, STATE, "more"));
    assertThat(ids(false)).containsExactly("mainstay/system");
  }

  @Test
  void after_a_turn_only_the_last_exchange_is_sent_between_snapshot_and_request() {
    turn(Message.user("u1", "begin"), call("a1", "c1"), Message.tool("t1", "c1", "ok"));
    turn(Message.user("u2", "go on"), call("a2", "c2"), Message.tool("t2", "c2", "ok"));
    turn(call("a3", "c3"), Message.tool("t3", "c3", "42 tests"));

    assertThat(ids(true))
        .containsExactly(
            "mainstay/system", "mainstay/snapshot", "u2", "a3", "t3", "mainstay/request");
    assertThat(ids(false))
        .containsExactly("mainstay/system", "u1", "a1", "t1", "u2", "a2", "t2", "a3", "t3");
  }

  @Test
  void a_running_turn_is_sent_with_the_exchange_before_it() {
    turn(Message.user("u1", "begin"), call("a1", "c1"), Message.tool("t1", "c1", "ok"));
    history.add(call("a2", "c2"));
    history.add(Message.tool("t2", "c2", "ok"));

    assertThat(ids(true)).containsSubsequence("u1", "a1", "t1", "a2", "t2", "mainstay/request");
  }

  @Test
  void a_call_without_a_result_is_not_sent_beside_a_snapshot() {
    history.add(Message.user("u1", "begin"));
    history.add(call("a1", "c1"));
    assertThat(ids(true)).doesNotContain("a1");
    history.turnEnded();
    assertThat(ids(true)).doesNotContain("a1");

    history.add(Message.tool("t1", "c1", "late"));
    assertThat(ids(true)).containsSubsequence("u1", "a1", "t1");
  }

  @Test
  void a_late_result_brings_its_call_along() {
    history.add(call("a1", "c1"));
    turn(Message.assistant("a2", "meanwhile"));
    history.add(Message.tool("t1", "c1", "late"));

    assertThat(ids(true)).containsSubsequence("a1", "a2", "t1");
  }

  @Test
  void a_result_that_changed_nothing_leaves_neither_result_nor_call() {
    turn(
        Message.user("u1", "begin"),
        Message.assistant(
            "a1",
            "",
            new ToolCall("c1", "write_file", "{}"),
            new ToolCall("c2", "write_file", "{}")),
        Message.tool("t1", "c1", NOOP),
        Message.tool("t2", "c2", "{\"success\":true}"),
        call("a2", "c3"),
        Message.tool("t3", "c3", NOOP));

    assertThat(ids(false)).containsExactly("mainstay/system", "u1", "a1", "t2");
    var sent = history.messages(false, STATE, "");
    assertThat(sent.get(2).calls()).extracting(ToolCall::id).containsExactly("c2");
    assertThat(ids(true)).doesNotContain("t1", "a2", "t3");
    assertThat(history.tokens()).isEqualTo(SnapshotPrompt.tokens(sent, Tokens.O200K::count));
  }

  @Test
  void the_request_says_that_calls_changed_nothing_until_one_changes_something() {
    turn(call("a1", "c1"), Message.tool("t1", "c1", NOOP));
    assertThat(request()).contains("Your last call changed nothing").contains("next step");
    turn(call("a2", "c2"), Message.tool("t2", "c2", NOOP));
    assertThat(request()).contains("Your last 2 calls changed nothing");
    turn(call("a3", "c3"), Message.tool("t3", "c3", "{\"success\":true}"));
    assertThat(request()).doesNotContain("changed nothing");
  }

  private String request() {
    var messages = history.messages(true, STATE, "");
    return messages.get(messages.size() - 1).content();
  }

  @Test
  void the_words_beside_a_call_that_changed_nothing_stay() {
    turn(
        Message.assistant("a1", "I write it.", new ToolCall("c1", "write_file", "{}")),
        Message.tool("t1", "c1", NOOP));

    assertThat(history.messages(false, STATE, "")).contains(Message.assistant("a1", "I write it."));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"noop\":true}",
        " {\"a\":[{\"noop\":false}], \"noop\" :\ttrue , \"b\":\"}\"}\n",
        "{\"message\":\"a \\\"quoted\\\" brace {\",\"noop\":true}"
      })
  void a_json_object_that_says_noop_changed_nothing(String content) {
    assertThat(NoOp.isSaidBy(content)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "noop",
        "{}",
        "{\"noop\":false}",
        "{\"noop\":\"true\"}",
        "{\"noop\":trueish}",
        "{\"file\":{\"noop\":true}}",
        "{\"text\":\"\\\"noop\\\":true\"}",
        "{\"key\":\"noop\",\"x\":true}",
        "[{\"noop\":true}]",
        "{\"noop\":true",
        "{\"noop\":true} and more }",
        "{\"noop\":true,\"x\":\"}"
      })
  void nothing_else_is_taken_for_a_noop(String content) {
    assertThat(NoOp.isSaidBy(content)).isFalse();
  }

  @Test
  void a_large_result_keeps_its_ends_and_leaves_room_for_the_request_of_a_person() {
    String output = "FIRST " + "all those lines\n".repeat(30_000) + "LAST";
    turn(Message.user("u1", "please"), call("a1", "c1"), Message.tool("t1", "c1", output));
    var messages = history.messages(true, STATE, "a little more");

    assertThat(messages.get(2).content()).isEqualTo("please");
    assertThat(messages.get(4).content())
        .startsWith("FIRST ")
        .contains("characters left out]")
        .endsWith("LAST");
    assertThat(messages.get(5).content())
        .endsWith("[left out of the last exchange: 0 messages or calls whole, 1 in part]");
    assertThat(SnapshotPrompt.tokens(messages, Tokens.O200K::count))
        .isBetween(4_000, SnapshotPrompt.PROMPT_TOKENS_MAX - 1);
    assertThat(history.messages(false, STATE, "").get(3).content()).isEqualTo(output);
  }

  @Test
  void a_call_too_long_to_send_gives_way_together_with_its_result() {
    String file = "{\"content\":\"" + "line of code ".repeat(9_000) + "\"}";
    turn(
        Message.user("u1", "begin"),
        Message.assistant(
            "a1",
            "",
            new ToolCall("c1", "write_file", file),
            new ToolCall("c2", "run_tests", "{}")),
        Message.tool("t1", "c1", "{\"success\":true}"),
        Message.tool("t2", "c2", "42 tests passed"));
    var messages = history.messages(true, STATE, "");

    assertThat(ids(true)).containsSubsequence("u1", "a1", "t2").doesNotContain("t1");
    assertThat(messages.get(3).calls()).extracting(ToolCall::id).containsExactly("c2");
    assertThat(request()).contains("1 messages or calls whole");
  }

  @Test
  void each_message_is_counted_once_however_often_the_full_history_is_asked_for() {
    var counted = new ArrayList<String>();
    ToIntFunction<String> counter =
        text -> {
          counted.add(text);
          return text.length();
        };
    var once = SnapshotHistory.start("", counter);
    once.add(Message.user("u1", "hello"));
    once.add(Message.user("u2", "again"));
    for (int i = 0; i < 5; i++) {
      once.tokens();
      once.messages(false, STATE, "");
    }

    assertThat(counted).containsExactly("", "hello", "again");
  }

  @Test
  void a_restarted_process_goes_on_where_it_stood() {
    turn(Message.user("u1", "begin"), call("a1", "c1"), Message.tool("t1", "c1", NOOP));
    history.add(Message.assistant("a2", "running", new ToolCall("c2", "run", "{\"a\":1}")));
    List<String> lines = history.toJson().stream().map(JsonText::write).toList();
    List<JsonObject> read = lines.stream().map(JsonText::object).toList();
    var restarted = SnapshotHistory.fromJson(read, Tokens.O200K::count);

    assertThat(restarted.toJson()).isEqualTo(history.toJson());
    history.add(Message.tool("t2", "c2", "ok"));
    restarted.add(Message.tool("t2", "c2", "ok"));
    for (boolean useSnapshot : new boolean[] {true, false}) {
      assertThat(restarted.messages(useSnapshot, STATE, "x"))
          .isEqualTo(history.messages(useSnapshot, STATE, "x"));
    }
    assertThatThrownBy(() -> SnapshotHistory.fromJson(List.of(), Tokens.O200K::count))
        .isInstanceOf(Refusal.class);
  }

  @Test
  void messages_that_do_not_belong_are_refused() {
    history.add(Message.user("u1", "hi"));
    history.add(call("a1", "c1"));

    assertThatThrownBy(() -> history.add(Message.user("u1", "again"))).isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> history.add(Message.tool("t9", "c9", NOOP)))
        .hasMessageContaining("no tool call c9 waits");
    assertThatThrownBy(() -> history.add(call("a2", "c1"))).hasMessageContaining("already");
    assertThatThrownBy(() -> history.add(Message.user("mainstay/x", "fake")))
        .isInstanceOf(Refusal.class);
    history.add(Message.tool("t1", "c1", "ok"));
    assertThatThrownBy(() -> history.add(Message.tool("t2", "c1", "twice")))
        .isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> SnapshotHistory.start("word ".repeat(5_000), Tokens.O200K::count))
        .hasMessageContaining("shorten it");
    assertThat(ids(false)).containsExactly("mainstay/system", "u1", "a1", "t1");
  }
}
