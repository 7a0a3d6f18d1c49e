import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hour } from '#base/duration.ts';
import { opusPacketSamples } from '#audio/ogg/opus-packet.ts';
import { type PacketRun, TimelineOfPackets } from './timeline-of-packets.ts';

const packetMs = 20;
/** A packet of 20 ms with its number in it. */
const packet = (number: number) => Uint8Array.of(0xf8, number >> 8, number & 255, 1);
const isSilence = (bytes: Uint8Array) => bytes.length === 3;
const lengthMs = (packets: readonly Uint8Array[]) =>
  packets.reduce((sum, bytes) => sum + opusPacketSamples(bytes) / 48, 0);

/** The runs of packets with these timestamps, with at most an hour of silence. */
function runsOf(moments: readonly number[]): { runs: PacketRun[]; hasAbsurdTimes: boolean } {
  const timeline = new TimelineOfPackets({ channels: 1, minHoleMs: 100, maxSilenceMs: hour });
  const runs = [
    ...moments.flatMap((atMs, number) => timeline.push({ bytes: packet(number), atMs })),
    ...timeline.finish(),
  ];
  return { runs, hasAbsurdTimes: timeline.hasAbsurdTimes };
}

const timelineOf = (moments: readonly number[]): Uint8Array[] =>
  runsOf(moments).runs.flatMap(({ bytes, times }) => Array.from({ length: times }, () => bytes));

describe('packets with timestamps', () => {
  it('follow each other unchanged if their clock jitters, drifts or starts late', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 80 }), { minLength: 1, maxLength: 400 }),
        fc.integer({ min: -300, max: 300 }),
        fc.integer({ min: 0, max: 5000 }),
        (jitter, driftPpm, startMs) => {
          const packets = timelineOf(
            jitter.map((lateMs, number) => startMs + number * packetMs * (1 + driftPpm / 1e6) + lateMs),
          );
          expect(packets.map((bytes) => bytes[2])).toEqual(jitter.map((_, number) => number & 255));
        },
      ),
    );
  });

  it('get silence of the right length where sound is missing, and no packet is lost', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 60, max: 300 }),
        fc.integer({ min: 150, max: 20_000 }),
        fc.array(fc.integer({ min: 0, max: 15 }), { minLength: 400, maxLength: 400 }),
        (before, holeMs, jitter) => {
          const packets = timelineOf(
            jitter.map((lateMs, number) => number * packetMs + lateMs + (number >= before ? holeMs : 0)),
          );
          const silences = packets.filter(isSilence);
          expect(Math.abs(lengthMs(silences) - holeMs)).toBeLessThanOrEqual(40);
          expect(packets.findIndex(isSilence)).toBe(before);
          expect(packets.filter((bytes) => !isSilence(bytes))).toHaveLength(jitter.length);
          expect(packets.slice(before, before + silences.length).every(isSilence)).toBe(true);
        },
      ),
    );
  });

  it('stay unchanged if their clock goes backwards', () => {
    expect(timelineOf([0, 20, 40, 10, 30, 50]).filter(isSilence)).toEqual([]);
  });

  it('form only as many runs as there are jumps, regardless of their size', () => {
    const moments = Array.from(
      { length: 200 },
      (_, number) => number * packetMs + (number >= 100 ? hour / 2 : 0),
    );
    const { runs, hasAbsurdTimes } = runsOf(moments);
    expect(runs).toHaveLength(201);
    expect(runs.filter(({ isSilence }) => isSilence).map(({ times }) => times * packetMs)).toEqual([
      hour / 2,
    ]);
    expect(hasAbsurdTimes).toBe(false);
  });

  it('are all kept, and a jump beyond the allowed silence is not trusted', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.double(), fc.constantFrom(0, -1, 2 ** 31, 2 ** 53, 6e10, 3e12, Infinity, NaN)), {
          minLength: 1,
          maxLength: 200,
        }),
        (moments) => {
          const { runs } = runsOf(moments);
          expect(runs.filter(({ isSilence }) => !isSilence)).toHaveLength(moments.length);
          const silenceMs = runs.reduce(
            (sum, { isSilence, times }) => sum + (isSilence ? times * packetMs : 0),
            0,
          );
          expect(silenceMs).toBeLessThanOrEqual(hour + packetMs);
        },
      ),
    );
    expect(
      runsOf([0, 20, 40, ...Array.from({ length: 60 }, (_, number) => 6e10 + number * packetMs)]),
    ).toMatchObject({ hasAbsurdTimes: true, runs: { length: 63 } });
  });
});
