// Saves and loads a state that grows, with the savers of LangGraph: one thread, one checkpoint a turn.
//
//   node langgraph.mjs sqlite|sqlite-delta FILE TURNS
//   node langgraph.mjs postgresql|postgresql-delta URL TURNS
//
// Prints one JSON line: mean milliseconds to save and to load, and to read everything back in the end.
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { emptyCheckpoint, uuid6 } from '@langchain/langgraph-checkpoint';
import Database from 'better-sqlite3';
import { createHash } from 'node:crypto';

const WORDS = ('read the file of routes and found that each handler opens its own pool moved it into one place tests ' +
  'pass again two are slow because they wait for clock next step is to write migration down before queue worker lease ' +
  'fence order invoice').split(' ');
const NOTES = 8;
const NOTE_CHARS = 250;

function note(turn, place) {
  let x = 1 + turn * 8 + place;
  let text = `turn ${turn}.${place}:`;
  while (text.length < NOTE_CHARS) {
    x = (x * 16807) % 2147483647;
    text += ' ' + WORDS[x % WORDS.length];
  }
  return text.slice(0, NOTE_CHARS).trim();
}

function notes(turn) {
  return Array.from({ length: NOTES }, (_, place) => note(turn, place));
}

const [mode, place, count] = process.argv.slice(2);
const turns = Number(count);
const isDelta = mode.endsWith('-delta');

async function open() {
  if (mode.startsWith('postgresql')) {
    const saver = PostgresSaver.fromConnString(place);
    await saver.setup();
    return saver;
  }
  const db = new Database(place);
  const saver = new SqliteSaver(db);
  saver.setup();
  // better-sqlite3 is compiled with NORMAL for WAL, which may lose what was acknowledged.
  db.pragma('synchronous = FULL');
  return saver;
}

async function play(saver, thread, turns) {
  let config = { configurable: { thread_id: thread, checkpoint_ns: '' } };
  const latest = { configurable: { thread_id: thread, checkpoint_ns: '' } };
  let state = [];
  let saving = 0;
  let loading = 0;
  for (let turn = 0; turn < turns; turn++) {
    const added = notes(turn);
    let began = performance.now();
    state = state.concat(added);
    const checkpoint = emptyCheckpoint();
    checkpoint.id = uuid6(turn);
    if (isDelta) {
      // As the loop of LangGraph does with a DeltaChannel: the writes of a step, then a checkpoint without it.
      if (turn > 0) await saver.putWrites(config, [['notes', added]], `task-${turn}`);
      checkpoint.channel_versions = { notes: turn + 1 };
      config = await saver.put(config, checkpoint, { source: 'loop', step: turn, parents: {} }, {});
      if (turn === 0) await saver.putWrites(config, [['notes', added]], 'task-0');
    } else {
      checkpoint.channel_values = { notes: state };
      checkpoint.channel_versions = { notes: turn + 1 };
      config = await saver.put(config, checkpoint, { source: 'loop', step: turn, parents: {} }, { notes: turn + 1 });
    }
    saving += performance.now() - began;
    began = performance.now();
    await load(saver, latest, config);
    loading += performance.now() - began;
  }
  const began = performance.now();
  const whole = await load(saver, latest, config);
  return { saving: saving / turns, loading: loading / turns, reading: performance.now() - began, whole };
}

async function load(saver, latest, config) {
  const tuple = await saver.getTuple(latest);
  if (!isDelta) return tuple.checkpoint.channel_values.notes;
  const history = await saver.getDeltaChannelHistory({ config: latest, channels: ['notes'] });
  const own = (tuple.pendingWrites ?? []).filter((write) => write[1] === 'notes').map((write) => write[2]);
  return history.notes.writes.map((write) => write[2]).concat(own).flat();
}

const saver = await open();
await play(saver, 'warm', Math.min(40, turns));
if (mode.startsWith('sqlite')) saver.db.exec("DELETE FROM checkpoints; DELETE FROM writes; VACUUM");
else await saver.deleteThread('warm');
const played = await play(saver, 'one', turns);
const text = played.whole.map((each) => each + '\n').join('');
if (mode.startsWith('sqlite')) saver.db.close();
else await saver.end();
console.log(JSON.stringify({
  save: played.saving, load: played.loading, read: played.reading,
  sha256: createHash('sha256').update(text).digest('hex'), chars: text.length,
}));
