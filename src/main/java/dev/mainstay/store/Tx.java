package dev.mainstay.store;

import dev.mainstay.domain.TaskId;
import dev.mainstay.store.Changes.News;
import dev.mainstay.store.JournalTable.Head;
import dev.mainstay.store.JournalTable.Written;
import dev.mainstay.store.NotebookTable.Whole;
import dev.mainstay.store.TaskTable.Locked;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One transaction: its tables, its one moment in time, and what happens once it is kept. */
public final class Tx {
  private final Statements statements;
  private final Dialect dialect;
  private final Function<Tx, Instant> clock;
  private final Supplier<Follower> follower;
  private final boolean trusted;
  private final List<Follower.End> ends = new ArrayList<>();
  private final List<Runnable> afterCommit = new ArrayList<>();
  private final Set<News> news = EnumSet.noneOf(News.class);
  private @Nullable Instant now;
  private @Nullable Instant told;
  private final Map<String, Head> heads = new HashMap<>();
  private final Map<TaskId, Whole> wholes = new HashMap<>();
  private @Nullable Locked locked;
  private @Nullable String number;
  private @Nullable Written written;
  private boolean sealDue;
  private boolean unsettled;
  private boolean inCompany;

  Tx(
      Statements statements,
      Dialect dialect,
      Function<Tx, Instant> clock,
      Supplier<Follower> follower,
      boolean trusted) {
    this.statements = statements;
    this.dialect = dialect;
    this.clock = clock;
    this.follower = follower;
    this.trusted = trusted;
  }

  /** Another use case in the same transaction, with news and an end of its own. */
  Tx beside() {
    return new Tx(statements, dialect, clock, follower, trusted);
  }

  /** The same for one whose follower is told with all the others', once all of them are done. */
  Tx inCompany() {
    inCompany = true;
    return this;
  }

  boolean isInCompany() {
    return inCompany;
  }

  /** Whether binding orders in the store bind, or came from elsewhere. */
  boolean isTrusted() {
    return trusted;
  }

  /** A statement with {@code :binds} and {@code <fragments>}. */
  Sql sql(String text) {
    return new Sql(statements, dialect, text);
  }

  Dialect dialect() {
    return dialect;
  }

  Statements statements() {
    return statements;
  }

  /** The database's time of this transaction: the only clock a use case may look at. */
  public Instant now() {
    Instant known = now;
    if (known == null) now = known = clock.apply(this);
    return known;
  }

  /** A row that was read anyway tells the time, so that nobody has to ask for it. */
  void tellsTime(Instant time) {
    if (told == null) told = time;
  }

  /** The database's time of this transaction, if a row told it already. */
  @Nullable Instant told() {
    return told;
  }

  /** Runs when the change is durable, and not at all when it is not. */
  public void afterCommit(Runnable wakeUp) {
    afterCommit.add(wakeUp);
  }

  /** A task of a workflow has ended; whoever follows it is told before this transaction ends. */
  public void hasEnded(Follower.End end) {
    ends.add(end);
  }

  /**
   * Tells what another use case would have told, before what this one has to tell; whether it has.
   */
  boolean takesOver(@Nullable Tx earlier) {
    if (ends.isEmpty()) return false;
    if (earlier != null) {
      ends.addAll(0, earlier.ends);
      earlier.ends.clear();
    }
    return true;
  }

  /** Tells of the tasks that have ended, and of those that end by that in turn. */
  void tellFollower() {
    while (!ends.isEmpty()) {
      List<Follower.End> told = List.copyOf(ends);
      ends.clear();
      follower.get().ended(this, told);
    }
  }

  /** Makes the changes that still wait for company. */
  void finish() {
    statements.sendWaiting();
  }

  /** The same, and ends the transaction on the same journey, so that all of it is kept. */
  void finishAndCommit() {
    statements.sendWaitingWith(sql("COMMIT"));
  }

  /** The heads of streams that this transaction knows because nobody else can move them. */
  Map<String, Head> heads() {
    return heads;
  }

  /** The notebooks, as they were last written whole, that dossiers read here go on from. */
  Map<TaskId, Whole> wholes() {
    return wholes;
  }

  /** A task that was locked and looked at for this use case before it began. */
  void has(Locked task) {
    locked = task;
  }

  /** Gives that task to whoever asks for it first; what happens to it then, this does not know. */
  @Nullable Locked takeLocked(TaskId id) {
    Locked known = locked;
    if (known == null || !known.task().id().equals(id)) return null;
    locked = null;
    return known;
  }

  /** The number of this transaction, if something it did told it. */
  @Nullable String number() {
    return number;
  }

  void isNumbered(String told) {
    number = told;
  }

  void wrote(Written entry) {
    written = entry;
  }

  /** The journal entry that was written last. */
  @Nullable Written written() {
    return written;
  }

  /** Notes a new journal entry; now and then one makes a seal due. */
  void wrote(long seq) {
    sealDue |= seq % Seals.ENTRIES_BETWEEN == 0;
    brings(News.JOURNAL);
  }

  /** Those who wait for news of this kind are woken when the change is durable. */
  void brings(News kind) {
    news.add(kind);
  }

  Set<News> news() {
    return news;
  }

  /**
   * The answer is not kept under the request's key, as there is none yet: the same request is asked
   * anew when it is repeated.
   */
  public void leaveUnsettled() {
    unsettled = true;
  }

  boolean isUnsettled() {
    return unsettled;
  }

  /**
   * Whether this transaction alone, of all processes that share the store, has a role until it
   * ends. Nobody waits for it, and a process that dies gives it back.
   */
  public boolean isElected(String role) {
    return dialect.tryElect(this, role);
  }

  boolean sealDue() {
    return sealDue;
  }

  void committed() {
    afterCommit.forEach(Runnable::run);
  }

  public JournalTable journal() {
    return new JournalTable(this);
  }

  public TaskTable tasks() {
    return new TaskTable(this);
  }

  public DossierTable dossiers() {
    return new DossierTable(this);
  }

  public NotebookTable notebooks() {
    return new NotebookTable(this);
  }

  public CheckpointTable checkpoints() {
    return new CheckpointTable(this);
  }

  public SnapshotTable snapshots() {
    return new SnapshotTable(this);
  }

  public RunTable runs() {
    return new RunTable(this);
  }

  public SessionTable sessions() {
    return new SessionTable(this);
  }

  public DependencyTable dependencies() {
    return new DependencyTable(this);
  }

  public AssignmentTable assignments() {
    return new AssignmentTable(this);
  }

  public OverviewTable overview() {
    return new OverviewTable(this);
  }

  public ChartTable charts() {
    return new ChartTable(this);
  }

  public PromptTable promptsGiven() {
    return new PromptTable(this);
  }

  public WriteCountTable writeCounts() {
    return new WriteCountTable(this);
  }

  public BudgetTable budgets() {
    return new BudgetTable(this);
  }

  public WaitingTable waiting() {
    return new WaitingTable(this);
  }

  public WorkflowTable workflows() {
    return new WorkflowTable(this);
  }

  public WorkflowExecutionTable workflowExecutions() {
    return new WorkflowExecutionTable(this);
  }

  public WorkflowWaitTable workflowWaits() {
    return new WorkflowWaitTable(this);
  }

  public WorkflowStartTable workflowStarts() {
    return new WorkflowStartTable(this);
  }

  public WorkflowMessageTable workflowMessages() {
    return new WorkflowMessageTable(this);
  }

  public WorkspaceTable workspaces() {
    return new WorkspaceTable(this);
  }

  public WorkspaceFileTable workspaceFiles() {
    return new WorkspaceFileTable(this);
  }

  public TouchTable touches() {
    return new TouchTable(this);
  }

  public FileWriteTable fileWrites() {
    return new FileWriteTable(this);
  }

  public ReservationTable reservations() {
    return new ReservationTable(this);
  }

  public ObservationTable observations() {
    return new ObservationTable(this);
  }

  public StateDirectoryTable stateDirectories() {
    return new StateDirectoryTable(this);
  }

  public ArtifactTable artifacts() {
    return new ArtifactTable(this);
  }

  public TerminalTable terminals() {
    return new TerminalTable(this);
  }

  public TerminalStateTable terminalStates() {
    return new TerminalStateTable(this);
  }

  public InboxTable inbox() {
    return new InboxTable(this);
  }

  public FlowTable flows() {
    return new FlowTable(this);
  }

  public FlowRunTable flowRuns() {
    return new FlowRunTable(this);
  }

  public DelegationTable delegations() {
    return new DelegationTable(this);
  }

  public TaskTypeTable taskTypes() {
    return new TaskTypeTable(this);
  }

  public ForeignTable foreign() {
    return new ForeignTable(this);
  }

  public AccessTokenTable accessTokens() {
    return new AccessTokenTable(this);
  }

  /** What the database itself finds wrong with its file. */
  public List<String> integrityProblems() {
    return dialect.integrityProblems(this);
  }

  /** Triggers, rules and views that Mainstay did not make, and definitions that were changed. */
  public List<String> schemaProblems() {
    return dialect.schemaProblems(this);
  }

  KeyTable keys() {
    return new KeyTable(this);
  }

  public RetentionTable retention() {
    return new RetentionTable(this);
  }

  public ErasureTable erasures() {
    return new ErasureTable(this);
  }

  public ArchivedStreamTable archivedStreams() {
    return new ArchivedStreamTable(this);
  }

  public MetaTable meta() {
    return new MetaTable(this);
  }
}
