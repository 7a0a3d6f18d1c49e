import { hour, second } from '#base/duration.ts';
import { expect, test } from 'vitest';
import { emptyPacketMs, webmWithLeap } from '#tests/support/strange-sound.ts';
import {
  expectNeighbourUnharmed,
  expectRestartHolds,
  launchServer,
  newUser,
  onEveryDatabase,
  recordingOf,
  sendImport,
  sendTake,
  settledRecording,
} from './attack.ts';

/** 1.9 years: the silence to fill in would not fit into the memory of any server. */
const absurdLeapMs = 6e10;
const count = 15;
const absurd = webmWithLeap({ before: 3, count, leapMs: absurdLeapMs });
const soundMs = count * emptyPacketMs;

onEveryDatabase((launch) => {
  test('S1: a take whose timestamps leap by years is shown as damaged with all its audio; a restart changes nothing', async () => {
    const server = await launch();
    const attacker = await newUser(server);
    let recordingId = '';
    await expectNeighbourUnharmed(server, async () => {
      recordingId = await sendTake(attacker, { bytes: absurd, container: 'webm' });
      const recording = await settledRecording(attacker, recordingId);
      expect(recording).toMatchObject({ state: 'ready', sizeBytes: absurd.length });
      expect(recording.damagedAt).not.toBeNull();
      expect(Math.abs(recording.durationMs - soundMs)).toBeLessThan(100);
    });
    const audio = await attacker.send({
      method: 'GET',
      path: `/api/recordings/${recordingId}/audio`,
      headers: { cookie: attacker.cookie },
    });
    expect({
      status: audio.status,
      isOgg: audio.body.subarray(0, 4).toString(),
      isSmall: audio.body.length < 10_000,
    }).toEqual({ status: 200, isOgg: 'OggS', isSmall: true });
    await expectRestartHolds(server);
    expect(await recordingOf(attacker, recordingId)).toMatchObject({ state: 'ready' });
  });
});

test.for([3e12, 2 ** 53 - 1, 2 ** 62])('S1: a leap of %s ms does no harm either', async (leapMs) => {
  const server = await launchServer();
  const attacker = await newUser(server);
  await expectNeighbourUnharmed(server, async () => {
    const recordingId = await sendTake(attacker, {
      bytes: webmWithLeap({ before: 3, count, leapMs }),
      container: 'webm',
    });
    expect((await settledRecording(attacker, recordingId)).durationMs).toBeLessThan(10 * second);
  });
  await expectRestartHolds(server);
});

test('S1: the same file as an import is as long as its packets, not as its timestamps', async () => {
  const server = await launchServer();
  const attacker = await newUser(server);
  let recordingId = '';
  await expectNeighbourUnharmed(server, async () => {
    recordingId = await sendImport(attacker, { bytes: absurd, name: 'talk.webm', durationMs: 1000 * hour });
    const recording = await settledRecording(attacker, recordingId);
    expect(recording).toMatchObject({ state: 'ready', rendition: 'ready' });
    expect(recording.damagedAt).not.toBeNull();
    expect(recording.durationMs).toBeLessThanOrEqual(soundMs);
  });
  const original = await attacker.send({
    method: 'GET',
    path: `/api/recordings/${recordingId}/original`,
    headers: { cookie: attacker.cookie },
  });
  expect(Buffer.compare(original.body, absurd)).toBe(0);
  await expectRestartHolds(server);
});

test('S1: nor is an import with peaks from the device longer than its packets', async () => {
  const server = await launchServer();
  const attacker = await newUser(server);
  const recordingId = await sendImport(attacker, {
    bytes: absurd,
    name: 'talk.webm',
    durationMs: 1000 * hour,
    peaks: new Uint8Array(400),
  });
  expect((await settledRecording(attacker, recordingId)).durationMs).toBeLessThanOrEqual(soundMs);
});

test('S1: fills in silence that a recorder may plausibly have left', async () => {
  const server = await launchServer();
  const user = await newUser(server);
  const recordingId = await sendTake(user, {
    bytes: webmWithLeap({ before: 100, count: 200, leapMs: 60_000 }),
    container: 'webm',
  });
  const recording = await settledRecording(user, recordingId);
  expect(recording).toMatchObject({ state: 'ready', damagedAt: null });
  expect(Math.abs(recording.durationMs - (200 * emptyPacketMs + 60_000))).toBeLessThan(100);
});
