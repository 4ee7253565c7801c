/** A queue in which tasks wait, with workers who claim and complete them one after the other. */
interface QueueContestant extends AutoCloseable {
  /** Fills a place with so many tasks for so many workers. */
  interface Opening {
    QueueContestant open(QueueSupply.Place place, int workers, int filled) throws Exception;
  }

  /** The workers begin. */
  void begin() throws Exception;

  /** How many were completed so far. */
  long done();

  /** The workers end; what they hold they complete first. */
  void end() throws Exception;

  /** What the store itself says after the end. */
  Outcome outcome() throws Exception;

  /**
   * @param filled how many tasks there were at the beginning
   * @param waiting how many nobody has taken
   * @param held how many a peer had taken when it was stopped, and offers again by itself later
   * @param completed how many are done by the word of the store
   * @param worked how many different tasks the workers saw
   * @param twice how many of them they saw more than once
   */
  record Outcome(long filled, long waiting, long held, long completed, long worked, long twice) {
    boolean ok() {
      return waiting + held + completed == filled
          && completed <= worked
          && worked <= completed + held
          && twice == 0
          && completed > 0;
    }
  }
}
