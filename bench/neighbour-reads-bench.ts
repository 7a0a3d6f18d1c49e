import { setTimeout as delay } from 'node:timers/promises';
import { second } from '#base/duration.ts';
import { api } from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { limits } from '#contract/limits.ts';
import { ApiClient, newId } from '#tests/support/api-client.ts';
import { oggOfSilence } from '#tests/support/api-under-test.ts';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import { percentile, round, type Row, type Section } from './figures.ts';
import { asUser, finishedTake } from './neighbour-calls.ts';
import { appendToAll, closeAll, manyUsers, openTakes, type RecordingTake } from './recording-users.ts';

const takes = Number(process.env.BENCH_READ_TAKES ?? 20);
const secondsEach = Number(process.env.BENCH_READ_SECONDS ?? 5);
const loops = 6;
const appendEveryMs = 500;
const pieceBytes = 3000;
/** Notes of this many characters, whose HTML is five times as long, fill a recording. */
const noteText = '<&">'.repeat(4950);
const fullNotes = 400;
const fullMarkers = 10_000;
const linksOfUser = Number(process.env.BENCH_READ_LINKS ?? 100);

interface Read {
  name: string;
  path: string;
  isListener: boolean;
}

async function post(user: ApiClient, path: string, body: unknown): Promise<Buffer> {
  for (;;) {
    const reply = await user.send({
      method: 'POST',
      path,
      headers: { ...asUser(user), 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(body)),
    });
    if (reply.status < 300) return reply.body;
    if (reply.status !== 429)
      throw new Error(`${path}: ${reply.status} ${reply.body.toString().slice(0, 200)}`);
    await delay(second);
  }
}

const times = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_value, index) => make(index));

/** Fills a recording with markers and notes, as far as the limits allow. Markers without text leave room for notes. */
async function fill(user: ApiClient, recordingId: string): Promise<void> {
  const path = `/api/recordings/${recordingId}/labels`;
  for (let done = 0; done < fullMarkers; done += limits.labelsTogether)
    await post(user, path, {
      markers: times(limits.labelsTogether, (index) => ({ id: newId(), atMs: done + index })),
    });
  for (let done = 0; done < fullNotes; done += 8)
    await post(user, path, { notes: times(8, () => ({ id: newId(), fromMs: 1, text: noteText })) });
}

interface Filled {
  recordingId: string;
  shareId: string;
  token: string;
}

async function fillAccount(user: ApiClient): Promise<Filled> {
  const recordingId = await finishedTake(user);
  await fill(user, recordingId);
  const shows = { title: true, owner: true, date: true, markers: true, notes: true, gaps: true };
  const people = times(limits.share.people, (index) => `listener-${index}@example.org`);
  const share = async (settings: object) =>
    JSON.parse(
      (
        await post(user, `/api/recordings/${recordingId}/shares`, { id: newId(), shows, ...settings })
      ).toString(),
    ) as { id: string; url: string };
  const open = await share({ embed: 'any', preview: 'sound' });
  for (let count = 1; count < Math.min(linksOfUser, limits.share.perRecording); count += 1)
    await share({ audience: 'named', people });
  return { recordingId, shareId: open.id, token: open.url.split('/s/')[1] ?? '' };
}

/** Every GET of the contract, but event streams, which stay open. */
function readsOf({ recordingId, shareId, token }: Filled): Read[] {
  const gets = Object.entries(api).filter(
    ([, { method, replyKind }]) => method === 'GET' && replyKind !== 'event-stream',
  );
  const ids: Record<string, string> = { recordingId, shareId, token };
  const pathOf = ({ path }: Endpoint) =>
    path.replaceAll(/:(\w+)/g, (_whole, name: string) => ids[name] ?? newId());
  const reads = gets.map(([name, endpoint]) => ({
    name,
    path: pathOf(endpoint),
    isListener: endpoint.access.startsWith('share') || name === 'getOembed',
  }));
  const words = times(20, (index) => `word${index}`).join('+');
  return [
    ...reads,
    {
      name: 'listRecordings, search lt gt quot',
      path: '/api/recordings?search=lt+gt+quot',
      isListener: false,
    },
    { name: 'listRecordings, 20 words', path: `/api/recordings?search=${words}`, isListener: false },
  ];
}

interface Watched {
  appendMs: number[];
  healthMs: number[];
  rejected: number;
}

/** Appends to the takes of others, and asks for the server's health, until the reads have ended. */
async function watch(server: EarshotServer, open: RecordingTake[], signal: AbortSignal): Promise<Watched> {
  const healthMs: number[] = [];
  const prober = new ApiClient(server.url);
  const probe = async () => {
    while (!signal.aborted) {
      const sentAtMs = performance.now();
      await prober.send({ method: 'GET', path: '/healthz' });
      healthMs.push(performance.now() - sentAtMs);
      await delay(100);
    }
  };
  const [{ waitsMs: appendMs, rejected }] = await Promise.all([
    appendToAll(open, {
      piece: oggOfSilence(60).subarray(0, pieceBytes),
      everyMs: appendEveryMs,
      goesOn: () => !signal.aborted,
    }),
    probe(),
  ]);
  prober.close();
  return { appendMs, healthMs, rejected };
}

/** One user, or one listener, reads in six loops; what do others wait? */
export async function neighbourReadsBench(): Promise<Section> {
  const server = await EarshotServer.launch(manyUsers);
  const user = new ApiClient(server.url, { address: '198.19.0.1' });
  let open: RecordingTake[] = [];
  try {
    await user.signUp();
    const filled = await fillAccount(user);
    open = (await openTakes(server.url, takes)).map((one) => ({ ...one, offsetBytes: 0 }));
    const rows: Row[] = [];
    const idle: Read = { name: 'nothing', path: '', isListener: true };
    for (const [index, read] of [idle, ...readsOf(filled)].entries()) {
      // Each read has a network of its own, so that no read waits for the bytes of another.
      const listener = new ApiClient(server.url, { address: `198.19.1.${index}` });
      const ended = new AbortController();
      const statuses: Record<number, number> = {};
      const client = read.isListener ? listener : user;
      const loop = async () => {
        while (!ended.signal.aborted && read !== idle) {
          const { status } = await client.send({
            method: 'GET',
            path: read.path,
            headers: read.isListener ? { accept: 'text/html,*/*' } : asUser(user),
          });
          statuses[status] = (statuses[status] ?? 0) + 1;
          if (status === 429) await delay(200);
        }
      };
      const watching = watch(server, open, ended.signal);
      const looping = Promise.all(times(loops, loop));
      await delay(secondsEach * second);
      ended.abort();
      const [{ appendMs, healthMs, rejected }] = await Promise.all([watching, looping]);
      listener.close();
      rows.push({
        'read in six loops': read.name,
        answers: Object.entries(statuses)
          .map(([status, count]) => `${count} × ${status}`)
          .join(', '),
        appends: appendMs.length,
        'not 204': rejected,
        'append p50 ms': round(percentile(appendMs, 0.5)),
        'append p99 ms': round(percentile(appendMs, 0.99)),
        'health max ms': round(Math.max(...healthMs)),
      });
      console.error(JSON.stringify(rows.at(-1)));
    }
    return {
      title: `Reads of a full account next to ${takes} takes, ${secondsEach} s each: \`npm run bench -- neighbour-reads\``,
      note: `SQLite, disk. The account has a recording with ${fullMarkers.toLocaleString('en')} markers and 8 MB of notes, and ${linksOfUser} links for ${limits.share.people} people each. Goal: p99 of the others’ appends at most 500 ms, health at most 1 s in each row.`,
      rows,
    };
  } finally {
    user.close();
    closeAll(open);
    await server.dispose();
  }
}
