import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** The engines that ours is measured beside; by name, since a smoke run goes without them. */
final class WorkflowPeers implements Supplier<Map<String, WorkflowRow.Peer>> {
  @Override
  public Map<String, WorkflowRow.Peer> get() {
    Map<String, WorkflowRow.Peer> all = new LinkedHashMap<>();
    for (FlowablePeer.Form form : FlowablePeer.Form.values()) {
      all.put(
          WorkflowRow.FLOWABLE + ", " + form.typed(),
          (jdbc, workers) -> new FlowablePeer(jdbc, form, workers));
    }
    for (OperatonPeer.Form form : OperatonPeer.Form.values()) {
      all.put(
          WorkflowRow.OPERATON + ", " + form.typed(),
          (jdbc, workers) -> new OperatonPeer(jdbc, form, workers));
    }
    return all;
  }
}
