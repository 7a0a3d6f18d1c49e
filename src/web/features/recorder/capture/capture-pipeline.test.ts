import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { parseAudioPreferences } from '#web/features/recorder/audio-preferences.ts';
import type { ToTakeWorker } from '#workers/take/messages.ts';
import type { ToCaptureWorklet } from '#workers/capture/messages.ts';
import { openCapturePipeline, type CapturePipeline } from './capture-pipeline.ts';

/** An audio context that runs when the test starts it. */
class FakeContext extends EventTarget {
  static made: FakeContext[] = [];
  state: AudioContextState = 'suspended';
  readonly sampleRate = 48_000;
  readonly audioWorklet = { addModule: async () => undefined };
  readonly #running = Promise.withResolvers<undefined>();

  constructor() {
    super();
    FakeContext.made.push(this);
  }

  /** The sources that are connected. */
  readonly sources: object[] = [];
  createMediaStreamSource = () => {
    const source = {
      connect: () => this.sources.push(source),
      disconnect: () => this.sources.splice(this.sources.indexOf(source), 1),
    };
    return source;
  };
  resume = () => this.#running.promise;
  close = async () => {
    this.state = 'closed';
  };

  run(): void {
    this.state = 'running';
    this.#running.resolve(undefined);
  }

  suspend(): void {
    this.state = 'suspended';
    this.dispatchEvent(new Event('statechange'));
  }
}

/** A worklet that posts one block for every connection, as one that ran before. */
class FakeWorklet extends EventTarget {
  connections = 0;
  readonly port = {
    postMessage: (message: ToCaptureWorklet) => {
      if (message.type !== 'connect') return;
      this.connections += 1;
      message.port.postMessage(`block ${this.connections}`);
    },
  };
}

/** A recorder that delivers a piece when the test says so, and one when it is stopped. */
class FakeRecorder extends EventTarget {
  static made: FakeRecorder[] = [];
  static isTypeSupported = (mimeType: string) => mimeType.includes('webm');
  state: RecordingState = 'inactive';

  constructor() {
    super();
    FakeRecorder.made.push(this);
  }

  start = () => {
    this.state = 'recording';
  };
  stop = () => {
    this.state = 'inactive';
    this.give();
    this.dispatchEvent(new Event('stop'));
  };
  pause = () => undefined;
  resume = () => undefined;
  requestData = () => undefined;

  give(): void {
    this.dispatchEvent(Object.assign(new Event('dataavailable'), { data: new Blob(['sound']) }));
  }
}

class FakeTrack extends EventTarget {
  readyState = 'live';
  muted = false;
  readonly label = 'Desk';
  getSettings = () => ({ channelCount: 1 });
  stop = () => {
    this.readyState = 'ended';
  };
}

describe('a take whose audio context needs time', () => {
  let track: FakeTrack;
  const posted: ToTakeWorker[] = [];

  beforeEach(() => {
    vi.useFakeTimers();
    track = new FakeTrack();
    posted.length = 0;
    FakeContext.made = [];
    FakeRecorder.made = [];
    vi.stubGlobal('isSecureContext', true);
    vi.stubGlobal('AudioContext', FakeContext);
    vi.stubGlobal('AudioWorkletNode', FakeWorklet);
    vi.stubGlobal('MediaRecorder', FakeRecorder);
    vi.stubGlobal('AudioEncoder', { isConfigSupported: async () => ({ supported: true }) });
    vi.stubGlobal('navigator', {
      vendor: '',
      mediaDevices: Object.assign(new EventTarget(), {
        getUserMedia: async () => ({ getAudioTracks: () => [track], getTracks: () => [track] }),
        enumerateDevices: async () => [],
      }),
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  const open = () => {
    const context = new FakeContext();
    const opening = openCapturePipeline({
      preferences: parseAudioPreferences(null),
      // Only these members are used.
      context: context as unknown as AudioContext,
    });
    return { context, opening };
  };
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  const runningContext = async () => {
    const { context, opening } = open();
    context.run();
    await pass(0);
    return { context, pipeline: await opening };
  };
  const lateContext = async () => {
    const { context, opening } = open();
    await pass(250);
    return { context, pipeline: await opening };
  };
  const start = (pipeline: CapturePipeline | null | undefined) =>
    pipeline?.start?.((message) => {
      posted.push(message);
    });
  const chunks = () => posted.flatMap((message) => (message.type === 'chunk' ? [message] : []));

  test('starts the recorder as soon as the microphone is open', async () => {
    const { opening } = open();
    await pass(0);
    expect(FakeRecorder.made.map(({ state }) => state)).toEqual(['recording']);
    await pass(250);
    (await opening).close();
  });

  test('reports the microphone as open before the context runs', async () => {
    const onMicrophoneOpen = vi.fn<() => void>();
    const context = new FakeContext();
    const opening = openCapturePipeline({
      preferences: parseAudioPreferences(null),
      context: context as unknown as AudioContext,
      onMicrophoneOpen,
    });
    await pass(0);
    expect(onMicrophoneOpen).toHaveBeenCalledTimes(1);
    await pass(250);
    (await opening).close();
    expect(onMicrophoneOpen).toHaveBeenCalledTimes(1);
  });

  test('starts in PCM, without the recorder, if the context runs within a quarter of a second', async () => {
    const { context, opening } = open();
    await pass(240);
    context.run();
    await pass(0);
    const pipeline = await opening;
    expect([pipeline.source.kind, FakeRecorder.made[0]?.state]).toEqual(['pcm', 'inactive']);
    expect(track.readyState).toBe('live');
    pipeline.close();
    expect([track.readyState, context.state]).toEqual(['ended', 'closed']);
  });

  test('starts with the recorder after that, and offers PCM whenever the context runs', async () => {
    const { context, pipeline } = await lateContext();
    expect(pipeline.source).toMatchObject({ kind: 'media-recorder', reason: 'output-pending', pcm: null });
    FakeRecorder.made[0]?.give();
    start(pipeline);
    let ready = 0;
    pipeline.better?.onReady(() => {
      ready += 1;
    });
    await pass(60_000);
    expect([ready, pipeline.better?.take()]).toEqual([0, null]);
    context.run();
    await pass(0);
    const better = pipeline.better?.take();
    expect([ready, better?.source.kind]).toEqual([1, 'pcm']);
    pipeline.close();
    expect([track.readyState, context.state]).toEqual(['live', 'running']);
    await vi.waitUntil(() => chunks().at(-1)?.isLast);
    expect(chunks().map(({ bytes, isLast }) => [bytes.byteLength, isLast])).toEqual([
      [5, false],
      [5, false],
      [0, true],
    ]);
    expect(chunks().at(-1)?.atMs).toBeGreaterThan(0);
    better?.close();
    expect([track.readyState, context.state]).toEqual(['ended', 'closed']);
  });

  test('hands on no blocks from before the change, whose age is unknown', async () => {
    const { context, pipeline } = await lateContext();
    context.run();
    await pass(0);
    const pcm = pipeline.better?.take()?.source.pcm;
    const heard = Promise.withResolvers<unknown>();
    if (pcm instanceof MessagePort) pcm.onmessage = ({ data }: MessageEvent<unknown>) => heard.resolve(data);
    expect(await heard.promise).toBe('block 2');
    if (pcm instanceof MessagePort) pcm.close();
    pipeline.close();
  });

  test('reads the microphone through a new node then, because one may hold all sound since the press', async () => {
    const { context, pipeline } = await lateContext();
    const [first] = context.sources;
    context.run();
    await pass(0);
    const better = pipeline.better?.take();
    expect(context.sources).toHaveLength(1);
    expect(context.sources[0]).not.toBe(first);
    pipeline.close();
    better?.close();
    expect(context.sources).toEqual([]);
  });

  test('closes context and microphone with the recorder if the context never runs', async () => {
    const { context, pipeline } = await lateContext();
    pipeline.close();
    expect([track.readyState, context.state]).toEqual(['ended', 'closed']);
  });

  test('tries another context if the better pipeline is given up', async () => {
    const { context, pipeline } = await lateContext();
    context.run();
    await pass(0);
    pipeline.better?.take()?.close();
    await pass(0);
    FakeContext.made.at(-1)?.run();
    await pass(0);
    expect(FakeContext.made).toHaveLength(2);
    expect(pipeline.better?.take()?.source.kind).toBe('pcm');
    pipeline.close();
  });

  test('falls back to the recorder on the same microphone if only the context stops, and returns to PCM', async () => {
    const { context, pipeline } = await runningContext();
    expect(pipeline.isMicrophoneWorking?.()).toBe(false);
    let lost: string | null = null;
    pipeline.watch((cause) => {
      lost = cause;
    });
    context.suspend();
    expect([lost, pipeline.isMicrophoneWorking?.()]).toEqual(['interrupted', true]);
    const next = pipeline.fallBack?.();
    pipeline.close();
    expect([next?.source.kind, FakeRecorder.made.at(-1)?.state, track.readyState]).toEqual([
      'media-recorder',
      'recording',
      'live',
    ]);
    await pass(0);
    FakeContext.made.at(-1)?.run();
    await pass(0);
    expect(next?.better?.take()?.source.kind).toBe('pcm');
  });

  test('does not blame the context if the microphone is muted by the system as well', async () => {
    const { context, pipeline } = await runningContext();
    track.muted = true;
    context.suspend();
    expect(pipeline.isMicrophoneWorking?.()).toBe(false);
    pipeline.close();
  });

  test('says that PCM is not supported where it cannot be encoded, and measures it', async () => {
    vi.stubGlobal('AudioEncoder', undefined);
    const { pipeline } = await runningContext();
    expect(pipeline.source).toMatchObject({ kind: 'media-recorder', reason: 'unsupported' });
    expect(pipeline.source.pcm).not.toBe(null);
    pipeline.close();
  });

  test('waits longer for PCM if it is only to measure the level', async () => {
    const context = new FakeContext();
    const opening = openCapturePipeline({
      preferences: parseAudioPreferences(null),
      context: context as unknown as AudioContext,
      isForLevel: true,
    });
    await pass(2000);
    context.run();
    await pass(0);
    const pipeline = await opening;
    expect(pipeline.source.kind).toBe('pcm');
    pipeline.close();
  });

  test('starts the recorder beside a track that delivers nothing for a quarter of a second', async () => {
    const counted = { closed: 0 };
    let give: () => void = () => {};
    vi.stubGlobal(
      'MediaStreamTrackProcessor',
      class {
        readonly readable = new ReadableStream({
          start: (controller) => {
            give = () => {
              controller.enqueue({ sampleRate: 48_000, close: () => (counted.closed += 1) });
            };
          },
        });
      },
    );
    const { context, opening } = open();
    await pass(240);
    expect(FakeRecorder.made).toHaveLength(0);
    await pass(20);
    expect(FakeRecorder.made[0]?.state).toBe('recording');
    await pass(1000);
    const pipeline = await opening;
    expect(pipeline.source.kind).toBe('media-recorder');
    give();
    await pass(0);
    const better = pipeline.better?.take();
    expect(better?.source.pcm).toBeInstanceOf(ReadableStream);
    expect(context.state).toBe('closed');
    better?.close();
    pipeline.close();
  });
});
