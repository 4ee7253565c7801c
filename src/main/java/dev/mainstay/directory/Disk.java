package dev.mainstay.directory;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.Refusal;
import dev.mainstay.workspace.SafeFolder;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The five files as they lie in a folder at one moment. */
final class Disk {
  /**
   * One file: its bytes, its text without secrets, and what that says. A file that is not there has
   * none of them; one that cannot be understood has a fault in place of the last.
   */
  record File(
      byte @Nullable [] bytes,
      @Nullable String text,
      @Nullable Reading reading,
      @Nullable Finding fault) {
    static final File MISSING = new File(null, null, null, null);

    /** Whether something was taken out that looks like a secret. */
    boolean redacted() {
      return text != null && !Hashes.isText(bytes, text);
    }

    /**
     * What is wrong with a file that is only the beginning of what both sides knew: its writer may
     * have died, and a file that ends too soon must not take away what stood behind.
     */
    @Nullable Finding cutOff(PageName page, String known) {
      if (bytes == null) return null;
      // The bytes, not the text: half an id may look like a secret.
      String there = new String(bytes, StandardCharsets.UTF_8);
      boolean whole = there.length() >= known.length() || !known.startsWith(there);
      if (whole || known.substring(there.length()).isBlank()) return null;
      Lines lines = new Lines(there + "?");
      String sentence =
          Phrase.of(
              "column %d: the file ends here, but it went on, so it may be half written; if its end was taken away on purpose, leave some empty lines there",
              lines.columnOf(there.length()));
      return new Finding(page.file(), lines.lineOf(there.length()), Finding.Kind.FAULT, sentence);
    }
  }

  private final Map<PageName, File> files = new EnumMap<>(PageName.class);

  private Disk() {}

  static Disk read(SafeFolder folder) {
    Disk disk = new Disk();
    for (PageName page : PageName.values()) disk.files.put(page, file(folder, page));
    return disk;
  }

  /** The same as if some of the files were not there. */
  Disk without(Set<PageName> unread) {
    Disk rest = new Disk();
    rest.files.putAll(files);
    rest.files.keySet().removeAll(unread);
    return rest;
  }

  File get(PageName page) {
    return files.getOrDefault(page, File.MISSING);
  }

  /** Whether the file is still what it was. */
  boolean isSame(SafeFolder folder, PageName page) {
    byte @Nullable [] is = folder.read(page.file(), Page.TEXT_BYTES_MAX).orElse(null);
    return Arrays.equals(is, get(page).bytes());
  }

  private static File file(SafeFolder folder, PageName page) {
    byte @Nullable [] bytes;
    try {
      bytes = folder.read(page.file(), Page.TEXT_BYTES_MAX).orElse(null);
    } catch (Refusal unreadable) {
      if (isOfTheDisk(unreadable)) {
        throw Refusal.unavailable(
            unreadable.sentence() + "; check the disk, then repeat the command", unreadable);
      }
      return fault(new byte[0], page, 1, "column 1: " + unreadable.sentence());
    }
    if (bytes == null) return File.MISSING;
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException notText) {
      return notText(bytes, page);
    }
    try {
      String safe = safe(page, text);
      return new File(bytes, safe, Page.read(page, safe), null);
    } catch (PageFault fault) {
      String at =
          Phrase.of(
              "column %d: %s (mend the file, or delete it, and the next sync writes it again)",
              fault.column(), fault.sentence());
      return fault(bytes, page, fault.line(), at);
    }
  }

  /**
   * What the disk does not give says nothing about the file; who may not read it can be told so.
   */
  private static boolean isOfTheDisk(Refusal unreadable) {
    return unreadable.code() == Refusal.Code.STORE_UNAVAILABLE
        && !(unreadable.getCause() instanceof AccessDeniedException);
  }

  private static File notText(byte[] bytes, PageName page) {
    CharBuffer good = CharBuffer.allocate(bytes.length);
    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes), good, true);
    String before = good.flip().toString();
    Lines lines = new Lines(before + "?"); // in the place of the first byte that is wrong
    int at = before.length();
    String sentence =
        Phrase.of("column %d: this is not UTF-8 text; save the file as UTF-8", lines.columnOf(at));
    return fault(bytes, page, lines.lineOf(at), sentence);
  }

  private static File fault(byte[] bytes, PageName page, int line, String sentence) {
    return new File(
        bytes, null, null, new Finding(page.file(), line, Finding.Kind.FAULT, sentence));
  }

  /** Secrets go no further than the file, and from there they go, too. */
  private static String safe(PageName page, String text) {
    if (page != PageName.VARIABLES) return Redactor.DEFAULT.redact(text);
    Items items = Page.read(page, text).items();
    JsonObject all = VariableItems.object(items);
    JsonObject clean = Redactor.DEFAULT.redactObject(all);
    if (clean.equals(all)) return text;
    Items.Builder safe = Items.builder();
    VariableItems.put(safe, clean);
    return Page.write(page, safe.build(), text);
  }
}
