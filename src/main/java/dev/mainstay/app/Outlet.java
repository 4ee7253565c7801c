package dev.mainstay.app;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Standard output that remembers why something could not be written, which a print stream hides.
 */
final class Outlet extends OutputStream {
  private static final String NOBODY_READS_ON = "Broken pipe";

  private final OutputStream out;
  private @Nullable IOException fault;

  Outlet(FileDescriptor descriptor) {
    this.out = new FileOutputStream(descriptor);
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int count) throws IOException {
    try {
      out.write(bytes, from, count);
    } catch (IOException first) {
      if (fault == null) fault = first;
      throw first;
    }
  }

  /** Why not all was written; empty if it was, or if its reader has heard enough, as head has. */
  String fault() {
    IOException first = fault;
    String why = first == null ? "" : String.valueOf(first.getMessage());
    return why.contains(NOBODY_READS_ON) ? "" : why;
  }
}
