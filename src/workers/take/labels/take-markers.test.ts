import { beforeEach, expect, test, vi } from 'vitest';
import { TakeRecordWriter } from '#workers/take/take-record-writer.ts';
import { takeRecordFor } from '#device/records/take-record.suite.ts';
import { storedTakes } from './memory-takes-store.suite.ts';
import { TakeMarkers } from './take-markers.ts';

vi.mock('#device/takes/takes-store.ts', () => import('./memory-takes-store.suite.ts'));

const record = takeRecordFor();

beforeEach(() => {
  storedTakes.set('take', record);
});

test('markers are sent again to a server that lost them, with their present names, and deleted ones are not', async () => {
  const markers = new TakeMarkers(new TakeRecordWriter({ ...record, markers: [] }));
  await markers.add({ id: 'left', atMs: 1, label: 'Start' });
  await markers.add({ id: 'deleted', atMs: 2, label: '' });
  for (let next = markers.nextToSend(true); next !== null; next = markers.nextToSend(true))
    await markers.setSent(next);
  await markers.rename('left', 'Beginning');
  markers.sendAgain();
  await markers.remove('deleted');
  const next = markers.nextToSend(false);
  expect(next).toMatchObject({ id: 'left', atMs: 1, label: 'Beginning' });
  if (next !== null) await markers.setSent(next);
  expect(markers.nextToSend(true)).toBeNull();
});
