import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatSchema } from '#contract/formats.ts';
import { apiOnSqlite, type ApiUnderTest, type TestUser } from '#tests/support/api-under-test.ts';
import { importFile } from '#tests/support/import-file.ts';
import { someNumberDamages, withNumber } from '#tests/support/damaged-numbers.ts';
import { hasFfmpeg, sampleFile } from '#tests/support/sample-files.ts';
import { openRecorderFile } from '#server/features/recordings/remux/packet-reader.ts';
import { measureFile, probeImportedFile } from './probe-file.ts';

const fixtures = join(import.meta.dirname, '..', '..', '..', '..', '..', 'tests', 'fixtures');
const samples = ['speech-1961.webm', 'speech-1961.mp4'].map((name) => ({
  name,
  bytes: readFileSync(join(fixtures, name)),
}));
const made = hasFfmpeg
  ? ['a.mp3', 'a.m4a', 'a.aac', 'a.flac', 'a.ogg', 'a.opus', 'a.mkv', 'a.wav', 'a.aiff', 'a.wma', 'a.ts'].map(
      (name) => ({ name, bytes: sampleFile(name, ['-t', '1']) }),
    )
  : [];
const files = [...samples, ...made];

type Damage =
  | { kind: 'cut'; at: number }
  | { kind: 'flip'; at: number; bit: number }
  | { kind: 'swap'; from: number; to: number; share: number }
  | { kind: 'fill'; at: number; share: number; value: number };

const place = fc.double({ min: 0, max: 1, noNaN: true });
/** Half of the damage is done to headers, where it has the largest effect. */
const anywhere = fc.oneof(
  place,
  place.map((at) => at / 50),
);
const damage: fc.Arbitrary<Damage> = fc.oneof(
  fc.record({ kind: fc.constant('cut' as const), at: anywhere }),
  fc.record({ kind: fc.constant('flip' as const), at: anywhere, bit: fc.nat(7) }),
  fc.record({
    kind: fc.constant('swap' as const),
    from: anywhere,
    to: anywhere,
    share: place.map((share) => share / 20),
  }),
  fc.record({
    kind: fc.constant('fill' as const),
    at: anywhere,
    share: place.map((share) => share / 20),
    value: fc.constantFrom(0, 0x7f, 0xff),
  }),
);

/** Returns a copy of a file with one damage. */
function damaged(bytes: Buffer, how: Damage): Buffer {
  const at = (share: number) => Math.min(bytes.length - 1, Math.floor(share * bytes.length));
  if (how.kind === 'cut') return Buffer.from(bytes.subarray(0, at(how.at)));
  const copy = Buffer.from(bytes);
  if (how.kind === 'flip') copy[at(how.at)] = (copy[at(how.at)] ?? 0) ^ (1 << how.bit);
  else if (how.kind === 'fill')
    copy.fill(how.value, at(how.at), Math.min(copy.length, at(how.at) + at(how.share)));
  else {
    const length = at(how.share);
    const [from, to] = [at(how.from), at(how.to)];
    bytes.copy(copy, to, from, Math.min(bytes.length, from + length));
    bytes.copy(copy, from, to, Math.min(bytes.length, to + length));
  }
  return copy;
}

const tornFile = fc
  .record({ file: fc.constantFrom(...files), how: fc.array(damage, { minLength: 1, maxLength: 4 }) })
  .map(({ file, how }) => ({
    name: file.name,
    how,
    bytes: how.reduce<Buffer>(
      (bytes, each) => (bytes.length === 0 ? bytes : damaged(bytes, each)),
      file.bytes,
    ),
  }));

const fileWithNumbers = fc.constantFrom(...files).chain(({ name, bytes }) =>
  someNumberDamages(bytes.length).map((how) => ({
    name,
    how,
    bytes: how.reduce<Buffer>(withNumber, bytes),
  })),
);
const damagedFile = fc.oneof(tornFile, fileWithNumbers);

const readable = (bytes: Buffer) => ({
  sizeBytes: bytes.length,
  read: async (startByte: number, endByteExclusive: number) => bytes.subarray(startByte, endByteExclusive),
});

describe('a damaged file', () => {
  test('with a tail that sends the parser in circles is read up to there', async () => {
    const [webm] = samples;
    for (const value of [0, 0xff]) {
      const bytes = Buffer.concat([webm?.bytes ?? Buffer.alloc(0), Buffer.alloc(8, value)]);
      expect(await probeImportedFile(readable(bytes))).toMatchObject({ kind: 'sound' });
      expect((await measureFile(readable(bytes), { readsPackets: true })).durationMs).toSatisfy(
        (durationMs) => durationMs === null || durationMs > 10_000,
      );
      const found = await openRecorderFile(readable(bytes));
      expect(found.kind === 'opus' && (await Array.fromAsync(found.track.packets())).length).toBeGreaterThan(
        100,
      );
    }
  });

  test('that is cut off after its headers, or zeroed from there, is still probed and measured', async () => {
    const flac = made.find(({ name }) => name === 'a.flac')?.bytes;
    if (flac === undefined) return;
    const firstFrame = flac.indexOf(Buffer.from([0xff, 0xf8]), 42);
    expect(firstFrame).toBeGreaterThan(0);
    for (const leftBytes of [0, 1, 5, 9, 15, 16, 40]) {
      for (const bytes of [
        flac.subarray(0, firstFrame + leftBytes),
        Buffer.from(flac).fill(0, firstFrame + Math.min(leftBytes, 3)),
      ]) {
        expect((await probeImportedFile(readable(bytes))).kind).toMatch(/^(sound|none)$/);
        expect((await measureFile(readable(bytes), { readsPackets: true })).durationMs).toSatisfy(
          (durationMs) => durationMs === null || durationMs >= 0,
        );
      }
    }
  });

  test('never breaks the probe, which reports the sound or why there is none', async () => {
    await fc.assert(
      fc.asyncProperty(damagedFile, async ({ bytes }) => {
        const probed = await probeImportedFile(readable(bytes));
        const { durationMs } = await measureFile(readable(bytes), { readsPackets: true });
        expect(durationMs === null || Number.isSafeInteger(durationMs)).toBe(true);
        expect(probed.kind !== 'sound' || formatSchema.safeParse(probed.format).success).toBe(true);
      }),
      { numRuns: 400, endOnFailure: true },
    );
  });

  test('can be imported: it becomes ready or fails with a reason, stays bit for bit, and causes no server error', async () => {
    const api: ApiUnderTest = await apiOnSqlite();
    const user: TestUser = await api.signIn();
    await fc.assert(
      fc.asyncProperty(
        damagedFile.filter(({ bytes }) => bytes.length > 0),
        async ({ name, bytes }) => {
          const { take, recording, finished } = await importFile(api, user, { name, bytes });
          expect(finished.statusCode).toBe(200);
          expect(
            recording.state === 'ready' || (recording.state === 'failed' && recording.failureReason !== null),
          ).toBe(true);
          const answers = await Promise.all(
            ['audio', 'original', 'peaks'].map((what) =>
              api.as(user, { url: `/api/recordings/${take.recordingId}/${what}` }),
            ),
          );
          for (const { statusCode } of answers) expect(statusCode).toBeLessThan(500);
          expect(answers[1]?.rawPayload.equals(bytes)).toBe(true);
        },
      ),
      { numRuns: 25, endOnFailure: true },
    );
  });
});
