import { expect, test, vi } from 'vitest';
import { takeRecordFor } from '#device/records/take-record.suite.ts';
import { CaptureError } from '#web/features/recorder/capture/capture-error.ts';
import { DeferredRecorder } from './deferred-recorder.ts';
import { TakeRecorder, type RecorderDeps } from './take-recorder.ts';

type StartTake = RecorderDeps['startTake'];

/** A recorder whose code loads when the test says so, and whose microphone is busy. */
function recorderUnderTest() {
  const startTake = vi.fn<StartTake>(() => Promise.reject(new CaptureError('microphone-busy')));
  const nothing = () => undefined;
  const real = new TakeRecorder({
    startTake,
    quality: () => 'speech',
    markerBackMs: () => 0,
    registry: {
      userId: () => null,
      mayClaim: () => true,
      onSessionChange: () => nothing,
      register: async () => ({ upload: null, title: '', stored: { durationMs: 0, receipts: [] } }),
      reopen: () => Promise.reject(new Error('not called')),
      rename: async () => undefined,
      failureOf: () => 'never',
      rejectionOf: () => 'deleted',
      wait: async () => undefined,
    },
    ownerOfNewTake: () => null,
    mayChange: () => true,
    nowMs: () => 0,
    newId: () => 'id-1',
    timeZone: () => 'UTC',
    revive: async () => takeRecordFor({}),
    onStarted: nothing,
    onTakesChanged: nothing,
    onReceipt: nothing,
    onMarkerChanged: nothing,
    onRenamedLater: nothing,
    onTitleThere: nothing,
    onRejected: nothing,
    onOrphan: nothing,
    onDiscarded: nothing,
  });
  const code = Promise.withResolvers<TakeRecorder>();
  const load = vi.fn<() => Promise<TakeRecorder>>(() => code.promise);
  const close = vi.fn<() => Promise<void>>(async () => undefined);
  const context = { close } as unknown as AudioContext;
  const openAudioContext = vi.fn<() => AudioContext>(() => context);
  const recorder = new DeferredRecorder({ load, openAudioContext });
  return { recorder, real, code, load, startTake, openAudioContext, context, close };
}

test('a press before the code has loaded opens the audio context at once and starts one take afterwards', async () => {
  const { recorder, real, code, startTake, openAudioContext, context } = recorderUnderTest();
  const starting = recorder.start('Interview');
  expect(openAudioContext).toHaveBeenCalledTimes(1);
  expect(recorder.getSnapshot().status).toBe('asking');
  await recorder.start();
  code.resolve(real);
  await starting;
  expect(startTake.mock.calls.map(([options]) => options.context)).toEqual([context]);
  expect(recorder.getSnapshot()).toEqual({ status: 'rejected', reason: 'microphone-busy' });
});

test('a press after the code has loaded starts a take without a wait', async () => {
  const { recorder, real, code, startTake, openAudioContext } = recorderUnderTest();
  code.resolve(real);
  await recorder.load();
  void recorder.continueTake('old');
  expect(startTake).toHaveBeenCalledTimes(1);
  expect(openAudioContext).not.toHaveBeenCalled();
  expect(recorder.getSnapshot()).toEqual({ status: 'asking', continues: 'old', result: undefined });
});

test('code that cannot be loaded rejects the start, closes the audio context, and is loaded again by the next', async () => {
  const { recorder, real, load, startTake, close } = recorderUnderTest();
  load.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  await recorder.continueTake('old');
  expect(recorder.getSnapshot()).toEqual({ status: 'rejected', reason: 'internal', continues: 'old' });
  expect(close).toHaveBeenCalledTimes(1);
  recorder.dismiss();
  expect(recorder.getSnapshot()).toEqual({ status: 'idle' });
  load.mockResolvedValue(real);
  await recorder.start();
  expect(startTake).toHaveBeenCalledTimes(1);
});

test('without the code there is no take to change', () => {
  const { recorder, load } = recorderUnderTest();
  recorder.pause();
  recorder.stop();
  recorder.rename('Interview');
  expect(recorder.addMarker()).toBeNull();
  expect(recorder.getSnapshot()).toEqual({ status: 'idle' });
  expect(load).not.toHaveBeenCalled();
});
