package dev.mainstay.cli;

import dev.mainstay.domain.Refusal;

/** What a command's number says to a script. */
final class ExitCodes {
  static final int OK = 0;
  static final int REFUSED = 1;
  static final int USAGE = 2;
  static final int NOT_FOUND = 3;
  static final int CONFLICT = 4;
  static final int UNAVAILABLE = 5;

  private ExitCodes() {}

  static int of(
      Refusal.Code code) { // no default: a new code must not compile until it has a number
    return switch (code) {
      case INVALID, TOO_LARGE -> REFUSED;
      case NOT_FOUND -> NOT_FOUND;
      case CONFLICT, LEASE_LOST, NOT_HOLDER -> CONFLICT;
      case STORE_UNAVAILABLE, STORE_FULL, READ_ONLY -> UNAVAILABLE;
    };
  }
}
