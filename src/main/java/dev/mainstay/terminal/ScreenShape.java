package dev.mainstay.terminal;

/**
 * How large a screen is and where its cursor stands, so that somebody else can draw the same.
 *
 * @param column of the cursor, from 0
 * @param row of the cursor, from 0
 */
public record ScreenShape(int columns, int rows, int column, int row) {
  public boolean isAsLargeAs(ScreenShape other) {
    return columns == other.columns && rows == other.rows;
  }
}
