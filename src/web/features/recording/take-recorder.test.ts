import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { FromEncodeWorker, ToEncodeWorker } from '#workers/encode/messages.ts';
import { parseAudioPreferences } from './audio-preferences.ts';
import { Refusal } from './devices/refusal.ts';
import type { TakeDevices } from './devices/take-devices.ts';
import type { TakeWorkerEvents } from './devices/take-worker.ts';
import type { TakeRegistry } from './take/attachment.ts';
import { takeOf } from './take/take.ts';
import { TakeRecorder, type RecorderDeps } from './take-recorder.ts';

vi.mock('./devices/capture-graph.ts', () => ({}));
vi.mock('./devices/take-worker.ts', () => ({}));

const upload = { token: 'token', expiresAt: '2026-12-01T00:00:00.000Z', appendIntervalMs: 500 };

/** A machine without a microphone: what the recorder asks of it is kept, what it says is said by hand. */
class FakeMachine {
  posted: ToEncodeWorker[] = [];
  worker: TakeWorkerEvents | null = null;
  isOpen = false;
  isTerminated = false;
  loseMicrophone: () => void = () => {};
  refuse: Error | null = null;
  opensJournal = true;
  user: string | null = null;
  sessionChanged: () => void = () => {};
  registered: string[] = [];
  renamed: string[] = [];

  readonly devices: TakeDevices = {
    openAudioContext: () => ({ state: 'closed' }) as AudioContext,
    openMicrophone: async () => {
      if (this.refuse) throw this.refuse;
      this.isOpen = true;
      return { stream: {} as MediaStream, label: 'Fake', deviceId: null, channels: 1 };
    },
    openCaptureGraph: async () => ({ sampleRateHz: 48_000, pcmPort: new MessageChannel().port1, close: async () => {} }),
    onMicrophoneLost: (_microphone, tell) => { this.loseMicrophone = tell; return () => {}; },
    closeMicrophone: () => { this.isOpen = false; },
    startTakeWorker: (events) => {
      this.worker = events;
      return {
        post: (message) => {
          this.posted.push(message);
          if (message.type === 'start' && this.opensJournal) queueMicrotask(() => { this.say({ type: 'started', takeId: message.take.id }); });
        },
        terminate: () => { this.isTerminated = true; },
      };
    },
    keepAwake: () => () => {},
    warnBeforeLeaving: () => () => {},
    askToPersist: async () => {},
  };

  readonly registry: TakeRegistry = {
    userId: () => this.user,
    onSessionChange: (listener) => { this.sessionChanged = listener; return () => {}; },
    register: async ({ id, title }) => { this.registered.push(id); return { upload, title }; },
    rename: async (_id, title) => { this.renamed.push(title); },
    failureOf: () => 'never',
    wait: async () => {},
  };

  say(message: FromEncodeWorker): void { this.worker?.onMessage(message); }

  get told(): string[] { return this.posted.map(({ type }) => type); }
}

const settled = () => new Promise<void>((resolve) => { setImmediate(resolve); });

describe('the recorder', () => {
  let machine: FakeMachine;
  let recorder: TakeRecorder;
  let orphans: string[];
  let discarded: string[];

  beforeEach(() => {
    machine = new FakeMachine();
    orphans = [];
    discarded = [];
    let count = 0;
    const deps: RecorderDeps = {
      devices: machine.devices, registry: machine.registry, preferences: () => parseAudioPreferences(null), nowMs: () => 1000, newId: () => `id-${++count}`,
      timeZone: () => 'Europe/Lisbon', titleFor: () => 'Recording, today', onTakesChanged: () => {}, onReceipt: () => {}, onRenamedLater: () => {}, onMarkerChanged: () => {},
      onOrphan: (takeId) => { orphans.push(takeId); }, onDiscarded: ({ id }) => { discarded.push(id); },
    };
    recorder = new TakeRecorder(deps);
  });

  test('records under an id and a title made on the device', async () => {
    await recorder.start();
    expect(recorder.getSnapshot()).toMatchObject({ status: 'recording', take: { id: 'id-1', title: 'Recording, today', timeZone: 'Europe/Lisbon', ownerId: null } });
  });

  test('a second start while one take runs opens nothing', async () => {
    await recorder.start();
    await recorder.start();
    expect(machine.told.filter((type) => type === 'start')).toHaveLength(1);
  });

  test('a refused microphone is explained and leaves nothing open', async () => {
    machine.refuse = new Refusal('microphone-busy');
    await recorder.start();
    expect(recorder.getSnapshot()).toEqual({ status: 'refused', reason: 'microphone-busy' });
    expect(machine.posted).toEqual([]);
  });

  test('a worker without storage closes the microphone again', async () => {
    machine.opensJournal = false;
    const start = recorder.start();
    await vi.waitUntil(() => machine.worker);
    machine.say({ type: 'failed', takeId: 'id-1', code: 'storage-refused', detail: '' });
    await start;
    expect(recorder.getSnapshot()).toEqual({ status: 'refused', reason: 'storage-refused' });
    expect([machine.isOpen, machine.isTerminated]).toEqual([false, true]);
  });

  test('Stop lets the microphone go at once and the worker only after the receipt', async () => {
    await recorder.start();
    recorder.stop();
    expect([recorder.getSnapshot().status, machine.isOpen, machine.told.at(-1)]).toEqual(['stopping', false, 'stop']);
    machine.say({ type: 'stopped', takeId: 'id-1', durationMs: 5000 });
    expect([recorder.getSnapshot().status, machine.isTerminated]).toEqual(['stopped', false]);
    machine.say({ type: 'receipt', takeId: 'id-1', durationMs: 5000 });
    expect([takeOf(recorder.getSnapshot())?.safety, machine.isTerminated]).toEqual(['server', true]);
  });

  test('pause, resume and markers reach the worker, and only while a take is open', async () => {
    recorder.pause();
    expect(recorder.addMarker()).toBeNull();
    await recorder.start();
    recorder.pause();
    recorder.addMarker('here');
    recorder.resume();
    recorder.stop();
    expect(recorder.addMarker()).toBeNull();
    expect(machine.told).toEqual(['start', 'pause', 'add-marker', 'resume', 'stop']);
  });

  test('a lost microphone ends the take in order, and it is kept', async () => {
    await recorder.start();
    machine.loseMicrophone();
    expect(recorder.getSnapshot()).toMatchObject({ status: 'stopping', ending: 'microphone-lost' });
    expect(machine.told.at(-1)).toBe('stop');
  });

  test('signed in, the take is registered and attached at once', async () => {
    machine.user = 'rosa';
    await recorder.start();
    await settled();
    expect(machine.registered).toEqual(['id-1']);
    expect(machine.posted.at(-1)).toEqual({ type: 'attach', ownerId: 'rosa', upload });
    expect(takeOf(recorder.getSnapshot())).toMatchObject({ ownerId: 'rosa', safety: 'syncing' });
  });

  test('signed out, it attaches in the middle of the take to whoever signs in', async () => {
    await recorder.start();
    await settled();
    expect(machine.registered).toEqual([]);
    machine.user = 'salim';
    machine.sessionChanged();
    await settled();
    expect(machine.posted.at(-1)).toMatchObject({ type: 'attach', ownerId: 'salim' });
    expect(recorder.getSnapshot().status).toBe('recording');
  });

  test('a take of one person is not attached to another', async () => {
    machine.user = 'rosa';
    await recorder.start();
    await settled();
    machine.user = 'salim';
    machine.say({ type: 'attach-needed', takeId: 'id-1', reason: 'refused' });
    machine.sessionChanged();
    await settled();
    expect(machine.registered).toHaveLength(1);
  });

  test('a new title goes to the worker and, once attached, to the server', async () => {
    machine.user = 'rosa';
    await recorder.start();
    await settled();
    recorder.rename('Grandmother');
    await settled();
    expect(machine.posted.at(-1)).toEqual({ type: 'rename', title: 'Grandmother' });
    expect(machine.renamed).toEqual(['Grandmother']);
  });

  test('the next take begins while the one before is still being sent', async () => {
    await recorder.start();
    recorder.stop();
    machine.say({ type: 'stopped', takeId: 'id-1', durationMs: 10 });
    const first = machine.worker;
    await recorder.start();
    first?.onMessage({ type: 'receipt', takeId: 'id-1', durationMs: 10 });
    expect(recorder.getSnapshot()).toMatchObject({ status: 'recording', take: { id: 'id-2', safety: 'device' } });
  });

  test('a broken worker ends the take as what is on the disk and asks for its recovery', async () => {
    await recorder.start();
    machine.say({ type: 'progress', progress: { capturedMs: 900, deviceMs: 700, serverMs: 0 }, condition: 'unattached' });
    machine.worker?.onBroken('out of memory');
    expect(recorder.getSnapshot()).toMatchObject({ status: 'stopped', ending: 'internal' });
    expect(orphans).toEqual(['id-1']);
  });

  test('a full disk ends the take in order', async () => {
    await recorder.start();
    machine.say({ type: 'failed', takeId: 'id-1', code: 'storage-full', detail: '' });
    expect(recorder.getSnapshot()).toMatchObject({ status: 'stopping', ending: 'storage-full' });
    machine.say({ type: 'stopped', takeId: 'id-1', durationMs: 800 });
    expect(recorder.getSnapshot().status).toBe('stopped');
    expect(orphans).toEqual([]);
  });

  test('Discard stops the take, hands it over to the trash and is ready for the next', async () => {
    await recorder.start();
    recorder.discard();
    machine.say({ type: 'stopped', takeId: 'id-1', durationMs: 800 });
    expect([discarded, recorder.getSnapshot().status]).toEqual([['id-1'], 'idle']);
  });
});
