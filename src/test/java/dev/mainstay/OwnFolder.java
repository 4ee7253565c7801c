package dev.mainstay;

import dev.mainstay.trust.TrustedFolders;
import dev.mainstay.trust.UserFolders;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The {@code .mainstay} of a project as Mainstay makes it, before a test puts files into it. */
public final class OwnFolder {
  private OwnFolder() {}

  public static Path in(Path project) {
    Path folder = project.resolve(".mainstay");
    new TrustedFolders(UserFolders.of(Map.of()), List.of()).make(folder);
    return folder;
  }
}
