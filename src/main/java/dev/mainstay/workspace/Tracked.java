package dev.mainstay.workspace;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.StreamCorruptedException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The paths that git tracks, read from the bytes of its index. JGit could read an index, too, but
 * only by its path, and then writes files beside it to measure the disk's clock; a scan writes
 * nothing.
 */
final class Tracked {
  static final Tracked NONE = new Tracked(new byte[0], new int[] {0}, new BitSet());
  private static final int SIGNATURE = 0x44495243; // DIRC
  private static final int STAT_BYTES = 40;
  private static final int[] ID_BYTES = {20, 32}; // SHA-1 and SHA-256
  private static final int EXTENDED = 0x4000;
  private static final int SKIP_WORKTREE = 0x4000;
  private static final int NAME_LENGTH = 0xfff;
  private static final int PATH_BYTES_MAX = 16_384;
  private static final int NAMES_BYTES_MAX = 64 << 20;
  private static final int PATHS_MAX = 2_000_000;
  static final long INDEX_BYTES_MAX = 512L << 20;
  private static final int ENTRY_BYTES_ALIGNED = 8;

  /** All paths in git's order, one after the other; one more start than there are paths. */
  private final byte[] names;

  private final int[] starts;

  /** The places of paths that a sparse checkout keeps off the disk; a folder ends with a slash. */
  private final BitSet sparse;

  private Tracked(byte[] names, int[] starts, BitSet sparse) {
    this.names = names;
    this.starts = starts;
    this.sparse = sparse;
  }

  private record IndexEntry(byte[] path, boolean isSparse) {}

  /** Opens the index anew for each try. */
  interface Source {
    InputStream open() throws IOException;
  }

  /** What a damaged or unknown index tracks is nothing: a scan does not fail for it. */
  static Tracked read(Source index) throws IOException {
    for (int idBytes : ID_BYTES) {
      try (InputStream in = index.open()) {
        return parse(new DataInputStream(new BufferedInputStream(in, 1 << 16)), idBytes);
      } catch (StreamCorruptedException | EOFException damaged) {
        // The length of an id is not in the index; the other one may fit.
      }
    }
    return NONE;
  }

  private static Tracked parse(DataInputStream in, int idBytes) throws IOException {
    require(in.readInt() == SIGNATURE);
    int version = in.readInt();
    require(version >= 2 && version <= 4);
    int count = in.readInt();
    require(count >= 0 && count <= PATHS_MAX);
    ByteArrayOutputStream names = new ByteArrayOutputStream();
    int[] starts = new int[1_024];
    BitSet sparse = new BitSet();
    byte[] path = new byte[0];
    for (int i = 0; i < count; i++) {
      IndexEntry entry = readEntry(in, idBytes, version, path);
      path = entry.path();
      if (entry.isSparse()) sparse.set(i);
      require(path.length > 0);
      names.write(path, 0, path.length);
      require(names.size() <= NAMES_BYTES_MAX);
      if (i + 1 == starts.length) starts = Arrays.copyOf(starts, starts.length * 2);
      starts[i + 1] = names.size();
    }
    return new Tracked(names.toByteArray(), Arrays.copyOf(starts, count + 1), sparse);
  }

  private static IndexEntry readEntry(DataInputStream in, int idBytes, int version, byte[] before)
      throws IOException {
    in.skipNBytes(STAT_BYTES + idBytes);
    int flags = in.readUnsignedShort();
    int read = STAT_BYTES + idBytes + 2;
    boolean isSparse = false;
    if (version >= 3 && (flags & EXTENDED) != 0) {
      isSparse = (in.readUnsignedShort() & SKIP_WORKTREE) != 0;
      read += 2;
    }
    int kept = version == 4 ? before.length - readNumber(in) : 0;
    require(kept >= 0 && kept <= before.length);
    ByteArrayOutputStream path = new ByteArrayOutputStream();
    path.write(before, 0, kept);
    for (int c = in.readUnsignedByte(); c != 0; c = in.readUnsignedByte()) {
      path.write(c);
      require(path.size() <= PATH_BYTES_MAX);
    }
    int length = flags & NAME_LENGTH;
    require(length == NAME_LENGTH || length == path.size());
    if (version < 4) { // padded with NULs, one of which is already read
      int over = (read + path.size() + 1) % ENTRY_BYTES_ALIGNED;
      in.skipNBytes(over == 0 ? 0 : ENTRY_BYTES_ALIGNED - over);
    }
    return new IndexEntry(path.toByteArray(), isSparse);
  }

  private static int readNumber(DataInputStream in) throws IOException {
    int c = in.readUnsignedByte();
    int number = c & 127;
    while ((c & 128) != 0) {
      require(number <= PATH_BYTES_MAX);
      c = in.readUnsignedByte();
      number = ((number + 1) << 7) + (c & 127);
    }
    return number;
  }

  private static void require(boolean sound) throws StreamCorruptedException {
    if (!sound) throw new StreamCorruptedException("not an index this version can read");
  }

  boolean contains(String path) {
    byte[] wanted = path.getBytes(StandardCharsets.UTF_8);
    int at = firstFrom(wanted);
    return at < size() && length(at) == wanted.length && startsWith(at, wanted);
  }

  /** Whether a sparse checkout keeps the path, or a folder around it, off the disk. */
  boolean isSparse(String path) {
    if (sparse.isEmpty()) return false;
    byte[] wanted = path.getBytes(StandardCharsets.UTF_8);
    int at = firstFrom(wanted);
    if (at < size() && length(at) == wanted.length && startsWith(at, wanted)) return sparse.get(at);
    for (int end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      byte[] folder = path.substring(0, end + 1).getBytes(StandardCharsets.UTF_8);
      int place = firstFrom(folder);
      boolean isEntry =
          place < size() && length(place) == folder.length && startsWith(place, folder);
      if (isEntry) return sparse.get(place);
    }
    return false;
  }

  boolean hasBelow(String folder) {
    byte[] prefix = (folder + "/").getBytes(StandardCharsets.UTF_8);
    int at = firstFrom(prefix);
    return at < size() && startsWith(at, prefix);
  }

  /** The names of the files and folders in a folder that lead to something tracked. */
  List<String> namesIn(String folder) {
    byte[] prefix = (folder + "/").getBytes(StandardCharsets.UTF_8);
    List<String> found = new ArrayList<>();
    String last = "";
    for (int at = firstFrom(prefix); at < size() && startsWith(at, prefix); at++) {
      int start = starts[at] + prefix.length;
      int end = start;
      while (end < starts[at + 1] && names[end] != '/') end++;
      String name = new String(names, start, end - start, StandardCharsets.UTF_8);
      if (!name.equals(last)) found.add(name);
      last = name;
    }
    return found;
  }

  int size() {
    return starts.length - 1;
  }

  private int length(int at) {
    return starts[at + 1] - starts[at];
  }

  private boolean startsWith(int at, byte[] prefix) {
    int start = starts[at];
    return length(at) >= prefix.length
        && Arrays.equals(names, start, start + prefix.length, prefix, 0, prefix.length);
  }

  private int firstFrom(byte[] wanted) {
    int low = 0;
    int high = size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      int order =
          Arrays.compareUnsigned(
              names, starts[middle], starts[middle + 1], wanted, 0, wanted.length);
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  boolean isSame(Tracked other) {
    return Arrays.equals(starts, other.starts)
        && Arrays.equals(names, other.names)
        && sparse.equals(other.sparse);
  }
}
