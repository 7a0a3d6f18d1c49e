import { loadavg } from 'node:os';
import type { Share } from '#contract/shares.ts';
import { ApiClient, newId, startTake } from '#tests/support/api-client.ts';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import { uploadLongRecording } from '#tests/support/long-recording.ts';
import { round, type Row, type Section } from './figures.ts';
import type { ListenersOptions, ListenersResult } from './listeners.process.ts';
import { type LoadProcess, startLoad } from './load-process.ts';
import { cpuMsOf, residentMiB } from './process-cpu.ts';
import { manyUsers } from './recording-users.ts';
import type { TakesOptions, TakesResult } from './takes.process.ts';

const takes = Number(process.env['BENCH_TAKES'] ?? 500);
const listeners = Number(process.env['BENCH_LISTENERS'] ?? 300);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 20);
const everyMs = 500;

const pathOf = ({ url }: Share): string => new URL(url ?? '').pathname;

async function shareOf(client: ApiClient, recordingId: string, settings: object): Promise<Share> {
  const body = { id: newId(), ...settings };
  return (await client.json('POST', `/api/recordings/${recordingId}/shares`, { body })) as Share;
}

/** Links to a finished recording of an hour, and to a take that is being recorded. */
async function openLinks(server: EarshotServer, client: ApiClient) {
  await client.signUp();
  const recordingId = await uploadLongRecording(server.url, client.cookie, { minutes: 60 });
  const take = await startTake(client, 'Live', new Date());
  const finishedPath = pathOf(await shareOf(client, recordingId, {}));
  const live = { delayMs: 0, isHeldAfterStop: false };
  const livePath = pathOf(await shareOf(client, take.recordingId, { live }));
  const { headers } = await client.send({ method: 'HEAD', path: `${finishedPath}/audio` });
  return {
    finished: { path: finishedPath, sizeBytes: Number(headers['content-length']) },
    live: { path: livePath },
    upload: { uploadId: take.audioId, token: take.token },
  };
}

interface Loads {
  recording: LoadProcess<TakesResult>;
  listening: LoadProcess<ListenersResult>;
  /** Of the server. */
  pid: number;
  /** Whether anyone listens. */
  isHeard: boolean;
}

const columnsOf = (heard: ListenersResult): Row => ({
  reads: heard.reads,
  failed: heard.failed,
  events: heard.events,
  'read p50 ms': heard.p50Ms,
  'read p99 ms': heard.p99Ms,
});

const nobody = { reads: '', failed: '', events: '', 'read p50 ms': '', 'read p99 ms': '' };

async function measured(what: string, { recording, listening, pid, isHeard }: Loads): Promise<Row> {
  const cpuBefore = cpuMsOf(pid);
  const [appended, heard] = await Promise.all([
    recording.run(seconds),
    isHeard ? listening.run(seconds) : null,
  ]);
  return {
    what,
    appends: appended.appends,
    'not 204': appended.rejected,
    'ack p50 ms': appended.p50Ms,
    'ack p99 ms': appended.p99Ms,
    'ack at most, ms': appended.maxMs,
    ...(heard === null ? nobody : columnsOf(heard)),
    'server CPU, %': round((cpuMsOf(pid) - cpuBefore) / seconds / 10, 0),
    'RSS MiB': round(residentMiB(pid), 0),
    load: round(loadavg()[0] ?? 0, 1),
  };
}

/** Measures appends of running takes, alone and while listeners of links follow and play. */
export async function listenersBench(): Promise<Section> {
  const server = await EarshotServer.launch(manyUsers);
  const client = new ApiClient(server.url, { address: '198.18.254.1' });
  try {
    const { finished, live, upload } = await openLinks(server, client);
    const recording = await startLoad<TakesResult>('takes.process.ts', {
      url: server.url,
      takes,
      everyMs,
      live: upload,
    } satisfies TakesOptions);
    const listening = await startLoad<ListenersResult>('listeners.process.ts', {
      url: server.url,
      finished,
      live,
      listeners,
    } satisfies ListenersOptions);
    const loads = { recording, listening, pid: server.pid ?? 0 };
    try {
      await measured('warm-up', { ...loads, isHeard: true });
      const rows: Row[] = [];
      for (const turn of [1, 2])
        rows.push(
          await measured(`takes alone, ${turn}`, { ...loads, isHeard: false }),
          await measured(`${listeners} listeners, ${turn}`, { ...loads, isHeard: true }),
        );
      return {
        title: `Listeners of links beside ${takes} takes that append every ${everyMs} ms`,
        note: `Half of the ${listeners} listeners play a finished hour, half a live recording, each with the page, its events, its peaks and a read every four seconds, ${seconds} s a row. Takes and listeners are processes of their own on the same machine. Goal: appends p99 ≤ 500 ms.`,
        rows,
      };
    } finally {
      recording.end();
      listening.end();
    }
  } finally {
    client.close();
    await server.dispose();
  }
}
