package dev.mainstay.store;

import dev.mainstay.store.Faults.Meaning;

/** Tells a row that cannot be read from a database that cannot be asked. */
public final class Unreadable {
  private Unreadable() {}

  /**
   * What is wrong with a row that could not be read. That the database was lost meanwhile, or wants
   * to be asked again, says nothing about the row and is thrown on.
   */
  public static String why(RuntimeException fault) {
    if (fault instanceof SqlFault known) {
      Meaning meaning = Faults.meaning(known.sql());
      if (meaning == Meaning.LOST || meaning == Meaning.COLLISION) throw fault;
    }
    return String.valueOf(fault.getMessage());
  }
}
