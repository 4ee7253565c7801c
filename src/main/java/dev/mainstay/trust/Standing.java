package dev.mainstay.trust;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.nio.file.Path;

/**
 * Whether a {@code .mainstay} folder is believed.
 *
 * @param reason why it is not, as a clause that begins with the folder's name; empty where it is
 * @param isMarked whether the user's state folder knows this folder
 */
public record Standing(Path folder, Level level, String reason, boolean isMarked) {
  /** How much of a folder is believed. */
  public enum Level {
    /** There is no folder yet; the one that Mainstay makes is believed. */
    ABSENT,
    /** Made here by the caller, or opened with {@code mainstay trust --all}. */
    TRUSTED,
    /** Its tasks and notes are quoted data; settings, tokens and orders in it do not count. */
    DATA,
    /** A person has to decide first. */
    UNTRUSTED,
    /** Never used as it is. */
    REFUSED
  }

  /** A folder that is not there yet. */
  public static Standing absent(Path folder) {
    return new Standing(folder, Level.ABSENT, "", false);
  }

  /** Whether everything in the folder counts. */
  public boolean isTrusted() {
    return level == Level.TRUSTED || level == Level.ABSENT;
  }

  /** Whether the store in it may be opened. */
  public boolean opens() {
    return isTrusted() || level == Level.DATA;
  }

  /** The answer to a command that needs the folder. */
  public Refusal refusal() {
    return Refusal.conflict(
        level == Level.UNTRUSTED
            ? Phrase.of(
                "%s; see what it contains with 'mainstay trust --show', then open it with 'mainstay trust'",
                reason)
            : reason);
  }

  /** The same for an agent, which must not be led to do a person's part. */
  public String toAgent() {
    return Phrase.of(
        "Mainstay keeps no notes in this session, because %s; ask the person you work for to look at this folder and decide whether to trust it.",
        reason.replaceAll("; .*", ""));
  }
}
