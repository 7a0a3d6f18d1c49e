import { expect, test } from 'vitest';
import { second } from '#base/duration.ts';
import type { AccountExport, LeftOutReason } from '#contract/exports-api.ts';
import { refetchIntervalOf } from './use-account-export.ts';

const at = '2026-11-21T09:00:00.000Z';
const made = (changes: Partial<AccountExport>): AccountExport => ({
  id: 'one',
  state: 'ready',
  createdAt: at,
  expiresAt: at,
  sizeBytes: 1,
  recordingCount: 1,
  leftOut: 0,
  ...changes,
});
const lacking = (...reasons: LeftOutReason[]): AccountExport =>
  made({
    leftOut: reasons.length,
    leftOutRecordings: reasons.map((reason) => ({
      id: reason,
      title: reason,
      recordedTime: { kind: 'unknown' },
      startedAt: at,
      reason,
    })),
  });

test.each([
  ['there is none', null, false],
  ['it is being prepared', made({ state: 'preparing', leftOutRecordings: null }), 2 * second],
  ['it failed', made({ state: 'failed' }), false],
  ['an earlier version made it', made({ leftOut: 2 }), false],
  ['the server is finishing a recording that it lacks', lacking('damaged', 'processing'), 10 * second],
  ['nothing that it lacks is being finished', lacking('interrupted', 'finished-since'), false],
])('how soon an export is read again if %s', (_case, lastExport, expected) => {
  expect(refetchIntervalOf(lastExport)).toBe(expected);
});
