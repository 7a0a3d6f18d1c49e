import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeAudio } from '#playback/player.suite.ts';
import type { AudioFormat } from './audio-format.ts';
import { Playback, type AfterRejection } from './playback.ts';

const sectionMs = 3_600_000;

/** How many seconds of audio a URL has, of a recording of this length. */
function secondsOf(url: string, durationMs: number): number {
  const query = new URL(url, 'https://example.org').searchParams;
  const endMs = Number(query.get('until') ?? durationMs);
  const startMs = Number(query.get('section')) * sectionMs;
  return Math.min(endMs - startMs, query.has('section') ? sectionMs : Infinity) / 1000;
}

/** An audio element whose network and clock the test drives. */
class LinkAudio extends FakeAudio {
  readonly #durationMs: () => number;

  constructor(durationMs: () => number) {
    super();
    this.#durationMs = durationMs;
  }

  /** The audio arrives. */
  arrive(): void {
    this.ready(secondsOf(this.src, this.#durationMs()));
    if (!this.paused) this.dispatchEvent(new Event('playing'));
  }

  playTo(atMs: number): void {
    this.runTo(atMs / 1000);
  }

  /** Plays to the end, at which the browser reports this position. */
  end(atMs: number): void {
    this.duration = atMs / 1000;
    this.runTo(this.duration);
  }
}

/** Lets everything happen that waits for nothing. */
const settled = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

interface Options {
  formats?: AudioFormat[];
  isSlowLine?: boolean;
  isCounted?: boolean;
  isGrowing?: boolean;
  durationMs?: number;
  /** The answers to the starts of a listen, in turn; then none is started. */
  mayListen?: boolean[];
  after?: AfterRejection;
  nowMs?: () => number;
}

function made({
  formats = ['ogg', 'm4a'],
  isSlowLine = false,
  isCounted = false,
  isGrowing = false,
  durationMs = 60_000,
  mayListen = [true],
  after = 'again',
  nowMs,
}: Options = {}) {
  const lengthMs = (): number => playback.durationMs;
  const [audio, spare] = [new LinkAudio(lengthMs), new LinkAudio(lengthMs)];
  const elements = [audio, spare];
  const frames = new Array<() => void>();
  const answer = { after };
  const seen = new Array<boolean>();
  const calls = { listens: 0, wholes: 0, rejections: 0, formats: new Array<AudioFormat | null>() };
  const playback: Playback = new Playback(
    {
      createElement: () => elements.shift() ?? new FakeAudio(),
      requestFrame: (callback) => frames.push(callback),
      linkPath: '/s/x',
      title: 'Interview',
      formats,
      sectionMs,
      isSlowLine: () => isSlowLine,
      isCounted,
      startListen: async () => {
        calls.listens += 1;
        return mayListen[calls.listens - 1] ?? false;
      },
      nowMs: nowMs ?? (() => audio.playedMs + spare.playedMs),
      onWhole: () => {
        calls.wholes += 1;
      },
      onRejected: async (format) => {
        calls.formats.push(format);
        calls.rejections += 1;
        return answer.after;
      },
      onChange: () => {
        seen.push(playback.isRunning);
      },
    },
    { durationMs, isGrowing },
  );
  const pass = () => frames.splice(0).forEach((callback) => callback());
  return { audio, spare, playback, calls, pass, answer, seen };
}

/** The audio is rejected while it plays its fifth second. */
async function failedAt(options: Options) {
  const tools = made({ after: 'failed', ...options });
  tools.playback.play();
  await settled();
  tools.audio.arrive();
  tools.audio.playTo(5000);
  tools.audio.breakOff(2);
  await settled();
  return tools;
}

test('loads the audio before the press, and starts at the moment of the address', () => {
  const { audio, playback } = made();
  playback.seek(20_000);
  playback.prepare();
  audio.arrive();
  expect(audio.requests).toEqual(['/s/x/audio']);
  expect(audio.currentTime).toBe(20);
  playback.play();
  expect(audio.paused).toBe(false);
  expect(audio.requests).toHaveLength(1);
});

test('counts one listen, however often playback is paused', async () => {
  const { playback, calls } = made();
  playback.play();
  playback.pause();
  playback.play();
  await settled();
  expect(calls.listens).toBe(1);
});

test('loads nothing of a limited link before a press has started a listen', async () => {
  const { audio, playback, calls } = made({ isCounted: true });
  playback.prepare();
  expect(audio.requests).toEqual([]);
  playback.play();
  playback.toggle();
  playback.toggle();
  await settled();
  expect(calls.listens).toBe(1);
  expect(audio.requests).toEqual(['/s/x/audio']);
});

test('starts a rejected listen exactly once more, and fails without a request for the audio', async () => {
  const { audio, playback, calls } = made({ isCounted: true, mayListen: [] });
  playback.play();
  await settled();
  expect(playback.isFailed).toBe(true);
  expect(calls).toMatchObject({ listens: 2, rejections: 1 });
  expect(audio.requests).toEqual([]);
});

test('plays a limited link whose listen was started after its password', async () => {
  const { audio, playback, calls } = made({ isCounted: true, mayListen: [false, true] });
  playback.play();
  await settled();
  expect(playback.isFailed).toBe(false);
  expect(calls).toMatchObject({ listens: 2, rejections: 1 });
  expect(audio.requests).toEqual(['/s/x/audio']);
});

test('starts no listen again if the link cannot be opened', async () => {
  const { playback, calls } = made({ isCounted: true, mayListen: [], after: 'failed' });
  playback.play();
  await settled();
  expect(playback.isFailed).toBe(true);
  expect(calls).toMatchObject({ listens: 1, rejections: 1 });
});

test('sends a rejected request exactly once more, at the same moment', async () => {
  const { audio, playback, calls } = made();
  playback.play();
  audio.arrive();
  audio.currentTime = 30;
  audio.breakOff(2);
  await settled();
  expect(audio.requests).toHaveLength(2);
  audio.breakOff(2);
  await settled();
  expect(audio.requests).toHaveLength(2);
  expect(calls.rejections).toBe(2);
  expect(playback.isFailed).toBe(true);
  playback.play();
  audio.arrive();
  expect(audio.requests).toHaveLength(3);
  expect(playback.positionMs).toBe(30_000);
});

test('a request that succeeded after a rejection may be rejected and sent again later', async () => {
  const { audio, playback } = made();
  playback.play();
  audio.breakOff(4);
  await settled();
  audio.arrive();
  audio.playTo(11_000);
  audio.breakOff(2);
  await settled();
  expect(audio.requests).toHaveLength(3);
  expect(playback.isFailed).toBe(false);
});

test('audio that fails again soon after it has played is not requested a third time', async () => {
  const { audio, playback } = made();
  playback.play();
  for (let attempt = 0; attempt < 5; attempt += 1) {
    audio.arrive();
    audio.playTo(30_000 + attempt);
    audio.breakOff(3);
    await settled();
  }
  expect([audio.requests.length, playback.isFailed]).toEqual([2, true]);
});

test('sends nothing more if the link cannot be opened', async () => {
  const { audio, playback } = made({ after: 'failed' });
  playback.play();
  audio.breakOff(4);
  await settled();
  expect(audio.requests).toHaveLength(1);
  expect(playback.isFailed).toBe(true);
});

test('falls back to M4A in a browser that does not play the Ogg file it said it could', async () => {
  const { audio, playback } = made();
  playback.play();
  audio.breakOff(4);
  await settled();
  audio.breakOff(4);
  await settled();
  expect(audio.requests).toEqual(['/s/x/audio', '/s/x/audio', '/s/x/audio?format=m4a']);
});

test('M4A that is not ready at first is requested again, and again after it broke off', async () => {
  const { audio, playback, calls } = made();
  playback.play();
  for (const code of [4, 4, 4]) {
    audio.breakOff(code);
    await settled();
  }
  expect(audio.requests.slice(2)).toEqual(['/s/x/audio?format=m4a', '/s/x/audio?format=m4a']);
  expect(calls.formats).toEqual(['ogg', 'ogg', 'm4a']);
  audio.arrive();
  expect(playback.isFailed).toBe(false);
});

test('is unplayable once M4A cannot be made', async () => {
  const { audio, playback } = made({ formats: ['m4a'], after: 'unplayable' });
  playback.play();
  audio.breakOff(4);
  await settled();
  expect([playback.isUnplayable, playback.isRunning]).toEqual([true, false]);
});

test('plays nothing in a browser that knows none of the formats', () => {
  const { audio, playback } = made({ formats: [] });
  playback.prepare();
  playback.play();
  expect([playback.isUnplayable, playback.isRunning, audio.requests]).toEqual([true, false, []]);
});

test('reports a listen that reached the end, and starts again at the beginning', () => {
  const { audio, playback, calls } = made();
  playback.play();
  audio.arrive();
  audio.end(60_000);
  expect([playback.isRunning, calls.wholes]).toEqual([false, 1]);
  playback.play();
  expect(audio.currentTime).toBe(0);
});

test('a growing recording continues with what has arrived since it was loaded', () => {
  const { audio, playback, calls } = made({ isGrowing: true });
  playback.play();
  audio.arrive();
  playback.grow({ durationMs: 65_000, isGrowing: true });
  audio.end(60_000);
  expect(audio.requests).toEqual(['/s/x/audio?until=60000', '/s/x/audio?until=65000']);
  audio.arrive();
  expect(playback.positionMs).toBe(60_000);
  expect(calls.wholes).toBe(0);
});

test('waits at the end of a growing recording, and continues when enough has arrived', () => {
  const { audio, playback } = made({ isGrowing: true });
  playback.play();
  audio.arrive();
  audio.end(60_000);
  expect(audio.requests).toHaveLength(1);
  playback.grow({ durationMs: 61_000, isGrowing: true });
  expect(audio.requests).toHaveLength(1);
  playback.grow({ durationMs: 63_000, isGrowing: true });
  expect(audio.requests).toHaveLength(2);
  expect(playback.isRunning).toBe(true);
});

test('a recording that became complete while playback waited plays its rest and ends', () => {
  const { audio, playback, calls } = made({ isGrowing: true });
  playback.play();
  audio.arrive();
  audio.end(60_000);
  playback.grow({ durationMs: 60_500, isGrowing: false });
  expect(audio.requests).toEqual(['/s/x/audio?until=60000', '/s/x/audio']);
  audio.arrive();
  audio.end(60_500);
  expect([playback.isRunning, calls.wholes]).toEqual([false, 1]);
});

test('a jump beyond what was loaded of a growing recording loads it again', () => {
  const { audio, playback } = made({ isGrowing: true });
  playback.play();
  audio.arrive();
  playback.grow({ durationMs: 90_000, isGrowing: true });
  playback.seek(82_000);
  expect(audio.requests).toEqual(['/s/x/audio?until=60000', '/s/x/audio?until=90000']);
  audio.arrive();
  expect(playback.positionMs).toBe(82_000);
});

test('two elements play a growing recording in turn: each loads while the other one plays', () => {
  const { audio, spare, playback } = made({ isGrowing: true });
  playback.play();
  audio.arrive();
  playback.grow({ durationMs: 68_000, isGrowing: true });
  audio.playTo(50_000);
  expect(spare.requests).toEqual([]);
  audio.playTo(57_000);
  audio.playTo(58_000);
  expect(spare.requests).toEqual(['/s/x/audio?until=68000']);
  spare.arrive();
  expect([spare.currentTime, spare.paused]).toEqual([60, true]);
  audio.end(60_000);
  expect([spare.paused, audio.requests.length]).toEqual([false, 1]);
  playback.grow({ durationMs: 76_000, isGrowing: true });
  spare.playTo(65_000);
  expect(audio.requests).toEqual(['/s/x/audio?until=60000', '/s/x/audio?until=76000']);
  playback.pause();
  expect(spare.paused).toBe(true);
  expect(playback.positionMs).toBe(65_000);
});

test.for([true, false])('a change of the element is never told as a pause, loaded before: %s', (isLoaded) => {
  const { audio, spare, playback, seen } = made({ isGrowing: true });
  playback.play();
  audio.arrive();
  playback.grow({ durationMs: 68_000, isGrowing: true });
  audio.playTo(58_000);
  if (isLoaded) spare.arrive();
  seen.length = 0;
  audio.end(60_000);
  if (!isLoaded) spare.arrive();
  spare.playTo(61_000);
  expect([spare.paused, new Set(seen)]).toEqual([false, new Set([true])]);
});

test('a jump drops what the other element has loaded', () => {
  const { audio, spare, playback } = made({ isGrowing: true });
  playback.play();
  audio.arrive();
  playback.grow({ durationMs: 68_000, isGrowing: true });
  audio.playTo(58_000);
  spare.arrive();
  playback.seek(10_000);
  audio.end(60_000);
  expect(spare.paused).toBe(true);
  expect(audio.requests).toEqual(['/s/x/audio?until=60000', '/s/x/audio?until=68000']);
});

const long = { durationMs: 2.5 * sectionMs };

test('a long recording is played in sections, each loaded while the one before it ends', () => {
  const { audio, spare, playback, calls } = made(long);
  playback.play();
  audio.arrive();
  audio.playTo(sectionMs - 3000);
  expect([audio.requests, spare.requests]).toEqual([['/s/x/audio?section=0'], ['/s/x/audio?section=1']]);
  spare.arrive();
  // Browsers round the length of a stream.
  audio.end(sectionMs - 7);
  expect([spare.paused, playback.positionMs, calls.wholes]).toEqual([false, sectionMs, 0]);
  spare.end(sectionMs);
  expect(spare.requests.at(-1)).toBe('/s/x/audio?section=2');
  spare.arrive();
  spare.end(sectionMs / 2);
  expect([playback.isRunning, calls.wholes]).toEqual([false, 1]);
});

test('a jump goes to the section of the moment, and stays in the one that is loaded', () => {
  const { audio, playback } = made(long);
  playback.seek(sectionMs + 20_000);
  playback.prepare();
  audio.arrive();
  expect([audio.requests, audio.currentTime]).toEqual([['/s/x/audio?section=1'], 20]);
  playback.seek(2 * sectionMs - 1000);
  expect(audio.requests).toHaveLength(1);
  for (const toMs of [2 * sectionMs, 0, 2.5 * sectionMs]) {
    playback.seek(toMs);
    audio.arrive();
    expect(playback.positionMs).toBe(toMs);
  }
  expect(audio.requests.slice(1)).toEqual([
    '/s/x/audio?section=2',
    '/s/x/audio?section=0',
    '/s/x/audio?section=2',
  ]);
});

test('M4A of any length is one file', () => {
  const { audio, playback } = made({ ...long, formats: ['m4a'] });
  playback.seek(2 * sectionMs);
  playback.prepare();
  audio.arrive();
  expect([audio.requests, audio.currentTime]).toEqual([['/s/x/audio?format=m4a'], 7200]);
});

test('a growing recording continues in its next section, and while that is shorter than a second not yet', () => {
  const { audio, playback } = made({ isGrowing: true, durationMs: sectionMs });
  playback.play();
  audio.arrive();
  audio.end(sectionMs - 7);
  playback.grow({ durationMs: sectionMs + 900, isGrowing: true });
  expect(audio.requests).toEqual([`/s/x/audio?until=${sectionMs}`]);
  playback.grow({ durationMs: sectionMs + 4000, isGrowing: true });
  expect(audio.requests.at(-1)).toBe(`/s/x/audio?section=1&until=${sectionMs + 4000}`);
  audio.arrive();
  expect(playback.positionMs).toBe(sectionMs);
});

test('on a slow line an early press plays the first seconds while the whole is loaded', () => {
  const { audio, spare, playback } = made({ isSlowLine: true });
  playback.prepare();
  playback.play();
  audio.arrive();
  expect(audio.requests).toEqual(['/s/x/audio', '/s/x/audio?until=3250']);
  expect(spare.requests).toEqual(['/s/x/audio']);
  spare.arrive();
  expect(spare.currentTime).toBe(3.25);
  audio.end(3250);
  expect(spare.paused).toBe(false);
  spare.playTo(5000);
  expect(playback.positionMs).toBe(5000);
  playback.seek(50_000);
  expect([spare.currentTime, spare.requests.length]).toEqual([50, 1]);
});

test('at the end of the first seconds playback waits for the whole, and requests it only once', () => {
  const { audio, spare, playback } = made({ isSlowLine: true });
  playback.prepare();
  playback.play();
  audio.arrive();
  audio.end(3250);
  expect([playback.positionMs, playback.isWaiting]).toEqual([3250, true]);
  spare.arrive();
  expect([spare.currentTime, spare.paused, playback.isWaiting]).toEqual([3.25, false, false]);
  expect([audio.requests, spare.requests]).toEqual([['/s/x/audio', '/s/x/audio?until=3250'], ['/s/x/audio']]);
});

test('a press after a pause requests the first seconds only once, though they have not arrived', () => {
  const { audio, playback } = made({ isSlowLine: true });
  playback.prepare();
  playback.play();
  playback.pause();
  playback.play();
  expect(audio.requests).toEqual(['/s/x/audio', '/s/x/audio?until=3250']);
  audio.arrive();
  expect(audio.paused).toBe(false);
});

test('a seek while the first seconds play continues with the whole that is already being loaded', () => {
  const { audio, spare, playback } = made({ isSlowLine: true });
  playback.prepare();
  playback.play();
  audio.arrive();
  playback.seek(1000);
  audio.playTo(1200);
  expect(spare.requests).toEqual(['/s/x/audio']);
  playback.seek(40_000);
  expect([playback.positionMs, audio.paused, spare.paused]).toEqual([40_000, true, false]);
  spare.arrive();
  expect([spare.currentTime, audio.requests, spare.requests]).toEqual([
    40,
    ['/s/x/audio', '/s/x/audio?until=3250'],
    ['/s/x/audio'],
  ]);
});

test('a seek while a pause interrupts the first seconds does not start playback', () => {
  const { audio, spare, playback } = made({ isSlowLine: true });
  playback.prepare();
  playback.play();
  audio.arrive();
  playback.pause();
  playback.seek(40_000);
  spare.arrive();
  expect([playback.positionMs, audio.paused, spare.paused]).toEqual([40_000, true, true]);
  playback.play();
  expect([spare.paused, spare.requests]).toEqual([false, ['/s/x/audio']]);
});

type Press = [string, Options & { arrives?: boolean; atMs?: number }];

test.for<Press>([
  ['a later press', { arrives: true }],
  ['a start in the middle', { atMs: 20_000 }],
  ['a short recording', { durationMs: 6000 }],
  ['a growing recording', { isGrowing: true }],
  ['M4A', { formats: ['m4a'] }],
])('on a slow line %s plays the whole', ([, { arrives = false, atMs = 0, ...options }]) => {
  const { audio, playback } = made({ isSlowLine: true, ...options });
  playback.seek(atMs);
  playback.prepare();
  if (arrives) audio.arrive();
  playback.play();
  expect(audio.requests).toHaveLength(1);
});

test('waits after a second without progress, also if the element reports nothing', () => {
  let nowMs = 0;
  const { audio, playback, pass } = made({ nowMs: () => nowMs });
  playback.play();
  audio.arrive();
  audio.playTo(5000);
  nowMs = 900;
  pass();
  expect(playback.isWaiting).toBe(false);
  nowMs = 1100;
  pass();
  expect(playback.isWaiting).toBe(true);
  audio.playTo(5200);
  expect(playback.isWaiting).toBe(false);
  playback.pause();
  nowMs = 9000;
  pass();
  playback.play();
  expect(playback.isWaiting).toBe(false);
});

test('resumes at the same moment when the server responds again, unless it was paused', async () => {
  for (const isPaused of [false, true]) {
    const { audio, playback, answer } = await failedAt({});
    expect([playback.isRunning, playback.isWaiting, playback.isResuming]).toEqual([true, false, true]);
    if (isPaused) playback.toggle();
    answer.after = 'again';
    playback.nudge();
    await settled();
    audio.arrive();
    expect([playback.isFailed, audio.paused, audio.currentTime]).toEqual([false, isPaused, 5]);
  }
});

test('resumes without a message of the server, because the connection may have lasted', async () => {
  const { audio, playback, answer } = await failedAt({});
  answer.after = 'again';
  await vi.advanceTimersByTimeAsync(60_000);
  audio.arrive();
  expect([playback.isFailed, audio.paused, audio.currentTime]).toEqual([false, false, 5]);
});

test.for<[string, Options]>([
  ['listens are counted, because another one is the choice of the user', { isCounted: true }],
  ['no format can be played', { after: 'unplayable' }],
])('does not resume if %s', async ([, options]) => {
  const { audio, playback, answer } = await failedAt(options);
  expect([playback.isFailed, playback.isResuming, playback.isRunning]).toEqual([true, false, false]);
  const { length } = audio.requests;
  answer.after = 'again';
  playback.nudge();
  await settled();
  expect(audio.requests).toHaveLength(length);
});

test('nothing is heard from before the place at which playback starts', () => {
  const { playback, audio } = made();
  playback.seek(20_000);
  playback.play();
  expect([audio.paused, audio.muted, audio.currentTime]).toEqual([false, true, 0]);
  audio.seeking = true;
  audio.arrive();
  expect([audio.muted, audio.currentTime]).toEqual([true, 20]);
  audio.seeking = false;
  audio.dispatchEvent(new Event('seeked'));
  expect(audio.muted).toBe(false);
});

test('a place that is chosen while the audio loads is taken once it has loaded', () => {
  const { playback, audio } = made();
  playback.play();
  expect(audio.muted).toBe(false);
  playback.seek(30_000);
  expect([audio.muted, audio.currentTime]).toEqual([true, 0]);
  audio.arrive();
  expect([audio.muted, audio.currentTime]).toEqual([false, 30]);
});

test('audio from its start is heard at once', () => {
  const { playback, audio } = made();
  playback.play();
  audio.arrive();
  playback.seek(10_000);
  expect([audio.muted, audio.currentTime]).toEqual([false, 10]);
});
