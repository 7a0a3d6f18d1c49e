import { expect, test } from 'vitest';
import { type LoggedStream, LogWriter } from './log-writer.ts';
import type { LogWrite } from '#device/streams/stream-log.ts';

/** A stream with `entries` entries to write, one at a time. */
function streamOf(uploadId: string, entries: number): LoggedStream & { written: number[]; failures: number } {
  const written: number[] = [];
  const stream = {
    uploadId,
    written,
    failures: 0,
    nextWrite: (): LogWrite | null =>
      written.length < entries
        ? { entry: { uploadId, offsetBytes: written.length, bytes: new Uint8Array(1) }, trim: null }
        : null,
    wrote: ({ entry }: LogWrite) => {
      if (entry) written.push(entry.offsetBytes);
      return written.length < entries;
    },
    failed: () => {
      stream.failures += 1;
    },
  };
  return stream;
}

test('writes streams flushed together in one transaction', async () => {
  const transactions: string[][] = [];
  const writer = new LogWriter(async (writes) => {
    transactions.push([...writes.keys()]);
  });
  writer.add(streamOf('audio', 1));
  writer.add(streamOf('peaks', 1));
  void writer.requestWrite();
  await writer.requestWrite();
  expect(transactions).toEqual([['audio', 'peaks']]);
});

test('never runs two writes at once, and includes requests made during a write', async () => {
  let underWay = 0;
  let max = 0;
  const writer = new LogWriter(async () => {
    max = Math.max(max, (underWay += 1));
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    underWay -= 1;
  });
  const early = streamOf('a', 3);
  writer.add(early);
  const first = writer.requestWrite();
  await Promise.resolve();
  const late = streamOf('b', 2);
  writer.add(late);
  await writer.requestWrite();
  expect([early.written.length, late.written.length, max]).toEqual([3, 2, 1]);
  await first;
});

test('reports a failed write once and retries it with the next request', async () => {
  let isBroken = true;
  const writer = new LogWriter(async () => {
    if (isBroken) throw new DOMException('full', 'QuotaExceededError');
  });
  const stream = streamOf('a', 2);
  writer.add(stream);
  await writer.requestWrite();
  expect([stream.failures, stream.written]).toEqual([1, []]);
  isBroken = false;
  await writer.requestWrite();
  expect([stream.failures, stream.written]).toEqual([1, [0, 1]]);
});
