package dev.mainstay.domain;

import java.util.List;

/**
 * What the lines of a provider's screen tell.
 *
 * @param dialogs questions of a first run that only a person may answer: trust, log in, update
 * @param waiting other questions to a person, such as whether a command may run
 * @param busy the agent is at work
 * @param ready the agent takes input
 * @param answered something came out since the last input; without any, being ready is enough
 */
public record ScreenSigns(
    List<Sign> dialogs,
    List<Sign> waiting,
    List<Sign> busy,
    List<Sign> ready,
    List<Sign> answered) {
  public static final int SIGNS_MAX = 32;

  public ScreenSigns {
    dialogs = bounded(dialogs);
    waiting = bounded(waiting);
    busy = bounded(busy);
    ready = bounded(ready);
    answered = bounded(answered);
  }

  private static List<Sign> bounded(List<Sign> signs) {
    if (signs.size() <= SIGNS_MAX) return List.copyOf(signs);
    throw Refusal.tooLarge(
        Phrase.of("a screen has at most %d signs of a kind, not %,d", SIGNS_MAX, signs.size()));
  }
}
