package dev.mainstay.demo;

import dev.mainstay.context.Message;
import dev.mainstay.context.Message.ToolCall;
import dev.mainstay.context.SnapshotHistory;
import dev.mainstay.demo.ScriptedCoder.Action;
import dev.mainstay.demo.Turn.Outcome;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import dev.mainstay.render.Tokens;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** One way to tell the story: what the agent is sent each turn, and what its tools do. */
abstract class Telling {
  final Greetings story;
  final SnapshotHistory history;
  private final ScriptedCoder coder;

  Telling(Greetings story) {
    this.story = story;
    this.coder = new ScriptedCoder(story);
    this.history = SnapshotHistory.start(story.template(), Tokens.O200K::count);
  }

  /** What a tool answered, and what it did. */
  record Answer(String text, Outcome outcome) {}

  abstract List<Message> prompt();

  abstract int tokens(List<Message> prompt);

  abstract Answer write(String path, String content);

  abstract Answer check(String path);

  abstract Answer done();

  /** Plays turns until the story is done or the last of them is over. */
  final List<Turn> play(int first, int last) {
    List<Turn> turns = new ArrayList<>();
    for (int number = first; number <= last; number++) {
      Turn turn = turn(number);
      turns.add(turn);
      if (turn.outcome() == Outcome.DONE) break;
    }
    return turns;
  }

  private Turn turn(int number) {
    List<Message> prompt = prompt();
    Action action = coder.next(prompt);
    Answer answer =
        switch (action.tool()) {
          case Action.WRITE -> write(action.path(), content(action.path()));
          case Action.CHECK -> check(action.path());
          default -> done();
        };
    remember(number, action, answer);
    String shown = (action.tool() + " " + action.path()).strip();
    return new Turn(number, tokens(prompt), shown, answer.outcome());
  }

  private String content(String path) {
    return Objects.requireNonNull(story.contents().get(path));
  }

  private void remember(int number, Action action, Answer answer) {
    String call = "call-" + number;
    JsonObject arguments = JsonObject.of("path", action.path());
    if (action.tool().equals(Action.WRITE)) {
      arguments = arguments.with("content", content(action.path()));
    }
    history.add(
        Message.assistant(
            "turn-" + number, "", new ToolCall(call, action.tool(), JsonText.write(arguments))));
    history.add(Message.tool("result-" + number, call, answer.text()));
    history.turnEnded();
  }
}
