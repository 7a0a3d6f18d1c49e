import { beforeEach, expect, test, vi } from 'vitest';
import { TakeRecordWriter } from '#workers/take/take-record-writer.ts';
import type { TakeRecord } from '#device/records/take-record.ts';
import { takeRecordFor } from '#device/records/take-record.suite.ts';
import { storedTakes } from './memory-takes-store.suite.ts';
import { TakePassages } from './take-passages.ts';

vi.mock('#device/takes/takes-store.ts', () => import('./memory-takes-store.suite.ts'));

const record = takeRecordFor();
const onDisk = () => storedTakes.get('take') as TakeRecord;

beforeEach(() => {
  storedTakes.set('take', record);
});

test('saves every change to disk, so that a passage is still open after a crash', async () => {
  const passages = new TakePassages(new TakeRecordWriter(record));
  await passages.start('a', 1000.6);
  expect(onDisk().passages).toEqual([{ id: 'a', atMs: 1000, toMs: null, stored: null }]);
  const recovered = new TakePassages(new TakeRecordWriter(onDisk()));
  await recovered.end('a', 2000.2);
  expect(onDisk().passages).toEqual([{ id: 'a', atMs: 1000, toMs: 2001, stored: null }]);
});

test('holds the bytes from the press on, before the disk has it, until the server has the start', async () => {
  const passages = new TakePassages(new TakeRecordWriter(record));
  expect(passages.areStartsStored).toBe(true);
  const saved = passages.start('a', 1000);
  expect(passages.areStartsStored).toBe(false);
  await saved;
  await passages.setStored('a', { id: 'a', fromMs: 0, toMs: null });
  expect(passages.areStartsStored).toBe(true);
  expect(passages.nextToSend()).toBeNull();
});

test('sends the end too, and starts one passage at a time', async () => {
  const passages = new TakePassages(new TakeRecordWriter(record));
  await passages.start('a', 1000);
  await passages.start('b', 1500);
  await passages.setStored('a', { id: 'a', fromMs: 0, toMs: null });
  await passages.end('a', 2000);
  await passages.end('a', 3000);
  expect(passages.nextToSend()).toMatchObject({ id: 'a', atMs: 1000, toMs: 2000 });
  expect(passages.areStartsStored).toBe(true);
  await passages.setStored('a', { id: 'a', fromMs: 0, toMs: 2000 });
  expect(passages.nextToSend()).toBeNull();
  await passages.start('b', 4000);
  expect(passages.all.map(({ id }) => id)).toEqual(['a', 'b']);
});

test('one that the server rejected counts as none: another one can be started', async () => {
  const passages = new TakePassages(new TakeRecordWriter(record));
  await passages.start('a', 1000);
  await passages.setStored('a', 'rejected');
  expect([passages.areStartsStored, passages.nextToSend()]).toEqual([true, null]);
  await passages.start('b', 2000);
  expect(passages.nextToSend()).toMatchObject({ id: 'b' });
});

test('are sent again to a server that lost them, except those that it rejected, and hold the bytes until then', async () => {
  const passages = new TakePassages(new TakeRecordWriter(record));
  await passages.start('a', 1000);
  await passages.end('a', 2000);
  await passages.setStored('a', { id: 'a', fromMs: 1000, toMs: 2000 });
  await passages.start('b', 3000);
  await passages.end('b', 4000);
  await passages.setStored('b', 'rejected');
  await passages.sendAgain();
  expect(passages.areStartsStored).toBe(false);
  expect(passages.nextToSend()).toMatchObject({ id: 'a', atMs: 1000, toMs: 2000 });
  await passages.setStored('a', { id: 'a', fromMs: 1000, toMs: 2000 });
  expect(passages.areStartsStored).toBe(true);
  expect(passages.nextToSend()).toBeNull();
});
