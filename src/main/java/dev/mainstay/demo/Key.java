package dev.mainstay.demo;

/**
 * Something that came from the keyboard, or from the terminal itself.
 *
 * @param text what was typed or pasted; the answer, if the terminal gave one
 * @param atNanos when it was read
 */
record Key(Kind kind, String text, long atNanos) {
  enum Kind {
    TYPED,
    PASTED,
    /** Pasted, but the end is missing, since there was too much. */
    PASTED_CUT,
    ENTER,
    BACKSPACE,
    INTERRUPT,
    REDRAW,
    /** The terminal's rows and columns: "50;200". */
    SIZE,
    /** Nothing will come any more. */
    END
  }
}
