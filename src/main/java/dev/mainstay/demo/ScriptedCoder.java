package dev.mainstay.demo;

import dev.mainstay.context.Message;
import java.util.List;
import java.util.Map;

/**
 * A coder that forgets everything between two turns and knows only the messages it is sent. It does
 * what the agent did that wrote one file 41 times: what it cannot see, it writes again.
 */
final class ScriptedCoder {
  private final Greetings story;

  ScriptedCoder(Greetings story) {
    this.story = story;
  }

  /** What it does next: a tool and the file it is about, empty for {@code done}. */
  record Action(String tool, String path) {
    static final String WRITE = "write_file";
    static final String CHECK = "check_file";
    static final String DONE = "done";
  }

  Action next(List<Message> prompt) {
    String seen = text(prompt);
    boolean snapshot = seen.contains("--- Repository State ---");
    boolean toldToGoOn = seen.contains("changed nothing: the content was there already");
    for (String path : story.contents().keySet()) {
      boolean checked = snapshot ? !isOpen(seen, path) : seen.contains("checked: " + path + "\n");
      if (checked) continue;
      boolean there = snapshot ? isListed(seen, path) : isWritten(seen, path);
      if (!there && !toldToGoOn) return new Action(Action.WRITE, path);
      return new Action(Action.CHECK, path);
    }
    return new Action(Action.DONE, "");
  }

  private static String text(List<Message> prompt) {
    StringBuilder text = new StringBuilder();
    for (Message message : prompt) text.append(message.content()).append('\n');
    return text.toString();
  }

  private static boolean isOpen(String seen, String path) {
    return seen.contains("] " + Greetings.writeStep(path) + "\n")
        || seen.contains("] " + Greetings.checkStep(path) + "\n");
  }

  private static boolean isListed(String seen, String path) {
    return seen.contains("• " + path + " (");
  }

  private static boolean isWritten(String seen, String path) {
    return seen.contains("\"path\":\"" + path + "\"");
  }

  Map<String, String> contents() {
    return story.contents();
  }
}
