package dev.mainstay.hook;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.AgentSession;
import dev.mainstay.domain.AgentSession.Place;
import dev.mainstay.domain.Call;
import dev.mainstay.session.Places;
import java.util.Optional;
import java.util.function.Consumer;

/** Hears the events of agents' hosts. */
public final class Hooks {
  private final Rooms rooms;
  private final Setting setting;

  /**
   * What a person chose about hooks, and who hears of faults that do not keep an event from being
   * answered.
   *
   * @param remindsAtStop whether an agent that stops with open items is told so, once
   */
  public record Setting(boolean remindsAtStop, Consumer<RuntimeException> faults) {
    public static final Setting USUAL = new Setting(false, fault -> {});
  }

  public Hooks(Rooms rooms) {
    this(rooms, Setting.USUAL);
  }

  public Hooks(Rooms rooms, Setting setting) {
    this.rooms = rooms;
    this.setting = setting;
  }

  /**
   * One event of a host: what it printed on standard input, in; what it wants to read, out. A fault
   * is the caller's to log: an agent is never disturbed by one.
   */
  public Answer hear(Told told) {
    return hear(Happening.of(told));
  }

  /** The same for an event that was read already. */
  public Answer hear(Happening event) {
    if (!event.isOfInterest()) return Answer.SILENT;
    String name = event.host().terminal() == null ? event.host().agent() : event.host().terminal();
    Call call = Call.by(Actor.agent(name), Visit.SOURCE);
    Place place = Places.around(event.folder());
    // Around a tool all is noted by what follows, and opening would cost a commit more.
    Optional<AgentSession> steady =
        event.isOfTool() ? rooms.sessions().steady(event.host(), place) : Optional.empty();
    AgentSession session = steady.orElseGet(() -> rooms.sessions().open(event.host(), place, call));
    if (session.hasEnded() && event.begins()) session = rooms.sessions().ended(session.id(), false);
    Visit visit = Letters.acknowledge(new Visit(event, session, rooms));
    return event.answer(outcome(visit));
  }

  /** Shows the model a text where its host does so at this event; needs no store. */
  public static Answer say(Happening event, String text) {
    return event.kind() == EventKind.BEFORE_TOOL || event.kind() == EventKind.AFTER_TOOL
        ? Answer.SILENT // it was said when the prompt came
        : event.answer(Outcome.context(text));
  }

  /** Shows the agent a text when its session begins, without a store. */
  public static Answer notice(Happening event, String text) {
    return event.kind() == EventKind.SESSION_START
        ? event.answer(Outcome.context(text))
        : Answer.SILENT;
  }

  private Outcome outcome(Visit visit) {
    Openings openings = new Openings(setting.faults());
    return switch (visit.event().kind()) {
      case SESSION_START -> openings.begin(visit);
      case PROMPT -> new Prompting(openings).prompted(visit);
      case BEFORE_TOOL -> ToolWatch.before(visit);
      case AFTER_TOOL, TOOL_FAILED -> ToolWatch.after(Ends.goesOn(visit));
      case BEFORE_COMPACTION -> Openings.beforeCompaction(visit);
      case STOP -> Ends.stop(visit, setting.remindsAtStop());
      case SUBAGENT_STOP -> Ends.subagentStopped(visit);
      case SESSION_END -> Ends.over(visit);
      case NOTIFICATION, PERMISSION_ASKED -> Ends.waits(visit);
      case OTHER -> Outcome.NOTHING;
    };
  }
}
