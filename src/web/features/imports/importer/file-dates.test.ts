import { beforeEach, expect, test, vi } from 'vitest';
import { fileTime, type RecordedTime, unknownTime } from '#base/recorded-time/recorded-time.ts';
import type { ImportRecord } from '#workers/import/import-record.ts';
import { Importer } from './importer.ts';
import { newRecord } from './new-record.ts';

const stored = vi.hoisted(() => ({ records: [] as ImportRecord[], sent: [] as unknown[] }));
vi.mock('./import-worker-client.ts', () => ({
  startImportWorkerClient: () => ({ post: () => undefined, end: () => undefined }),
}));
vi.mock('./import-storage.ts', async () => (await import('./stored-imports.suite.ts')).storedImports(stored));
vi.mock(import('./server-calls.ts'), async (original) => ({
  ...(await original()),
  setUnknownTime: (record, time) => {
    stored.sent.push([record.id, time]);
    return Promise.resolve();
  },
}));

const modifiedAtMs = Date.UTC(2026, 0, 2);

const read = (id: string, recordedTime: RecordedTime, file: Partial<ImportRecord> = {}): ImportRecord => ({
  ...newRecord(new File(['x'], `${id}.wav`, { lastModified: modifiedAtMs }), null, id),
  facts: {
    title: id,
    durationMs: null,
    recordedTime,
    format: { container: 'wav', codec: 'pcm', sampleRateHz: 8000, channels: 1 },
  },
  hasCopy: true,
  sha256: 'a'.repeat(64),
  isPaused: true,
  ...file,
});

async function page(...records: ImportRecord[]): Promise<Importer> {
  stored.records = records;
  const importer = new Importer({
    nowMs: () => 0,
    onImported: () => undefined,
    judgementOf: () => Promise.resolve(null),
  });
  await importer.start();
  return importer;
}
const proposals = (importer: Importer) =>
  importer.getSnapshot().rows.flatMap(({ id, proposedTime }) => (proposedTime === null ? [] : [id]));

beforeEach(() => {
  stored.sent = [];
});

test('the date of a file is proposed only if nothing else says when it was recorded', async () => {
  const importer = await page(read('undated', unknownTime), read('dated', { kind: 'date', date: '1961' }));
  expect(proposals(importer)).toEqual(['undated']);
});

test('no date is proposed of a file that has only the date of its import', () => {
  expect(newRecord(new File(['x'], 'shared.wav'), null).modifiedAtMs).toBeNull();
  expect(newRecord(new File(['x'], 'shared.wav', { lastModified: 0 }), null).modifiedAtMs).toBeNull();
});

test('using the dates sends those of recordings that the server has, and asks no more', async () => {
  const importer = await page(
    read('waiting', unknownTime),
    read('uploaded', unknownTime, { isRegistered: true, isUploaded: true }),
  );
  importer.chooseDates(proposals(importer), true);
  expect(stored.sent).toEqual([['uploaded', fileTime(modifiedAtMs)]]);
  expect(proposals(importer)).toEqual([]);
});

test('a date that is left unknown is not proposed again', async () => {
  const importer = await page(read('undated', unknownTime));
  importer.chooseDates(['undated'], false);
  expect(proposals(importer)).toEqual([]);
  expect(stored.sent).toEqual([]);
});
