import { expect, test } from 'vitest';
import type { PcmBlock } from '#workers/capture/messages.ts';
import type { CaptureSource, FromTakeWorker, PcmFeed } from '#workers/take/messages.ts';
import { openSegmentFor } from '#workers/take/segments/open-segment.suite.ts';
import type { SegmentWriter } from '#workers/take/segments/segment-writer.ts';
import { SpillMemory } from '#workers/take/segments/spillable-stream.ts';
import type { OpenTake } from '#workers/take/session/open-take.ts';
import { TakeCapture } from '#workers/take/session/take-capture.ts';
import { AlarmFilter } from './alarm-filter.ts';

const rateHz = 48_000;
const blockMs = 20;
const tickMs = 60;
const takeMs = 26_000;

/** What a microphone gives at a moment: an amplitude, or null if no sound arrives any more. */
type Signal = (atMs: number) => number | null;

const spoken = (amplitude: number, pauseMs: number): Signal => {
  const cycleMs = 2000 + pauseMs;
  return (atMs) => (atMs % cycleMs < 2000 ? amplitude : 0.0004);
};

const signals = {
  speech: spoken(0.2, 1000),
  'quiet speech': spoken(0.002, 4000),
  'digital silence': () => 0,
  'a noise floor without a voice': () => 0.0004,
  'a muted track': (atMs) => (atMs < 5000 ? 0.2 : 0),
  'a microphone muted by its own switch': (atMs) => (atMs < 5000 ? 0.2 : 0),
  'a noise gate': (atMs) => (atMs % 8000 < 1500 ? 0.2 : 0),
  'an unplugged microphone': (atMs) => (atMs < 5000 ? 0.2 : null),
} satisfies Record<string, Signal>;
type SignalName = keyof typeof signals;

/** When the page learns that the microphone no longer delivers, and interrupts the take. */
const interruptedAtMs: Partial<Record<SignalName, number>> = {
  'a muted track': 6000,
  'an unplugged microphone': 5000,
};

/** A microphone's sound as a track that a worker reads, or as the port of a worklet. */
interface Feed {
  pcm: PcmFeed | null;
  give: (samples: Float32Array, atMs: number) => void;
}

function trackFeed(): Feed {
  let controller: ReadableStreamDefaultController<AudioData> | undefined;
  const pcm = new ReadableStream<AudioData>({
    start: (opened) => {
      controller = opened;
    },
  });
  return {
    pcm,
    give: (samples, atMs) => {
      const data = {
        numberOfChannels: 1,
        numberOfFrames: samples.length,
        sampleRate: rateHz,
        timestamp: atMs * 1000,
        copyTo: (target: Float32Array) => {
          target.set(samples);
        },
        close: () => undefined,
      };
      controller?.enqueue(data as unknown as AudioData);
    },
  };
}

function portFeed(): Feed {
  const port = { onmessage: null as ((event: { data: PcmBlock }) => void) | null, close: () => undefined };
  let frame = 0;
  return {
    pcm: port as unknown as MessagePort,
    give: (samples) => {
      port.onmessage?.({ data: { type: 'pcm', frame, channels: [samples] } });
      frame += samples.length;
    },
  };
}

/** Delivers what it gets half a second late, all at once, as a busy machine does. */
function inBursts(feed: Feed): Feed {
  let waiting: [Float32Array, number][] = [];
  return {
    pcm: feed.pcm,
    give: (samples, atMs) => {
      waiting.push([samples, atMs]);
      if (atMs % 500 !== 0) return;
      for (const [held, heldAtMs] of waiting) feed.give(held, heldAtMs);
      waiting = [];
    },
  };
}

const format = { sampleRateHz: rateHz, channels: 1, deviceLabel: null };
const recorder = {
  kind: 'media-recorder',
  container: 'webm',
  recorderId: 1,
  startedAtMs: 0,
  ...format,
} as const;
const withoutFeed = (): Feed => ({ pcm: null, give: () => undefined });

interface Way {
  feed: () => Feed;
  source: (pcm: PcmFeed | null) => CaptureSource;
}

const asPcm = (pcm: PcmFeed | null): CaptureSource => {
  if (pcm === null) throw new TypeError('PCM needs a feed');
  return { kind: 'pcm', pcm, ...format };
};

const ways = {
  'PCM of the track': { feed: trackFeed, source: asPcm },
  'PCM of the worklet': { feed: portFeed, source: asPcm },
  'PCM of the worklet, late': { feed: () => inBursts(portFeed()), source: asPcm },
  'PCM that fills loss with zeros': {
    feed: portFeed,
    source: (pcm) => ({ ...asPcm(pcm), kind: 'pcm', pcm: pcm as PcmFeed, fillsLossWithZeros: true }),
  },
  'MediaRecorder beside a worklet': {
    feed: portFeed,
    source: (pcm) => ({ ...recorder, pcm, reason: 'unsupported' }),
  },
  'MediaRecorder alone': {
    feed: withoutFeed,
    source: (pcm) => ({ ...recorder, pcm, reason: 'output-pending' }),
  },
} satisfies Record<string, Way>;
type WayName = keyof typeof ways;

const writer: SegmentWriter = {
  capturedMs: 0,
  push: () => undefined,
  pushChunk: () => undefined,
  takeLosses: () => [],
  setPaused: () => undefined,
  takePoints: () => new Int8Array(),
  flush: () => undefined,
  finish: async () => 0,
};

function openedTake() {
  const memory = new SpillMemory();
  const opened = openSegmentFor({}, memory);
  // The capture of a take needs no more of it.
  const take = { memory, segments: [opened], journal: 'files' } as unknown as OpenTake;
  return { take, written: { opened, writer } };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Records a signal with the worker's and the page's code of the alarm. Returns when the silence alarm was shown, in seconds. */
async function alarmAfter(way: Way, name: SignalName): Promise<number | null> {
  const clock = { ms: 0 };
  const lostAtMs = interruptedAtMs[name] ?? Infinity;
  let shownAtMs: number | null = null;
  const filter = new AlarmFilter(
    (alarms) => {
      if (alarms.includes('silence')) shownAtMs ??= clock.ms;
    },
    () => clock.ms,
  );
  const onMessage = (message: FromTakeWorker) => {
    if (message.type === 'alarm') filter.handle(message.alarm, message.isOn);
    else if (message.type === 'level' && message.level !== null) filter.handleLevel(message.level.peak);
  };
  const feed = way.feed();
  const { take, written } = openedTake();
  const capture = new TakeCapture(
    {
      take,
      nowMs: () => clock.ms,
      post: onMessage,
      onBlock: () => undefined,
      onGap: () => undefined,
      onSegment: () => undefined,
      onSealed: () => undefined,
      onFailure: (error) => {
        throw error;
      },
    },
    { source: way.source(feed.pcm), written },
  );
  for (; clock.ms < takeMs; clock.ms += blockMs) {
    // The page closes a microphone that it has lost.
    const amplitude = clock.ms > lostAtMs ? null : signals[name](clock.ms);
    const samples = new Float32Array((rateHz * blockMs) / 1000);
    if (amplitude !== null) {
      feed.give(samples.fill(amplitude), clock.ms);
    }
    if (clock.ms === lostAtMs)
      capture.handle({
        type: 'interrupt',
        cause: name === 'a muted track' ? 'interrupted' : 'microphone-lost',
      });
    if (clock.ms % tickMs === 0) {
      await settled();
      capture.tick();
    }
  }
  return shownAtMs === null ? null : Math.round(shownAtMs / 1000);
}

const none = null;
/** When the alarm comes, in seconds after the start. An interruption has a notice of its own. */
const expected: Record<SignalName, number | null> = {
  speech: none,
  'quiet speech': none,
  'digital silence': 10,
  'a noise floor without a voice': 10,
  'a muted track': none,
  'a microphone muted by its own switch': 15,
  'a noise gate': none,
  'an unplugged microphone': none,
};

const cases = Object.keys(ways).flatMap((way) =>
  Object.keys(signals).map((signal) => ({ way: way as WayName, signal: signal as SignalName })),
);

test.each(cases)('with $way, $signal is judged right', async ({ way, signal }) => {
  const isMeasured = way !== 'MediaRecorder alone';
  const alarmS = await alarmAfter(ways[way], signal);
  expect(alarmS).toBe(isMeasured ? expected[signal] : none);
});
