import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isBlocked,
  recordingStateOf,
  safetyOf,
  type DeviceFacts,
  type ServerFacts,
} from './recording-state.ts';

const stored: DeviceFacts = {
  isCapturing: false,
  receipt: 'none',
  isStored: true,
  owner: 'me',
  transfer: 'none',
};
const listed: ServerFacts = {
  state: 'ready',
  source: 'microphone',
  isDamaged: false,
  hasNoSound: false,
  isCurrent: true,
};

const deviceFacts = fc.record<DeviceFacts>({
  isCapturing: fc.boolean(),
  receipt: fc.constantFrom('whole', 'so-far', 'none'),
  isStored: fc.boolean(),
  owner: fc.constantFrom('me', 'other', 'nobody'),
  transfer: fc.constantFrom(
    'moving',
    'no-connection',
    'no-session',
    'no-space',
    'no-quota',
    'pending',
    'none',
  ),
  blockReason: fc.constantFrom(
    undefined,
    'account-deleted',
    'account-off',
    'deleted',
    'taken',
    'finished',
    'invalid',
  ),
});
const serverFacts = fc.record<ServerFacts>({
  state: fc.constantFrom('receiving', 'finishing', 'ready', 'abandoned', 'failed'),
  source: fc.constantFrom('microphone', 'import'),
  isDamaged: fc.boolean(),
  hasNoSound: fc.boolean(),
  isCurrent: fc.boolean(),
});
const either = <T>(facts: fc.Arbitrary<T>) => fc.option(facts, { nil: null });

// The table of docs/specification.md, one line each.
describe('a recording on this device', () => {
  test.each([
    ['the server confirmed every byte', { receipt: 'whole' }, 'server'],
    [
      'the server confirmed every byte, and the session has ended',
      { receipt: 'whole', transfer: 'no-session' },
      'server',
    ],
    [
      'the server confirmed every byte, and the connection is gone',
      { receipt: 'whole', transfer: 'no-connection' },
      'server',
    ],
    ['a page records it', { isCapturing: true, receipt: 'so-far', transfer: 'moving' }, 'recording-here'],
    ['bytes move', { transfer: 'moving' }, 'uploading'],
    ['bytes wait for a connection', { transfer: 'no-connection' }, 'waiting'],
    ['no page uploads it, and the user owns it', {}, 'waiting'],
    ['bytes wait for a session', { transfer: 'no-session' }, 'sign-in-needed'],
    ['bytes wait for space', { transfer: 'no-space' }, 'server-full'],
    ['bytes wait for space below the limit of their owner', { transfer: 'no-quota' }, 'over-quota'],
    ['another page holds it', { transfer: 'pending' }, 'device'],
    ['it has no owner', { owner: 'nobody' }, 'device'],
    ['another user owns it', { owner: 'other' }, 'device'],
    ['the disk rejected part of it, while bytes move', { isStored: false, transfer: 'moving' }, 'memory'],
    [
      'its account was deleted',
      { blockReason: 'account-deleted', transfer: 'no-session' },
      'account-deleted',
    ],
    [
      'its account was deleted after the receipt',
      { blockReason: 'account-deleted', receipt: 'whole' },
      'account-deleted',
    ],
    ['its account is turned off', { blockReason: 'account-off', owner: 'me-signed-out' }, 'account-off'],
    [
      'its account is turned off after the receipt',
      { blockReason: 'account-off', receipt: 'whole' },
      'server',
    ],
    ['it was deleted elsewhere', { blockReason: 'deleted', transfer: 'no-connection' }, 'deleted-elsewhere'],
    ['another account has its id', { blockReason: 'taken' }, 'rejected'],
  ] as const)('%s', (_facts, facts, state) => {
    expect(recordingStateOf({ server: null, device: { ...stored, ...facts } })).toBe(state);
  });
});

describe('a recording on the server', () => {
  test.each([
    ['ready', { state: 'ready' }, 'server'],
    ['damaged', { state: 'ready', isDamaged: true }, 'damaged'],
    ['whole, while the server prepares it', { state: 'finishing' }, 'server'],
    ['a file that the server has not judged yet', { state: 'finishing', source: 'import' }, 'checking'],
    ['stored, and not ready yet', { state: 'failed' }, 'not-ready'],
    ['stored, without sound', { state: 'failed', hasNoSound: true }, 'no-sound'],
    ['its device disappeared', { state: 'abandoned' }, 'interrupted'],
    ['another device records it', { state: 'receiving' }, 'recording-elsewhere'],
    [
      'another device recorded it when the server was last reached',
      { state: 'receiving', isCurrent: false },
      'incomplete',
    ],
    ['a file that has arrived in part', { state: 'receiving', source: 'import' }, 'incomplete'],
  ] as const)('%s', (_facts, facts, state) => {
    expect(recordingStateOf({ server: { ...listed, ...facts }, device: null })).toBe(state);
  });

  test("shows the device's state of a stopped take while the server waits for the rest", () => {
    const server: ServerFacts = { ...listed, state: 'receiving' };
    expect(recordingStateOf({ server, device: { ...stored, transfer: 'moving' } })).toBe('uploading');
    expect(recordingStateOf({ server, device: { ...stored, transfer: 'no-connection' } })).toBe('waiting');
  });

  test('shows a take as on the server even if the confirmation never reached the device', () => {
    expect(recordingStateOf({ server: listed, device: { ...stored, transfer: 'no-connection' } })).toBe(
      'server',
    );
  });
});

describe('in every combination of facts', () => {
  test('has a state exactly if the device or the server knows the recording', () => {
    fc.assert(
      fc.property(either(serverFacts), either(deviceFacts), (server, device) => {
        expect(recordingStateOf({ server, device }) === null).toBe(server === null && device === null);
      }),
    );
  });

  test('shows "on the server" only with a receipt or if the server has every byte', () => {
    fc.assert(
      fc.property(either(serverFacts), either(deviceFacts), (server, device) => {
        const isConfirmed =
          (device !== null && device.receipt !== 'none') ||
          server?.state === 'ready' ||
          (server?.state === 'finishing' && server.source === 'microphone');
        expect(recordingStateOf({ server, device }) === 'server' && !isConfirmed).toBe(false);
      }),
    );
  });

  test('never goes back from "on the server" while the server prepares a take', () => {
    fc.assert(
      fc.property(deviceFacts, serverFacts, (device, facts) => {
        const server: ServerFacts = { ...facts, source: 'microphone', isDamaged: false };
        const confirmed: DeviceFacts = {
          ...device,
          isCapturing: false,
          receipt: 'whole',
          blockReason: undefined,
        };
        const states = [
          recordingStateOf({ server: null, device: confirmed }),
          recordingStateOf({ server: { ...server, state: 'receiving' }, device: confirmed }),
          recordingStateOf({ server: { ...server, state: 'finishing' }, device: confirmed }),
          recordingStateOf({ server: { ...server, state: 'finishing' }, device: null }),
          recordingStateOf({ server: { ...server, state: 'ready' }, device: null }),
        ];
        expect(new Set(states)).toEqual(new Set(['server']));
      }),
    );
  });

  test('shows "uploading" only while bytes are being uploaded', () => {
    fc.assert(
      fc.property(either(serverFacts), either(deviceFacts), (server, device) => {
        expect(recordingStateOf({ server, device }) === 'uploading' && device?.transfer !== 'moving').toBe(
          false,
        );
      }),
    );
  });

  test('shows "on this device" only if the disk has confirmed every byte', () => {
    fc.assert(
      fc.property(either(serverFacts), deviceFacts, (server, device) => {
        const saysStored = [
          'device',
          'uploading',
          'waiting',
          'sign-in-needed',
          'server-full',
          'over-quota',
        ].includes(recordingStateOf({ server, device }) ?? '');
        expect(saysStored && !device.isStored).toBe(false);
      }),
    );
  });

  test('never waits for what can’t come, if the server doesn’t take it', () => {
    fc.assert(
      fc.property(deviceFacts, (device) => {
        if (device.blockReason === undefined) return;
        expect(['memory', 'server'].includes(safetyOf(device)) || isBlocked(safetyOf(device))).toBe(true);
      }),
    );
  });

  test('shows a take with a receipt as on the server, whatever the connection, session and owner', () => {
    fc.assert(
      fc.property(deviceFacts, (device) => {
        const taken = device.blockReason === undefined || device.blockReason === 'account-off';
        const safety = safetyOf({ ...device, receipt: 'whole' });
        expect(safety === 'server').toBe(taken);
      }),
    );
  });
});
