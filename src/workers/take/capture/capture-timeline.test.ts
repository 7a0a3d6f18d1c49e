import { expect, test } from 'vitest';
import type { PcmBlock } from '#workers/capture/messages.ts';
import type { CaptureSource } from '#workers/take/messages.ts';
import { CaptureTimeline } from './capture-timeline.ts';

const rateHz = 48_000;
const blockMs = 20;

/** A message port as far as an intake can see it. */
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

function intakeOf() {
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
  const intake = new CaptureTimeline({
    nowMs: () => now.ms,
    onBlock: () => {},
    onContinued: () => told('continued'),
    line: {
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
  return { now, steps, intake, speak, told };
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
  const { intake, steps, speak } = intakeOf();
  const [first, second] = [microphone('first'), microphone('second')];
  intake.start(first.source);
  speak(1000, first.port);
  speak(200);
  intake.interrupt('microphone-lost');
  speak(300);
  intake.continueWith(second.source, 'unknown');
  speak(700);
  speak(500, second.port);
  await intake.finish();
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
    const { intake, steps, speak } = intakeOf();
    const [first, second] = [microphone('first'), microphone('second')];
    intake.start(first.source);
    speak(1000, first.port);
    intake.interrupt('microphone-lost');
    speak(300);
    intake.continueWith(second.source, 'unknown');
    second.port.sample = 0;
    speak(zerosMs, second.port);
    second.port.sample = 0.1;
    speak(440, second.port);
    await intake.finish();
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
  const { intake, steps, speak } = intakeOf();
  const [first, second] = [microphone('first'), microphone('second')];
  intake.start(first.source);
  speak(1000, first.port);
  intake.continueWith(second.source, 'microphone-lost');
  speak(1000, first.port, second.port);
  const { gap } = await intake.finish();
  expect(steps[0]).toMatch(/^sound /);
  expect(steps.slice(1, 3)).toEqual(['continued', 'begin second']);
  const soundMs = steps
    .filter((step) => step.startsWith('sound'))
    .reduce((sum, step) => sum + Number(step.slice(6)), 0);
  expect(soundMs).toBe(2000);
  expect(gap).toBe(null);
});

test('a switch that is slow leaves a gap of the cause that was given with it', async () => {
  const { intake, steps, speak } = intakeOf();
  const [first, second] = [microphone('first'), microphone('second')];
  intake.start(first.source);
  speak(1000, first.port);
  speak(1500);
  intake.continueWith(second.source, 'microphone-lost');
  speak(400, second.port);
  await intake.finish();
  expect(steps).toEqual(['sound 1000', 'continued', 'begin second after microphone-lost 1500', 'sound 400']);
});

test('a switch in a pause leaves no gap, and its segment begins with the next sound that is recorded', async () => {
  const { intake, steps, speak } = intakeOf();
  const [first, second] = [microphone('first'), microphone('second')];
  intake.start(first.source);
  speak(1000, first.port);
  intake.setPaused(true);
  speak(300, first.port);
  intake.interrupt('microphone-lost');
  speak(2000);
  intake.continueWith(second.source, 'microphone-lost');
  speak(500, second.port);
  intake.setPaused(false);
  speak(400, second.port);
  await intake.finish();
  expect(steps).toEqual(['sound 1000', 'pause', 'cut', 'continued', 'resume', 'begin second', 'sound 400']);
});

test('a take that is resumed while its microphone is gone counts the gap from there', async () => {
  const { intake, steps, speak } = intakeOf();
  const [first, second] = [microphone('first'), microphone('second')];
  intake.start(first.source);
  speak(1000, first.port);
  intake.setPaused(true);
  intake.interrupt('microphone-lost');
  speak(2000);
  intake.setPaused(false);
  speak(600);
  intake.continueWith(second.source, 'microphone-lost');
  speak(400, second.port);
  await intake.finish();
  expect(steps.at(-2)).toBe('begin second after microphone-lost 600');
});

test('a sleep of up to two seconds is silence in the same segment, a longer one begins a new segment', async () => {
  for (const [sleptMs, step] of [
    [1500, 'lost after device-slept 1500'],
    [5000, 'begin first after device-slept 5000'],
  ] as const) {
    const { intake, steps, speak, now } = intakeOf();
    const { port, source } = microphone('first');
    intake.start(source);
    speak(1000, port);
    now.ms += sleptMs;
    speak(1000, port);
    await intake.finish();
    expect(steps).toEqual(['sound 1000', step, 'sound 1000']);
  }
});

test('a loss of less than half a second is not called a sleep', async () => {
  const { intake, steps, speak, now } = intakeOf();
  const { port, source } = microphone('first');
  intake.start(source);
  speak(1000, port);
  now.ms += 400;
  speak(1000, port);
  await intake.finish();
  expect(steps).toEqual(['sound 1000', 'lost after unknown 400', 'sound 1000']);
});

test('a sleep in a pause is no gap', async () => {
  const { intake, steps, speak, now } = intakeOf();
  const { port, source } = microphone('first');
  intake.start(source);
  speak(1000, port);
  intake.setPaused(true);
  speak(500, port);
  now.ms += 60_000;
  speak(1000, port);
  intake.setPaused(false);
  speak(500, port);
  await intake.finish();
  expect(steps).toEqual(['sound 1000', 'pause', 'resume', 'sound 500']);
});

test('a take stopped while its microphone is gone ends with a gap', async () => {
  const { intake, speak } = intakeOf();
  const { port, source } = microphone('first');
  intake.start(source);
  speak(1000, port);
  intake.interrupt('microphone-lost');
  speak(700);
  expect((await intake.finish()).gap).toEqual({ cause: 'microphone-lost', durationMs: 700 });
});

test('what was said before Stop and is still on its way is heard; what is said after it is not', async () => {
  const { intake, steps, speak, now } = intakeOf();
  const { port, source } = microphone('first');
  intake.start(source);
  speak(1000, port);
  now.ms += 150;
  const finishing = intake.finish();
  for (let block = 0; block < 7; block += 1) port.send();
  speak(200, port);
  expect((await finishing).gap).toBe(null);
  expect(steps).toEqual(['sound 1160']);
});

test('what was said before Stop and never comes is named, and nothing that happens to the microphone then is', async () => {
  const { intake, steps, speak, now } = intakeOf();
  const { port, source } = microphone('first');
  intake.start(source);
  speak(1000, port);
  now.ms += 150;
  const finishing = intake.finish();
  now.ms += 300;
  intake.interrupt('microphone-lost');
  intake.continueWith(microphone('second').source, 'unknown');
  expect((await finishing).gap).toEqual({ cause: 'unknown', durationMs: 150 });
  expect(steps).toEqual(['sound 1000']);
});

test('what was said before a pause and arrives in it is recorded; what was said in it is not, whenever it arrives', async () => {
  const { intake, steps, speak, now } = intakeOf();
  const { port, source } = microphone('first');
  intake.start(source);
  speak(1000, port);
  now.ms += 140;
  intake.setPaused(true);
  for (let block = 0; block < 7; block += 1) port.send();
  speak(1000, port);
  now.ms += 140;
  intake.setPaused(false);
  for (let block = 0; block < 7; block += 1) port.send();
  speak(500, port);
  await intake.finish();
  expect(steps).toEqual(['sound 1000', 'pause', 'sound 140', 'resume', 'sound 500']);
});

test('what was said before a pause is missing where its microphone was lost before it came', async () => {
  const { intake, steps, speak, now } = intakeOf();
  const [first, second] = [microphone('first'), microphone('second')];
  intake.start(first.source);
  speak(1000, first.port);
  now.ms += 150;
  intake.setPaused(true);
  speak(400);
  intake.interrupt('microphone-lost');
  intake.continueWith(second.source, 'unknown');
  speak(600, second.port);
  intake.setPaused(false);
  speak(400, second.port);
  await intake.finish();
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
  const { intake, steps, speak, now } = intakeOf();
  const { port, source } = microphone('first');
  intake.start(source);
  speak(1000, port);
  now.ms += 600;
  intake.setPaused(true);
  now.ms += 5000;
  speak(1000, port);
  now.ms += 3000;
  intake.setPaused(false);
  now.ms += 700;
  speak(1000, port);
  await intake.finish();
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
  const { intake, steps, speak, now } = intakeOf();
  const { port, source } = microphone('first');
  intake.start(source);
  speak(1000, port);
  now.ms += 140;
  intake.setPaused(true);
  now.ms += 20;
  const finishing = intake.finish();
  for (let block = 0; block < 8; block += 1) port.send();
  expect((await finishing).gap).toBe(null);
  expect(steps).toEqual(['sound 1000', 'pause', 'sound 140']);
});

test('a recorder that is lost in a pause leaves no gap: its file holds what was said before', async () => {
  const { intake, now } = intakeOf();
  intake.start({
    kind: 'media-recorder',
    container: 'webm',
    pcm: null,
    sampleRateHz: rateHz,
    channels: 1,
    deviceLabel: 'recorder',
  });
  intake.chunk(new Uint8Array(5), false);
  now.ms += 200;
  intake.setPaused(true);
  intake.interrupt('microphone-lost');
  now.ms += 1000;
  expect((await intake.finish()).gap).toEqual({ cause: 'microphone-lost', durationMs: 0 });
});

test('a take that was found goes on behind the time in which nobody recorded', async () => {
  const { intake, steps, speak } = intakeOf();
  const { port, source } = microphone('first');
  intake.resumeAfter(60_000, source, 'page-killed');
  speak(300);
  speak(400, port);
  await intake.finish();
  expect(steps).toEqual(['continued', 'begin first after page-killed 60300', 'sound 400']);
});

test('a take that was found paused goes on without a gap', async () => {
  const { intake, steps, speak } = intakeOf();
  const { port, source } = microphone('first');
  intake.resumeAfter(null, source, 'page-killed');
  speak(400, port);
  await intake.finish();
  expect(steps).toEqual(['continued', 'begin first', 'sound 400']);
});

test('a second without a block is a stall, told once; a pause or a gap is none', () => {
  const { intake, speak, now } = intakeOf();
  const { port, source } = microphone('first');
  const stalls = (forMs: number) => {
    let count = 0;
    for (const untilMs = now.ms + forMs; now.ms < untilMs; now.ms += 60)
      if (intake.hasStalled(now.ms)) count += 1;
    return count;
  };
  intake.start(source);
  speak(1000, port);
  expect(stalls(900)).toBe(0);
  expect(stalls(3000)).toBe(1);
  intake.setPaused(true);
  expect(stalls(3000)).toBe(0);
  intake.setPaused(false);
  intake.interrupt('interrupted');
  expect(stalls(3000)).toBe(0);
});

test("a recorder's file begins its segment with its first piece, and what comes last of it still belongs there", async () => {
  const { intake, steps, speak } = intakeOf();
  const first = microphone('first');
  intake.start(first.source);
  speak(1000, first.port);
  intake.continueWith(
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
  intake.chunk(new Uint8Array(5), false);
  speak(240);
  intake.interrupt('microphone-lost');
  intake.chunk(new Uint8Array(2), true);
  await intake.finish();
  expect(steps).toEqual(['sound 1000', 'continued', 'begin recorder', 'chunk 5', 'cut', 'chunk 2 last']);
});
