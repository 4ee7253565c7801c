package dev.mainstay.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.context.Message.ToolCall;
import dev.mainstay.domain.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MessageTest {
  private static final Message CALL =
      Message.assistant("a1", "I read it", new ToolCall("c1", "read", "{\"path\":\"src/A.java\"}"));
  private static final Message RESULT = Message.tool("t1", "c1", "class A {}");

  private static Message calling(String id, String name, String arguments) {
    return Message.assistant("a1", "", new ToolCall(id, name, arguments));
  }

  @Test
  void messages_that_differ_in_anything_have_different_hashes() {
    var hashes =
        Stream.of(
                List.of(Message.user("u1", "hi")),
                List.of(Message.user("u2", "hi")),
                List.of(Message.user("u1", "ho")),
                List.of(Message.assistant("u1", "hi")),
                List.of(Message.tool("u1", "c1", "hi")),
                List.of(Message.tool("u1", "c2", "hi")),
                List.of(calling("c1", "read", "{}")),
                List.of(calling("c2", "read", "{}")),
                List.of(calling("c1", "write", "{}")),
                List.of(calling("c1", "read", "[]")),
                List.of(Message.assistant("a1", "")),
                List.of(CALL, RESULT),
                List.of(RESULT, CALL),
                List.<Message>of())
            .map(Message::hash)
            .toList();

    assertThat(hashes).doesNotHaveDuplicates().allMatch(hash -> hash.matches("[0-9a-f]{64}"));
    assertThat(Message.hash(List.of(CALL, RESULT))).isEqualTo(hashes.get(11));
  }

  @Test
  void text_that_moves_from_one_field_to_the_next_is_another_message() {
    assertThat(Message.hash(List.of(Message.user("ab", "c"))))
        .isNotEqualTo(Message.hash(List.of(Message.user("a", "bc"))));
  }

  @Test
  void a_message_is_named_by_its_id_and_by_its_calls() {
    assertThat(CALL.isNamedBy(Set.of("x", "a1"))).isTrue();
    assertThat(CALL.isNamedBy(Set.of("c1"))).isTrue();
    assertThat(RESULT.isNamedBy(Set.of("t1"))).isTrue();
    assertThat(RESULT.isNamedBy(Set.of("c1"))).isTrue();
    assertThat(CALL.isNamedBy(Set.of("t1", "c2", "a"))).isFalse();
    assertThat(CALL.isNamedBy(Set.of())).isFalse();
  }

  @Test
  void a_reference_of_eight_characters_names_what_speaks_of_it() {
    assertThat(Message.user("u1", "see 12345678 again").isNamedBy(Set.of("12345678"))).isTrue();
    assertThat(Message.user("u1", "see 12345678 again").isNamedBy(Set.of("1234567"))).isFalse();
    assertThat(Message.user("u1", "see 12345678 again").isNamedBy(Set.of("12345679"))).isFalse();
    assertThat(CALL.isNamedBy(Set.of("src/A.java"))).isTrue();
  }

  @Test
  void as_json_it_has_all_its_fields_and_no_others() {
    var call = JsonObject.of("id", "c1", "name", "read", "arguments", "{\"path\":\"src/A.java\"}");
    assertThat(CALL.toJson())
        .isEqualTo(
            JsonObject.of("id", "a1", "role", "assistant", "content", "I read it")
                .with("calls", List.of(call)));
    assertThat(RESULT.toJson())
        .isEqualTo(
            JsonObject.of("id", "t1", "role", "tool", "content", "class A {}", "answers", "c1"));
    assertThat(Message.user("u1", "hi").toJson().asMap()).containsOnlyKeys("id", "role", "content");
  }

  @Test
  void a_message_costs_its_marks_and_its_calls_beside_its_content() {
    assertThat(Slot.frameTokens(Message.user("u1", "hi"), String::length)).isEqualTo(4);
    assertThat(Slot.frameTokens(calling("c1", "read", "{}"), String::length)).isEqualTo(14);
    assertThat(Slot.of(Message.user("u1", "hi"), String::length).tokens()).isEqualTo(6);
  }

  @Test
  void an_archive_is_empty_until_something_is_in_it() {
    assertThat(Archive.EMPTY.isEmpty()).isTrue();
    assertThat(Archive.EMPTY.with(Map.of())).isSameAs(Archive.EMPTY);
    Archive archive = Archive.EMPTY.with(Map.of("m-1", List.of(RESULT)));
    assertThat(archive.isEmpty()).isFalse();
    assertThat(archive.recall("m-1")).containsExactly(RESULT);
  }

  @Test
  void of_a_conversation_only_the_history_is_compressed() {
    assertThat(Stream.of(Partition.values()).filter(Partition::isCompressible))
        .containsExactly(Partition.HISTORY);
  }
}
