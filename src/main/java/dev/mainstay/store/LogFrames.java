package dev.mainstay.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Which pages are in SQLite's write-ahead log, each as the last commit left it. Whoever reads has
 * the right to write, so nobody appends meanwhile. Opening and closing the log harms nobody:
 * SQLite's locks are on other files.
 */
final class LogFrames {
  private static final int HEADER_BYTES = 32;
  private static final int FRAME_BYTES = 24;
  private static final int MAGIC = 0x377f0682; // the last bit tells the order of bytes of the sums
  private static final int SALTS_AT = 16;
  private static final int PAGE_BYTES_MIN = 512;
  private static final int PAGE_BYTES_MAX = 65_536;

  /** Where the first frame is. */
  static final long BEGIN = HEADER_BYTES;

  private static final int FRAMES_AT_ONCE = 64;
  private static final int DATABASE_HEADER_BYTES = 100;

  private final Path log;
  private final Map<Integer, Integer> committed = new HashMap<>();
  private final Map<Integer, Integer> fresh = new HashMap<>();
  private long salts;
  private int pageBytes;
  private int databasePages;
  private long next = HEADER_BYTES; // where the first frame is that was not read yet
  private int first; // the two running sums of the frames before it
  private int second;

  LogFrames(Path log) {
    this.log = log;
  }

  /** Nothing is in the log, or there is none. */
  boolean isEmpty() throws IOException {
    try {
      return Files.size(log) <= HEADER_BYTES;
    } catch (NoSuchFileException none) {
      return true;
    }
  }

  static Path beside(Path database) {
    return database.resolveSibling(database.getFileName() + "-wal");
  }

  /** By which a log is known; SQLite draws others when it begins it anew. 0 without any frames. */
  static long salts(@Nullable FileChannel log) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(HEADER_BYTES + 1); // with the first byte of a frame
    return log == null || !fill(log, head, 0) ? 0 : head.getLong(SALTS_AT);
  }

  /** Whether a frame was written at this place since the log was begun anew with these salts. */
  static boolean hasFrame(@Nullable FileChannel log, long salts, long at) throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(FRAME_BYTES);
    return log != null && salts != 0 && fill(log, frame, at) && frame.getLong(8) == salts;
  }

  /** Whether so many frames were written since the log was begun anew with these salts. */
  static boolean isLong(@Nullable FileChannel log, long salts, int frames) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(HEADER_BYTES);
    if (log == null || !fill(log, head, 0) || !isPage(head.getInt(8))) return false;
    return hasFrame(log, salts, BEGIN + (frames - 1L) * (FRAME_BYTES + head.getInt(8)));
  }

  /** Reads what was committed since the last look; false where there is no log. */
  boolean read() throws IOException {
    try (FileChannel channel = FileChannel.open(log)) {
      ByteBuffer head = ByteBuffer.allocate(HEADER_BYTES);
      if (channel.size() <= HEADER_BYTES || !fill(channel, head, 0)) return forget();
      if ((head.getInt(0) & ~1) != MAGIC || !isPage(head.getInt(8))) return forget();
      if (head.getLong(SALTS_AT) != salts || pageBytes != head.getInt(8)) begin(head);
      boolean littleEndian = (head.getInt(0) & 1) == 0;
      readFrames(channel, littleEndian ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
      return true;
    } catch (NoSuchFileException none) {
      return forget();
    }
  }

  /** The sum of each page in the log that was read. */
  Map<Integer, Integer> pages() {
    return committed;
  }

  /** The sums of those that came since this was asked before. */
  Map<Integer, Integer> takeNew() {
    Map<Integer, Integer> taken = Map.copyOf(fresh);
    fresh.clear();
    return taken;
  }

  long salts() {
    return salts;
  }

  /** After the last frame of the last commit that was read. */
  long end() {
    return next;
  }

  /** How many pages the database has with what is in the log; 0 where nothing is. */
  int databasePages() {
    return databasePages;
  }

  private boolean forget() {
    committed.clear();
    fresh.clear();
    salts = 0;
    pageBytes = 0;
    databasePages = 0;
    return false;
  }

  private void begin(ByteBuffer head) {
    forget();
    salts = head.getLong(SALTS_AT);
    pageBytes = head.getInt(8);
    next = HEADER_BYTES;
    first = head.getInt(24);
    second = head.getInt(28);
  }

  private void readFrames(FileChannel channel, ByteOrder order) throws IOException {
    int frameBytes = FRAME_BYTES + pageBytes;
    ByteBuffer frames = ByteBuffer.allocate(frameBytes * FRAMES_AT_ONCE);
    // Copied at once: a word at a time out of the buffer took a server four times as long.
    int[] words = new int[frameBytes / Integer.BYTES];
    Map<Integer, Integer> uncommitted = new HashMap<>();
    int one = first;
    int two = second;
    for (long at = next; ; ) {
      frames.clear();
      while (frames.hasRemaining() && channel.read(frames, at + frames.position()) > 0) {}
      int whole = frames.position() / frameBytes;
      for (int i = 0; i < whole; i++) {
        ByteBuffer frame = frames.slice(i * frameBytes, frameBytes);
        if (frame.getLong(8) != salts) return;
        frame.duplicate().order(order).asIntBuffer().get(words);
        for (int word = 0; word < words.length; word += 2) {
          if (word == 2) word = FRAME_BYTES / Integer.BYTES; // salts and sums are not summed up
          one += words[word] + two;
          two += words[word + 1] + one;
        }
        if (frame.getInt(16) != one || frame.getInt(20) != two) return;
        uncommitted.put(frame.getInt(0), sum(frame.slice(FRAME_BYTES, pageBytes)));
        at += frameBytes;
        if (frame.getInt(4) == 0) continue; // not the last one of its transaction
        databasePages = frame.getInt(4);
        committed.putAll(uncommitted);
        fresh.putAll(uncommitted);
        uncommitted.clear();
        next = at;
        first = one;
        second = two;
      }
      if (whole < FRAMES_AT_ONCE) return;
    }
  }

  private static boolean fill(FileChannel channel, ByteBuffer buffer, long at) throws IOException {
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, at + buffer.position()) < 0) return false;
    }
    return true;
  }

  /** Never 0, which stands for a page whose sum nobody knows. */
  static int sum(ByteBuffer page) {
    CRC32C sum = new CRC32C();
    sum.update(page);
    int value = (int) sum.getValue();
    return value == 0 ? 1 : value;
  }

  /** How many pages a database has as its own head says; 0 where that is not said. */
  static int pagesSaid(FileChannel database) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(DATABASE_HEADER_BYTES);
    if (!fill(database, head, 0) || head.getInt(24) != head.getInt(92)) return 0;
    return head.getInt(28);
  }

  /** How large pages are as the file of a database says; null where it is none. */
  static @Nullable Integer pageBytes(FileChannel database) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(HEADER_BYTES);
    if (!fill(database, head, 0)) return null;
    int said = head.getShort(16) & 0xffff;
    int bytes = said == 1 ? PAGE_BYTES_MAX : said;
    return isPage(bytes) ? bytes : null;
  }

  /** Whether pages can be so large; what a damaged head says is not. */
  private static boolean isPage(int bytes) {
    return bytes >= PAGE_BYTES_MIN && bytes <= PAGE_BYTES_MAX && Integer.bitCount(bytes) == 1;
  }
}
