package dev.mainstay.hook;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.AgentSession;
import dev.mainstay.domain.AgentSession.Bond;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.TaskId;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One event and the session that it is of, as it stands now. */
record Visit(Happening event, AgentSession session, Rooms rooms) {
  static final String SOURCE = "hook";

  Optional<TaskId> task() {
    return Optional.ofNullable(session.bond()).map(Bond::task);
  }

  /** The worktree, whose files are worked on. */
  Path folder() {
    return Path.of(session.place().worktree());
  }

  /** The terminal in which the agent sits, if it is one of ours. */
  @Nullable String terminal() {
    return session.host().terminal();
  }

  /** A call of the agent itself, under the fence of its session. */
  Call call(String part) {
    return callOf(session.actor(), part);
  }

  Call callOf(Actor actor, String part) {
    return session.fenced(Call.by(actor, SOURCE).withKey(event.key(part)));
  }

  Memory memory() {
    return Memory.of(session.memory());
  }

  Visit remembering(Memory memory) {
    JsonObject next = memory.toJson();
    if (next.equals(session.memory())) return this;
    return in(rooms.sessions().remember(session.id(), next));
  }

  Visit in(AgentSession now) {
    return new Visit(event, now, rooms);
  }
}
