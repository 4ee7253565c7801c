package dev.mainstay.rest;

import io.opentelemetry.api.OpenTelemetry;
import java.util.List;

/** What the server is given beside the rooms: who wakes it, where traces go, what is mounted. */
public record Surroundings(Wakeups wakeups, OpenTelemetry tracing, List<Mounted> doors) {
  public Surroundings {
    doors = List.copyOf(doors);
  }
}
