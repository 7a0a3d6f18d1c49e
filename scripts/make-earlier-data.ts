import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { shortRecording } from '#scripts/demo/demo-recordings.ts';
import { lengthMsOf, type SampleRecording, storeSampleRecording } from '#scripts/demo/store-recording.ts';
import { ApiClient, newId, playedBytes, sha256Hex } from '#tests/support/api-client.ts';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import { extractEarlierCode } from '#tests/support/earlier-code.ts';
import { dataPathOf, type EarlierData, earlierVersions } from '#tests/upgrade/earlier-versions.ts';

// `node scripts/make-earlier-data.ts NAME`: starts the server of an earlier commit, stores a few recordings, and packs
// its DATA_DIR for the tests of updates. The commits are listed in tests/upgrade/earlier-data.json.

const listSchema = z.object({ items: z.array(z.object({ state: z.string() })) });

async function sampleRecordings(client: ApiClient): Promise<SampleRecording[]> {
  const tagId = newId();
  await client.json('POST', '/api/tags', { body: { id: tagId, name: 'Speeches', colour: 'blue' } });
  const whole = await shortRecording('Inaugural address');
  const [segment] = whole.segments;
  if (segment === undefined) throw new Error('the sample recording has no sound');
  const sleptMs = 5000;
  const lengthMs = lengthMsOf(segment);
  return [
    {
      ...whole,
      markers: [
        { atMs: 500, label: 'And so' },
        { atMs: 1500, label: 'Mes amis, später: ثم' },
      ],
      notes: [{ fromMs: 0, toMs: 1000, text: 'A note on the first second.' }],
      details: { language: 'en', people: ['John F. Kennedy'], tagIds: [tagId] },
    },
    {
      ...whole,
      title: 'Interrupted',
      segments: [segment, { ...segment, startMs: lengthMs + sleptMs }],
      gaps: [{ atMs: lengthMs, durationMs: sleptMs, cause: 'device-slept' }],
      markers: [{ atMs: lengthMs + sleptMs, label: 'After the gap' }],
    },
    { ...whole, title: 'Nothing but sound' },
  ];
}

async function untilReady(client: ApiClient): Promise<void> {
  for (;;) {
    const { items } = listSchema.parse(await client.json('GET', '/api/recordings'));
    if (items.every(({ state }) => state === 'ready')) return;
    await delay(200);
  }
}

/** Stores the recordings, and returns what a user of the earlier version had. */
async function fill(server: EarshotServer): Promise<EarlierData> {
  const client = new ApiClient(server.url);
  try {
    const user = await client.signUp();
    const recordings: EarlierData['recordings'] = [];
    for (const sample of await sampleRecordings(client)) {
      const id = await storeSampleRecording(client, sample);
      await untilReady(client);
      recordings.push({
        id,
        title: sample.title,
        audioSha256: sha256Hex(await playedBytes(client, id)),
        markers: (sample.markers ?? []).map(({ label }) => label),
        notes: (sample.notes ?? []).map(({ text }) => text),
      });
    }
    return { user, recordings };
  } finally {
    client.close();
  }
}

async function makeData({ name, commit }: { name: string; commit: string }): Promise<void> {
  const code = extractEarlierCode(commit);
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-earlier-data-'));
  try {
    const server = await EarshotServer.launch({}, dataDir, { script: code.main });
    const data = await fill(server);
    await server.end('SIGTERM');
    // One file, without a write-ahead log.
    const database = new DatabaseSync(join(dataDir, 'earshot.db'));
    database.exec('pragma wal_checkpoint(truncate); vacuum');
    database.close();
    for (const left of ['earshot.db-wal', 'earshot.db-shm', 'server.lock', 'blobs/.unfinished'])
      rmSync(join(dataDir, left), { recursive: true, force: true });
    mkdirSync(dirname(dataPathOf(name, 'json')), { recursive: true });
    writeFileSync(dataPathOf(name, 'json'), `${JSON.stringify(data, null, 2)}\n`);
    execFileSync('tar', [
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      '-czf',
      dataPathOf(name, 'tar.gz'),
      '-C',
      dataDir,
      '.',
    ]);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
    code.remove();
  }
}

const names = process.argv.slice(2);
for (const version of earlierVersions.filter(({ name }) => names.length === 0 || names.includes(name))) {
  await makeData(version);
  console.log(`made ${dataPathOf(version.name, 'tar.gz')}`);
}
