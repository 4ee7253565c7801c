package dev.mainstay.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * The checksums of a database's pages, in a file beside it: SQLite itself keeps none. A page that
 * has no sum yet is not checked. Its head says which log the sums go with, how far that log is
 * summed up, and how many commits there were. It is written by whoever has the right to write.
 */
final class PageSums implements AutoCloseable {
  private static final long MAGIC = 0x4d535459_53554d31L; // the letters MSTYSUM1
  private static final int HEAD_BYTES = 64;
  private static final int HEAD_SUM_AT = HEAD_BYTES - 4;
  private static final int SUM_BYTES = 4;

  private final FileChannel channel;

  /**
   * What the sums are about.
   *
   * @param salts by which a log is known: they hold as long as the log beside the file has these
   * @param end where the first frame of that log is that was not summed up
   * @param lostTo the last commit that was once there and is no more; 0 if none was lost
   */
  record Head(long salts, long end, long commits, long lostFrom, long lostTo) {
    /** No log has these. */
    private static final long UNKNOWN = -1;

    static final Head FIRST = new Head(UNKNOWN, 0, 0, 0, 0);

    /** Nobody knows what log they go with, and so they hold for none. */
    Head ofUnknown() {
      return of(UNKNOWN, 0);
    }

    Head of(long log, long summedUpTo) {
      return new Head(log, summedUpTo, commits, lostFrom, lostTo);
    }

    /** After a commit with this number, which must be greater than all before. */
    Head after(long number) {
      if (number > commits) return new Head(salts, end, number, lostFrom, lostTo);
      long from = lostTo == 0 ? number : Math.min(number, lostFrom);
      return new Head(salts, end, number, from, commits);
    }
  }

  private PageSums(FileChannel channel) {
    this.channel = channel;
  }

  static Path beside(Path database) {
    return database.resolveSibling(database.getFileName() + ".sums");
  }

  /**
   * Made where there is none, nobody's but the owner's to read. A link is not followed: a project
   * that somebody else made could have us write over any file of this user.
   */
  static PageSums open(Path file) throws IOException {
    var mine = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    return new PageSums(
        FileChannel.open(
            file,
            Set.of(
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS),
            mine));
  }

  static PageSums openToRead(Path file) throws IOException {
    return new PageSums(FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
  }

  /** What they are about; of a file that is new or damaged, nothing. */
  Head head() throws IOException {
    ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES);
    if (!isWhole(head)) return Head.FIRST;
    return new Head(
        head.getLong(8), head.getLong(16), head.getLong(24), head.getLong(32), head.getLong(40));
  }

  /** Whether there is a head and it is what was written; a new file has none. */
  private boolean isWhole(ByteBuffer head) throws IOException {
    while (head.hasRemaining() && channel.read(head, head.position()) > 0) {}
    return !head.hasRemaining()
        && head.getLong(0) == MAGIC
        && head.getInt(HEAD_SUM_AT) == sum(head);
  }

  boolean isDamaged() throws IOException {
    return channel.size() > 0 && !isWhole(ByteBuffer.allocate(HEAD_BYTES));
  }

  void write(Head head) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(HEAD_BYTES);
    bytes.putLong(0, MAGIC).putLong(8, head.salts()).putLong(16, head.end());
    bytes.putLong(24, head.commits()).putLong(32, head.lostFrom()).putLong(40, head.lostTo());
    bytes.putInt(HEAD_SUM_AT, sum(bytes));
    for (long at = 0; bytes.hasRemaining(); at = bytes.position()) channel.write(bytes, at);
  }

  private static int sum(ByteBuffer head) {
    CRC32C sum = new CRC32C();
    sum.update(head.array(), 0, HEAD_SUM_AT);
    return (int) sum.getValue();
  }

  /**
   * Takes in the sums of pages that are about to go from the log into the file. They are on disk
   * before the head says so.
   */
  void fold(Map<Integer, Integer> pages, Head after) throws IOException {
    if (!pages.isEmpty()) {
      for (var page : pages.entrySet()) put(page.getKey(), page.getValue());
      channel.force(false);
    }
    write(after);
  }

  void put(int page, int sum) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(SUM_BYTES).putInt(0, sum);
    channel.write(bytes, HEAD_BYTES + (page - 1L) * SUM_BYTES);
  }

  /** The sums of some pages, beginning with this one; 0 where none is known. */
  int[] of(int from, int count) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(count * SUM_BYTES);
    long at = HEAD_BYTES + (from - 1L) * SUM_BYTES;
    while (bytes.hasRemaining() && channel.read(bytes, at + bytes.position()) > 0) {}
    int[] sums = new int[count];
    bytes.rewind().asIntBuffer().get(sums);
    return sums;
  }

  /** How many pages there may be sums of. */
  int pages() throws IOException {
    return (int) (Math.max(0, channel.size() - HEAD_BYTES) / SUM_BYTES);
  }

  /** No page has a sum any more. */
  void clear(Head head) throws IOException {
    channel.truncate(0);
    write(head);
  }

  /** Nothing is known any more; this needs no room on the disk. */
  void empty() throws IOException {
    channel.truncate(0);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  static void remove(Path database) throws IOException {
    Files.deleteIfExists(beside(database));
  }
}
