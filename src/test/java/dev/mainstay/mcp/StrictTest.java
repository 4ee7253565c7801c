package dev.mainstay.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Seeds;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.Databases;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Arguments are held to the schemas, and every no can be acted on. */
class StrictTest extends OnOffer {
  /** What no reply ever tells a model to do. */
  private static final Pattern DESTRUCTIVE =
      Pattern.compile(
          "(?i)\\b(delete|remove|drop|force|reset|overwrite|--hard|rm |forget|undo|cancel it|gc)\\b");

  StrictTest() {
    super(Databases.SQLITE);
  }

  @Test
  void an_unknown_argument_is_answered_with_the_nearest() {
    assertThat(refused(claude("c"), "state", "{'tsk':'T-001'}"))
        .isEqualTo("state has no argument \"tsk\"; it takes budget, task; did you mean \"task\"?");
    assertThat(refused(claude("c"), "update", "{'steps':[{'step':1,'state':'done'}]}"))
        .contains("item 1 of \"steps\" of update has no argument \"state\"", "\"status\"");
  }

  @Test
  void a_missing_argument_is_named() {
    assertThat(refused(claude("c"), "create_task", "{}"))
        .isEqualTo("create_task needs \"title\"; call it again with that");
    assertThat(refused(claude("c"), "update", "{}")).contains("something to write down");
  }

  @Test
  void a_wrong_type_is_answered_with_the_right_one() {
    Guest guest = claude("c");
    assertThat(refused(guest, "state", "{'budget':'800'}"))
        .isEqualTo("\"budget\" of state is a whole number without quotes, not \"800\"");
    assertThat(refused(guest, "state", "{'budget':1}"))
        .isEqualTo("\"budget\" of state lies between 600 and 10000, not 1");
    assertThat(refused(guest, "state", "{'budget':800.5}")).contains("whole number");
    assertThat(refused(guest, "state", "{'budget':1e40}")).contains("whole number");
    assertThat(refused(guest, "update", "{'plan':'one'}"))
        .isEqualTo("\"plan\" of update is a list in brackets, not \"one\"");
    assertThat(refused(guest, "update", "{'plan':[7]}")).contains("item 1 of \"plan\"", "text");
    assertThat(refused(guest, "create_task", "{'title':'x','begin':'yes'}"))
        .contains("true or false, not \"yes\"");
    assertThat(refused(guest, "finish_task", "{'outcome':'done'}"))
        .isEqualTo(
            "\"outcome\" of finish_task is one of completed, failed, released, not \"done\"");
  }

  @Test
  void what_clients_write_in_their_own_way_is_understood() {
    task("Add login");
    assertThat(said(claude("c"), "state", "{'task':'t-1','budget':800.0}")).contains("T-001");
    assertThat(said(claude("c"), "state", "{'task':null,'wait_for_previous':true}"))
        .contains("You work on no task");
  }

  /** Whatever comes, the answer is a reply within its budget and advises nothing that destroys. */
  @Test
  void any_arguments_get_a_reply_that_advises_nothing_destructive() {
    task("Add login");
    said(claude("c"), "next_task", "{}");
    said(claude("c"), "update", "{'plan':['One','Two']}");
    Seeds.forAll(
        150,
        random -> {
          Tool tool = offer.tools().get(random.nextInt(offer.tools().size()));
          String arguments = JsonText.write(arguments(tool.inputSchema(), random));
          Reply reply = call(claude("c"), null, tool.name(), arguments.replace("'", ""));
          if (reply.isError()) {
            assertThat(words(reply)).doesNotContainPattern(DESTRUCTIVE).isNotBlank();
          }
        });
  }

  private static JsonObject arguments(JsonObject schema, Random random) {
    JsonObject made = JsonObject.EMPTY;
    for (String name : schema.object("properties").asMap().keySet()) {
      if (name.equals("wait_seconds") || random.nextInt(3) == 0) continue;
      made = made.with(name, value(schema.object("properties").object(name), random));
    }
    return made;
  }

  private static Object value(JsonObject schema, Random random) {
    if (random.nextInt(6) == 0) return List.of("odd", 7L, true).get(random.nextInt(3));
    if (schema.has("enum")) {
      List<String> choices = schema.texts("enum");
      return choices.get(random.nextInt(choices.size()));
    }
    List<String> texts =
        List.of(
            "T-001", "T-999", "journal:T-001", "a b", "x".repeat(300), "../../etc", "✓ 日本語", "");
    return switch (schema.text("type")) {
      case "integer" -> (long) random.nextInt(5) - 1;
      case "boolean" -> random.nextBoolean();
      case "array" -> List.of(value(schema.object("items"), random));
      case "object" -> arguments(schema, random);
      default -> texts.get(random.nextInt(texts.size()));
    };
  }
}
