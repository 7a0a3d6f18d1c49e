import { expect, test } from 'vitest';
import type { LogWrite } from '#device/streams/stream-log.ts';
import { FileJournal } from './file-journal.ts';
import { SlotFile } from './slot-file.ts';
import { LogWriter } from './wal/log-writer.ts';
import { WithheldFile } from './withheld-file.suite.ts';

const numbered = (from: number, count: number) =>
  Uint8Array.from({ length: count }, (_, index) => (from + index) & 255);
const aged = { name: 'slot', createdAtMs: 0, takenBy: 'a', takenAtMs: 0 };

/** A journal in an old slot, with a log on a disk that may reject writes. */
async function openJournal() {
  const file = new WithheldFile();
  const log = { entries: [] as number[], isFull: false, started: Promise.withResolvers<void>() };
  const writer = new LogWriter(async (writes: ReadonlyMap<string, LogWrite>) => {
    log.started.resolve();
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    if (log.isFull) throw new DOMException('full', 'QuotaExceededError');
    for (const { entry } of writes.values())
      if (entry) log.entries.splice(entry.offsetBytes, Infinity, ...entry.bytes);
  });
  const slot = await SlotFile.open(file.handle);
  return { file, log, journal: new FileJournal({ uploadId: 'a', slot: aged, file: slot, writer }) };
}

test('logs the bytes that a closed file never got, also if a write is already under way', async () => {
  const { file, log, journal } = await openJournal();
  journal.append(numbered(0, 10));
  journal.flush();
  await log.started.promise;
  file.isWithheld = true;
  journal.append(numbered(10, 6));
  await journal.close();
  expect(log.entries).toEqual([...numbered(0, 16)]);
  expect([journal.sizeBytes, journal.flushedBytes]).toEqual([16, 16]);
});

test('does not count bytes as flushed that neither the file nor the log has', async () => {
  const { file, log, journal } = await openJournal();
  journal.append(numbered(0, 10));
  journal.flush();
  file.isWithheld = true;
  log.isFull = true;
  journal.append(numbered(10, 6));
  await journal.close();
  expect([journal.sizeBytes, journal.flushedBytes]).toEqual([16, 10]);
  expect(await journal.read(0, 16)).toEqual(numbered(0, 16));
});
