import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packetsOf, readOggPage } from './ogg-page.ts';
import { wholePages } from './ogg-prefix.ts';
import { readOpusHead, readOpusTags } from './opus-headers.ts';
import { OpusStreamWriter } from './opus-stream-writer.ts';

const options = { channels: 1, preSkip: 312, inputSampleRateHz: 48_000, serialNumber: 77, vendor: 'Earshot' };
const packet = (seed: number) => Uint8Array.of(31 << 3, seed & 255, seed >> 8); // 20 ms of CELT

function written(packetCount: number, samples: number) {
  const writer = new OpusStreamWriter(options);
  const pages = [...writer.headers()];
  for (let index = 0; index < packetCount; index++) {
    const page = writer.push(packet(index));
    if (page) pages.push(page);
  }
  pages.push(...writer.finish(samples));
  return pages.map(({ bytes }) => {
    const page = readOggPage(bytes);
    if (!page) throw new Error('the writer wrote an invalid page');
    return page;
  });
}

test('starts with two headers, each alone on a page at granule position 0 (RFC 7845 §3)', () => {
  const [head, tags] = written(1, 648);
  expect(head).toMatchObject({ startsStream: true, granulePosition: 0, sequenceNumber: 0 });
  expect(tags).toMatchObject({ startsStream: false, granulePosition: 0, sequenceNumber: 1 });
  expect(head && readOpusHead(head.payload)).toEqual({
    channels: 1,
    preSkip: 312,
    inputSampleRateHz: 48_000,
  });
  expect(tags && readOpusTags(tags.payload)).toEqual({ vendor: 'Earshot', comments: [] });
});

test('writes pages of ten packets, counts samples at 48 kHz, and ends the stream only with the last page', () => {
  const pages = written(34, 34 * 960 - 312);
  expect(
    pages
      .slice(2)
      .map(({ granulePosition, lacing, endsStream }) => [granulePosition, lacing.length, endsStream]),
  ).toEqual([
    [9600, 10, false],
    [19_200, 10, false],
    [28_800, 10, false],
    [32_640, 4, true],
  ]);
});

test('loses no packet, ends exactly, and never moves positions back, for any length', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40_000 }),
      fc.integer({ min: 0, max: 1 }),
      (samples, extraPackets) => {
        const needed = Math.ceil((samples + options.preSkip) / 960);
        const pages = written(needed + extraPackets, samples);
        const audio = pages.slice(2);
        expect(audio.flatMap((page) => packetsOf(page).map((bytes) => Array.from(bytes)))).toEqual(
          Array.from({ length: needed }, (_, index) => Array.from(packet(index))),
        );
        expect(audio.at(-1)?.granulePosition).toBe(samples + options.preSkip);
        expect(audio.map(({ endsStream }) => endsStream).lastIndexOf(true)).toBe(audio.length - 1);
        expect(audio.filter(({ endsStream }) => endsStream)).toHaveLength(1);
        expect(pages.map(({ sequenceNumber }) => sequenceNumber)).toEqual(pages.map((_, index) => index));
        const positions = pages.map(({ granulePosition }) => granulePosition);
        expect(positions).toEqual(positions.toSorted((a, b) => a - b));
      },
    ),
  );
});

test('claims no more sound than the encoder delivered', () => {
  expect(written(2, 100_000).at(-1)).toMatchObject({ granulePosition: 1920, endsStream: true });
});

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;

describe.skipIf(!hasFfmpeg)('read by ffmpeg', () => {
  test('real Opus packets in our pages decode to exactly the original samples', () => {
    const directory = mkdtempSync(join(tmpdir(), 'earshot-ogg-'));
    try {
      const source = join(directory, 'source.opus');
      execFileSync('ffmpeg', [
        '-v',
        'error',
        '-f',
        'lavfi',
        '-i',
        'sine=frequency=440:sample_rate=48000:duration=3.21',
        '-ac',
        '1',
        '-c:a',
        'libopus',
        source,
      ]);
      const ours = join(directory, 'ours.opus');
      const bytes = rewritten(readFileSync(source), 2.5 * 48_000);
      expect(wholePages(bytes)).toMatchObject({ validBytes: bytes.length, endsStream: true });
      writeFileSync(ours, bytes);
      const decoded = spawnSync('ffmpeg', ['-v', 'warning', '-i', ours, '-f', 's16le', '-'], {
        maxBuffer: 2 ** 24,
      });
      expect(decoded.stderr.toString()).toBe('');
      expect(decoded.stdout.length / 2).toBe(2.5 * 48_000);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

/** Writes the packets of a file made by ffmpeg with our writer, cut to `samples`. */
function rewritten(source: Uint8Array, samples: number): Uint8Array {
  const packets: Uint8Array[] = [];
  for (let page = readOggPage(source), at = 0; page; page = readOggPage(source, at)) {
    at += page.sizeBytes;
    packets.push(...packetsOf(page));
  }
  const head = readOpusHead(packets[0] ?? new Uint8Array());
  if (!head) throw new Error('ffmpeg wrote no OpusHead');
  const writer = new OpusStreamWriter({ ...head, serialNumber: 1, vendor: 'Earshot' });
  const needed = Math.ceil((samples + head.preSkip) / 960);
  const pages = [
    ...writer.headers(),
    ...packets.slice(2, 2 + needed).map((bytes) => writer.push(bytes)),
    ...writer.finish(samples),
  ];
  return Buffer.concat(pages.flatMap((page) => (page ? [page.bytes] : [])));
}

test('completes the pages so far to a valid stream with a provisional page, without changing later pages', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), (packetCount) => {
      const [writer, undisturbed] = [new OpusStreamWriter(options), new OpusStreamWriter(options)];
      const pages = writer.headers().map(({ bytes }) => bytes);
      const plain = undisturbed.headers().map(({ bytes }) => bytes);
      for (let index = 0; index < packetCount; index++) {
        const page = writer.push(packet(index));
        const same = undisturbed.push(packet(index));
        if (page) pages.push(page.bytes);
        if (same) plain.push(same.bytes);
        const whole = Buffer.concat([...pages, writer.provisional() ?? new Uint8Array()]);
        expect(wholePages(whole)).toEqual({
          validBytes: whole.length,
          pageCount: pages.length + 1,
          lastGranulePosition: (index + 1) * 960,
          endsStream: false,
        });
      }
      expect(Buffer.concat(pages).equals(Buffer.concat(plain))).toBe(true);
    }),
    { numRuns: 30 },
  );
});

test('has no provisional page without packets', () => {
  expect(new OpusStreamWriter(options).provisional()).toBe(null);
});
