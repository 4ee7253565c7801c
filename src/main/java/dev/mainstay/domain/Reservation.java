package dev.mainstay.domain;

/** Paths of a workspace that are kept for one task, as long as it is held. */
public record Reservation(Pattern pattern, TaskId task, long fence, String holder) {
  public static final int OF_A_TASK_MAX = 100;

  /**
   * A path, or a glob: {@code *} and {@code ?} stay within a name, {@code **} goes through folders.
   * A folder's name stands for everything below it.
   */
  public record Pattern(String text) {
    public static final int CHARS_MAX = 256;

    public Pattern {
      if (text.length() > CHARS_MAX) {
        throw Refusal.tooLarge(Phrase.of("a reservation has at most %d characters", CHARS_MAX));
      }
      if (text.endsWith("/")) text = text.substring(0, text.length() - 1);
      new RepoPath(text); // what no path can be, no pattern can match
    }

    private boolean isGlob() {
      return text.indexOf('*') >= 0 || text.indexOf('?') >= 0;
    }

    public boolean covers(RepoPath path) {
      String value = path.value();
      if (value.equals(text) || value.startsWith(text + "/")) return true;
      return isGlob() && matches(value);
    }

    /**
     * Walks the pattern once and keeps all places of the path that it can have come to, so that no
     * pattern makes it slow.
     */
    private boolean matches(String path) {
      boolean[] at = new boolean[path.length() + 1];
      at[0] = true;
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        boolean deep = c == '*' && i + 1 < text.length() && text.charAt(i + 1) == '*';
        if (deep) i++;
        boolean[] next = new boolean[at.length];
        for (int j = 0; j < at.length; j++) {
          if (c == '*') {
            boolean grows = j > 0 && next[j - 1] && (deep || path.charAt(j - 1) != '/');
            next[j] = at[j] || grows;
          } else if (j > 0 && at[j - 1]) {
            char there = path.charAt(j - 1);
            next[j] = c == '?' ? there != '/' : c == there;
          }
        }
        boolean andSlash = deep && i + 1 < text.length() && text.charAt(i + 1) == '/';
        if (andSlash) i++;
        at = andSlash ? pastSlash(at, next, path) : next;
      }
      return at[path.length()];
    }

    /** Behind folders comes what is behind a slash; "**" and a slash also stand for no folder. */
    private static boolean[] pastSlash(boolean[] before, boolean[] after, String path) {
      boolean[] next = before.clone();
      for (int j = 1; j < next.length; j++) {
        next[j] |= after[j - 1] && path.charAt(j - 1) == '/';
      }
      return next;
    }

    /** Whether some path may be covered by both. With a glob it is a careful yes. */
    public boolean meets(Pattern other) {
      if (!isGlob()) return other.covers(new RepoPath(text)) || isAround(other);
      if (!other.isGlob()) return other.meets(this);
      String mine = head();
      String theirs = other.head();
      boolean headsAgree = mine.startsWith(theirs) || theirs.startsWith(mine);
      return headsAgree && (tail().endsWith(other.tail()) || other.tail().endsWith(tail()));
    }

    /** Whether what another one covers may lie in this folder. */
    private boolean isAround(Pattern other) {
      String folder = text + "/";
      if (!other.isGlob()) return other.text.startsWith(folder);
      return other.head().startsWith(folder) || folder.startsWith(other.head());
    }

    /** What stands before the first wildcard. */
    private String head() {
      int end = 0;
      while (end < text.length() && "*?".indexOf(text.charAt(end)) < 0) end++;
      return text.substring(0, end);
    }

    /** What stands behind the last wildcard. */
    private String tail() {
      int begin = Math.max(text.lastIndexOf('*'), text.lastIndexOf('?')) + 1;
      return text.substring(begin);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
