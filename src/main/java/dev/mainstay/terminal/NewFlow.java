package dev.mainstay.terminal;

import dev.mainstay.calendar.Schedule;
import dev.mainstay.domain.AgentProfile;
import dev.mainstay.domain.Flow.Timing;
import dev.mainstay.domain.Flow.Work;
import dev.mainstay.domain.FlowBody;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.nio.file.Path;

/**
 * A flow as somebody wants it, to run in a folder of this machine. Secrets are taken out. Without a
 * script nobody else can give values, so its own variables must be enough.
 */
public record NewFlow(String name, Timing timing, Work work, Path workDir) {
  public NewFlow {
    name = AgentProfile.name("a flow's name", name);
    work = work.redacted();
    workDir = workDir.toAbsolutePath().normalize();
    Schedule.of(timing);
    for (String variable : FlowBody.names(work.body())) {
      if (work.script() != null || work.variables().has(variable)) continue;
      throw Refusal.invalid(
          Phrase.of(
              "the variable \"%s\" has no value; put it under \"variables\", or add a script that gives it",
              variable));
    }
  }

  JsonObject toJson() {
    return JsonObject.of("name", name, "schedule", timing.schedule(), "zone", timing.zone())
        .with("missed", timing.missed().typed())
        .with("agent_profile", work.profile())
        .with("provider", work.provider())
        .with("script", work.script())
        .with("variables", work.variables())
        .with("body", work.body())
        .with("work_dir", workDir.toString());
  }
}
