import { describe, expect, test } from 'vitest';
import { safetyFactOf } from './safety-words.ts';
import type { Take, TakeState } from './take.ts';

const take = (changes: Partial<Take>): Take => ({
  id: 'a', title: 'Interview', startedAtMs: 0, timeZone: 'UTC', quality: 'speech', deviceLabel: null, sampleRateHz: 48_000, channels: 1, ownerId: 'rosa',
  progress: { capturedMs: 10_000, deviceMs: 9800, serverMs: 9600 }, condition: 'syncing', safety: 'syncing', markers: [], gaps: [], keeping: 'disk', alarms: [], journal: 'files', sourceKind: 'pcm', ...changes,
});
const recording = (changes: Partial<Take>): TakeState => ({ status: 'recording', take: take(changes) });

describe('what the pill says', () => {
  test('while the server keeps up: on the server, with what is on its way', () => {
    expect(safetyFactOf(recording({}))).toEqual({ kind: 'server-behind', behindMs: 400 });
  });

  test('while the server lags far behind: on this device', () => {
    expect(safetyFactOf(recording({ progress: { capturedMs: 60_000, deviceMs: 60_000, serverMs: 9000 } }))).toEqual({ kind: 'device-behind', behindMs: 51_000 });
  });

  test('after Stop only the receipt may say that the server has it', () => {
    const stopped: TakeState = { status: 'stopped', ending: 'asked', take: take({}) };
    expect(safetyFactOf(stopped)?.kind).toBe('device-behind');
    expect(safetyFactOf({ ...stopped, take: take({ safety: 'server' }) })).toEqual({ kind: 'server' });
  });

  test('offline it names how much is only here', () => {
    expect(safetyFactOf(recording({ condition: 'offline' }))).toEqual({ kind: 'offline', keptHereMs: 400 });
  });

  test('a full server is named as that, with how much is only here', () => {
    expect(safetyFactOf(recording({ condition: 'server-full' }))).toEqual({ kind: 'server-full', keptHereMs: 400 });
  });

  test('without an account it is on this device', () => {
    expect(safetyFactOf(recording({ condition: 'unattached', safety: 'device' }))).toEqual({ kind: 'device' });
  });

  test.each([
    [{ condition: 'unattached', safety: 'device' }],
    [{ condition: 'capability-refused' }],
    [{ condition: 'server-trouble' }],
    [{ condition: 'gate-closed' }],
    [{ condition: 'syncing', progress: { capturedMs: 60_000, deviceMs: 9000, serverMs: 9000 } }],
  ] as const)('what no store of this device has is never said to be saved on it: %j', (changes) => {
    for (const inMemory of [{ journal: 'memory' }, { keeping: 'memory' }, { keeping: 'nowhere' }] as const) {
      expect(safetyFactOf(recording({ ...changes, ...inMemory }))?.kind).toBe('memory');
    }
  });

  test('without a take it says nothing', () => {
    expect(safetyFactOf({ status: 'idle' })).toBeNull();
  });
});
