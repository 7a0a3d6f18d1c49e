import { expect, test } from 'vitest';
import type { UnfinishedImport } from '#contract/storage-api.ts';
import { type ImportRecord, recordingIdOf } from '#workers/import/import-record.ts';
import { continued, isCutOffImportOf, resolveRepeated } from './continue-import.ts';
import type { ImportState } from './import-item.ts';
import { newRecord } from './new-record.ts';

const file = new File(['sound'], 'talk.wav', { type: 'audio/wav' });
const record = (changes: Partial<ImportRecord> = {}): ImportRecord => ({
  ...newRecord(file, 'user', 'new'),
  ...changes,
});
const unfinished: UnfinishedImport = {
  id: 'torn',
  title: 'talk',
  recordedTime: { kind: 'unknown' },
  startedAt: '2026-01-01T00:00:00.000Z',
  isTrashed: false,
  audioUploadId: 'audio of torn',
  peaksUploadId: null,
  epoch: 3,
};

test('an import of another device is continued in its recording and upload, as a later writer', () => {
  const before = record({ peaks: 'kept' });
  const after = { ...before, ...continued(before, unfinished) };
  expect(recordingIdOf(after)).toBe('torn');
  expect(after).toMatchObject({ id: 'new', audioUploadId: 'audio of torn', peaks: 'kept', epoch: 3 });
  expect(after.peaksUploadId).toBe(before.peaksUploadId);
});

test('peaks that another device began to send are left to the server', () => {
  expect(continued(record(), { ...unfinished, peaksUploadId: 'peaks of torn' })).toMatchObject({
    peaksUploadId: 'peaks of torn',
    peaks: 'server',
  });
});

test('an import whose registration was not answered continues itself, with its own peaks', () => {
  const own = record({ id: 'torn', peaks: 'kept', peaksUploadId: 'mine', epoch: 5 });
  const changes = continued(own, { ...unfinished, audioUploadId: null, peaksUploadId: 'mine' });
  expect({ ...own, ...changes }).toEqual(own);
});

test.for<[string, ImportState, Partial<ImportRecord>, ReturnType<typeof resolveRepeated>]>([
  ['a paused import with a copy continues', { step: 'paused' }, { hasCopy: true }, 'resume-older'],
  ['a running import continues', { step: 'waiting' }, {}, 'resume-older'],
  [
    'an import that lost its bytes with its page is replaced',
    { step: 'failed', error: 'cut-off' },
    {},
    'replace-older',
  ],
  ['a cancelled import stays cancelled', { step: 'cancelled' }, { hasCopy: true }, 'separate'],
])('of two imports of one file in a page, %s', ([, state, changes, resolution]) => {
  expect(resolveRepeated({ record: record(changes), file: null, state })).toBe(resolution);
});

test('the row of a file that was not read completely is replaced by the same file, and by no other', () => {
  const cutOff = { record: record(), file: null, state: { step: 'failed', error: 'cut-off' } } as const;
  expect(isCutOffImportOf(cutOff, file, 'talk.wav')).toBe(true);
  expect(isCutOffImportOf(cutOff, new File(['sounds'], 'talk.wav'), 'talk.wav')).toBe(false);
  expect(isCutOffImportOf(cutOff, file, 'walk.wav')).toBe(false);
  expect(isCutOffImportOf({ ...cutOff, state: { step: 'paused' } }, file, 'talk.wav')).toBe(false);
});
