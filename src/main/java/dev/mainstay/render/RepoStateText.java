package dev.mainstay.render;

import dev.mainstay.domain.RepoState;
import java.util.Collection;
import java.util.List;

/**
 * A workspace as a model reads it at the start of a turn: which files are there and what remains to
 * be done, always in less than {@link #SNAPSHOT_TOKENS_MAX} tokens.
 *
 * <p>A small workspace is listed whole, by path. Of a large one the most relevant files are listed
 * (touched, then changed in the story, then the newest), the others are counted by folder, and the
 * last line says what is missing. Each present file is in {@code listed}, in {@code summarised} or
 * in {@code leftOut}, and only in one of them; {@code hashed} are the listed ones whose hash is
 * shown.
 */
public record RepoStateText(
    String text, List<String> listed, List<String> hashed, int summarised, LeftOut leftOut) {
  /** Counted as {@link Tokens#O200K} counts, over the whole text. */
  public static final int SNAPSHOT_TOKENS_MAX = 500;

  /** What a reader is told to type for the rest. */
  public static final String COMMAND = "mainstay repo snapshot --json";

  /** What is not shown, and how many of the shown entries are shown in part. */
  public record LeftOut(int files, int folders, int openTasks, int deleted, int shortened) {
    public boolean isNothing() {
      return files == 0 && openTasks == 0 && deleted == 0 && shortened == 0;
    }
  }

  public RepoStateText {
    listed = List.copyOf(listed);
    hashed = List.copyOf(hashed);
  }

  /** The touched paths come first; those that are not in the state are ignored. */
  public static RepoStateText of(RepoState state, Collection<String> touched) {
    return new SnapshotLayout(state, touched).render();
  }
}
