import { expect, test, vi } from 'vitest';
import type { PcmBlock } from '#workers/capture/messages.ts';
import type { CaptureSource } from '#workers/take/messages.ts';
import { CaptureTimeline } from './capture-timeline.ts';

const rateHz = 48_000;
const blockMs = 20;

/** The parts of a message port that a timeline uses. */
class FakePort {
  onmessage: ((event: { data: PcmBlock }) => void) | null = null;
  isClosed = false;
  /** The value of every sample: exactly zero until the device delivers sound. */
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
      filled: (gap, agoMs) => told(`filled ${Math.round(agoMs)} ago${gapText(gap)}`),
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
  /** Advances time while each of these microphones delivers its sound. */
  const speak = (forMs: number, ...ports: FakePort[]) => {
    for (const untilMs = now.ms + forMs; now.ms < untilMs;) {
      now.ms += blockMs;
      for (const port of ports) port.send();
    }
  };
  return { now, steps, timeline, speak, told };
}

function microphone(
  deviceLabel: string,
  fillsLossWithZeros = false,
): { port: FakePort; source: CaptureSource } {
  const port = new FakePort();
  // Node has no port that a test can control like this.
  return {
    port,
    source: {
      kind: 'pcm',
      sampleRateHz: rateHz,
      channels: 1,
      deviceLabel,
      fillsLossWithZeros,
      pcm: port as unknown as MessagePort,
    },
  };
}

/** A source whose file the browser's recorder writes, and its pieces. */
function recorder(recorderId = 1) {
  const source: CaptureSource = {
    kind: 'media-recorder',
    recorderId,
    startedAtMs: 0,
    reason: 'output-pending',
    container: 'webm',
    pcm: null,
    sampleRateHz: rateHz,
    channels: 1,
    deviceLabel: `recorder ${recorderId}`,
  };
  const bytes = (length: number) => new Uint8Array(length);
  /** The start of a WebM file before its first block. */
  const header = Uint8Array.of(0x1a, 0x45, 0xdf, 0xa3, 0x80);
  return {
    source,
    header: { recorderId, bytes: header, isLast: false, atMs: 0 },
    piece: (length: number) => ({ recorderId, bytes: bytes(length), isLast: false, atMs: 0 }),
    last: (endedAtMs: number) => ({ recorderId, bytes: bytes(0), isLast: true, atMs: endedAtMs }),
  };
}

/** A take with a second of sound from its first microphone, and another one. */
function twoMicrophones() {
  const world = timelineOf();
  const [first, second] = [microphone('first'), microphone('second')];
  world.timeline.start(first.source);
  world.speak(1000, first.port);
  return { ...world, first, second };
}

/** A take with a second of sound from its microphone. */
function oneMicrophone(fillsLossWithZeros = false) {
  const world = timelineOf();
  const { port, source } = microphone('first', fillsLossWithZeros);
  world.timeline.start(source);
  world.speak(1000, port);
  return { ...world, port };
}

/** A take with the first piece of its recorder after half a second, and a microphone to continue with. */
function recorderThenPcm() {
  const world = timelineOf();
  const [first, second] = [recorder(), microphone('second')];
  world.timeline.start(first.source);
  world.now.ms += 500;
  world.timeline.chunk(first.piece(5));
  return { ...world, first, second };
}

test('measures the gap between two microphones from the last sound to the first', async () => {
  const { second, timeline, steps, speak } = twoMicrophones();
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

test('counts zeros of a device that is being opened as gap, and as sound after one second', async () => {
  for (const [zerosMs, gapMs, soundMs] of [
    [60, 360, 440],
    [2000, 1300, 1440],
  ] as const) {
    const { second, timeline, steps, speak } = twoMicrophones();
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

test('loses and repeats nothing when both microphones run during a switch', async () => {
  const { first, second, timeline, steps, speak } = twoMicrophones();
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

test('leaves a gap with the given cause when the switch of microphones is slow', async () => {
  const { second, timeline, steps, speak } = twoMicrophones();
  speak(1500);
  timeline.continueWith(second.source, 'microphone-lost');
  speak(400, second.port);
  await timeline.finish();
  expect(steps).toEqual(['sound 1000', 'continued', 'begin second after microphone-lost 1500', 'sound 400']);
});

test('leaves no gap for a switch during a pause, and starts the segment with the next recorded sound', async () => {
  const { first, second, timeline, steps, speak } = twoMicrophones();
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

test('counts the gap from the resume when the microphone was lost during the pause', async () => {
  const { second, timeline, steps, speak } = twoMicrophones();
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

test('pads a sleep of up to two seconds with silence, and starts a new segment after a longer one', async () => {
  for (const [sleptMs, step] of [
    [1500, 'lost after device-slept 1500'],
    [5000, 'begin first after device-slept 5000'],
  ] as const) {
    const { port, timeline, steps, speak, now } = oneMicrophone();
    now.ms += sleptMs;
    speak(1000, port);
    await timeline.finish();
    expect(steps).toEqual(['sound 1000', step, 'sound 1000']);
  }
});

test('does not call a loss of less than half a second a sleep', async () => {
  const { port, timeline, steps, speak, now } = oneMicrophone();
  now.ms += 400;
  speak(1000, port);
  await timeline.finish();
  expect(steps).toEqual(['sound 1000', 'lost after browser-busy 400', 'sound 1000']);
});

test('records no gap for a sleep during a pause', async () => {
  const { port, timeline, steps, speak, now } = oneMicrophone();
  timeline.setPaused(true);
  speak(500, port);
  now.ms += 60_000;
  speak(1000, port);
  timeline.setPaused(false);
  speak(500, port);
  await timeline.finish();
  expect(steps).toEqual(['sound 1000', 'pause', 'resume', 'sound 500']);
});

test('ends with a gap when the take is stopped without a microphone', async () => {
  const { timeline, speak } = oneMicrophone();
  timeline.interrupt('microphone-lost');
  speak(700);
  expect((await timeline.finish()).gap).toEqual({ cause: 'microphone-lost', durationMs: 700 });
});

test('records sound captured before Stop that arrives after it, and nothing captured later', async () => {
  const { port, timeline, steps, speak, now } = oneMicrophone();
  now.ms += 150;
  const finishing = timeline.finish();
  for (let block = 0; block < 7; block += 1) port.send();
  speak(200, port);
  expect((await finishing).gap).toBe(null);
  expect(steps).toEqual(['sound 1160']);
});

test('reports sound from before Stop that never arrives, and ignores later changes of the microphone', async () => {
  const { timeline, steps, now } = oneMicrophone();
  now.ms += 150;
  const finishing = timeline.finish();
  now.ms += 300;
  timeline.interrupt('microphone-lost');
  timeline.continueWith(microphone('second').source, 'unknown');
  expect((await finishing).gap).toEqual({ cause: 'browser-busy', durationMs: 150 });
  expect(steps).toEqual(['sound 1000']);
});

test('records sound captured before a pause and drops sound captured during it, whenever it arrives', async () => {
  const { port, timeline, steps, speak, now } = oneMicrophone();
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

test('reports sound from before a pause as missing when its microphone is lost before it arrives', async () => {
  const { second, timeline, steps, speak, now } = twoMicrophones();
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

test('counts only the part of a loss outside the pause', async () => {
  const { port, timeline, steps, speak, now } = oneMicrophone();
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

test('waits at Stop for sound captured before the pause, and for nothing later', async () => {
  const { port, timeline, steps, now } = oneMicrophone();
  now.ms += 140;
  timeline.setPaused(true);
  now.ms += 20;
  const finishing = timeline.finish();
  for (let block = 0; block < 8; block += 1) port.send();
  expect((await finishing).gap).toBe(null);
  expect(steps).toEqual(['sound 1000', 'pause', 'sound 140']);
});

test('leaves no gap when a MediaRecorder is lost during a pause', async () => {
  const { timeline, now } = timelineOf();
  const { source, piece, last } = recorder();
  timeline.start(source);
  timeline.chunk(piece(5));
  now.ms += 200;
  timeline.setPaused(true);
  timeline.interrupt('microphone-lost');
  timeline.chunk(last(200));
  now.ms += 1000;
  expect((await timeline.finish()).gap).toEqual({ cause: 'microphone-lost', durationMs: 0 });
});

test('continues a recovered take after a gap for the time without recording', async () => {
  const { timeline, steps, speak } = timelineOf();
  const { port, source } = microphone('first');
  timeline.resumeAfter(60_000, source);
  speak(300);
  speak(400, port);
  await timeline.finish();
  expect(steps).toEqual(['continued', 'begin first after page-killed 60300', 'sound 400']);
});

test('continues a take that was recovered while paused without a gap', async () => {
  const { timeline, steps, speak } = timelineOf();
  const { port, source } = microphone('first');
  timeline.resumeAfter(null, source);
  speak(400, port);
  await timeline.finish();
  expect(steps).toEqual(['continued', 'begin first', 'sound 400']);
});

test('reports a second without a block as a stall once, but not during a pause or a gap', () => {
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

test('starts the segment of a MediaRecorder with its first piece, and ends it with its last one', async () => {
  const { timeline, steps, speak } = timelineOf();
  const [first, second] = [microphone('first'), recorder()];
  timeline.start(first.source);
  speak(1000, first.port);
  timeline.continueWith(second.source, 'unknown');
  speak(240);
  timeline.chunk(second.piece(5));
  speak(240);
  timeline.interrupt('microphone-lost');
  timeline.chunk(second.last(1480));
  await timeline.finish();
  expect(steps).toEqual(['sound 1000', 'continued', 'begin recorder 1', 'chunk 5', 'chunk 0 last', 'cut']);
});

test('continues with a recorder only once its file has sound, and keeps the header that came before', async () => {
  const { timeline, steps, speak, now } = timelineOf();
  const [first, second] = [microphone('first'), recorder()];
  timeline.start(first.source);
  speak(1000, first.port);
  timeline.interrupt('microphone-lost');
  timeline.continueWith(second.source, 'unknown');
  now.ms += 2000;
  timeline.chunk(second.header);
  expect(steps).toEqual(['sound 1000', 'cut']);
  expect(timeline.isInterrupted).toBe(true);
  timeline.chunk(second.piece(9000));
  expect(timeline.isInterrupted).toBe(false);
  await timeline.finish();
  expect(steps.slice(2, 6)).toEqual(['continued', 'begin recorder 1', 'chunk 5', 'chunk 9000']);
});

test('names all the time of a recorder that wrote a header and no sound', async () => {
  const { timeline, now } = timelineOf();
  const { source, header, last } = recorder();
  timeline.start(source);
  timeline.chunk(header);
  now.ms += 4000;
  timeline.interrupt('interrupted');
  timeline.chunk(last(4000));
  now.ms += 1000;
  expect((await timeline.finish()).gap).toEqual({ cause: 'interrupted', durationMs: 5000 });
});

test('continues in PCM where the file of the recorder ends: sound waits for its last piece, and none is repeated', async () => {
  const { first, second, timeline, steps, speak } = recorderThenPcm();
  timeline.continueWith(second.source, 'interrupted');
  speak(400, second.port);
  // The page stopped the recorder at 760 ms; its last pieces arrive 140 ms later.
  timeline.chunk(first.piece(3));
  timeline.chunk(first.last(760));
  speak(100, second.port);
  await timeline.finish();
  expect(steps).toEqual(['chunk 5', 'continued', 'chunk 3', 'chunk 0 last', 'begin second', 'sound 240']);
});

test('names what is missing between the end of the file and the first PCM from 20 ms on', async () => {
  for (const [endedAtMs, step] of [
    [490, 'begin second'],
    [440, 'begin second after interrupted 60'],
  ] as const) {
    const { first, second, timeline, steps, speak } = recorderThenPcm();
    timeline.continueWith(second.source, 'interrupted');
    speak(200, second.port);
    timeline.chunk(first.last(endedAtMs));
    speak(100, second.port);
    await timeline.finish();
    expect(steps.slice(-2)).toEqual([step, 'sound 300']);
  }
});

test('counts no pause as missing when PCM arrives during it', async () => {
  const { first, second, timeline, steps, speak } = recorderThenPcm();
  timeline.setPaused(true);
  timeline.continueWith(second.source, 'interrupted');
  speak(1000, second.port);
  timeline.chunk(first.last(500));
  speak(1000, second.port);
  timeline.setPaused(false);
  speak(200, second.port);
  await timeline.finish();
  expect(steps).toEqual([
    'chunk 5',
    'pause',
    'continued',
    'chunk 0 last',
    'resume',
    'begin second',
    'sound 200',
  ]);
});

test('applies a pause at its own time if it starts while the last piece is on its way', async () => {
  const { first, second, timeline, steps, speak } = recorderThenPcm();
  timeline.continueWith(second.source, 'interrupted');
  speak(200, second.port);
  timeline.setPaused(true);
  speak(100, second.port);
  timeline.chunk(first.last(600));
  speak(100, second.port);
  timeline.setPaused(false);
  speak(60, second.port);
  await timeline.finish();
  expect(steps).toEqual([
    'chunk 5',
    'continued',
    'chunk 0 last',
    'begin second',
    'sound 100',
    'pause',
    'resume',
    'sound 60',
  ]);
});

test('waits at Stop for the last piece of a recorder, then records the PCM after it', async () => {
  const { first, second, timeline, steps, speak } = recorderThenPcm();
  timeline.continueWith(second.source, 'interrupted');
  speak(200, second.port);
  const finishing = timeline.finish();
  timeline.chunk(first.last(600));
  expect((await finishing).gap).toBe(null);
  expect(steps).toEqual(['chunk 5', 'continued', 'chunk 0 last', 'begin second', 'sound 100']);
});

test('loses neither piece nor PCM when the microphone is lost while the last piece is on its way', async () => {
  const { timeline, steps, speak, now } = timelineOf();
  const [first, second, third] = [recorder(), microphone('second'), microphone('third')];
  timeline.start(first.source);
  now.ms += 500;
  timeline.chunk(first.piece(5));
  timeline.continueWith(second.source, 'interrupted');
  speak(200, second.port);
  timeline.interrupt('microphone-lost');
  timeline.continueWith(third.source, 'microphone-lost');
  speak(300);
  timeline.chunk(first.last(600));
  speak(200, third.port);
  await timeline.finish();
  expect(steps).toEqual([
    'chunk 5',
    'continued',
    'chunk 0 last',
    'begin second',
    'sound 100',
    'cut',
    'continued',
    'begin third after microphone-lost 300',
    'sound 200',
  ]);
});

test('returns to the recorder and back to PCM, and ignores pieces of a recorder that was given up', async () => {
  const { timeline, steps, speak, now } = timelineOf();
  const [first, second, third] = [microphone('first'), recorder(1), recorder(2)];
  timeline.start(first.source);
  speak(1000, first.port);
  timeline.continueWith(second.source, 'interrupted');
  timeline.continueWith(third.source, 'interrupted');
  now.ms += 250;
  timeline.chunk(second.piece(9));
  timeline.chunk(third.piece(4));
  const fourth = microphone('fourth');
  timeline.continueWith(fourth.source, 'interrupted');
  speak(300, fourth.port);
  timeline.chunk(third.last(1405));
  timeline.chunk(third.piece(9));
  await timeline.finish();
  expect(steps).toEqual([
    'sound 1000',
    'continued',
    'begin recorder 2',
    'chunk 4',
    'continued',
    'chunk 0 last',
    'begin fourth',
    'sound 145',
  ]);
});

test('continues after five seconds if the last piece of a recorder never arrives', async () => {
  vi.useFakeTimers();
  try {
    const { first, second, timeline, steps, speak } = recorderThenPcm();
    timeline.continueWith(second.source, 'interrupted');
    speak(200, second.port);
    await vi.advanceTimersByTimeAsync(5000);
    timeline.chunk(first.piece(5));
    speak(100, second.port);
    await timeline.finish();
    expect(steps).toEqual(['chunk 5', 'continued', 'begin second', 'sound 300']);
  } finally {
    vi.useRealTimers();
  }
});

test('names zeros in the place of lost sound only in a browser that puts them there', async () => {
  const stepsOf = async (fillsLossWithZeros: boolean) => {
    const { port, timeline, steps, speak } = oneMicrophone(fillsLossWithZeros);
    port.sample = 0;
    speak(40, port);
    port.sample = 0.1;
    speak(960, port);
    await timeline.finish();
    return steps;
  };
  expect(await stepsOf(true)).toEqual(['sound 1060', 'filled 20 ago after browser-busy 40', 'sound 940']);
  expect(await stepsOf(false)).toEqual(['sound 2000']);
});

test('does not join the silence before and after a pause', async () => {
  const { port, timeline, steps, speak } = oneMicrophone(true);
  port.sample = 0;
  speak(20, port);
  timeline.setPaused(true);
  speak(500, port);
  timeline.setPaused(false);
  speak(20, port);
  port.sample = 0.1;
  speak(960, port);
  await timeline.finish();
  expect(steps.filter((step) => step.startsWith('filled'))).toEqual([]);
});
