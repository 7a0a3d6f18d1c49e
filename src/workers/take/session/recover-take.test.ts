import { expect, test } from 'vitest';
import { takeRecordFor } from '#device/records/take-record.suite.ts';
import { fieldsOfContinued, fieldsOfStopped, silentForMs } from './recover-take.ts';

const startedAtMs = 1_700_000_000_000;
const record = takeRecordFor({
  startedAtMs,
  markers: [{ id: 'marker', atMs: 9900, label: '', sent: false }],
  notes: [{ id: 'note', atMs: 9900, text: 'said', sentText: null }],
  updatedAtMs: startedAtMs + 5000,
});
const gap = { atMs: 2000, durationMs: 500, cause: 'microphone-lost' as const };
const ofKill = { atMs: 9800, durationMs: 300, cause: 'page-killed' as const };

test('adds the possible loss of a kill as a gap at the end, and moves later markers and notes there', () => {
  expect(fieldsOfStopped({ ...record, gaps: [gap] }, 9800)).toEqual({
    state: 'stopped',
    durationMs: 9800,
    gaps: [gap, ofKill],
    markers: [{ id: 'marker', atMs: 9800, label: '', sent: false }],
    notes: [{ id: 'note', atMs: 9800, text: 'said', sentText: null }],
  });
});

test('adds no loss for a take that was paused, stopped or recovered before', () => {
  expect(fieldsOfStopped({ ...record, pauses: [{ atMs: 9800, durationMs: 0 }] }, 9800).gaps).toEqual([]);
  expect(fieldsOfStopped({ ...record, state: 'stopped', gaps: [gap] }, 9800).gaps).toEqual([gap]);
  expect(fieldsOfStopped({ ...record, state: 'stopped', gaps: [ofKill] }, 9800).gaps).toEqual([ofKill]);
});

test('counts the gap of a continued take from the end of its sound to now, without its pauses', () => {
  const found = {
    ...record,
    state: 'stopped' as const,
    gaps: [gap, ofKill],
    pauses: [{ atMs: 1000, durationMs: 2000 }],
    receiptAtMs: 5,
  };
  expect(silentForMs(found, 9800, startedAtMs + 60_000)).toBe(60_000 - 9800 - 2000);
  expect(fieldsOfContinued(found, 9800, startedAtMs + 60_000)).toMatchObject({
    state: 'recording',
    receiptAtMs: null,
    gaps: [gap],
  });
});

test('continues a take that was killed during a pause without a gap, and ends the pause', () => {
  const found = { ...record, pauses: [{ atMs: 9800, durationMs: 0 }] };
  expect(silentForMs(found, 9800, startedAtMs + 60_000)).toBe(null);
  expect(fieldsOfContinued(found, 9800, startedAtMs + 60_000).pauses).toEqual([
    { atMs: 9800, durationMs: 50_200 },
  ]);
});

test('renews a passage that is still off the record, so that no sound is sent before the server confirms it', () => {
  const ended = { id: 'ended', atMs: 1000, toMs: 2000, stored: { fromMs: 900, toMs: 2000 } };
  const open = { id: 'open', atMs: 5000, toMs: null, stored: { fromMs: 4900, toMs: null } };
  const { passages = [] } = fieldsOfContinued({ ...record, passages: [ended, open] }, 9800, startedAtMs);
  expect(passages).toEqual([
    ended,
    { ...open, toMs: 9800 },
    { id: expect.any(String), atMs: 9800, toMs: null, stored: null },
  ]);
  expect(passages.at(-1)?.id).not.toBe('open');
  const rejected = { ...open, stored: 'rejected' as const };
  expect(fieldsOfContinued({ ...record, passages: [rejected] }, 9800, startedAtMs).passages).toEqual([
    rejected,
  ]);
  expect(fieldsOfStopped({ ...record, passages: [open] }, 9800).passages).toEqual([open]);
});

test('never returns a negative gap when the clock was set back', () => {
  expect(silentForMs(record, 9800, startedAtMs + 7000)).toBe(2000);
  expect(silentForMs(record, 9800, startedAtMs - 7000)).toBe(0);
});

test('continues a take that its user stopped directly after its end, and remembers how long it was stopped', () => {
  const stopped = {
    ...record,
    state: 'stopped' as const,
    gaps: [gap],
    pauses: [{ atMs: 1000, durationMs: 2000 }],
  };
  const nowMs = startedAtMs + 9800 + 2000 + 249_000;
  expect(silentForMs(stopped, 9800, nowMs)).toBe(null);
  const continued = fieldsOfContinued(stopped, 9800, nowMs);
  expect(continued.gaps).toEqual([gap]);
  expect(continued.pauses).toEqual([
    { atMs: 1000, durationMs: 2000 },
    { atMs: 9800, durationMs: 249_000, cause: 'stopped' },
  ]);
  const later = { ...stopped, pauses: continued.pauses ?? [] };
  expect(fieldsOfContinued(later, 12_000, nowMs + 2200 + 60_000).pauses?.at(-1)).toEqual({
    atMs: 12_000,
    durationMs: 60_000,
    cause: 'stopped',
  });
});

test('leaves the gap of a kill between what was recorded before and after it', () => {
  expect(silentForMs(record, 9800, startedAtMs + 60_000)).toBe(60_000 - 9800);
  // The take was recovered and closed after its page died; its user did not stop it.
  const recovered = { ...record, state: 'stopped' as const, gaps: [ofKill] };
  expect(silentForMs(recovered, 9800, startedAtMs + 60_000)).toBe(60_000 - 9800);
  expect(fieldsOfContinued(recovered, 9800, startedAtMs + 60_000).pauses).toEqual([]);
});
