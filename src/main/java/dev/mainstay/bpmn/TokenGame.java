package dev.mainstay.bpmn;

import dev.mainstay.bpmn.Happening.Arrived;
import dev.mainstay.bpmn.Happening.Begin;
import dev.mainstay.bpmn.Happening.Done;
import dev.mainstay.bpmn.Happening.Due;
import dev.mainstay.bpmn.Happening.Failed;
import dev.mainstay.bpmn.Happening.Retry;
import dev.mainstay.bpmn.Happening.Skip;
import dev.mainstay.bpmn.Step.Ending;
import dev.mainstay.bpmn.Token.Status;
import dev.mainstay.domain.JsonObject;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What follows when something happens to an execution. The same happening in the same marking at
 * the same moment always gives the same step, and every happening gives one: what cannot go on
 * becomes an incident.
 */
public final class TokenGame {
  private TokenGame() {}

  public static Step play(Definition definition, Marking before, Happening happening, Instant now) {
    Board board = new Board(definition, before, now);
    Play play = new Play(board);
    try {
      if (!happens(play, happening, before)) return new Step(before, List.of(), List.of(), null);
      play.run();
      Step step = board.step();
      Overrun.checked(step.after());
      return step;
    } catch (Overrun tooMuch) {
      return overrun(new Board(definition, before, now), happening, tooMuch);
    }
  }

  /** Nothing is done but to say why; one that cannot even begin has failed. */
  private static Step overrun(Board board, Happening happening, Overrun why) {
    String problem = String.valueOf(why.getMessage());
    if (happening instanceof Begin) {
      board.ends(new Ending(null, problem));
    } else {
      Token token = board.get(happening.toJson().text("token"));
      new Play(board).incidents.note(token, problem, Incidents.stage(token));
    }
    return board.step();
  }

  private static boolean happens(Play play, Happening happening, Marking before) {
    if (happening instanceof Begin begin) {
      if (before.numbered() > 0) return false;
      play.begin(begin.start(), begin.variables());
      return true;
    }
    if (happening instanceof Done done) return done(play, done.token(), done.result());
    if (happening instanceof Failed failed) return failed(play, failed.token(), failed.error());
    if (happening instanceof Due due) return occurred(play, due.token(), true, null);
    if (happening instanceof Arrived arrived) {
      return occurred(play, arrived.token(), false, arrived.content());
    }
    if (happening instanceof Retry retry) return retry(play, retry.token(), retry.variables());
    Skip skip = (Skip) happening;
    Token token = play.board.find(skip.token()).orElse(null);
    if (token == null || token.status() != Status.INCIDENT) return false;
    return play.incidents.skip(token, skip.result());
  }

  /** Work that failed and was done after all, by somebody who tried again himself, is done too. */
  private static boolean done(Play play, String id, JsonObject result) {
    Token token = play.board.find(id).orElse(null);
    if (token == null || !play.board.isWork(token) || !isOpen(token)) return false;
    play.activities.workDone(token, result);
    return true;
  }

  private static boolean failed(Play play, String id, String error) {
    Token token = play.board.find(id).orElse(null);
    if (token == null || !play.board.isWork(token) || token.status() != Status.IN_PROGRESS) {
      return false;
    }
    play.incidents.failed(token, error);
    return true;
  }

  private static boolean isOpen(Token token) {
    return token.status() == Status.IN_PROGRESS
        || (token.status() == Status.INCIDENT && Incidents.stage(token) == Incidents.Stage.BEGIN);
  }

  private static boolean occurred(
      Play play, String id, boolean timed, @Nullable JsonObject content) {
    Token token = play.board.find(id).orElse(null);
    if (token == null || token.status() != Status.WAITING) return false;
    boolean timer = play.board.node(token).traits().trigger() instanceof Node.Trigger.Timer;
    if (timer != timed) return false;
    play.activities.occurred(token, content);
    return true;
  }

  private static boolean retry(Play play, String id, JsonObject variables) {
    Token token = play.board.find(id).orElse(null);
    if (token == null || token.status() != Status.INCIDENT) return false;
    play.incidents.retry(token, variables);
    return true;
  }
}
