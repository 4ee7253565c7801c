package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.AgentSession.Bond;
import dev.mainstay.domain.AgentSession.Host;
import dev.mainstay.domain.AgentSession.Place;
import dev.mainstay.domain.AgentSession.Seen;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class AgentSessionTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final TaskId TASK = new TaskId("T-001");
  private static final AgentSession FREE = session(null);

  private static AgentSession session(String terminal) {
    return new AgentSession(
        "s-1",
        new Host("claude-code", "abc", terminal),
        new Place("/repo", "main"),
        null,
        new Seen(NOON, NOON, JsonObject.of("last", "x")));
  }

  @Test
  void sessions_of_one_agent_in_one_place_hold_a_task_under_one_name() {
    assertThat(FREE.holder()).startsWith("claude-code@").hasSize("claude-code@".length() + 8);
    AgentSession elsewhere =
        new AgentSession("s-2", FREE.host(), new Place("/repo", "fix"), null, FREE.seen());
    assertThat(elsewhere.holder()).isNotEqualTo(FREE.holder());
    assertThat(session("t-1").holder()).isEqualTo("t-1");
    var longest = new Host("a".repeat(Actor.NAME_CHARS_MAX), "abc", null);
    AgentSession named = new AgentSession("s", longest, FREE.place(), null, FREE.seen());
    assertThat(named.holder()).hasSizeLessThanOrEqualTo(Actor.NAME_CHARS_MAX).contains("@");
  }

  @Test
  void it_writes_as_its_agent_or_as_its_terminal() {
    assertThat(FREE.actor()).isEqualTo(Actor.agent("claude-code"));
    assertThat(session("t-1").actor()).isEqualTo(Actor.agent("t-1"));
  }

  @Test
  void an_agents_call_gets_the_fence_of_its_session_unless_it_has_one() {
    Call call = Call.by(FREE.actor(), "mcp");
    AgentSession bound = FREE.bound(new Bond(TASK, 5L));
    assertThat(bound.fenced(call).fence()).isEqualTo(5);
    assertThat(bound.fenced(call.withFence(3L)).fence()).isEqualTo(3);
    assertThat(FREE.fenced(call).fence()).isNull();
    Call person = Call.by(Actor.person("ada"), "cli");
    assertThat(bound.fenced(person).fence()).isNull();
  }

  @Test
  void the_task_that_it_left_is_still_known_as_the_last() {
    AgentSession bound = FREE.bound(new Bond(TASK, null));
    assertThat(bound.lastTask()).contains(TASK);
    assertThat(bound.left().bond()).isNull();
    assertThat(bound.left().lastTask()).contains(TASK);
    assertThat(FREE.lastTask()).isEmpty();
    assertThat(FREE.left()).isSameAs(FREE);
  }

  @Test
  void what_its_hooks_remember_outlives_another_look() {
    AgentSession remembers = FREE.remembering(JsonObject.of("turn", 3L)).bound(new Bond(TASK, 1L));
    AgentSession seen = remembers.left().seen(NOON.plusSeconds(9), JsonObject.of("last", "y"));
    assertThat(seen.memory()).isEqualTo(JsonObject.of("turn", 3L));
    assertThat(seen.lastTask()).contains(TASK);
    assertThat(seen.seen().lastSeen()).isEqualTo(NOON.plusSeconds(9));
    assertThat(seen.seen().startedAt()).isEqualTo(NOON);
    assertThat(seen.seen().fuse().text("last")).isEqualTo("y");
  }

  @Test
  void it_comes_back_from_its_json() {
    for (AgentSession each :
        new AgentSession[] {
          FREE,
          session("t-1").bound(new Bond(TASK, 5L)),
          FREE.bound(new Bond(TASK, null)).remembering(JsonObject.of("turn", 3L))
        }) {
      assertThat(AgentSession.fromJson(each.toJson())).isEqualTo(each);
    }
  }

  @Test
  void two_places_are_one_if_worktree_and_branch_are() {
    Place place = new Place("/repo", "main");
    assertThat(place).isEqualTo(new Place("/repo", " main ")).hasSameHashCodeAs(FREE.place());
    assertThat(place).isNotEqualTo(new Place("/repo", "fix")).isNotEqualTo(new Place("/r", "main"));
    assertThat(place.hashCode()).isNotEqualTo(new Place("/repo", "fix").hashCode());
    assertThat(place.hashCode()).isNotEqualTo(new Place("/r", "main").hashCode());
  }
}
