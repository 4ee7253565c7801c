package dev.mainstay.directory;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.StepDetails;
import dev.mainstay.domain.StepDetails.Outlook;
import dev.mainstay.domain.StepDetails.Param;
import java.util.List;

/** What a step takes and gives, without the secrets in it. */
final class StepDetailsRedaction {
  private StepDetailsRedaction() {}

  static StepDetails of(StepDetails details) {
    Outlook outlook = details.outlook();
    return new StepDetails(
        Redactor.DEFAULT.redact(details.component()),
        Redactor.DEFAULT.redact(details.tool()),
        params(details.inputs()),
        params(details.expectedOutputs()),
        new Outlook(
            outlook.cost(), outlook.time(), Redactor.DEFAULT.redact(outlook.sideEffects())));
  }

  private static List<Param> params(List<Param> params) {
    return params.stream()
        .map(
            param -> {
              JsonObject safe =
                  Redactor.DEFAULT.redactObject(JsonObject.of(param.name(), param.value()));
              Object value = safe.get(param.name());
              return new Param(param.name(), value == null ? "" : value);
            })
        .toList();
  }
}
