import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packetsOf, readOggPage } from '#audio/ogg/ogg-page.ts';
import { wholePages } from '#audio/ogg/ogg-prefix.ts';
import { readOpusHead } from '#audio/ogg/opus-headers.ts';
import { hour } from '#base/duration.ts';
import { opusPacketSamples } from '#audio/ogg/opus-packet.ts';
import { repack, type Repacked } from './repack.ts';
import { runRepack } from './run-repack.ts';

const fixtures = join(import.meta.dirname, '..', '..', '..', '..', '..', 'tests', 'fixtures');
/** From Chromium's MediaRecorder: Opus packets of 60 ms in chunks of 250 ms, without cues or duration. */
const webm = readFileSync(join(fixtures, 'speech-1961.webm'));
const mp4 = readFileSync(join(fixtures, 'speech-1961.mp4'));

interface Result {
  result: Repacked;
  ogg: Buffer;
  peaks: Int8Array;
}

const fileOf = (bytes: Uint8Array) => ({
  sizeBytes: bytes.length,
  read: async (startByte: number, endByteExclusive: number) => bytes.subarray(startByte, endByteExclusive),
});

async function repacked(
  bytes: Uint8Array,
  options = { wantsAudio: true, wantsPeaks: false, filled: { minHoleMs: 100, maxSilenceMs: hour } },
  run: 'here' | 'process' = 'here',
): Promise<Result> {
  const audio: Uint8Array[] = [];
  const points: Uint8Array[] = [];
  const output = {
    audio: async (piece: Uint8Array) => {
      audio.push(piece);
    },
    peaks: async (piece: Uint8Array) => {
      points.push(piece);
    },
  };
  const result =
    run === 'here'
      ? await repack(fileOf(bytes), options, output)
      : await runRepack({ file: fileOf(bytes), options, output }, { signal: new AbortController().signal });
  return { result, ogg: Buffer.concat(audio), peaks: new Int8Array(Buffer.concat(points)) };
}

/** Every packet of our file, and whether its granule positions are their sums. */
function packetsIn(ogg: Uint8Array): {
  packets: Uint8Array[];
  granulesAgree: boolean;
  samples: number;
  preSkip: number;
} {
  const packets: Uint8Array[] = [];
  let granulesAgree = true;
  let samples = 0;
  let preSkip = 0;
  for (let offsetBytes = 0, page = 0; offsetBytes < ogg.length; page += 1) {
    const read = readOggPage(ogg, offsetBytes);
    if (!read) throw new Error('a page is broken');
    const [head] = packetsOf(read);
    if (page === 0 && head) preSkip = readOpusHead(head)?.preSkip ?? -1;
    if (page > 1) {
      for (const packet of packetsOf(read)) {
        samples += opusPacketSamples(packet);
        packets.push(packet);
      }
      granulesAgree &&= read.granulePosition === samples;
    }
    offsetBytes += read.sizeBytes;
  }
  return { packets, granulesAgree, samples, preSkip };
}

const hasFfmpeg = existsSync('/usr/bin/ffmpeg');

describe('a MediaRecorder file', () => {
  it.each([
    { name: 'WebM', bytes: webm, packetCount: 153, soundMs: 8980, silences: 5 },
    { name: 'MP4', bytes: mp4, packetCount: 83, soundMs: 4980, silences: 0 },
  ])(
    'of $name becomes Ogg/Opus with identical packets',
    async ({ bytes, packetCount, soundMs, silences }) => {
      const { result, ogg } = await repacked(bytes);
      expect(result).toEqual({ kind: 'done', hasAbsurdTimes: false });
      const { packets, granulesAgree, samples } = packetsIn(ogg);
      expect(packets).toHaveLength(packetCount);
      expect(granulesAgree).toBe(true);
      expect(samples / 48).toBe(soundMs);
      expect(wholePages(ogg)).toMatchObject({ validBytes: ogg.length, endsStream: true });
      // Chromium lost 110 ms of the WebM under load, as its timestamps show: they become silence.
      for (const packet of packets)
        expect(packet.length === 3 || bytes.includes(Buffer.from(packet))).toBe(true);
      expect(packets.filter(({ length }) => length === 3)).toHaveLength(silences);
    },
  );

  it.skipIf(!hasFfmpeg)('is then, according to another program, as long as its packets', async () => {
    const { ogg } = await repacked(webm);
    const { samples, preSkip } = packetsIn(ogg);
    const decoded = execFileSync(
      'ffmpeg',
      ['-v', 'error', '-xerror', '-i', 'pipe:0', '-f', 's16le', '-ac', '1', 'pipe:1'],
      { input: ogg },
    );
    expect(decoded.length / 2).toBe(samples - preSkip);
  });

  it.each([
    // The parser needs whole clusters, and MediaRecorder writes one per 250 ms: five packets.
    { name: 'WebM', bytes: webm, maxLost: 4 },
    { name: 'MP4', bytes: mp4, maxLost: 0 },
  ])(
    'of $name truncated anywhere yields the whole packets before the cut, never more',
    async ({ bytes, maxLost }) => {
      const whole = packetsIn((await repacked(bytes)).ogg).packets;
      // The end of each packet in the file. Silent packets for lost sound are not in it.
      let fromByte = 0;
      const endBytes = whole.flatMap((packet) => {
        const atByte = bytes.indexOf(packet, fromByte);
        if (atByte >= 0) fromByte = atByte + packet.length;
        return atByte < 0 ? [] : [fromByte];
      });
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 0, max: bytes.length }), async (cutAt) => {
          const { result, ogg } = await repacked(bytes.subarray(0, cutAt));
          const { packets, granulesAgree } = packetsIn(ogg);
          expect(result.kind === 'done' || (ogg.length === 0 && cutAt < 1500)).toBe(true);
          expect(granulesAgree).toBe(true);
          expect(packets.length).toBeLessThanOrEqual(whole.length);
          packets.forEach((packet, index) => {
            expect(Buffer.compare(packet, whole[index] ?? new Uint8Array(0))).toBe(0);
          });
          const expected = endBytes.filter((endByte) => endByte <= cutAt).length;
          expect(packets.length).toBeGreaterThanOrEqual(expected - maxLost);
        }),
        { numRuns: 60, examples: [[15_084], [15_085]] },
      );
    },
  );

  it('without any sound reports that', async () => {
    expect((await repacked(new Uint8Array(0))).result).toEqual({ kind: 'nothing' });
    expect((await repacked(new Uint8Array(5000))).result).toEqual({ kind: 'nothing' });
    expect((await repacked(webm.subarray(0, 60))).result).toEqual({ kind: 'nothing' });
  });

  it('of MP4 that claims more samples than it has bytes yields nothing, quickly', async () => {
    const uint32 = (value: number) => Buffer.of(value >>> 24, value >>> 16, value >>> 8, value);
    const box = (type: string, content: Uint8Array) =>
      Buffer.concat([uint32(8 + content.length), Buffer.from(type), content]);
    const endless = box('moof', box('traf', box('trun', Buffer.concat([uint32(0), uint32(0xffff_ffff)]))));
    expect((await repacked(Buffer.concat([mp4, endless]))).result).toEqual({ kind: 'nothing' });
    // Empty boxes are harmless and the sound before them counts, unless they are more than any recorder writes.
    expect(
      (await repacked(Buffer.concat([mp4, Buffer.alloc(8 * 20_000, box('free', new Uint8Array(0)))]))).result
        .kind,
    ).toBe('done');
    expect(
      (await repacked(Buffer.concat([mp4, Buffer.alloc(8 * 1_000_000, box('free', new Uint8Array(0)))])))
        .result,
    ).toEqual({ kind: 'nothing' });
  });

  it('gets peaks from its sound, 100 points per second, also if it is Ogg already', async () => {
    const { ogg, peaks } = await repacked(webm, {
      wantsAudio: true,
      wantsPeaks: true,
      filled: { minHoleMs: 100, maxSilenceMs: hour },
    });
    const { samples, preSkip } = packetsIn(ogg);
    expect(peaks.length / 2).toBe(Math.ceil((samples - preSkip) / 480));
    expect(Math.max(...peaks)).toBeGreaterThan(20);
    expect(Math.min(...peaks)).toBeLessThan(-20);
    const again = await repacked(ogg, {
      wantsAudio: false,
      wantsPeaks: true,
      filled: { minHoleMs: 100, maxSilenceMs: hour },
    });
    expect(again.ogg.length).toBe(0);
    expect(again.peaks).toEqual(peaks);
  });

  it('is repacked in a child process with the same result', async () => {
    const options = { wantsAudio: true, wantsPeaks: true, filled: { minHoleMs: 100, maxSilenceMs: hour } };
    expect(await repacked(webm, options, 'process')).toEqual(await repacked(webm, options));
  });
});

describe('a remuxing process', () => {
  const options = { wantsAudio: true, wantsPeaks: false, filled: { minHoleMs: 100, maxSilenceMs: hour } };
  const output = { audio: async () => undefined, peaks: async () => undefined };

  it('ends immediately when it is aborted', async () => {
    const stopping = new AbortController();
    const file = {
      sizeBytes: webm.length,
      read: async () => {
        stopping.abort(new Error('the server is stopping'));
        return new Promise<Uint8Array>(() => undefined);
      },
    };
    await expect(runRepack({ file, options, output }, { signal: stopping.signal })).rejects.toThrow(
      'the server is stopping',
    );
  });

  it('fails with the store’s own error, so that the job is retried', async () => {
    const file = {
      sizeBytes: webm.length,
      read: async () => {
        throw new Error('the disk is gone');
      },
    };
    await expect(
      runRepack({ file, options, output }, { signal: new AbortController().signal }),
    ).rejects.toThrow('the disk is gone');
  });
});
