package dev.mainstay.terminal;

import dev.mainstay.domain.AgentProfile;
import dev.mainstay.domain.Nearest;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.terminal.Listed.Origin;
import dev.mainstay.terminal.Listed.Source;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Things by name, one file each, in three places; the first place that has a name wins. */
final class Shelf<T> {
  static final int FILE_BYTES_MAX = 262_144;
  static final int FILES_MAX = 1_000;

  /** How the files are called and read. */
  interface Kind<T> {
    /** What one is, such as "profile". */
    String noun();

    String folder();

    String ending();

    List<String> builtIn();

    T read(String name, String where, String text);
  }

  private final Places places;
  private final Kind<T> kind;

  Shelf(Places places, Kind<T> kind) {
    this.places = places;
    this.kind = kind;
  }

  /** Everything there is, by name, and of one name the one that is taken first. */
  List<Listed<T>> list() {
    List<Source> sources = sources();
    List<Listed<T>> listed = new ArrayList<>();
    Source first = null;
    for (Source each : sources) {
      boolean hidden = first != null && first.name().equals(each.name());
      if (!hidden) first = each;
      listed.add(listed(each, hidden && first != null ? first.where() : null));
    }
    return listed;
  }

  private Listed<T> listed(Source source, @Nullable String hiddenBy) {
    try {
      return new Listed<>(source, read(source), null, hiddenBy);
    } catch (Refusal refused) {
      return new Listed<>(source, null, refused.sentence(), hiddenBy);
    }
  }

  /** Where the one is that is taken; an unknown name is refused with the nearest. */
  Source find(String name) {
    List<Source> sources = sources();
    for (Source each : sources) if (each.name().equals(name)) return each;
    TreeSet<String> known = new TreeSet<>();
    for (Source each : sources) known.add(each.name());
    throw Refusal.notFound(
        Phrase.of(
            "there is no %s \"%s\"; %s; others can be put into %s",
            kind.noun(),
            name,
            Nearest.guess(name, known),
            places.project().resolve(kind.folder()).resolve("NAME" + kind.ending())));
  }

  T read(Source source) {
    return kind.read(source.name(), source.where(), text(source));
  }

  private List<Source> sources() {
    List<Source> sources = new ArrayList<>();
    if (places.isTrusted()) files(Origin.PROJECT, places.project(), sources);
    if (places.user() != null) files(Origin.USER, places.user(), sources);
    for (String name : kind.builtIn()) sources.add(new Source(name, Origin.BUILT_IN, "built-in"));
    sources.sort(Comparator.comparing(Source::name).thenComparing(Source::origin));
    return sources;
  }

  private void files(Origin origin, Path place, List<Source> into) {
    Path folder = place.resolve(kind.folder());
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> found =
          files
              .filter(f -> String.valueOf(f.getFileName()).endsWith(kind.ending()))
              .limit(FILES_MAX + 1L)
              .toList();
      if (found.size() > FILES_MAX) {
        throw Refusal.tooLarge(
            Phrase.of("%s has more than %,d files; keep fewer there", folder, FILES_MAX));
      }
      for (Path file : found) {
        String name = String.valueOf(file.getFileName());
        String plain = name.substring(0, name.length() - kind.ending().length());
        into.add(new Source(plain, origin, file.toString()));
      }
    } catch (NoSuchFileException | NotDirectoryException none) {
      // Most projects and people have none of their own.
    } catch (IOException | UncheckedIOException fault) {
      throw Refusal.invalid(
          Phrase.of("the folder %s cannot be read: %s", folder, fault.getMessage()));
    }
  }

  private String text(Source source) {
    AgentProfile.name("a " + kind.noun() + "'s name", source.name());
    if (source.origin() == Origin.BUILT_IN) return builtIn(source.name());
    Path file = Path.of(source.where());
    // A pipe or a device would be waited for without an end.
    if (!Files.isRegularFile(file)) throw Refusal.invalid(file + " is not a file");
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(FILE_BYTES_MAX + 1);
      if (bytes.length > FILE_BYTES_MAX) {
        throw Refusal.tooLarge(
            Phrase.of("%s has more than %,d bytes; shorten it", file, FILE_BYTES_MAX));
      }
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException broken) {
      throw Refusal.invalid(file + " is not valid UTF-8; save it as UTF-8");
    } catch (IOException fault) {
      throw Refusal.invalid(Phrase.of("%s cannot be read: %s", file, fault.getMessage()));
    }
  }

  private String builtIn(String name) {
    String resource = kind.folder() + "/" + name + kind.ending();
    try (InputStream in = Shelf.class.getResourceAsStream(resource)) {
      if (in == null) throw new IllegalStateException("no resource " + resource);
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }
}
