package dev.mainstay.hook;

/** What a host reads: standard output, standard error, and the exit code. */
public record Answer(String out, String err, int exit) {
  public static final Answer SILENT = new Answer("", "", 0);

  public static Answer saying(String out) {
    return new Answer(out, "", 0);
  }
}
