package dev.mainstay.terminal;

import dev.mainstay.domain.Provider;
import java.util.List;

/** The programs agents run in: the project's, then the user's, then the built-in ones. */
public final class Providers {
  private final Shelf<Provider> shelf;

  public Providers(Places places) {
    this.shelf = new Shelf<>(places, new ProviderText());
  }

  /** Every provider there is, also those that are hidden by another or cannot be read. */
  public List<Listed<Provider>> list() {
    return shelf.list();
  }

  /** The provider that this name means; an unknown one is refused with the nearest. */
  public Provider get(String name) {
    return shelf.read(shelf.find(name));
  }

  /** Where the provider comes from that this name means. */
  public Listed.Source source(String name) {
    return shelf.find(name);
  }
}
