package dev.mainstay.demo;

import dev.mainstay.json.JsonText;
import java.nio.file.Path;

/** A few turns of the story in a process of their own: folder, files, checks, first, last turn. */
final class HelloProcess {
  private HelloProcess() {}

  public static void main(String[] args) {
    // What it prints is read by the process that tells the story, so nothing else may be printed.
    System.setProperty("slf4j.internal.verbosity", "WARN");
    System.setProperty("slf4j.provider", "org.slf4j.nop.NOPServiceProvider");
    var story = new Greetings(Integer.parseInt(args[1]), Integer.parseInt(args[2]));
    var turns =
        new HelloStory(Path.of(args[0]), story)
            .play(Integer.parseInt(args[3]), Integer.parseInt(args[4]));
    turns.forEach(turn -> System.out.println(JsonText.write(turn.toJson())));
  }
}
