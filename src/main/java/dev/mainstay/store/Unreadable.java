package dev.mainstay.store;

import dev.mainstay.store.Faults.Meaning;

/** Tells a row that cannot be read from a database that cannot be asked. */
public final class Unreadable {
  private Unreadable() {}

  /**
   * What is wrong with a row that could not be read. That the database was lost meanwhile says
   * nothing about the row and is thrown on, so that it is asked again.
   */
  public static String why(RuntimeException fault) {
    boolean isLost = fault instanceof SqlFault known && Faults.meaning(known.sql()) == Meaning.LOST;
    if (isLost) throw fault;
    return String.valueOf(fault.getMessage());
  }
}
