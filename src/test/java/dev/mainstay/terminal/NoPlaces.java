package dev.mainstay.terminal;

import dev.mainstay.domain.Refusal;
import java.nio.file.Path;
import java.util.Optional;

/** A folder that is in no repository. */
public final class NoPlaces implements WorkPlaces {
  @Override
  public void mustServe(Path folder) {
    throw Refusal.invalid(folder + " is in no repository");
  }

  @Override
  public Place add(String name, Path folder) {
    throw Refusal.invalid(folder + " is in no repository");
  }

  @Override
  public boolean isPlace(Path folder) {
    return false;
  }

  @Override
  public Optional<Patch> patch(String name, Path folder, String base) {
    return Optional.empty();
  }
}
