import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SpillableStream, SpillMemory } from './spillable-stream.ts';
import { MemoryJournal } from './memory-journal.suite.ts';

const numbered = (from: number, count: number) =>
  Uint8Array.from({ length: count }, (_, index) => (from + index) & 255);

async function readAll(stream: SpillableStream, fromBytes: number, toBytes: number): Promise<Uint8Array> {
  const bytes: number[] = [];
  while (fromBytes + bytes.length < toBytes) {
    const piece = await stream.read(fromBytes + bytes.length, toBytes - fromBytes - bytes.length);
    if (piece.length === 0) break;
    bytes.push(...piece);
  }
  return Uint8Array.from(bytes);
}

test('writes everything to disk while there is space, and allows only flushed bytes to be sent', () => {
  const journal = new MemoryJournal();
  const stream = new SpillableStream(journal, new SpillMemory());
  stream.append(numbered(0, 10));
  expect([stream.sizeBytes, stream.sendableBytes, stream.isSpilling]).toEqual([10, 0, false]);
  stream.flush();
  expect([stream.sendableBytes, journal.sizeBytes]).toEqual([10, 10]);
});

test('holds new bytes in memory on a full device, allows them to be sent, and writes them to disk later', async () => {
  const journal = new MemoryJournal(15);
  const stream = new SpillableStream(journal, new SpillMemory());
  stream.append(numbered(0, 10));
  stream.append(numbered(10, 10));
  stream.append(numbered(20, 3));
  expect([stream.sizeBytes, stream.sendableBytes, stream.isSpilling, journal.sizeBytes]).toEqual([
    23,
    23,
    true,
    10,
  ]);
  expect(await readAll(stream, 4, 22)).toEqual(numbered(4, 18));
  journal.capacityBytes = 100;
  stream.settle();
  stream.append(numbered(23, 7));
  expect([stream.isSpilling, journal.sizeBytes]).toEqual([false, 30]);
  expect(await readAll(stream, 0, 30)).toEqual(numbered(0, 30));
});

test('continues in memory when the system withholds the file for longer than its own memory lasts', async () => {
  const journal = new MemoryJournal();
  const stream = new SpillableStream(journal, new SpillMemory());
  stream.append(numbered(0, 10));
  journal.isWithheld = true;
  stream.append(numbered(10, 10));
  expect([stream.sizeBytes, stream.sendableBytes, stream.isSpilling]).toEqual([20, 20, true]);
  expect(await readAll(stream, 0, 20)).toEqual(numbered(0, 20));
  journal.isWithheld = false;
  stream.settle();
  expect([stream.isSpilling, journal.sizeBytes]).toEqual([false, 20]);
});

test('releases only bytes that the server has when memory runs short', async () => {
  const memory = new SpillMemory(30);
  const journal = new MemoryJournal(0);
  const stream = new SpillableStream(journal, memory);
  stream.append(numbered(0, 10));
  stream.append(numbered(10, 10));
  stream.append(numbered(20, 10));
  expect(() => stream.append(numbered(30, 10))).toThrow(/memory/);
  stream.acknowledged(25);
  stream.append(numbered(30, 10));
  expect(await readAll(stream, 20, 40)).toEqual(numbered(20, 20));
  // With a hole before it, the rest can never be appended on the disk.
  journal.capacityBytes = 1000;
  stream.settle();
  stream.append(numbered(40, 1));
  expect([journal.sizeBytes, stream.sizeBytes]).toEqual([0, 41]);
});

test('reads a stream that was closed on a full device from memory', async () => {
  const journal = new MemoryJournal(5);
  const stream = new SpillableStream(journal, new SpillMemory());
  stream.append(numbered(0, 10));
  await stream.close();
  expect(journal.isClosed).toBe(true);
  expect([stream.sendableBytes, await readAll(stream, 0, 10)]).toEqual([10, numbered(0, 10)]);
});

test('says that bytes are in memory if the journal was closed without them', async () => {
  const journal = new MemoryJournal();
  const stream = new SpillableStream(journal, new SpillMemory());
  stream.append(numbered(0, 10));
  journal.flush = () => {};
  await stream.close();
  expect([stream.isSpilling, await readAll(stream, 0, 10)]).toEqual([true, numbered(0, 10)]);
});

test('sends bytes that the disk accepted but never confirmed as flushed', () => {
  const journal = new MemoryJournal();
  journal.flush = () => {};
  const stream = new SpillableStream(journal, new SpillMemory());
  stream.append(numbered(0, 10));
  stream.flush();
  expect(stream.sendableBytes).toBe(0);
  for (let flush = 0; flush < 10; flush++) stream.flush();
  expect([stream.isSpilling, stream.sendableBytes]).toEqual([true, 10]);
});

test('can read back every byte that the server lacks, however full the disk is at any time', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('append' as const), amount: fc.integer({ min: 1, max: 20 }) }),
    fc.record({ kind: fc.constant('capacity' as const), amount: fc.nat(200) }),
    fc.record({ kind: fc.constant('acknowledge' as const), amount: fc.nat(100) }),
    fc.record({ kind: fc.constant('settle' as const), amount: fc.constant(0) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const journal = new MemoryJournal(30);
      const stream = new SpillableStream(journal, new SpillMemory(60));
      let acknowledgedBytes = 0;
      for (const { kind, amount } of steps) {
        if (kind === 'capacity') journal.capacityBytes = amount;
        if (kind === 'settle') stream.settle();
        if (kind === 'acknowledge')
          stream.acknowledged((acknowledgedBytes = Math.min(stream.sizeBytes, acknowledgedBytes + amount)));
        if (kind === 'append') {
          try {
            stream.append(numbered(stream.sizeBytes, amount));
          } catch {
            /* neither has space: append throws */
          }
        }
        expect(await readAll(stream, acknowledgedBytes, stream.sizeBytes)).toEqual(
          numbered(acknowledgedBytes, stream.sizeBytes - acknowledgedBytes),
        );
      }
    }),
    { numRuns: 150 },
  );
});
