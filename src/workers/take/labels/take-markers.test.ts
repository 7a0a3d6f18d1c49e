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
    await markers.setSent(next, { text: next.label });
  await markers.rename('left', 'Beginning');
  markers.sendAgain();
  await markers.remove('deleted');
  const next = markers.nextToSend(false);
  expect(next).toMatchObject({ id: 'left', atMs: 1, label: 'Beginning' });
  if (next !== null) await markers.setSent(next, { text: next.label });
  expect(markers.nextToSend(true)).toBeNull();
});

test('a name that was given after an attempt whose response was lost becomes a pending change', async () => {
  const markers = new TakeMarkers(new TakeRecordWriter({ ...record, markers: [] }));
  await markers.add({ id: 'm', atMs: 1, label: 'First' });
  const first = markers.nextToSend(true);
  await expect(first && markers.send(first, () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
  await markers.rename('m', 'Second');
  const second = markers.nextToSend(true);
  if (second) await markers.setSent(second, await markers.send(second, async () => 'existing'));
  expect(storedTakes.get('take')).toMatchObject({ pendingChanges: [{ kind: 'marker', id: 'm' }] });
  expect(markers.nextToSend(true)).toBeNull();
});
