package dev.mainstay.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.access.RefusedAttempts;
import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.ExecutionMode;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Setting;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import dev.mainstay.rest.Route.Verb;
import dev.mainstay.state.Executions;
import dev.mainstay.state.Executions.Beginning;
import dev.mainstay.store.Databases;
import dev.mainstay.upkeep.Verification;
import java.util.List;
import org.junit.jupiter.api.Test;

/** With an agent's token every route that writes is asked to loosen what holds: none does. */
class AgentTokenTest extends OnServer {
  private static final TaskId TASK = new TaskId("T-001");
  private static final String ORDER = "never push to main";

  AgentTokenTest() {
    super(Databases.SQLITE);
  }

  private void limited() {
    var asked = new Beginning(null, "Summarise the report", ExecutionMode.EXECUTION, null);
    new Executions(store).begin(asked, ADA);
    rooms.states().addDirective(TASK, ORDER, true, ADA);
    rooms.states().addCriterion(TASK, "tests pass", "make test", ADA);
  }

  private String limits() {
    Dossier dossier = rooms.notebooks().known(TASK).dossier();
    var run = dossier.state().run();
    return run.goal()
        + run.criteria()
        + dossier.state().directives().binding()
        + dossier.execution().constraints().settings();
  }

  /** Whatever a route might listen to, all at once and by itself. */
  private static List<JsonObject> wishes() {
    JsonObject settings = JsonObject.EMPTY;
    for (Setting each : Setting.values()) settings = settings.with(each.key(), 999_999);
    JsonObject words = JsonObject.of("goal", "Something else", "text", "push to main");
    return List.of(
        settings,
        JsonObject.of("settings", settings),
        JsonObject.of("constraints", JsonObject.of("settings", settings)),
        words,
        words.with("binding", true).with("actor", "person:ada").with("override", "I may"),
        JsonObject.of("criteria", List.of(), "check", "true", "text", "tests pass"));
  }

  @Test
  void an_agent_s_token_loosens_nothing_on_any_route() {
    limited();
    String before = limits();
    String agent = token(Role.AGENT);
    int asked = 0;
    for (Route route : server.routes()) {
      Verb verb = route.target().verb();
      if (verb == Verb.GET) continue;
      String path = route.target().path().replace("{id}", "T-001").replaceAll("\\{[a-z_]+}", "1");
      for (JsonObject wish : wishes()) {
        String body = verb == Verb.DELETE ? "" : JsonText.write(wish);
        Answer answer = send(verb.name(), path, body, "Authorization", "Bearer " + agent);
        assertThat(answer.status()).as(verb + " " + path + " " + wish).isLessThan(500);
        assertThat(limits()).as(verb + " " + path + " " + wish).isEqualTo(before);
        asked++;
      }
    }
    assertThat(asked).isGreaterThan(300);
    assertThat(Verification.of(store).findings()).isEmpty();
  }

  /** The same limits do move when a person moves them, so the comparison above can fail. */
  @Test
  void a_person_s_word_moves_them() {
    limited();
    String before = limits();
    new Executions(store).set(TASK, Setting.MAX_FILE_OPERATIONS, 999_999L, ADA);
    assertThat(limits()).isNotEqualTo(before);
  }

  @Test
  void what_a_token_of_an_agent_may_not_do_is_noted() {
    String agent = "Bearer " + token(Role.AGENT);
    assertThat(post("/verify", "{}", "Authorization", agent).status()).isEqualTo(403);
    String id = task("x");
    post(
        "/tasks/" + id + "/directives",
        "{\"text\": \"push\", \"binding\": true}",
        "Authorization",
        agent);
    var noted = store.reading(tx -> tx.journal().stream(RefusedAttempts.STREAM));
    assertThat(noted).allMatch(entry -> entry.origin().source().equals("rest"));
    assertThat(noted).anyMatch(entry -> entry.content().payload().contains("/verify"));
    assertThat(noted).anyMatch(entry -> entry.content().payload().contains("binding directives"));
  }
}
