package dev.mainstay.workspace;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A process of its own that lets other things bear a name in turn, many times, and ends with the
 * first one in place: arguments are the name, how often, and the things that take its place.
 */
final class SwappingProcess {
  private SwappingProcess() {}

  public static void main(String[] args) throws Exception {
    Path name = Path.of(args[0]);
    int times = Integer.parseInt(args[1]);
    Path parked = name.resolveSibling("parked");
    List<Path> others = new ArrayList<>();
    for (int i = 2; i < args.length; i++) others.add(Path.of(args[i]));
    System.out.println("ready");
    if (System.in.read() < 0) return; // the test is gone
    for (int i = 0; i < times; i++) {
      swap(name, parked);
      for (Path other : others) {
        swap(other, name);
        swap(name, other);
      }
      swap(parked, name);
    }
    System.out.println("done");
  }

  /** Whoever took the free name meanwhile is put aside, into a folder "aside" beside it. */
  private static void swap(Path from, Path to) throws IOException {
    while (true) {
      try {
        Files.move(from, to, ATOMIC_MOVE);
        return;
      } catch (FileSystemException taken) {
        if (!Files.isDirectory(to, LinkOption.NOFOLLOW_LINKS)) throw taken;
        Path aside = Files.createDirectories(to.resolveSibling("aside"));
        Files.move(to, aside.resolve(Long.toString(System.nanoTime())), ATOMIC_MOVE);
      }
    }
  }
}
