import { expect, test } from 'vitest';
import { OpusStreamWriter } from '#audio/ogg/opus-stream-writer.ts';
import { PositionMap } from '#workers/take/journal/position-map.ts';
import { MemoryJournal } from './memory-journal.suite.ts';
import { RawSegmentWriter } from './raw-segment-writer.ts';
import { SpillableStream, SpillMemory } from './spillable-stream.ts';

function writerOf() {
  const clock = { nowMs: 1000 };
  const memory = new SpillMemory();
  const failures: unknown[] = [];
  const writer = new RawSegmentWriter({
    format: { sampleRateHz: 48_000, channels: 1, deviceLabel: null },
    container: 'ogg',
    quality: 'speech',
    audio: new SpillableStream(new MemoryJournal(), memory),
    peaks: new SpillableStream(new MemoryJournal(), memory),
    positions: new PositionMap(),
    nowMs: () => clock.nowMs,
    onFailure: (error) => failures.push(error),
  });
  const stream = new OpusStreamWriter({
    channels: 1,
    preSkip: 0,
    inputSampleRateHz: 48_000,
    serialNumber: 1,
    vendor: 'test',
  });
  writer.pushChunk(Buffer.concat(stream.headers().map(({ bytes }) => bytes)), false);
  /** A piece of 200 ms, during which the clock runs on and this much more is lost. */
  const piece = (lostMs = 0) => {
    clock.nowMs += 200 + lostMs;
    for (let packet = 0; packet < 10; packet += 1) {
      const page = stream.push(Uint8Array.from([0x78, 1, 2]));
      if (page !== null) writer.pushChunk(Uint8Array.from(page.bytes), false);
    }
  };
  return { writer, piece, clock, failures };
}

test('is as long as its file, and says how much more was captured', async () => {
  const { writer, piece, failures } = writerOf();
  for (let nth = 0; nth < 60; nth += 1) piece(nth >= 20 && nth < 40 ? 50 : 0);
  const fileMs = await writer.finish();
  // The writer holds back one packet of a page, which recorders write with the last piece.
  expect(Math.abs(fileMs - 12_000)).toBeLessThanOrEqual(200);
  expect(Math.abs(writer.capturedMs - fileMs - 1000)).toBeLessThanOrEqual(20);
  expect(failures).toEqual([]);
});

test('lacks nothing after a pause, which takes no time', async () => {
  const { writer, piece, clock } = writerOf();
  for (let nth = 0; nth < 60; nth += 1) {
    if (nth === 30) {
      writer.setPaused(true);
      clock.nowMs += 5000;
      writer.setPaused(false);
    }
    piece();
  }
  expect(await writer.finish()).toBe(writer.capturedMs);
});

test('has the length that the clock estimates if its file tells none', async () => {
  const { writer, clock } = writerOf();
  clock.nowMs += 200;
  const duringMs = writer.capturedMs;
  expect(await writer.finish()).toBe(duringMs);
});
