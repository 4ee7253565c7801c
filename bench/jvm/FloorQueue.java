/** The floor: the two bare statements, each with its journal entry, over the same tables. */
final class FloorQueue implements QueueContestant {
  private final QueueSupply.Place place;
  private final int filled;
  private final BareQueue bare;
  private final Workers workers;

  FloorQueue(QueueSupply.Place place, int workers, int filled) throws Exception {
    this.place = place;
    this.filled = filled;
    QueueSupply.fill(place, filled);
    bare = new BareQueue(place.jdbc(), place.postgres(), workers);
    this.workers = new Workers(workers, worker -> bare.once(worker) >= 0);
  }

  @Override
  public void begin() {
    workers.begin();
  }

  @Override
  public long done() {
    return workers.done();
  }

  @Override
  public void end() throws Exception {
    workers.end();
    bare.close();
  }

  /**
   * Whoever was given a task twice would have written its journal entry twice, which is refused.
   */
  @Override
  public Outcome outcome() throws Exception {
    long completed = count("SELECT count(*) FROM tasks WHERE status = 'COMPLETED'");
    long waiting = count("SELECT count(*) FROM tasks WHERE status = 'PENDING'");
    long entries =
        count("SELECT count(DISTINCT stream) FROM journal WHERE kind = 'task.completed'");
    return new Outcome(filled, waiting, 0, completed, entries, workers.done() - entries);
  }

  private long count(String query) throws Exception {
    return QueueSupply.count(place.jdbc(), query);
  }

  @Override
  public void close() {}
}
