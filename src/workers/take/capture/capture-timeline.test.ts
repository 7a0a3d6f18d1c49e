import { expect, test } from 'vitest';
import type { PcmBlock } from '#workers/capture/messages.ts';
import type { CaptureSource } from '#workers/take/messages.ts';
import { CaptureTimeline } from './capture-timeline.ts';

const rateHz = 48_000;
const blockMs = 20;

/** A message port as a timeline uses it. */
class FakePort {
  onmessage: ((event: { data: PcmBlock }) => void) | null = null;
  isClosed = false;
  /** What its device says: exactly zero until it hears. */
  sample = 0.1;
  #frame = 0;

  send(): void {
    const samples = new Float32Array((rateHz * blockMs) / 1000).fill(this.sample);
    if (!this.isClosed) this.onmessage?.({ data: { type: 'pcm', frame: this.#frame, channels: [samples] } });
    this.#frame += samples.length;
  }

  close(): void {
    this.isClosed = true;
  }
}

function timelineOf() {
  const now = { ms: 0 };
  const steps: string[] = [];
  let soundMs = 0;
  const told = (step: string) => {
    if (soundMs > 0) steps.push(`sound ${Math.round(soundMs)}`);
    soundMs = 0;
    if (step !== '') steps.push(step);
  };
  const gapText = (gap: { cause: string; durationMs: number } | null) =>
    gap ? ` after ${gap.cause} ${Math.round(gap.durationMs)}` : '';
  const timeline = new CaptureTimeline({
    nowMs: () => now.ms,
    onBlock: () => {},
    onContinued: () => told('continued'),
    sequencer: {
      sound: (_channels, durationMs) => {
        soundMs += durationMs;
      },
      lost: (gap) => told(`lost${gapText(gap)}`),
      chunk: (bytes, isLast) => told(`chunk ${bytes.length}${isLast ? ' last' : ''}`),
      setPaused: (isPaused) => told(isPaused ? 'pause' : 'resume'),
      cut: () => told('cut'),
      start: (source, gap) => told(`begin ${source.deviceLabel}${gapText(gap)}`),
      finish: async () => {
        told('');
        return 0;
      },
    },
  });
  /** Time passes, and each of these microphones delivers what was said in it. */
  const speak = (forMs: number, ...ports: FakePort[]) => {
    for (const untilMs = now.ms + forMs; now.ms < untilMs;) {
      now.ms += blockMs;
      for (const port of ports) port.send();
    }
  };
  return { now, steps, timeline, speak, told };
}

function microphone(deviceLabel: string): { port: FakePort; source: CaptureSource } {
  const port = new FakePort();
  // A test has no other way to stand for the browser's port.
  return {
    port,
    source: {
      kind: 'pcm',
      sampleRateHz: rateHz,
      channels: 1,
      deviceLabel,
      pcm: port as unknown as MessagePort,
    },
  };
}

test('a lost microphone and its successor: the gap lasts from the last sound to the first', async () => {
  const { timeline, steps, speak } = timelineOf();
  const [first, second] = [microphone('first'), microphone('second')];
  timeline.start(first.source);
  speak(1000, first.port);
  speak(200);
  timeline.interrupt('microphone-lost');
  speak(300);
  timeline.continueWith(second.source, 'unknown');
  speak(700);
  speak(500, second.port);
  await timeline.finish();
  expect(steps).toEqual([
    'sound 1000',
    'cut',
    'continued',
    'begin second after microphone-lost 1200',
    'sound 500',
  ]);
});

test('the zeros of a device that opens belong to the gap; a device that is muted counts after a second', async () => {
  for (const [zerosMs, gapMs, soundMs] of [
    [60, 360, 440],
    [2000, 1300, 1440],
  ] as const) {
    const { timeline, steps, speak } = timelineOf();
    const [first, second] = [microphone('first'), microphone('second')];
    timeline.start(first.source);
    speak(1000, first.port);
    timeline.interrupt('microphone-lost');
    speak(300);
    timeline.continueWith(second.source, 'unknown');
    second.port.sample = 0;
    speak(zerosMs, second.port);
    second.port.sample = 0.1;
    speak(440, second.port);
    await timeline.finish();
    expect(steps).toEqual([
      'sound 1000',
      'cut',
      'continued',
      `begin second after microphone-lost ${gapMs}`,
      `sound ${soundMs}`,
    ]);
  }
});

test('a switch while both microphones run loses nothing and says nothing twice', async () => {
  const { timeline, steps, speak } = timelineOf();
  const [first, second] = [microphone('first'), microphone('second')];
  timeline.start(first.source);
  speak(1000, first.port);
  timeline.continueWith(second.source, 'microphone-lost');
  speak(1000, first.port, second.port);
  const { gap } = await timeline.finish();
  expect(steps[0]).toMatch(/^sound /);
  expect(steps.slice(1, 3)).toEqual(['continued', 'begin second']);
  const soundMs = steps
    .filter((step) => step.startsWith('sound'))
    .reduce((sum, step) => sum + Number(step.slice(6)), 0);
  expect(soundMs).toBe(2000);
  expect(gap).toBe(null);
});

test('a switch that is slow leaves a gap of the cause that was given with it', async () => {
  const { timeline, steps, speak } = timelineOf();
  const [first, second] = [microphone('first'), microphone('second')];
  timeline.start(first.source);
  speak(1000, first.port);
  speak(1500);
  timeline.continueWith(second.source, 'microphone-lost');
  speak(400, second.port);
  await timeline.finish();
  expect(steps).toEqual(['sound 1000', 'continued', 'begin second after microphone-lost 1500', 'sound 400']);
});

test('a switch in a pause leaves no gap, and its segment begins with the next sound that is recorded', async () => {
  const { timeline, steps, speak } = timelineOf();
  const [first, second] = [microphone('first'), microphone('second')];
  timeline.start(first.source);
  speak(1000, first.port);
  timeline.setPaused(true);
  speak(300, first.port);
  timeline.interrupt('microphone-lost');
  speak(2000);
  timeline.continueWith(second.source, 'microphone-lost');
  speak(500, second.port);
  timeline.setPaused(false);
  speak(400, second.port);
  await timeline.finish();
  expect(steps).toEqual(['sound 1000', 'pause', 'cut', 'continued', 'resume', 'begin second', 'sound 400']);
});

test('a take that is resumed while its microphone is gone counts the gap from there', async () => {
  const { timeline, steps, speak } = timelineOf();
  const [first, second] = [microphone('first'), microphone('second')];
  timeline.start(first.source);
  speak(1000, first.port);
  timeline.setPaused(true);
  timeline.interrupt('microphone-lost');
  speak(2000);
  timeline.setPaused(false);
  speak(600);
  timeline.continueWith(second.source, 'microphone-lost');
  speak(400, second.port);
  await timeline.finish();
  expect(steps.at(-2)).toBe('begin second after microphone-lost 600');
});

test('a sleep of up to two seconds is silence in the same segment, a longer one begins a new segment', async () => {
  for (const [sleptMs, step] of [
    [1500, 'lost after device-slept 1500'],
    [5000, 'begin first after device-slept 5000'],
  ] as const) {
    const { timeline, steps, speak, now } = timelineOf();
    const { port, source } = microphone('first');
    timeline.start(source);
    speak(1000, port);
    now.ms += sleptMs;
    speak(1000, port);
    await timeline.finish();
    expect(steps).toEqual(['sound 1000', step, 'sound 1000']);
  }
});

test('a loss of less than half a second is not called a sleep', async () => {
  const { timeline, steps, speak, now } = timelineOf();
  const { port, source } = microphone('first');
  timeline.start(source);
  speak(1000, port);
  now.ms += 400;
  speak(1000, port);
  await timeline.finish();
  expect(steps).toEqual(['sound 1000', 'lost after unknown 400', 'sound 1000']);
});

test('a sleep in a pause is no gap', async () => {
  const { timeline, steps, speak, now } = timelineOf();
  const { port, source } = microphone('first');
  timeline.start(source);
  speak(1000, port);
  timeline.setPaused(true);
  speak(500, port);
  now.ms += 60_000;
  speak(1000, port);
  timeline.setPaused(false);
  speak(500, port);
  await timeline.finish();
  expect(steps).toEqual(['sound 1000', 'pause', 'resume', 'sound 500']);
});

test('a take stopped while its microphone is gone ends with a gap', async () => {
  const { timeline, speak } = timelineOf();
  const { port, source } = microphone('first');
  timeline.start(source);
  speak(1000, port);
  timeline.interrupt('microphone-lost');
  speak(700);
  expect((await timeline.finish()).gap).toEqual({ cause: 'microphone-lost', durationMs: 700 });
});

test('what was said before Stop and is still on its way is heard; what is said after it is not', async () => {
  const { timeline, steps, speak, now } = timelineOf();
  const { port, source } = microphone('first');
  timeline.start(source);
  speak(1000, port);
  now.ms += 150;
  const finishing = timeline.finish();
  for (let block = 0; block < 7; block += 1) port.send();
  speak(200, port);
  expect((await finishing).gap).toBe(null);
  expect(steps).toEqual(['sound 1160']);
});

test('what was said before Stop and never comes is named, and nothing that happens to the microphone then is', async () => {
  const { timeline, steps, speak, now } = timelineOf();
  const { port, source } = microphone('first');
  timeline.start(source);
  speak(1000, port);
  now.ms += 150;
  const finishing = timeline.finish();
  now.ms += 300;
  timeline.interrupt('microphone-lost');
  timeline.continueWith(microphone('second').source, 'unknown');
  expect((await finishing).gap).toEqual({ cause: 'unknown', durationMs: 150 });
  expect(steps).toEqual(['sound 1000']);
});

test('what was said before a pause and arrives in it is recorded; what was said in it is not, whenever it arrives', async () => {
  const { timeline, steps, speak, now } = timelineOf();
  const { port, source } = microphone('first');
  timeline.start(source);
  speak(1000, port);
  now.ms += 140;
  timeline.setPaused(true);
  for (let block = 0; block < 7; block += 1) port.send();
  speak(1000, port);
  now.ms += 140;
  timeline.setPaused(false);
  for (let block = 0; block < 7; block += 1) port.send();
  speak(500, port);
  await timeline.finish();
  expect(steps).toEqual(['sound 1000', 'pause', 'sound 140', 'resume', 'sound 500']);
});

test('what was said before a pause is missing where its microphone was lost before it came', async () => {
  const { timeline, steps, speak, now } = timelineOf();
  const [first, second] = [microphone('first'), microphone('second')];
  timeline.start(first.source);
  speak(1000, first.port);
  now.ms += 150;
  timeline.setPaused(true);
  speak(400);
  timeline.interrupt('microphone-lost');
  timeline.continueWith(second.source, 'unknown');
  speak(600, second.port);
  timeline.setPaused(false);
  speak(400, second.port);
  await timeline.finish();
  expect(steps).toEqual([
    'sound 1000',
    'pause',
    'cut',
    'continued',
    'resume',
    'begin second after microphone-lost 150',
    'sound 400',
  ]);
});

test('of a loss in which a pause begins or ends, what lies outside the pause is missing', async () => {
  const { timeline, steps, speak, now } = timelineOf();
  const { port, source } = microphone('first');
  timeline.start(source);
  speak(1000, port);
  now.ms += 600;
  timeline.setPaused(true);
  now.ms += 5000;
  speak(1000, port);
  now.ms += 3000;
  timeline.setPaused(false);
  now.ms += 700;
  speak(1000, port);
  await timeline.finish();
  expect(steps).toEqual([
    'sound 1000',
    'pause',
    'lost after device-slept 600',
    'resume',
    'lost after device-slept 700',
    'sound 1000',
  ]);
});

test('a take that is stopped just after a pause waits for what was said before the pause, and for nothing after it', async () => {
  const { timeline, steps, speak, now } = timelineOf();
  const { port, source } = microphone('first');
  timeline.start(source);
  speak(1000, port);
  now.ms += 140;
  timeline.setPaused(true);
  now.ms += 20;
  const finishing = timeline.finish();
  for (let block = 0; block < 8; block += 1) port.send();
  expect((await finishing).gap).toBe(null);
  expect(steps).toEqual(['sound 1000', 'pause', 'sound 140']);
});

test('a recorder that is lost in a pause leaves no gap: its file holds what was said before', async () => {
  const { timeline, now } = timelineOf();
  timeline.start({
    kind: 'media-recorder',
    container: 'webm',
    pcm: null,
    sampleRateHz: rateHz,
    channels: 1,
    deviceLabel: 'recorder',
  });
  timeline.chunk(new Uint8Array(5), false);
  now.ms += 200;
  timeline.setPaused(true);
  timeline.interrupt('microphone-lost');
  now.ms += 1000;
  expect((await timeline.finish()).gap).toEqual({ cause: 'microphone-lost', durationMs: 0 });
});

test('a take that was found goes on behind the time in which nobody recorded', async () => {
  const { timeline, steps, speak } = timelineOf();
  const { port, source } = microphone('first');
  timeline.resumeAfter(60_000, source, 'page-killed');
  speak(300);
  speak(400, port);
  await timeline.finish();
  expect(steps).toEqual(['continued', 'begin first after page-killed 60300', 'sound 400']);
});

test('a take that was found paused goes on without a gap', async () => {
  const { timeline, steps, speak } = timelineOf();
  const { port, source } = microphone('first');
  timeline.resumeAfter(null, source, 'page-killed');
  speak(400, port);
  await timeline.finish();
  expect(steps).toEqual(['continued', 'begin first', 'sound 400']);
});

test('a second without a block is a stall, told once; a pause or a gap is none', () => {
  const { timeline, speak, now } = timelineOf();
  const { port, source } = microphone('first');
  const stalls = (forMs: number) => {
    let count = 0;
    for (const untilMs = now.ms + forMs; now.ms < untilMs; now.ms += 60)
      if (timeline.hasStalled(now.ms)) count += 1;
    return count;
  };
  timeline.start(source);
  speak(1000, port);
  expect(stalls(900)).toBe(0);
  expect(stalls(3000)).toBe(1);
  timeline.setPaused(true);
  expect(stalls(3000)).toBe(0);
  timeline.setPaused(false);
  timeline.interrupt('interrupted');
  expect(stalls(3000)).toBe(0);
});

test("a recorder's file begins its segment with its first piece, and what comes last of it still belongs there", async () => {
  const { timeline, steps, speak } = timelineOf();
  const first = microphone('first');
  timeline.start(first.source);
  speak(1000, first.port);
  timeline.continueWith(
    {
      kind: 'media-recorder',
      container: 'webm',
      pcm: null,
      sampleRateHz: rateHz,
      channels: 1,
      deviceLabel: 'recorder',
    },
    'unknown',
  );
  speak(240);
  timeline.chunk(new Uint8Array(5), false);
  speak(240);
  timeline.interrupt('microphone-lost');
  timeline.chunk(new Uint8Array(2), true);
  await timeline.finish();
  expect(steps).toEqual(['sound 1000', 'continued', 'begin recorder', 'chunk 5', 'cut', 'chunk 2 last']);
});
