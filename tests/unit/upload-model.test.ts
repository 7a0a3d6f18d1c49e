import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { openDiskBlobStore } from '#server/storage/blobs/disk/disk-blob-store.ts';
import { apiOnSqlite, startTake } from '#tests/support/api-under-test.ts';
import { MemoryBlobStore } from '#tests/support/memory-blob-store.ts';
import { histories, historiesOnServers, look, type Model, type Real } from '#tests/support/upload-model.ts';

async function onDisk(): Promise<BlobStore> {
  const directory = await mkdtemp(join(tmpdir(), 'earshot-model-'));
  const store = await openDiskBlobStore({ directory });
  onTestFinished(async () => {
    await store.close();
    await rm(directory, { recursive: true, force: true });
  });
  return store;
}

for (const [where, open, runs] of [
  ['in memory', async () => new MemoryBlobStore(), 150],
  ['on disk', onDisk, 50],
] as const) {
  test(`an upload ${where} follows the model whatever writers do and whenever the server restarts`, async () => {
    const api = await apiOnSqlite(await open());
    await fc.assert(
      fc.asyncProperty(histories, async (commands) => {
        // A user may have fifty unfinished takes at most, so each history has its own user.
        const real: Real = { api, servers: [api], take: await startTake(api, await api.signIn()) };
        const model: Model = { bytes: Buffer.alloc(0), epoch: 1, isSealed: false };
        await fc.asyncModelRun(() => ({ model, real }), commands);
        // A newly started server cuts a torn tail when it first reads an upload.
        await look(real);
        const stored = await api.blobs.read(`recordings/${real.take.recordingId}/peaks-0000`, {
          startByte: 0,
          endByteExclusive: 1_000_000,
        });
        expect(Buffer.from(stored).equals(model.bytes)).toBe(true);
      }),
      { numRuns: runs },
    );
  }, 120_000);
}

test('an upload follows the model when its requests go to any of three servers', async () => {
  const api = await apiOnSqlite(new MemoryBlobStore({ hasOtherWriters: true }));
  const servers = [api, await api.restart(), await api.restart()];
  await fc.assert(
    fc.asyncProperty(historiesOnServers, async (commands) => {
      const real: Real = { api, servers, take: await startTake(api, await api.signIn()) };
      const model: Model = { bytes: Buffer.alloc(0), epoch: 1, isSealed: false };
      await fc.asyncModelRun(() => ({ model, real }), commands);
      const stored = await api.blobs.read(`recordings/${real.take.recordingId}/peaks-0000`, {
        startByte: 0,
        endByteExclusive: 1_000_000,
      });
      expect(Buffer.from(stored).equals(model.bytes)).toBe(true);
    }),
    { numRuns: 150 },
  );
}, 120_000);
