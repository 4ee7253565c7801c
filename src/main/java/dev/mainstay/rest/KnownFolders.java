package dev.mainstay.rest;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Workspace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The folders that requests may be about: of this host, known to the store, and still there. */
final class KnownFolders {
  private final Rooms rooms;

  KnownFolders(Rooms rooms) {
    this.rooms = rooms;
  }

  /** The folder of a workspace; no request can name one in any other way. */
  Path of(String workspace) {
    Workspace known =
        rooms.workspaces().stream()
            .filter(each -> each.id().equals(workspace))
            .findFirst()
            .orElseThrow(
                () ->
                    Refusal.notFound(
                        Phrase.of(
                            "there is no workspace %s on this host; GET /workspaces lists those there are",
                            workspace)));
    if (isThere(known)) return folder(known);
    throw Refusal.conflict(
        Phrase.of(
            "the folder of %s, %s, is gone or leads elsewhere; put it back, or scan the one that took its place",
            workspace, known.place().workDir()));
  }

  /** Those whose folders can be looked at now. */
  List<Workspace> present() {
    return rooms.workspaces().stream().filter(KnownFolders::isThere).toList();
  }

  static Path folder(Workspace workspace) {
    return Path.of(workspace.place().workDir());
  }

  /** A link that took a folder's place would make another folder a workspace. */
  private static boolean isThere(Workspace workspace) {
    try {
      Path folder = folder(workspace);
      return folder.toRealPath().equals(folder) && folder.toFile().isDirectory();
    } catch (IOException gone) {
      return false;
    }
  }
}
