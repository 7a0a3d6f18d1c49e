import { describe, expect, test } from 'vitest';
import type { ImportRecord } from '#workers/import/import-record.ts';
import { itemOf, storedState } from './import-item.ts';
import { newRecord } from './new-record.ts';

const file = new File(['sound'], 'talk.wav', { type: 'audio/wav' });
const record = (changes: Partial<ImportRecord> = {}): ImportRecord => ({
  ...newRecord(file, 'user', 'id'),
  ...changes,
});
const sha256 = 'a'.repeat(64);

describe('itemOf', () => {
  test('reports a missing copy only after the file was read and the copy failed', () => {
    const missing = (changes: Partial<ImportRecord>) =>
      itemOf({ record: record(changes), file, state: { step: 'waiting' } }).isCopyMissing;
    expect(missing({})).toBe(false);
    expect(missing({ sha256, hasCopy: true })).toBe(false);
    expect(missing({ sha256, hasCopy: false })).toBe(true);
  });

  test('needs the page until there is a copy', () => {
    const needsPage = (changes: Partial<ImportRecord>) =>
      itemOf({ record: record(changes), file, state: { step: 'waiting' } }).needsPage;
    expect([needsPage({}), needsPage({ sha256, hasCopy: true })]).toEqual([true, false]);
  });
});

describe('storedState of an import of an earlier page', () => {
  test.for([
    ['waits for its turn', { hasCopy: true }, { hasFile: false, isClaimed: true }, 'waiting'],
    ['failed where there is neither a copy nor the file', {}, { hasFile: false, isClaimed: true }, 'failed'],
    [
      'asks where another app handed it over',
      { isOffered: true },
      { hasFile: true, isClaimed: true },
      'offered',
    ],
    [
      'is being checked where the server has the whole file',
      { isUploaded: true },
      { hasFile: false, isClaimed: true },
      'checking',
    ],
    ['stays paused', { hasCopy: true, isPaused: true }, { hasFile: false, isClaimed: true }, 'paused'],
    [
      'is paused where a signed-out user started it in another tab',
      { hasCopy: true, ownerId: null },
      { hasFile: false, isClaimed: false },
      'paused',
    ],
  ] as const)('%s', ([, changes, facts, step]) => {
    expect(storedState(record(changes), facts).step).toBe(step);
  });
});
