import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createRecordingAccess } from '#server/features/access/recording-access.ts';
import { createLive } from '#server/features/live/create-live.ts';
import { createRecordings } from '#server/features/recordings/create-recordings.ts';
import type { RecordingSources } from '#server/features/recordings/media/recording-sources.ts';
import { createDiskReserve } from '#server/storage/blobs/disk-reserve.ts';
import { createUsage } from '#server/features/usage/create-usage.ts';
import { createUploads } from '#server/features/uploads/create-uploads.ts';
import { createJobQueue } from '#server/jobs/database-job-queue.ts';
import { apiOnSqlite, recordTake } from '#tests/support/api-under-test.ts';
import { sessionPrincipal } from '#tests/support/factories.ts';
import { readZip } from '#tests/support/read-zip.ts';
import { streamZip } from './stream-zip.ts';

async function someTakes() {
  const api = await apiOnSqlite();
  const { database, blobs, clock } = api;
  const user = await api.signIn();
  const takes = [];
  for (let index = 0; index < 6; index += 1) takes.push(await recordTake(api, user, 4));
  const access = createRecordingAccess(database);
  const uploads = createUploads({
    access,
    database,
    blobs,
    clock,
    onAppended: () => undefined,
    onSealed: async () => undefined,
    admission: createUsage(
      {
        database,
        blobs,
        clock,
        reserve: createDiskReserve({ blobs, clock, reserveBytes: 0, onCrossed: () => undefined }),
      },
      null,
    ).admission,
  });
  const { sources } = createRecordings({
    access,
    database,
    blobs,
    clock,
    queue: createJobQueue({ clock }),
    uploads,
    announce: createLive().announce,
  });
  return {
    database,
    sources,
    isWhole: async () => true,
    options: {
      principal: sessionPrincipal(user.id),
      ids: takes.map(({ recordingId }) => recordingId),
      nowMs: clock.nowMs(),
    },
  };
}

/** The same sources, with a counter of the originals being read. */
function counted(sources: RecordingSources): { sources: RecordingSources; openCount: () => number } {
  let open = 0;
  async function* through(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    open += 1;
    try {
      yield* bytes;
    } finally {
      open -= 1;
    }
  }
  return {
    openCount: () => open,
    sources: async (principal, id) => {
      const source = await sources(principal, id);
      return {
        ...source,
        original: {
          ...source.original,
          stream: (range) => Readable.from(through(source.original.stream(range)), { objectMode: false }),
        },
      };
    },
  };
}

test('a slow reader receives everything, to the last byte of the directory', async () => {
  const { options, ...deps } = await someTakes();
  const zip = streamZip(deps, options);
  const pieces: Buffer[] = [];
  for await (const piece of zip) {
    pieces.push(piece);
    await sleep(20);
  }
  expect([...(await readZip(Buffer.concat(pieces))).keys()]).toHaveLength(6 * 4 + 1);
});

test('a reader who starts late receives everything', async () => {
  const { options, ...deps } = await someTakes();
  const zip = streamZip(deps, { ...options, ids: options.ids.slice(0, 1) });
  await sleep(200);
  expect([...(await readZip(await buffer(zip))).keys()]).toHaveLength(5);
});

test('a reader who leaves causes everything to be closed', async () => {
  const { options, sources, ...deps } = await someTakes();
  const watched = counted(sources);
  const zip = streamZip({ ...deps, sources: watched.sources }, options);
  await once(zip, 'readable');
  expect(watched.openCount()).toBe(1);
  zip.destroy();
  await expect.poll(watched.openCount).toBe(0);
  await sleep(50);
  expect(watched.openCount()).toBe(0);
});

test('a reader who leaves while a recording is looked up causes nothing to be opened', async () => {
  const { options, sources, ...deps } = await someTakes();
  const [asked, gate] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  let opened = 0;
  const zip = streamZip(
    {
      ...deps,
      sources: async (principal, id) => {
        const source = await sources(principal, id);
        asked.resolve(undefined);
        await gate.promise;
        return {
          ...source,
          original: {
            ...source.original,
            stream: (range) => {
              opened += 1;
              return source.original.stream(range);
            },
          },
        };
      },
    },
    options,
  );
  await asked.promise;
  zip.destroy();
  await sleep(50);
  gate.resolve(undefined);
  await sleep(100);
  expect(opened).toBe(0);
});
