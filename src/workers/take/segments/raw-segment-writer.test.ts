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
  writer.pushChunk(Buffer.concat(stream.headers().map(({ bytes }) => bytes)), false, clock.nowMs);
  /** A piece of 200 ms, during which the clock runs on and this much more is lost; it arrives this much later. */
  const piece = (lostMs = 0, arrivesAfterMs = 0, deliveredAtMs = clock.nowMs + 200 + lostMs) => {
    if (deliveredAtMs > clock.nowMs) clock.nowMs = deliveredAtMs;
    const nowMs = clock.nowMs;
    for (let packet = 0; packet < 10; packet += 1) {
      const page = stream.push(Uint8Array.from([0x78, 1, 2]));
      clock.nowMs = nowMs + arrivesAfterMs;
      if (page !== null) writer.pushChunk(Uint8Array.from(page.bytes), false, deliveredAtMs);
      clock.nowMs = nowMs;
    }
  };
  return { writer, piece, clock, failures };
}

test('is as long as its file, and names what the file lacks while it is written', async () => {
  const { writer, piece, failures } = writerOf();
  const found: number[] = [];
  let shownMs = 0;
  for (let nth = 0; nth < 60; nth += 1) {
    piece(nth >= 20 && nth < 40 ? 50 : 0);
    for (const { lostMs } of writer.takeLosses()) found.push(lostMs);
    // The clock of the take, which places markers, follows the file and never goes back.
    expect(writer.capturedMs).toBeGreaterThanOrEqual(shownMs);
    shownMs = writer.capturedMs;
  }
  expect(Math.abs(found.reduce((sum, lostMs) => sum + lostMs, 0) - 1000)).toBeLessThanOrEqual(60);
  const fileMs = await writer.finish();
  // The writer holds back one packet of a page, which recorders write with the last piece.
  expect(Math.abs(fileMs - 12_000)).toBeLessThanOrEqual(200);
  // Of the clock, 300 ms are the assumed first piece, and the page that the writer holds back is missing.
  expect(Math.abs(shownMs - fileMs)).toBeLessThanOrEqual(600);
  expect([writer.capturedMs, writer.takeLosses()]).toEqual([fileMs, []]);
  expect(failures).toEqual([]);
});

test('has no length before its file has sound, however long the recorder runs', () => {
  const { writer, piece, clock } = writerOf();
  clock.nowMs += 3000;
  expect(writer.capturedMs).toBe(0);
  for (let nth = 0; nth < 10; nth += 1) piece();
  expect(writer.capturedMs).toBeGreaterThan(0);
});

test('lacks sound after the file that the recorder had not written when it was stopped', async () => {
  const { writer, piece, clock } = writerOf();
  for (let nth = 0; nth < 60; nth += 1) piece();
  clock.nowMs += 3000;
  writer.pushChunk(new Uint8Array(), true, clock.nowMs - 1000);
  const fileMs = await writer.finish();
  expect(Math.abs(writer.capturedMs - fileMs - 2000)).toBeLessThanOrEqual(60);
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

test('compares a piece by when it was delivered, however late it arrives', async () => {
  const { writer, piece, clock } = writerOf();
  const found: number[] = [];
  const take = () => found.push(...writer.takeLosses().map(({ lostMs }) => lostMs));
  // The worker starts late: what was delivered meanwhile arrives at once, a loss in it is seen all the same.
  for (let nth = 0; nth < 40; nth += 1) {
    piece(nth === 2 ? 1400 : 0, Math.max(0, 4000 - clock.nowMs));
    take();
  }
  expect(found).toHaveLength(1);
  expect(Math.abs((found[0] ?? 0) - 1400)).toBeLessThanOrEqual(20);
  // A piece that was delivered before a pause arrives after it.
  const deliveredAtMs = clock.nowMs + 200;
  clock.nowMs += 200;
  writer.setPaused(true);
  clock.nowMs += 3000;
  writer.setPaused(false);
  piece(0, 0, deliveredAtMs);
  for (let nth = 0; nth < 40; nth += 1) piece();
  take();
  expect(found).toHaveLength(1);
  expect(await writer.finish()).toBe(writer.capturedMs);
});

test('shows no less than its file has, also if the first piece is long', () => {
  const { writer, piece } = writerOf();
  for (let nth = 0; nth < 8; nth += 1) piece(-199);
  piece();
  // Nine pieces of which the writer holds back a page.
  expect(writer.capturedMs).toBeGreaterThanOrEqual(1600);
});

test('has the length that the clock estimates if its file tells none', async () => {
  const { writer, clock } = writerOf();
  clock.nowMs += 200;
  const duringMs = writer.capturedMs;
  expect(await writer.finish()).toBe(duringMs);
});
