package dev.mainstay.directory;

import dev.mainstay.domain.Phrase;

/** A file that cannot be understood: where, and one sentence that says what to do about it. */
public final class PageFault extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final PageName page;
  private final int line;
  private final int column;
  private final String sentence;

  /** Line and column count from 1. */
  public PageFault(PageName page, int line, int column, String sentence) {
    super(Phrase.of("%s, line %d, column %d: %s", page.file(), line, column, sentence));
    this.page = page;
    this.line = line;
    this.column = column;
    this.sentence = sentence;
  }

  public PageName page() {
    return page;
  }

  public int line() {
    return line;
  }

  public int column() {
    return column;
  }

  public String sentence() {
    return sentence;
  }
}
