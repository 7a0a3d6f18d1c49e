import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { append, apiOnSqlite, openUpload } from '#tests/support/api-under-test.ts';
import { startImport, importFile } from '#tests/support/import-file.ts';
import { hasFfmpeg } from '#tests/support/sample-files.ts';
import { openDiskBlobStore } from '#server/storage/blobs/disk/disk-blob-store.ts';
import { maxRenditionBytes } from '#server/features/recordings/remux/segment-remuxer.ts';

async function folder(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'earshot-derived-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** Makes noise with these ffmpeg options. */
async function noiseBy(name: string, seconds: number, options: readonly string[]): Promise<Buffer> {
  const path = join(await folder(), name);
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-f',
    'lavfi',
    '-i',
    `anoisesrc=duration=${seconds}:sample_rate=48000:seed=1`,
    ...options,
    path,
  ]);
  return readFile(path);
}

describe.skipIf(!hasFfmpeg)('files derived from an import', () => {
  test.for([
    ['a.g723', 60, ['-ar', '8000', '-ac', '1', '-c:a', 'g723_1', '-b:a', '6300', '-f', 'matroska']],
    ['a.wma', 60, ['-ar', '44100', '-ac', '2', '-c:a', 'wmav2', '-b:a', '128k']],
    // The usual bitrate would exceed the limit.
    [
      'a.mka',
      240,
      [
        '-ac',
        '4',
        '-c:a',
        'libopus',
        '-mapping_family',
        '255',
        '-b:a',
        '2000',
        '-vbr',
        'on',
        '-frame_duration',
        '60',
      ],
    ],
  ] as const)(
    'of %s are bounded by the size of the upload, and all count towards the quota',
    async ([name, seconds, options]) => {
      const directory = await folder();
      const blobs = await openDiskBlobStore({ directory });
      onTestFinished(() => blobs.close());
      const api = await apiOnSqlite(blobs);
      const user = await api.signIn();
      const bytes = await noiseBy(name, seconds, options);
      const { take, recording } = await importFile(api, user, { name, bytes });
      expect(recording).toMatchObject({ state: 'ready', rendition: 'ready', damagedAt: null });
      expect(Math.abs(recording.durationMs - seconds * 1000)).toBeLessThan(1000);
      const stored = join(directory, 'recordings', take.recordingId);
      const sizes = await Promise.all(
        (await readdir(stored)).map(async (file) => [file, (await stat(join(stored, file))).size] as const),
      );
      const onDiskBytes = sizes.reduce((sum, [, sizeBytes]) => sum + sizeBytes, 0);
      const { usedBytes } = (await api.as(user, { url: '/api/storage' })).json<{ usedBytes: number }>();
      expect([usedBytes, sizes]).toEqual([onDiskBytes, sizes]);
      // Peaks take 200 bytes per second of sound, and their pyramid a third more.
      const peaksBytes = seconds * (200 + 267) + 10_000;
      expect(onDiskBytes - bytes.length).toBeLessThanOrEqual(maxRenditionBytes(bytes.length) + peaksBytes);
    },
  );
});

test('the device’s peaks of an import are limited to the sound that a file of its size can hold, and count', async () => {
  const api = await apiOnSqlite();
  const user = await api.signIn();
  const { take } = await startImport(api, user, { name: 'a.wav', bytes: Buffer.alloc(100) });
  await openUpload(api, take, { uploadId: take.peaksId, stream: 'peaks' });
  // A hundred bytes hold at most ten seconds of sound; one second is added for rounding.
  const max = 11 * 200;
  expect(
    (await append(api, take, { uploadId: take.peaksId, offset: 0, bytes: Buffer.alloc(max) })).statusCode,
  ).toBe(204);
  expect(
    (await append(api, take, { uploadId: take.peaksId, offset: max, bytes: Buffer.alloc(2) })).statusCode,
  ).toBe(413);
  expect((await api.as(user, { url: '/api/storage' })).json()).toMatchObject({ usedBytes: max });
});
