import { expect, test } from 'vitest';
import type { Share } from '#contract/shares.ts';
import { shareFor } from '#web/features/sharing/terms/share.suite.ts';
import { linksFrom, onAirOf } from './on-air.ts';

const { recordingId } = shareFor();
const live = { delayMs: 10_000, isHeldAfterStop: false } as const;
const now = { atMs: 72_000, nowMs: Date.parse('2026-11-24T12:00:00Z') };
const liveLink = (facts: Partial<Share> = {}) => shareFor({ live, listeningCount: 2, ...facts });

test('a live link gives out what is recorded, to whom, how late and to how many', () => {
  expect(onAirOf([liveLink()], recordingId, now)).toEqual({
    audience: 'anyone',
    peopleCount: null,
    listeningCount: 2,
    delayMs: 10_000,
  });
});

test.for<[why: string, facts: Partial<Share>]>([
  ['it is of another recording', { recordingId: 'other' }],
  ['it is revoked', { state: 'revoked' }],
  ['it is suspended', { state: 'suspended' }],
  ['it has expired since it was read', { expiresAt: '2026-11-24T11:59:59Z' }],
  ['it ends where the take was continued', { toMs: 72_000 }],
  ['it plays nothing before the end', { live: null }],
])('nobody hears what is recorded by a link if %s', ([, facts]) => {
  expect(onAirOf([liveLink(facts)], recordingId, now)).toBeNull();
});

test('a link that plays nothing before the end still plays what is recorded after it', () => {
  expect(linksFrom([shareFor()], recordingId, now)).toHaveLength(1);
  expect(linksFrom([shareFor({ toMs: 72_000 })], recordingId, now)).toEqual([]);
  expect(linksFrom([shareFor({ toMs: 72_001 })], recordingId, now)).toHaveLength(1);
});

test('of several links the widest audience and the shortest delay count, and all listeners', () => {
  const named = liveLink({
    audience: 'named',
    people: ['a@example.org', 'b@example.org'],
    listeningCount: 1,
  });
  expect(onAirOf([named], recordingId, now)).toMatchObject({ audience: 'named', peopleCount: 2 });
  const locked = liveLink({ hasPassword: true, live: { ...live, delayMs: 0 } });
  expect(onAirOf([named, locked], recordingId, now)).toEqual({
    audience: 'password',
    peopleCount: null,
    listeningCount: 3,
    delayMs: 0,
  });
});

test('an unknown number of listeners is not zero', () => {
  const links = [liveLink(), liveLink({ listeningCount: null })];
  expect(onAirOf(links, recordingId, now)?.listeningCount).toBeNull();
});
