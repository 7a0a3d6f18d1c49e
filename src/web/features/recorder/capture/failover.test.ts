import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createStore } from '#base/store.ts';
import { parseAudioPreferences, type AudioPreferences } from '#web/features/recorder/audio-preferences.ts';
import type { CapturePipeline } from './capture-pipeline.ts';
import { CaptureError } from './capture-error.ts';
import type { InterruptionCause } from './interruption.ts';
import { Failover } from './failover.ts';

/** A room with microphones that are plugged and unplugged by hand. */
class FreeSpace {
  plugged = ['desk', 'built-in'];
  isAllowed = true;
  /** Opens, but gives no sound. */
  mute = new Set<string>();
  opened: string[] = [];
  open = new Set<string>();
  told: string[] = [];
  failover: Failover | null = null;
  news: () => void = () => {};
  breakPipeline: (cause: InterruptionCause) => void = () => {};
  readonly preferences = createStore<AudioPreferences>({ ...parseAudioPreferences(null), deviceId: 'desk' });

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
      watch: (tell) => {
        this.breakPipeline = tell;
        return () => {};
      },
      close: () => {
        this.open.delete(key);
      },
    };
  }

  async openPipeline({ deviceId }: AudioPreferences): Promise<CapturePipeline> {
    if (!this.isAllowed) throw new CaptureError('microphone-refused');
    const id = deviceId !== null && this.plugged.includes(deviceId) ? deviceId : this.plugged.at(-1);
    if (id === undefined) throw new CaptureError('microphone-missing');
    return this.pipeline(id);
  }

  start(): void {
    this.failover = new Failover(
      this.pipeline('desk'),
      {
        openPipeline: (preferences) => this.openPipeline(preferences),
        preferences: this.preferences,
        listMicrophones: async () => this.plugged.map((id) => ({ deviceId: id, groupId: id })),
        mayListen: async () => this.isAllowed,
        onMicrophoneChange: (tell) => {
          this.news = tell;
          return () => {};
        },
      },
      {
        onInterrupted: (cause) => {
          this.told.push(cause);
        },
        onPipeline: ({ microphone }, cause) => {
          this.told.push(`${microphone.label} after ${cause}`);
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
  let room: FreeSpace;
  beforeEach(() => {
    vi.useFakeTimers();
    room = new FreeSpace();
    room.start();
  });
  afterEach(() => {
    room.failover?.close();
    vi.useRealTimers();
  });
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  test('goes on with the same microphone when it is still there', async () => {
    room.breakPipeline('interrupted');
    await pass(0);
    expect(room.told).toEqual(['interrupted', 'desk after interrupted']);
    expect(room.running).toEqual(['desk']);
  });

  test('goes on with the default one within two seconds when it is not', async () => {
    room.plugged = ['built-in'];
    room.breakPipeline('microphone-lost');
    await pass(2000);
    expect(room.told).toEqual(['microphone-lost', 'built-in after microphone-lost']);
  });

  test('goes back to the chosen one when that returns, without an interruption', async () => {
    room.plugged = ['built-in'];
    room.breakPipeline('microphone-lost');
    await pass(2000);
    room.plugged = ['built-in', 'desk'];
    room.news();
    await pass(0);
    expect(room.told.slice(2)).toEqual(['desk after microphone-lost']);
    expect(room.running).toEqual(['desk']);
  });

  test('keeps trying until there is one, at the latest every five seconds', async () => {
    room.plugged = [];
    room.breakPipeline('microphone-lost');
    await pass(60_000);
    expect(room.told).toEqual(['microphone-lost']);
    room.plugged = ['built-in'];
    await pass(5000);
    expect(room.told.at(-1)).toBe('built-in after microphone-lost');
  });

  test('takes a microphone at once that is plugged in', async () => {
    room.plugged = [];
    room.breakPipeline('microphone-lost');
    await pass(20_000);
    room.plugged = ['headset'];
    room.news();
    await pass(0);
    expect(room.told.at(-1)).toBe('headset after microphone-lost');
  });

  test('waits without asking again and again when the permission is gone, and goes on when it is granted', async () => {
    room.isAllowed = false;
    room.breakPipeline('microphone-lost');
    await pass(60_000);
    expect(room.told).toEqual(['microphone-lost', 'permission-withdrawn']);
    room.isAllowed = true;
    room.news();
    await pass(0);
    expect(room.told.at(-1)).toBe('desk after interrupted');
  });

  test('gives up a line from which no sound comes and tries on', async () => {
    room.mute.add('desk');
    room.breakPipeline('interrupted');
    await pass(3500);
    expect(room.running).toEqual([]);
    room.mute.clear();
    await pass(2000);
    expect(room.running).toEqual(['desk']);
  });

  test('opens nothing more once the take is over', async () => {
    room.plugged = [];
    room.breakPipeline('microphone-lost');
    await pass(100);
    room.failover?.close();
    room.plugged = ['built-in'];
    await pass(60_000);
    expect([room.opened, room.running]).toEqual([['desk'], []]);
  });
});

describe('another microphone chosen during a take', () => {
  let room: FreeSpace;
  beforeEach(() => {
    vi.useFakeTimers();
    room = new FreeSpace();
    room.start();
  });
  afterEach(() => {
    room.failover?.close();
    vi.useRealTimers();
  });
  const choose = async (deviceId: string | null) => {
    room.preferences.set({ ...room.preferences.getSnapshot(), deviceId });
    await vi.advanceTimersByTimeAsync(0);
  };

  test('is switched to without an interruption', async () => {
    await choose('built-in');
    expect(room.told).toEqual(['built-in after interrupted']);
    expect(room.running).toEqual(['built-in']);
  });

  test('leaves the present one running until its first sound, and for good when none comes', async () => {
    room.mute.add('built-in');
    await choose('built-in');
    expect(room.running).toEqual(['desk', 'built-in']);
    await vi.advanceTimersByTimeAsync(3500);
    expect(room.running).toEqual(['desk']);
  });

  test('that is not there changes nothing', async () => {
    await choose('gone');
    expect([room.told, room.running]).toEqual([[], ['desk']]);
  });

  test('and another one right after it: the last choice counts', async () => {
    room.plugged.push('headset');
    room.preferences.set({ ...room.preferences.getSnapshot(), deviceId: 'built-in' });
    await choose('headset');
    expect(room.running).toEqual(['headset']);
  });
});
