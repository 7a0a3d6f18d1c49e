import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { FromTakeWorker, ToTakeWorker } from '#workers/take/messages.ts';
import type { TakeRecord } from '#device/records/take-record.ts';
import { takeRecordFor } from '#device/records/take-record.suite.ts';
import { createStore } from '#base/store.ts';
import { parseAudioPreferences } from '#web/features/recorder/audio-preferences.ts';
import { CaptureError } from '#web/features/recorder/capture/capture-error.ts';
import { type CaptureDevices, startTake } from '#web/features/recorder/capture/capture-session.ts';
import type { TakeWorkerEvents } from '#web/features/recorder/capture/take-worker.ts';
import type { TakeRegistry } from './attachment.ts';
import { takeOf } from './take.ts';
import { TakeRecorder, type RecorderDeps } from './take-recorder.ts';

const upload = { token: 'token', expiresAt: '2026-12-01T00:00:00.000Z', appendIntervalMs: 500 };

/** A fake device that records the recorder's calls and lets the test send the worker's messages. */
class FakeMachine {
  posted: ToTakeWorker[] = [];
  worker: TakeWorkerEvents | null = null;
  isOpen = false;
  isTerminated = false;
  loseMicrophone: () => void = () => {};
  reject: Error | null = null;
  opensJournal = true;
  pipelineStarts: Promise<unknown> = Promise.resolve();
  label = 'Fake';
  user: string | null = null;
  /** Undefined: everyone may see everything. */
  viewerId: string | null | undefined;
  sessionChanged: () => void = () => {};
  registered: string[] = [];
  renamed: string[] = [];

  readonly devices: CaptureDevices = {
    openAudioContext: () => ({ state: 'closed' }) as AudioContext,
    openPipeline: async ({ onMicrophoneOpen }) => {
      if (this.reject) throw this.reject;
      await Promise.resolve();
      onMicrophoneOpen?.();
      await this.pipelineStarts;
      this.isOpen = true;
      return {
        microphone: { label: this.label, deviceId: null, groupId: null },
        source: {
          kind: 'pcm',
          pcm: new MessageChannel().port1,
          sampleRateHz: 48_000,
          channels: 1,
          deviceLabel: this.label,
        },
        watch: (listener) => {
          this.loseMicrophone = () => {
            listener('microphone-lost');
          };
          return () => {};
        },
        close: () => {
          this.isOpen = false;
        },
      };
    },
    preferences: createStore(parseAudioPreferences(null)),
    listMicrophones: async () => [],
    mayListen: async () => true,
    onMicrophoneChange: () => () => {},
    startTakeWorker: (events) => {
      this.worker = events;
      return {
        post: (message) => {
          this.posted.push(message);
          if (!this.opensJournal) return;
          if (message.type === 'start')
            queueMicrotask(() => {
              this.say({ type: 'started', takeId: message.take.id, journal: 'files' });
            });
          if (message.type === 'recover')
            queueMicrotask(() => {
              this.say({ type: 'started', takeId: message.takeId, journal: 'files' });
            });
        },
        terminate: () => {
          this.isTerminated = true;
        },
      };
    },
    keepAwake: () => () => {},
    warnBeforeLeaving: () => () => {},
  };

  readonly registry: TakeRegistry = {
    userId: () => this.user,
    mayClaim: () => true,
    onSessionChange: (listener) => {
      this.sessionChanged = listener;
      return () => {};
    },
    register: async ({ id, title }) => {
      this.registered.push(id);
      return { upload, title, stored: { durationMs: 0, receipts: [] } };
    },
    reopen: async () => upload,
    rename: async ({ title }) => {
      this.renamed.push(title);
    },
    failureOf: () => 'never',
    rejectionOf: () => 'deleted',
    wait: async () => {},
  };

  say(message: FromTakeWorker): void {
    this.worker?.onMessage(message);
  }

  get postedTypes(): string[] {
    return this.posted.map(({ type }) => type);
  }
}

const left = (id: string): TakeRecord =>
  takeRecordFor({
    id,
    ownerId: 'rosa',
    title: 'left',
    state: 'stopped',
    durationMs: 61_000,
    sizeBytes: 10,
    upload,
  });

const settled = () =>
  new Promise<void>((resolve) => {
    setImmediate(resolve);
  });

describe('the recorder', () => {
  let machine: FakeMachine;
  let recorder: TakeRecorder;
  let orphans: string[];
  let titlesThere: string[][];
  let discarded: string[];
  let rejectedIds: string[];

  beforeEach(() => {
    machine = new FakeMachine();
    orphans = [];
    titlesThere = [];
    discarded = [];
    rejectedIds = [];
    let count = 0;
    const deps: RecorderDeps = {
      startTake: (options) =>
        startTake(
          { ...options, context: options.context ?? machine.devices.openAudioContext() },
          machine.devices,
        ),
      quality: () => 'speech',
      markerBackMs: () => 5000,
      registry: machine.registry,
      ownerOfNewTake: () => machine.user,
      mayChange: ({ ownerId }) =>
        ownerId === null || machine.viewerId === undefined || ownerId === machine.viewerId,
      nowMs: () => 1000,
      newId: () => `id-${++count}`,
      timeZone: () => 'Europe/Lisbon',
      revive: async (id) => left(id),
      onStarted: () => {},
      onTakesChanged: () => {},
      onReceipt: () => {},
      onRenamedLater: () => {},
      onMarkerChanged: () => {},
      onTitleThere: (takeId, title) => {
        titlesThere.push([takeId, title]);
      },
      onRejected: (takeId) => {
        rejectedIds.push(takeId);
      },
      onOrphan: (takeId) => {
        orphans.push(takeId);
      },
      onDiscarded: ({ id }) => {
        discarded.push(id);
      },
    };
    recorder = new TakeRecorder(deps);
  });

  test('records under an id created on the device, without a title', async () => {
    await recorder.start();
    expect(recorder.getSnapshot()).toMatchObject({
      status: 'recording',
      take: { id: 'id-1', title: '', timeZone: 'Europe/Lisbon', ownerId: null },
    });
  });

  test('asks for the microphone only until it is open, also while the sound output has not started', async () => {
    const output = Promise.withResolvers<undefined>();
    machine.pipelineStarts = output.promise;
    const starting = recorder.start();
    expect(recorder.getSnapshot()).not.toHaveProperty('isMicrophoneOpen');
    await settled();
    expect(recorder.getSnapshot()).toMatchObject({ status: 'asking', isMicrophoneOpen: true });
    output.resolve(undefined);
    await starting;
    expect(recorder.getSnapshot().status).toBe('recording');
  });

  test('ignores a second start while a take runs', async () => {
    await recorder.start();
    await recorder.start();
    expect(machine.postedTypes.filter((type) => type === 'start')).toHaveLength(1);
  });

  test('reports a rejected microphone and leaves nothing open', async () => {
    machine.reject = new CaptureError('microphone-busy');
    await recorder.start();
    expect(recorder.getSnapshot()).toEqual({ status: 'rejected', reason: 'microphone-busy' });
    expect(machine.posted).toEqual([]);
  });

  test('closes the microphone if the worker has no storage', async () => {
    machine.opensJournal = false;
    const start = recorder.start();
    await vi.waitUntil(() => machine.worker);
    machine.say({ type: 'failed', takeId: 'id-1', code: 'storage-refused', detail: '' });
    await start;
    expect(recorder.getSnapshot()).toEqual({ status: 'rejected', reason: 'storage-refused' });
    expect([machine.isOpen, machine.isTerminated]).toEqual([false, true]);
  });

  test('closes the microphone once the last audio was recorded, and the worker after the receipt', async () => {
    await recorder.start();
    recorder.stop();
    expect([recorder.getSnapshot().status, machine.isOpen, machine.postedTypes.at(-1)]).toEqual([
      'stopping',
      true,
      'stop',
    ]);
    machine.loseMicrophone();
    expect([recorder.getSnapshot().status, machine.postedTypes.at(-1)]).toEqual(['stopping', 'stop']);
    machine.say({ type: 'stopped', takeId: 'id-1', durationMs: 5000 });
    expect([recorder.getSnapshot().status, machine.isOpen, machine.isTerminated]).toEqual([
      'stopped',
      false,
      false,
    ]);
    machine.say({ type: 'receipt', takeId: 'id-1', durationMs: 5000 });
    expect([takeOf(recorder.getSnapshot())?.safety, machine.isTerminated]).toEqual(['server', true]);
  });

  test('posts pause, resume and markers to the worker only while a take is open', async () => {
    recorder.pause();
    expect(recorder.addMarker()).toBeNull();
    await recorder.start();
    recorder.pause();
    recorder.addMarker('here');
    recorder.resume();
    recorder.stop();
    expect(recorder.addMarker()).toBeNull();
    expect(machine.postedTypes).toEqual(['start', 'pause', 'add-marker', 'resume', 'stop']);
  });

  test('interrupts the take when the microphone is lost, until another one delivers audio', async () => {
    await recorder.start();
    machine.label = 'Built-in';
    machine.loseMicrophone();
    expect(recorder.getSnapshot()).toMatchObject({ status: 'interrupted', cause: 'microphone-lost' });
    await vi.waitUntil(() => machine.postedTypes.at(-1) === 'continue');
    expect(machine.postedTypes).toEqual(['start', 'interrupt', 'continue']);
    expect(recorder.getSnapshot().status).toBe('interrupted');
    machine.say({ type: 'continued' });
    expect(recorder.getSnapshot()).toMatchObject({ status: 'recording', take: { deviceLabel: 'Built-in' } });
  });

  test('supports Stop, Pause and markers while the microphone is lost', async () => {
    await recorder.start();
    machine.reject = new CaptureError('microphone-missing');
    machine.loseMicrophone();
    recorder.pause();
    expect(recorder.getSnapshot()).toMatchObject({ status: 'paused', cause: 'microphone-lost' });
    recorder.resume();
    expect(recorder.getSnapshot().status).toBe('interrupted');
    expect(recorder.addMarker('here')).not.toBeNull();
    recorder.stop();
    expect(machine.postedTypes).toEqual(['start', 'interrupt', 'pause', 'resume', 'add-marker', 'stop']);
  });

  test('reopens the microphone when audio stops without an event', async () => {
    await recorder.start();
    machine.say({ type: 'capture-stalled' });
    await vi.waitUntil(() => machine.postedTypes.at(-1) === 'continue');
    expect(machine.posted[1]).toEqual({ type: 'interrupt', cause: 'interrupted' });
  });

  test('continues a take of a dead page from its length, without registering it', async () => {
    machine.user = 'rosa';
    await recorder.continueTake('old');
    expect(recorder.getSnapshot()).toMatchObject({
      status: 'recording',
      take: { id: 'old', title: 'left', progress: { capturedMs: 61_000 } },
    });
    expect(machine.postedTypes).toEqual(['recover']);
    expect(machine.registered).toEqual([]);
  });

  test('registers the take immediately while signed in', async () => {
    machine.user = 'rosa';
    await recorder.start();
    await settled();
    expect(machine.registered).toEqual(['id-1']);
    expect(machine.posted.at(-1)).toEqual({ type: 'attach', ownerId: 'rosa', upload });
    expect(takeOf(recorder.getSnapshot())).toMatchObject({ ownerId: 'rosa', safety: 'syncing' });
  });

  test('registers a running take for the user who signs in during it', async () => {
    await recorder.start();
    await settled();
    expect(machine.registered).toEqual([]);
    machine.user = 'salim';
    machine.sessionChanged();
    await settled();
    expect(machine.posted.at(-1)).toMatchObject({ type: 'attach', ownerId: 'salim' });
    expect(recorder.getSnapshot().status).toBe('recording');
  });

  test('does not register a take for a user other than its owner', async () => {
    machine.user = 'rosa';
    await recorder.start();
    await settled();
    machine.user = 'salim';
    machine.say({ type: 'attach-needed', takeId: 'id-1', reason: 'rejected', goesOn: false });
    machine.sessionChanged();
    await settled();
    expect(machine.registered).toHaveLength(1);
  });

  test('says that the server reads no audio, and continues to record on the device', async () => {
    machine.user = 'rosa';
    await recorder.start();
    await settled();
    machine.say({ type: 'rejected', rejection: 'not-audio' });
    expect(recorder.getSnapshot()).toMatchObject({
      status: 'recording',
      take: { id: 'id-1', rejection: 'not-audio' },
    });
    expect(rejectedIds).toEqual(['id-1']);
  });

  test('sends a new title to the worker and, once registered, to the server', async () => {
    machine.user = 'rosa';
    await recorder.start();
    await settled();
    recorder.rename('Grandmother');
    await settled();
    expect(machine.posted.at(-1)).toEqual({ type: 'rename', title: 'Grandmother' });
    expect(machine.renamed).toEqual(['Grandmother']);
    expect(titlesThere).toEqual([
      ['id-1', ''],
      ['id-1', 'Grandmother'],
    ]);
  });

  test('continues a stopped take in a new worker and ignores the first one', async () => {
    machine.user = 'rosa';
    await recorder.start();
    await settled();
    recorder.stop();
    machine.say({ type: 'stopped', takeId: 'id-1', durationMs: 61_000 });
    const first = machine.worker;
    await recorder.continueTake('id-1');
    expect(machine.worker).not.toBe(first);
    expect(recorder.getSnapshot()).toMatchObject({
      status: 'recording',
      take: { id: 'id-1', progress: { capturedMs: 61_000 } },
    });
    expect(machine.postedTypes).toEqual(['start', 'attach', 'stop', 'recover']);
    recorder.stop();
    machine.say({ type: 'stopped', takeId: 'id-1', durationMs: 70_000 });
    machine.say({ type: 'receipt', takeId: 'id-1', durationMs: 70_000 });
    expect(recorder.getSnapshot()).toMatchObject({
      status: 'stopped',
      take: { safety: 'server', progress: { capturedMs: 70_000 } },
    });
  });

  test('keeps the result and the upload of a take that cannot be continued', async () => {
    await recorder.start();
    recorder.stop();
    machine.say({ type: 'stopped', takeId: 'id-1', durationMs: 5000 });
    machine.reject = new CaptureError('microphone-busy');
    await recorder.continueTake('id-1');
    expect(recorder.getSnapshot()).toMatchObject({ status: 'rejected', continues: 'id-1' });
    machine.say({ type: 'receipt', takeId: 'id-1', durationMs: 5000 });
    recorder.dismiss();
    expect(recorder.getSnapshot()).toMatchObject({
      status: 'stopped',
      take: { id: 'id-1', safety: 'server', progress: { capturedMs: 5000 } },
    });
  });

  test('recovers a take that cannot be continued on this page', async () => {
    machine.opensJournal = false;
    const goesOn = recorder.continueTake('old');
    await vi.waitUntil(() => machine.worker);
    machine.say({ type: 'failed', takeId: 'old', code: 'storage-refused', detail: '' });
    await goesOn;
    expect(recorder.getSnapshot()).toEqual({
      status: 'rejected',
      reason: 'storage-refused',
      continues: 'old',
    });
    expect(orphans).toEqual(['old']);
  });

  test('starts the next take while the previous one is being uploaded', async () => {
    await recorder.start();
    recorder.stop();
    machine.say({ type: 'stopped', takeId: 'id-1', durationMs: 10 });
    const first = machine.worker;
    await recorder.start();
    first?.onMessage({ type: 'receipt', takeId: 'id-1', durationMs: 10 });
    expect(recorder.getSnapshot()).toMatchObject({
      status: 'recording',
      take: { id: 'id-2', safety: 'device' },
    });
  });

  test('stops a take whose worker failed at the stored length and requests its recovery', async () => {
    await recorder.start();
    machine.say({
      type: 'progress',
      progress: { capturedMs: 900, deviceMs: 700, serverMs: 0 },
      condition: 'unattached',
      storageTarget: 'disk',
    });
    machine.worker?.onBroken('out of memory');
    expect(recorder.getSnapshot()).toMatchObject({ status: 'stopped', ending: 'internal' });
    expect(orphans).toEqual(['id-1']);
  });

  test('stops the take normally when the disk is full', async () => {
    await recorder.start();
    machine.say({ type: 'failed', takeId: 'id-1', code: 'storage-full', detail: '' });
    expect(recorder.getSnapshot()).toMatchObject({ status: 'stopping', ending: 'storage-full' });
    machine.say({ type: 'stopped', takeId: 'id-1', durationMs: 800 });
    expect(recorder.getSnapshot().status).toBe('stopped');
    expect(orphans).toEqual([]);
  });

  test('stops a discarded take, reports it for the trash and is ready for the next', async () => {
    await recorder.start();
    recorder.discard();
    machine.say({ type: 'stopped', takeId: 'id-1', durationMs: 800 });
    expect([discarded, recorder.getSnapshot().status]).toEqual([['id-1'], 'idle']);
  });

  test('lets another viewer stop the take of an account, and change nothing of it', async () => {
    machine.user = 'ana';
    await recorder.start('My diagnosis');
    machine.viewerId = 'bob';
    const before = recorder.getSnapshot();
    machine.posted = [];
    recorder.pause();
    recorder.rename('Mine now');
    recorder.renameMarker('m', 'Mine');
    recorder.removeMarker('m');
    recorder.changeLabel({ type: 'add-note', noteId: 'n' });
    recorder.discard();
    expect(recorder.addMarker('Mine')).toBe(null);
    expect([machine.postedTypes, recorder.getSnapshot()]).toEqual([[], before]);
    recorder.stop();
    machine.say({ type: 'stopped', takeId: 'id-1', durationMs: 800 });
    expect(recorder.getSnapshot()).toMatchObject({ status: 'stopped', take: { title: 'My diagnosis' } });
    expect(discarded).toEqual([]);
  });

  test('continues no take of another account', async () => {
    machine.viewerId = 'bob';
    await recorder.continueTake('left');
    expect(recorder.getSnapshot()).toMatchObject({ status: 'rejected', reason: 'not-yours' });
    expect(machine.postedTypes).not.toContain('recover');
    expect(machine.isOpen).toBe(false);
  });
});
