package dev.mainstay.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.bpmn.Node.Loop;
import dev.mainstay.bpmn.Node.Order;
import dev.mainstay.bpmn.Node.Traits;
import dev.mainstay.bpmn.NodeKind;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.WorkflowExecution;
import dev.mainstay.store.Databases;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What workflows ask of persons. */
class QuestionsTest extends OnWorkflows {
  QuestionsTest() {
    super(Databases.SQLITE);
  }

  @Test
  void where_several_ask_at_one_node_it_is_said_which_is_meant() {
    Traits each =
        Traits.of(Order.USUAL.saying("Approve {{part}}?", ""))
            .looped(new Loop(false, "parts", "part", null, "all"));
    take(line("ask", node("sure", NodeKind.USER_TASK).with(each)));
    WorkflowExecution made = start("ask", "parts", List.of("login", "logout"));
    List<Question> asked = executions.questions(10);
    assertThat(asked)
        .extracting(Question::text)
        .containsExactly("Approve login?", "Approve logout?");
    String second = asked.get(1).by().token();
    refused(
        Code.CONFLICT,
        () -> executions.answer(made.id(), "sure", JsonObject.of("answer", "yes"), ADA),
        second);
    executions.answer(made.id(), second, JsonObject.of("answer", "no"), ADA);
    executions.answer(made.id(), "sure", JsonObject.of("answer", "yes"), ADA);
    assertThat(variable(made, "all"))
        .isEqualTo(List.of(JsonObject.of("answer", "yes"), JsonObject.of("answer", "no")));
  }
}
