package dev.mainstay.terminal;

import dev.mainstay.domain.AgentProfile;
import dev.mainstay.domain.Provider;
import org.jspecify.annotations.Nullable;

/** Who can be started, and by which programs. */
public record Agents(Profiles profiles, Providers providers) {
  public static Agents of(Places places) {
    return new Agents(new Profiles(places), new Providers(places));
  }

  /** The provider that was asked for, else the profile's own, else the usual one. */
  Provider providerOf(AgentProfile profile, @Nullable String asked) {
    String own = profile.engine().provider();
    return providers.get(asked != null ? asked : own != null ? own : Provider.DEFAULT);
  }
}
