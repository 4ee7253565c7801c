package dev.mainstay.dashboard;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Where the files of the page come from. What is not one of them is not found, whatever its name.
 */
public interface PageFiles {
  String INDEX = "index.html";

  Optional<PageFile> find(String name);

  /** As they were built into the program; none at all where npm was missing then. */
  static PageFiles built() {
    return new Built("page/");
  }

  /** As they lie in a folder now, for people who change them. */
  static PageFiles in(Path folder) {
    return new InFolder(folder);
  }

  /** The build wrote down which files there are; each is read and made small once. */
  final class Built implements PageFiles {
    private static final String LIST = "files";

    private final String folder;
    private final Set<String> names;
    private final Map<String, PageFile> known = new ConcurrentHashMap<>();

    Built(String folder) {
      this.folder = folder;
      this.names =
          read(LIST)
              .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
              .map(text -> text.lines().collect(Collectors.toUnmodifiableSet()))
              .orElse(Set.of());
    }

    @Override
    public Optional<PageFile> find(String name) {
      if (!names.contains(name)) return Optional.empty();
      return Optional.of(known.computeIfAbsent(name, this::load));
    }

    private PageFile load(String name) {
      byte[] content = read(name).orElseThrow(() -> new IllegalStateException(name + " is gone"));
      return PageFile.of(name, content);
    }

    private Optional<byte[]> read(String name) {
      try (InputStream in = PageFiles.class.getResourceAsStream(folder + name)) {
        return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
      } catch (IOException fault) {
        throw new UncheckedIOException(fault);
      }
    }
  }

  /** Names with anything but letters, digits, - and _ between slashes lead nowhere. */
  final class InFolder implements PageFiles {
    private static final Pattern NAME = Pattern.compile("([A-Za-z0-9_-]+/)*[A-Za-z0-9_.-]+");

    private final Path folder;

    InFolder(Path folder) {
      this.folder = folder.toAbsolutePath().normalize();
    }

    @Override
    public Optional<PageFile> find(String name) {
      if (!NAME.matcher(name).matches() || name.startsWith("node_modules/")) {
        return Optional.empty();
      }
      Path file = folder.resolve(name);
      boolean plain = Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
      if (!plain || PageFile.type(name).isEmpty()) return Optional.empty();
      try {
        return Optional.of(PageFile.of(name, Files.readAllBytes(file)));
      } catch (IOException fault) {
        throw new UncheckedIOException(fault);
      }
    }
  }
}
