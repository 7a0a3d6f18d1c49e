import { expect, test } from 'vitest';
import { closeAll } from './close-all.ts';

test('closes the last first, and the rest after one that cannot be closed', async () => {
  const closed: string[] = [];
  const closers = [
    () => void closed.push('lock'),
    () => Promise.reject(new Error('the connection was lost')),
    () => void closed.push('blobs'),
  ];
  await expect(closeAll(closers)).rejects.toThrow('the connection was lost');
  expect(closed).toEqual(['blobs', 'lock']);
});
