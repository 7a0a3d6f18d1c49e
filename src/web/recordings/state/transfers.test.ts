import { expect, test } from 'vitest';
import { transferIn } from './transfers.ts';

test('only a transfer without an error moves bytes', () => {
  expect(
    (
      [
        'unattached',
        'syncing',
        'idle',
        'offline',
        'gate-closed',
        'server-full',
        'over-quota',
        'server-trouble',
        'capability-rejected',
      ] as const
    ).map(transferIn),
  ).toEqual([
    'pending',
    'moving',
    'moving',
    'no-connection',
    'no-connection',
    'no-space',
    'no-quota',
    'no-connection',
    'no-session',
  ]);
});
