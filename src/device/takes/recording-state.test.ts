import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { recordingStateOf, safetyOf, type DeviceFacts, type ServerFacts } from './recording-state.ts';

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
  transfer: fc.constantFrom('moving', 'no-connection', 'no-session', 'no-space', 'pending', 'none'),
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
    ['no page works at it, and it has the user as its owner', {}, 'waiting'],
    ['bytes wait for a session', { transfer: 'no-session' }, 'sign-in-needed'],
    ['bytes wait for space', { transfer: 'no-space' }, 'server-full'],
    ['another page has it in hand', { transfer: 'pending' }, 'device'],
    ['it has no owner', { owner: 'nobody' }, 'device'],
    ['it belongs to another person', { owner: 'other' }, 'device'],
    ['the disk refused part of it, while bytes move', { isStored: false, transfer: 'moving' }, 'memory'],
  ] as const)('%s', (_facts, facts, state) => {
    expect(recordingStateOf({ server: null, device: { ...stored, ...facts } })).toBe(state);
  });
});

describe('a recording on the server', () => {
  test.each([
    ['ready', { state: 'ready' }, 'server'],
    ['damaged', { state: 'ready', isDamaged: true }, 'damaged'],
    ['being made ready', { state: 'finishing' }, 'finishing'],
    ['stored, and not ready yet', { state: 'failed' }, 'not-ready'],
    ['stored, without sound', { state: 'failed', hasNoSound: true }, 'no-sound'],
    ['its device went away', { state: 'abandoned' }, 'interrupted'],
    ['another device records it', { state: 'receiving' }, 'recording-elsewhere'],
    [
      'another device recorded it at an earlier visit',
      { state: 'receiving', isCurrent: false },
      'incomplete',
    ],
    ['a file of which a part has arrived', { state: 'receiving', source: 'import' }, 'incomplete'],
  ] as const)('%s', (_facts, facts, state) => {
    expect(recordingStateOf({ server: { ...listed, ...facts }, device: null })).toBe(state);
  });

  test('stopped on this device while the server still waits for the rest: the device decides', () => {
    const server: ServerFacts = { ...listed, state: 'receiving' };
    expect(recordingStateOf({ server, device: { ...stored, transfer: 'moving' } })).toBe('uploading');
    expect(recordingStateOf({ server, device: { ...stored, transfer: 'no-connection' } })).toBe('waiting');
  });

  test('the server has all of it, and the answer that said so never reached the device', () => {
    expect(recordingStateOf({ server: listed, device: { ...stored, transfer: 'no-connection' } })).toBe(
      'server',
    );
  });
});

describe('in every combination of facts', () => {
  test('there is a state exactly where the device or the server knows the recording', () => {
    fc.assert(
      fc.property(either(serverFacts), either(deviceFacts), (server, device) => {
        expect(recordingStateOf({ server, device }) === null).toBe(server === null && device === null);
      }),
    );
  });

  test('on the server needs a receipt, or a server that has all', () => {
    fc.assert(
      fc.property(either(serverFacts), either(deviceFacts), (server, device) => {
        const isConfirmed = (device !== null && device.receipt !== 'none') || server?.state === 'ready';
        expect(recordingStateOf({ server, device }) === 'server' && !isConfirmed).toBe(false);
      }),
    );
  });

  test('uploading needs bytes that move', () => {
    fc.assert(
      fc.property(either(serverFacts), either(deviceFacts), (server, device) => {
        expect(recordingStateOf({ server, device }) === 'uploading' && device?.transfer !== 'moving').toBe(
          false,
        );
      }),
    );
  });

  test('on this device needs a disk that confirmed it', () => {
    fc.assert(
      fc.property(either(serverFacts), deviceFacts, (server, device) => {
        const saysStored = ['device', 'uploading', 'waiting', 'sign-in-needed', 'server-full'].includes(
          recordingStateOf({ server, device }) ?? '',
        );
        expect(saysStored && !device.isStored).toBe(false);
      }),
    );
  });

  test('a receipt outlasts every connection, session and person', () => {
    fc.assert(
      fc.property(deviceFacts, (device) => {
        expect(safetyOf({ ...device, receipt: 'whole' })).toBe('server');
      }),
    );
  });
});
