package dev.mainstay.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import dev.mainstay.render.Tokens;
import dev.mainstay.store.Databases;
import java.util.List;
import org.junit.jupiter.api.Test;

class ToolListTest extends OnOffer {
  /** What a host puts before its model with every session. */
  private static final int LIST_TOKENS_MAX = 1_500;

  ToolListTest() {
    super(Databases.SQLITE);
  }

  @Test
  void the_whole_list_is_within_its_tokens() {
    String list = JsonText.write(JsonObject.of("tools", offer.toolList()));
    assertThat(Tokens.O200K.count(list)).as(list).isLessThan(LIST_TOKENS_MAX);
  }

  @Test
  void the_ten_tools_are_there_in_a_stable_order() {
    assertThat(offer.tools())
        .extracting(Tool::name)
        .containsExactly(
            "state",
            "update",
            "next_task",
            "create_task",
            "finish_task",
            "write_file",
            "checkpoint",
            "message",
            "delegate",
            "recall");
    assertThat(JsonText.write(offer.toolList()))
        .isEqualTo(JsonText.write(new Offer(rooms).toolList()));
  }

  @Test
  void every_schema_is_strict() {
    for (Tool tool : offer.tools()) {
      assertThat(tool.inputSchema().get("additionalProperties")).as(tool.name()).isEqualTo(false);
      assertThat(tool.inputSchema().text("type")).isEqualTo("object");
    }
  }

  @Test
  void only_what_looks_says_that_it_does() {
    assertThat(offer.tools())
        .filteredOn(tool -> tool.hints().readOnly())
        .extracting(Tool::name)
        .isEqualTo(List.of("state", "recall"));
  }
}
