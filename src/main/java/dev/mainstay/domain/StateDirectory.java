package dev.mainstay.domain;

/** A folder on one host that shows the execution of one task. */
public record StateDirectory(String host, String folder, TaskId task, String execution) {
  /** The same folder has the same id, whatever it shows. */
  public static String id(String host, String folder) {
    return JournalEntry.sha256(host.length() + ":" + host + folder).substring(0, 32);
  }

  public String id() {
    return id(host, folder);
  }
}
