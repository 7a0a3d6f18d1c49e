import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createStore } from '#base/store.ts';
import { parseAudioPreferences, type AudioPreferences } from '#web/features/recorder/audio-preferences.ts';
import type { CapturePipeline } from './capture-pipeline.ts';
import { CaptureError } from './capture-error.ts';
import type { InterruptionCause } from './interruption.ts';
import { Failover } from './failover.ts';

/** A device with microphones that the test plugs in and unplugs. */
class FakeMicrophones {
  plugged = ['desk', 'built-in'];
  isAllowed = true;
  /** Microphones that open but deliver no audio. */
  mute = new Set<string>();
  opened: string[] = [];
  open = new Set<string>();
  events: string[] = [];
  failover: Failover | null = null;
  notifyChange: () => void = () => {};
  breakPipeline: (cause: InterruptionCause) => void = () => {};
  readonly qualities: AudioPreferences['quality'][] = [];
  readonly preferences = createStore<AudioPreferences>({ ...parseAudioPreferences(null), deviceId: 'desk' });
  /** Whether a pipeline that breaks has lost only its audio context. */
  isContextLost = false;
  fallenBack: ReturnType<FakeMicrophones['recorder']> | null = null;

  pipeline(id: string): CapturePipeline {
    const key = `${id}#${this.opened.length}`;
    this.opened.push(id);
    this.open.add(key);
    return {
      microphone: { label: id, deviceId: id, groupId: id },
      source: {
        kind: 'pcm',
        pcm: new MessageChannel().port1,
        sampleRateHz: 48_000,
        channels: 1,
        deviceLabel: id,
      },
      watch: (listener) => {
        this.breakPipeline = listener;
        return () => {};
      },
      isMicrophoneWorking: () => this.isContextLost,
      fallBack: () => {
        this.fallenBack = this.recorder();
        return this.fallenBack.pipeline;
      },
      close: () => {
        this.open.delete(key);
      },
    };
  }

  /** The recorder of the browser on the microphone in use, which later offers PCM of it. */
  recorder(): { pipeline: CapturePipeline; offer: () => void; calls: string[] } {
    const calls: string[] = [];
    let better: CapturePipeline | null = null;
    let notify: () => void = () => {};
    const { fallBack: _none, ...pipeline } = this.pipeline('recorder');
    return {
      calls,
      offer: () => {
        better = this.pipeline('pcm');
        notify();
      },
      pipeline: {
        ...pipeline,
        setPaused: (isPaused) => {
          calls.push(`paused ${isPaused}`);
        },
        finish: async () => {
          calls.push('finish');
        },
        better: {
          take: () => {
            const taken = better;
            better = null;
            return taken;
          },
          onReady: (listener) => {
            notify = listener;
            return () => {
              notify = () => {};
            };
          },
        },
      },
    };
  }

  async openPipeline({ deviceId, quality }: AudioPreferences): Promise<CapturePipeline> {
    this.qualities.push(quality);
    if (!this.isAllowed) throw new CaptureError('microphone-refused');
    const id = deviceId !== null && this.plugged.includes(deviceId) ? deviceId : this.plugged.at(-1);
    if (id === undefined) throw new CaptureError('microphone-missing');
    return this.pipeline(id);
  }

  start(first = this.pipeline('desk')): void {
    this.failover = new Failover(
      first,
      {
        openPipeline: (preferences) => this.openPipeline(preferences),
        preferences: this.preferences,
        listMicrophones: async () => this.plugged.map((id) => ({ deviceId: id, groupId: id })),
        mayListen: async () => this.isAllowed,
        onMicrophoneChange: (listener) => {
          this.notifyChange = listener;
          return () => {};
        },
      },
      {
        onInterrupted: (cause) => {
          this.events.push(cause);
        },
        onPipeline: ({ microphone }, cause) => {
          this.events.push(`${microphone.label} after ${cause}`);
          if (!this.mute.has(microphone.label ?? ''))
            queueMicrotask(() => {
              this.failover?.confirm();
            });
        },
      },
    );
  }

  get running(): string[] {
    return Array.from(this.open, (key) => key.split('#')[0] ?? '');
  }
}

describe('a take whose microphone is lost', () => {
  let devices: FakeMicrophones;
  beforeEach(() => {
    vi.useFakeTimers();
    devices = new FakeMicrophones();
    devices.start();
  });
  afterEach(() => {
    devices.failover?.close();
    vi.useRealTimers();
  });
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  test('reopens the same microphone if it is still there', async () => {
    devices.breakPipeline('interrupted');
    await pass(0);
    expect(devices.events).toEqual(['interrupted', 'desk after interrupted']);
    expect(devices.running).toEqual(['desk']);
  });

  test('opens the default microphone within two seconds if the chosen one is gone', async () => {
    devices.plugged = ['built-in'];
    devices.breakPipeline('microphone-lost');
    await pass(2000);
    expect(devices.events).toEqual(['microphone-lost', 'built-in after microphone-lost']);
  });

  test('returns to the chosen microphone when it is plugged in again, without an interruption', async () => {
    devices.plugged = ['built-in'];
    devices.breakPipeline('microphone-lost');
    await pass(2000);
    devices.plugged = ['built-in', 'desk'];
    devices.notifyChange();
    await pass(0);
    expect(devices.events.slice(2)).toEqual(['desk after microphone-lost']);
    expect(devices.running).toEqual(['desk']);
  });

  test('retries at least every five seconds until a microphone opens', async () => {
    devices.plugged = [];
    devices.breakPipeline('microphone-lost');
    await pass(60_000);
    expect(devices.events).toEqual(['microphone-lost']);
    devices.plugged = ['built-in'];
    await pass(5000);
    expect(devices.events.at(-1)).toBe('built-in after microphone-lost');
  });

  test('opens a microphone as soon as it is plugged in', async () => {
    devices.plugged = [];
    devices.breakPipeline('microphone-lost');
    await pass(20_000);
    devices.plugged = ['headset'];
    devices.notifyChange();
    await pass(0);
    expect(devices.events.at(-1)).toBe('headset after microphone-lost');
  });

  test('does not prompt again after the permission is withdrawn, and continues when it is granted', async () => {
    devices.isAllowed = false;
    devices.breakPipeline('microphone-lost');
    await pass(60_000);
    expect(devices.events).toEqual(['microphone-lost', 'permission-withdrawn']);
    devices.isAllowed = true;
    devices.notifyChange();
    await pass(0);
    expect(devices.events.at(-1)).toBe('desk after interrupted');
  });

  test('drops a pipeline that delivers no audio and retries', async () => {
    devices.mute.add('desk');
    devices.breakPipeline('interrupted');
    await pass(3500);
    expect(devices.running).toEqual([]);
    devices.mute.clear();
    await pass(2000);
    expect(devices.running).toEqual(['desk']);
  });

  test('opens no microphone after the take has ended', async () => {
    devices.plugged = [];
    devices.breakPipeline('microphone-lost');
    await pass(100);
    devices.failover?.close();
    devices.plugged = ['built-in'];
    await pass(60_000);
    expect([devices.opened, devices.running]).toEqual([['desk'], []]);
  });
});

describe('another microphone chosen during a take', () => {
  let devices: FakeMicrophones;
  beforeEach(() => {
    vi.useFakeTimers();
    devices = new FakeMicrophones();
    devices.start();
  });
  afterEach(() => {
    devices.failover?.close();
    vi.useRealTimers();
  });
  const choose = async (deviceId: string | null) => {
    devices.preferences.set({ ...devices.preferences.getSnapshot(), deviceId });
    await vi.advanceTimersByTimeAsync(0);
  };

  test('is switched to without an interruption', async () => {
    await choose('built-in');
    expect(devices.events).toEqual(['built-in after interrupted']);
    expect(devices.running).toEqual(['built-in']);
  });

  test('leaves the current one running until the new one delivers audio, and for good if it never does', async () => {
    devices.mute.add('built-in');
    await choose('built-in');
    expect(devices.running).toEqual(['desk', 'built-in']);
    await vi.advanceTimersByTimeAsync(3500);
    expect(devices.running).toEqual(['desk']);
  });

  test('is opened with the quality of the take, whatever was chosen for the next one', async () => {
    devices.preferences.set({ ...devices.preferences.getSnapshot(), quality: 'high' });
    await choose('built-in');
    expect(devices.qualities).toEqual(['speech']);
  });

  test('changes nothing if it is not plugged in', async () => {
    await choose('gone');
    expect([devices.events, devices.running]).toEqual([[], ['desk']]);
  });

  test('is replaced by the next choice if another is chosen right after it', async () => {
    devices.plugged.push('headset');
    devices.preferences.set({ ...devices.preferences.getSnapshot(), deviceId: 'built-in' });
    await choose('headset');
    expect(devices.running).toEqual(['headset']);
  });
});

describe('a take that starts with the recorder of the browser', () => {
  let devices: FakeMicrophones;
  let recorder: ReturnType<FakeMicrophones['recorder']>;
  beforeEach(() => {
    vi.useFakeTimers();
    devices = new FakeMicrophones();
    recorder = devices.recorder();
    devices.start(recorder.pipeline);
  });
  afterEach(() => {
    devices.failover?.close();
    vi.useRealTimers();
  });
  const settle = () => vi.advanceTimersByTimeAsync(0);

  test('continues in PCM when that is ready, and closes the recorder once PCM has arrived', async () => {
    devices.mute.add('pcm');
    recorder.offer();
    await settle();
    expect([devices.events, devices.running]).toEqual([['pcm after interrupted'], ['recorder', 'pcm']]);
    devices.failover?.confirm();
    expect(devices.running).toEqual(['pcm']);
  });

  test('changes to PCM that was ready before anything listened', async () => {
    devices.failover?.close();
    devices = new FakeMicrophones();
    recorder = devices.recorder();
    recorder.offer();
    devices.start(recorder.pipeline);
    devices.failover?.confirm();
    await settle();
    expect(devices.running).toEqual(['pcm']);
  });

  test('stays with the recorder if PCM delivers nothing, and takes the next offer', async () => {
    devices.mute.add('pcm');
    recorder.offer();
    await vi.advanceTimersByTimeAsync(3500);
    expect([devices.running, devices.events]).toEqual([['recorder'], ['pcm after interrupted']]);
    devices.mute.clear();
    recorder.offer();
    await settle();
    expect(devices.running).toEqual(['pcm']);
  });

  test('stays with the recorder if the context is lost before PCM has arrived', async () => {
    devices.mute.add('pcm');
    recorder.offer();
    await settle();
    devices.isContextLost = true;
    devices.breakPipeline('interrupted');
    expect([devices.running, devices.events]).toEqual([['recorder'], ['pcm after interrupted']]);
  });

  test('opens a microphone if the worker changed to PCM that was just given up', async () => {
    devices.mute.add('pcm');
    recorder.offer();
    await vi.advanceTimersByTimeAsync(3500);
    devices.failover?.confirm();
    await settle();
    expect(devices.events).toEqual(['pcm after interrupted', 'interrupted', 'desk after interrupted']);
  });

  test('pauses both pipelines during the change, and finishes both at Stop', async () => {
    devices.mute.add('pcm');
    recorder.offer();
    await settle();
    devices.failover?.setPaused(true);
    await devices.failover?.finish();
    expect(recorder.calls).toEqual(['paused true', 'finish']);
  });

  test('still waits at Stop for the last pieces of a recorder that was just closed', async () => {
    recorder.offer();
    await settle();
    await devices.failover?.finish();
    expect(recorder.calls).toEqual(['finish']);
  });

  test('tries the chosen microphone first if another is chosen during the change', async () => {
    devices.mute.add('pcm');
    recorder.offer();
    devices.preferences.set({ ...devices.preferences.getSnapshot(), deviceId: 'built-in' });
    devices.failover?.confirm();
    await settle();
    expect(devices.running).toEqual(['built-in']);
  });
});

describe('a take in PCM whose audio context stops', () => {
  let devices: FakeMicrophones;
  beforeEach(() => {
    vi.useFakeTimers();
    devices = new FakeMicrophones();
    devices.start();
  });
  afterEach(() => {
    devices.failover?.close();
    vi.useRealTimers();
  });

  test('continues with the recorder on the same microphone, without an interruption, and back in PCM', async () => {
    devices.isContextLost = true;
    devices.breakPipeline('interrupted');
    await vi.advanceTimersByTimeAsync(0);
    expect([devices.events, devices.running]).toEqual([['recorder after interrupted'], ['recorder']]);
    devices.fallenBack?.offer();
    await vi.advanceTimersByTimeAsync(0);
    expect(devices.running).toEqual(['pcm']);
  });

  test('opens the microphone again if the recorder delivers nothing either', async () => {
    devices.isContextLost = true;
    devices.mute.add('recorder');
    devices.breakPipeline('interrupted');
    await vi.advanceTimersByTimeAsync(5000);
    expect(devices.events).toEqual(['recorder after interrupted', 'interrupted', 'desk after interrupted']);
  });

  test('opens another microphone if the microphone itself is lost', async () => {
    devices.isContextLost = true;
    devices.plugged = ['built-in'];
    devices.breakPipeline('microphone-lost');
    await vi.advanceTimersByTimeAsync(0);
    expect(devices.running).toEqual(['built-in']);
  });
});
