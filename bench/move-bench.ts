import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostgres, startPostgres } from '#scripts/postgres-for-tests.ts';
import { findS3Server, startS3Server, type TestS3 } from '#scripts/s3-for-tests.ts';
import { fingerprintOf } from '#server/storage/key-fingerprint.ts';
import { blobKeyOf } from '#server/storage/blobs/upload-key.ts';
import type { Database } from '#server/storage/database/database.ts';
import { openPostgresDatabase } from '#server/storage/database/postgres/open-postgres-database.ts';
import type { UploadRow } from '#server/storage/database/schema.ts';
import { openSqliteDatabase } from '#server/storage/database/sqlite/open-sqlite-database.ts';
import { noteMoved } from '#server/storage/database/unfinished-move.ts';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import { storeUpload } from '#tests/support/factories.ts';
import { runEarshot } from '#tests/support/run-earshot.ts';
import { bucketEnvironment, createBucket } from '#tests/support/s3-bucket.ts';
import { round, type Section } from './figures.ts';
import { fill, sizes } from './library-world.ts';

const together = 500;
const sizeBytes = 20_000;

/** Two sealed streams for each recording. Returns their rows in batches. */
async function* storeStreams({ queries }: Database): AsyncGenerator<UploadRow[]> {
  const { id: _, ...pattern } = await storeUpload(queries, {
    recording_id: (await queries.selectFrom('recordings').select('id').limit(1).executeTakeFirstOrThrow()).id,
    segment_index: 1,
  });
  for (let after = ''; ;) {
    const recordings = await queries
      .selectFrom('recordings')
      .select('id')
      .where('id', '>', after)
      .orderBy('id')
      .limit(together)
      .execute();
    const last = recordings.at(-1);
    if (last === undefined) return;
    after = last.id;
    const rows = recordings.flatMap(({ id: recordingId }) =>
      (['audio', 'peaks'] as const).map((stream) => ({
        ...pattern,
        id: `${stream === 'audio' ? 'a' : 'b'}${recordingId.slice(1)}`,
        recording_id: recordingId,
        stream,
        segment_index: 0,
        size_bytes: sizeBytes,
        sha256: randomBytes(32).toString('hex'),
        sealed_at: pattern.created_at,
      })),
    );
    for (let from = 0; from < rows.length; from += 100)
      await queries
        .insertInto('uploads')
        .values(rows.slice(from, from + 100))
        .execute();
    yield rows;
  }
}

const seconds = (sinceMs: number): number => round((performance.now() - sinceMs) / 1000);

async function expectSuccess(environment: Record<string, string>, ...words: string[]): Promise<void> {
  const { code, output } = await runEarshot(environment, ...words);
  if (code !== 0) throw new Error(`earshot ${words.join(' ')} ended with ${code}: ${output}`);
}

/** Measures how long a service is unavailable while its last bytes and its database are moved. */
async function measure(dataDir: string, { url, store }: { url: string; store: TestS3 }): Promise<Section> {
  const key = randomBytes(32);
  writeFileSync(join(dataDir, 'secret.key'), key);
  const from = await openSqliteDatabase({ path: join(dataDir, 'earshot.db') });
  await from.queries
    .insertInto('installation')
    .values({ name: 'secret-key-fingerprint', value: fingerprintOf(key) })
    .execute();
  const changed = {
    DATABASE_URL: url,
    ...bucketEnvironment(store),
    SECRET_KEY: `base64:${key.toString('base64')}`,
  };
  const settings = join(dataDir, 'new.env');
  writeFileSync(
    settings,
    Object.entries(changed)
      .map(([name, value]) => `${name}="${value}"\n`)
      .join(''),
  );
  await expectSuccess({ DATA_DIR: dataDir }, 'move', settings);
  await fill(from);
  // As if the first step had copied the bytes, which takes as long as it takes and stops no take.
  const to = await openPostgresDatabase({ url, isRestore: true, migrates: true });
  for await (const rows of storeStreams(from))
    await noteMoved(
      to.queries,
      rows.map(({ recording_id: recordingId, stream, segment_index: index, sha256 }) => ({
        key: blobKeyOf({ recordingId, stream, index }),
        sizeBytes,
        changedAtMs: null,
        sha256,
      })),
    );
  await to.close();
  await from.close();
  const startedMs = performance.now();
  await expectSuccess({ DATA_DIR: dataDir }, 'move', settings, '--finish');
  const finish = seconds(startedMs);
  const startingMs = performance.now();
  const server = await EarshotServer.launch({
    ...changed,
    FORGET_RECORDINGS: String(sizes.recordings),
  });
  const start = seconds(startingMs);
  await server.dispose();
  return {
    title: 'Moving to PostgreSQL and an object store: how long the service is unavailable',
    note: 'From SQLite, after the first step has copied all streams. Away is from the end of the old server to the start of the new one.',
    rows: [
      {
        recordings: sizes.recordings,
        markers: sizes.recordings * sizes.markersEach,
        streams: sizes.recordings * 2,
        'move --finish, s': finish,
        'start, s': start,
        'away, s': round(finish + start),
      },
    ],
  };
}

export async function moveBench(): Promise<Section[]> {
  const [bin, s3] = [findPostgres(), findS3Server()];
  if (bin === null || s3 === null) {
    console.log('The bench of moving needs PostgreSQL, and the S3 server of "npm run test:s3".');
    return [];
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-move-'));
  const [postgres, store] = [await startPostgres(bin, { isDurable: true }), await startS3Server(s3)];
  try {
    await createBucket(store);
    return [await measure(dataDir, { url: postgres.url, store })];
  } finally {
    await store.dispose();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
