import { describe, expect, test } from 'vitest';
import { safetyOf } from '#device/takes/recording-state.ts';
import { takeFactsOf, takeSafetyOf } from './take-safety.ts';
import type { Take, TakeState } from './take.ts';
import { takeFor } from './take.suite.ts';

const take = (changes: Partial<Take>): Take =>
  takeFor({
    ownerId: 'rosa',
    progress: { capturedMs: 10_000, deviceMs: 9800, serverMs: 9600 },
    condition: 'syncing',
    safety: 'syncing',
    ...changes,
  });
const recording = (changes: Partial<Take>): TakeState => ({ status: 'recording', take: take(changes) });
const safetyIn = (state: TakeState) => takeSafetyOf(state, null)?.safety;

describe('the safety of a running take', () => {
  test('is on the server, with the rest still uploading, while the server is close behind', () => {
    expect(takeSafetyOf(recording({}), null)).toMatchObject({ safety: 'server', behindMs: 400 });
  });

  test('is uploading while the server is far behind', () => {
    expect(
      takeSafetyOf(recording({ progress: { capturedMs: 60_000, deviceMs: 60_000, serverMs: 9000 } }), null),
    ).toMatchObject({ safety: 'uploading', behindMs: 51_000 });
  });

  test('is on the server after Stop only with a receipt', () => {
    const stopped: TakeState = { status: 'stopped', ending: 'asked', take: take({}) };
    expect(safetyIn(stopped)).toBe('uploading');
    expect(takeSafetyOf({ ...stopped, take: take({ safety: 'server' }) }, null)).toMatchObject({
      safety: 'server',
      behindMs: 0,
    });
  });

  test.each([
    ['offline', 'waiting'],
    ['gate-closed', 'waiting'],
    ['server-trouble', 'waiting'],
    ['server-full', 'server-full'],
    ['over-quota', 'over-quota'],
    ['capability-rejected', 'sign-in-needed'],
  ] as const)(
    'does not claim that bytes are being uploaded while the condition is %s',
    (condition, safety) => {
      expect(takeSafetyOf(recording({ condition }), null)).toMatchObject({ safety, behindMs: 400 });
    },
  );

  test('is on this device without an account', () => {
    expect(safetyIn(recording({ condition: 'unattached', safety: 'device', ownerId: null }))).toBe('device');
  });

  test.each([
    [{ condition: 'unattached', safety: 'device' }],
    [{ condition: 'capability-rejected' }],
    [{ condition: 'server-trouble' }],
    [{ condition: 'offline' }],
    [{ condition: 'syncing', progress: { capturedMs: 60_000, deviceMs: 9000, serverMs: 9000 } }],
  ] as const)('never claims that audio held only in memory is saved on this device: %j', (changes) => {
    for (const inMemory of [
      { journal: 'memory' },
      { storageTarget: 'memory' },
      { storageTarget: 'nowhere' },
    ] as const)
      expect(safetyIn(recording({ ...changes, ...inMemory }))).toBe('memory');
  });

  test('is null without a take', () => {
    expect(takeSafetyOf({ status: 'idle' }, null)).toBeNull();
  });
});

describe('the owner of a take', () => {
  const ownerFor = (ownerId: string | null, userId: string | null, claimed: readonly string[] = []) =>
    takeFactsOf(take({ ownerId }), { isOpen: false, blockReason: null, userId, claimed: new Set(claimed) })
      .owner;

  test('is the signed-in user for their own take and for an unowned one that they have claimed', () => {
    expect([ownerFor('rosa', 'rosa'), ownerFor(null, 'rosa', ['a'])]).toEqual(['me', 'me']);
  });

  test('is nobody for an unowned take that the signed-in user has not claimed', () => {
    expect(ownerFor(null, 'salim', ['another'])).toBe('nobody');
  });

  test('is another user after another user signed in or the owner signed out', () => {
    expect([ownerFor('rosa', 'salim'), ownerFor('rosa', null)]).toEqual(['other', 'other']);
  });

  test('is nobody while signed out', () => {
    expect(ownerFor(null, null, ['a'])).toBe('nobody');
  });
});

test('shows a stopped take with a receipt as on the server, whatever the connection and session', () => {
  for (const condition of ['offline', 'gate-closed', 'capability-rejected', 'unattached'] as const) {
    expect(
      safetyOf(
        takeFactsOf(take({ safety: 'server', condition }), {
          isOpen: false,
          blockReason: null,
          userId: null,
          claimed: new Set(),
        }),
      ),
    ).toBe('server');
  }
});
