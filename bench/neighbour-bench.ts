import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { second } from '#base/duration.ts';
import { ApiClient, startTake, newId, type OpenTake } from '#tests/support/api-client.ts';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import { insertRecordings } from '#tests/support/many-recordings.ts';
import { percentile, round, type Row, type Section } from './figures.ts';
import { asUser, finishedTake } from './neighbour-calls.ts';
import { appendToAll, closeAll, manyUsers, openTakes, type RecordingTake } from './recording-users.ts';
import { asSound } from '#tests/support/sound-bytes.ts';

const takes = Number(process.env.BENCH_TAKES ?? 200);
const seconds = Number(process.env.BENCH_SECONDS ?? 20);
const pieceBytes = 3000;
const appendEveryMs = 500;
const libraryRecordings = 10_000;

/** The load of the costly user: `prepare` runs before the measurement, `act` repeatedly during it. */
interface Load {
  name: string;
  prepare?(user: ApiClient): Promise<unknown>;
  act?(user: ApiClient, signal: AbortSignal): Promise<unknown>;
  loops?: number;
}

/**
 * Sends JSON and ignores the response, because rejecting it is one way in which the server protects other users.
 */
async function send(
  user: ApiClient,
  call: `${'GET' | 'POST' | 'PUT'} /${string}`,
  body?: unknown,
): Promise<void> {
  const [method = '', path = ''] = call.split(' ');
  const reply = await user.send({
    method,
    path,
    headers: { ...asUser(user), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
  });
  const retryAfterSeconds = Number(reply.headers['retry-after'] ?? 0);
  if (reply.status === 429) await delay(Math.min(1, retryAfterSeconds) * second);
}

/** Starts a download and never reads it. */
function downloadUnread(user: ApiClient, url: string, signal: AbortSignal): void {
  const outgoing = request(url, { headers: asUser(user), signal, agent: false }, (incoming) => {
    incoming.pause();
  });
  outgoing.on('error', () => undefined);
  outgoing.end();
}

function loadsOf(server: EarshotServer): Load[] {
  let take: OpenTake;
  let ids: string[] = [];
  const noteText = 'fold this text, ﷺ '.repeat(100);
  return [
    { name: 'no neighbour' },
    {
      name: 'writes notes of 1,800 characters, 8 loops',
      loops: 8,
      prepare: async (user) => {
        take = await startTake(user);
      },
      act: (user) =>
        send(user, `POST /api/recordings/${take.recordingId}/notes`, {
          id: newId(),
          fromMs: 0,
          text: noteText,
        }),
    },
    {
      name: 'opens 800 segments, then lists in 30 loops',
      loops: 30,
      act: (user) => send(user, 'GET /api/recordings'),
      async prepare(user) {
        const { token, recordingId } = await startTake(user);
        for (let segmentIndex = 1; segmentIndex <= 800; segmentIndex += 1) {
          const body = Buffer.from(
            JSON.stringify({ recordingId, stream: 'audio', segmentIndex, startMs: segmentIndex, epoch: 1 }),
          );
          const { status } = await user.send({
            method: 'PUT',
            path: `/api/uploads/${newId()}`,
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
            body,
          });
          if (status >= 300) return;
        }
      },
    },
    {
      name: 'does not read 22 downloads as WAV',
      prepare: async (user) => {
        ids = [await finishedTake(user)];
      },
      act: async (user, signal) => {
        for (let index = 0; index < 22; index += 1)
          downloadUnread(user, `${server.url}/api/recordings/${ids[0] ?? ''}/download?format=wav`, signal);
        await delay(seconds * second, undefined, { signal }).catch(() => undefined);
      },
    },
    {
      name: `trashes and restores ${libraryRecordings.toLocaleString('en')} recordings at once`,
      async prepare(user) {
        const reply = (await user.json('GET', '/api/recordings/ids')) as { ids: string[] };
        ids = reply.ids.slice(0, libraryRecordings);
      },
      async act(user) {
        for (const kind of ['trash', 'restore'])
          await send(user, 'POST /api/recordings/bulk', { ids, action: { kind } });
      },
    },
    {
      name: 'exports the whole account again and again',
      act: (user) => send(user, 'POST /api/exports/account'),
    },
    {
      name: 'searches for one letter, 8 loops',
      loops: 8,
      act: (user) => send(user, 'GET /api/recordings?search=m'),
    },
  ];
}

async function measure(load: Load, { user, open }: { user: ApiClient; open: RecordingTake[] }): Promise<Row> {
  await load.prepare?.(user);
  const ended = new AbortController();
  let acts = 0;
  const loops = Array.from({ length: load.act ? (load.loops ?? 1) : 0 }, async () => {
    while (!ended.signal.aborted) {
      await load.act?.(user, ended.signal);
      acts += 1;
    }
  });
  const { waitsMs, rejected } = await appendToAll(open, {
    piece: asSound(randomBytes(pieceBytes)),
    everyMs: appendEveryMs,
    goesOn: (nth) => nth < (seconds * second) / appendEveryMs,
  });
  ended.abort();
  await Promise.allSettled(loops);
  return {
    'the neighbour': load.name,
    'calls or rounds': acts,
    appends: waitsMs.length,
    'not 204': rejected,
    'append p50 ms': round(percentile(waitsMs, 0.5)),
    'append p99 ms': round(percentile(waitsMs, 0.99)),
  };
}

/** Measures how one user with the most expensive requests affects other users who record. */
export async function neighbourBench(): Promise<Section> {
  const server = await EarshotServer.launch(manyUsers);
  const user = new ApiClient(server.url, { address: '198.19.0.1' });
  let open: RecordingTake[] = [];
  try {
    await user.signUp();
    insertRecordings(server.dataDir, libraryRecordings);
    open = (await openTakes(server.url, takes)).map((one) => ({ ...one, offsetBytes: 0 }));
    const rows: Row[] = [];
    for (const load of loadsOf(server)) rows.push(await measure(load, { user, open }));
    return {
      title: `One costly user next to ${takes} takes, two appends of ${pieceBytes} bytes a second each, ${seconds} s: \`npm run bench -- neighbour\``,
      note: 'SQLite, disk. Goal: p99 of the others’ appends at most 500 ms in each row.',
      rows,
    };
  } finally {
    user.close();
    closeAll(open);
    await server.dispose();
  }
}
