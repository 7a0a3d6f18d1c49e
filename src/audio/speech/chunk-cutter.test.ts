import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ChunkCutter, type CutChunk, maxChunkMs } from './chunk-cutter.ts';
import { samplesPerMs, speechRateHz } from './point-levels.ts';

interface Part {
  /** Speech is found in it, or it is only loud. */
  kind: 'speech' | 'loud' | 'quiet';
  ms: number;
}

/** Speech of a steady level, with its spans as a detector finds them. */
function soundOf(parts: readonly Part[]) {
  const total = parts.reduce((sum, { ms }) => sum + ms, 0);
  const samples = new Float32Array(total * samplesPerMs);
  const speech: { from: number; to: number }[] = [];
  let at = 0;
  for (const { kind, ms } of parts) {
    const to = at + ms * samplesPerMs;
    if (kind !== 'quiet') samples.fill(0.1, at, to);
    if (kind === 'speech') speech.push({ from: at, to });
    at = to;
  }
  return { samples, speech, totalMs: total };
}

/** Cuts as a process does: sound second by second, and speech a quarter of a second after its end. */
function cut(
  parts: readonly Part[],
  { fromMs = 0, cutsMs = [] }: { fromMs?: number; cutsMs?: readonly number[] } = {},
): { kind: string; fromMs: number; toMs: number; chunk: CutChunk }[] {
  const { samples, speech, totalMs } = soundOf(parts);
  const firstSample = Math.max(0, fromMs - 2000) * samplesPerMs;
  const cutter = new ChunkCutter({
    firstSample,
    from: fromMs * samplesPerMs,
    to: totalMs * samplesPerMs,
    cuts: cutsMs.map((ms) => ms * samplesPerMs),
  });
  const chunks: CutChunk[] = [];
  const take = (): void => {
    for (let chunk = cutter.next(); chunk !== null; chunk = cutter.next()) chunks.push(chunk);
  };
  const waiting = speech
    .map(({ from, to }) => ({ from: Math.max(from, firstSample), to }))
    .filter(({ from, to }) => to > from);
  for (let at = firstSample; at < samples.length; at += speechRateHz) {
    const end = Math.min(samples.length, at + speechRateHz);
    cutter.push(samples.subarray(at, end));
    const known = end - speechRateHz / 4;
    while (waiting[0] !== undefined && waiting[0].to <= known)
      cutter.addSpeech(waiting.shift() ?? { from: 0, to: 0 });
    cutter.setOpenSpeech(waiting[0] !== undefined && waiting[0].from <= known ? waiting[0].from : null);
    take();
  }
  for (const span of waiting) cutter.addSpeech(span);
  cutter.end();
  take();
  return chunks.map((chunk) => ({
    kind: chunk.kind,
    fromMs: chunk.from / samplesPerMs,
    toMs: chunk.to / samplesPerMs,
    chunk,
  }));
}

const spans = (chunks: ReturnType<typeof cut>): [string, number, number][] =>
  chunks.map(({ kind, fromMs, toMs }) => [kind, fromMs, toMs]);

test('speech less than four seconds apart is heard together, with a little sound around it', () => {
  expect(
    spans(
      cut([
        { kind: 'quiet', ms: 5000 },
        { kind: 'speech', ms: 2000 },
        { kind: 'quiet', ms: 3000 },
        { kind: 'speech', ms: 2000 },
        { kind: 'quiet', ms: 5000 },
        { kind: 'speech', ms: 1000 },
        { kind: 'quiet', ms: 1000 },
      ]),
    ),
  ).toEqual([
    ['speech', 4800, 12_200],
    ['speech', 16_800, 18_200],
  ]);
});

test('a long speech is cut at its last pause, and without a pause at the quietest point', () => {
  expect(
    spans(
      cut([
        { kind: 'speech', ms: 15_000 },
        { kind: 'quiet', ms: 500 },
        { kind: 'speech', ms: 5000 },
        { kind: 'quiet', ms: 500 },
        { kind: 'speech', ms: 20_000 },
      ]),
    ),
  ).toEqual([
    ['speech', 0, 20_700],
    ['speech', 20_800, 41_000],
  ]);
  const [first, second] = cut([{ kind: 'speech', ms: 40_000 }]);
  expect(first?.toMs).toBeGreaterThan(24_000);
  expect(first?.toMs).toBeLessThanOrEqual(maxChunkMs);
  expect(second).toMatchObject({ fromMs: first?.toMs, toMs: 40_000 });
});

test('no chunk crosses a cut', () => {
  expect(spans(cut([{ kind: 'speech', ms: 10_000 }], { cutsMs: [3000, 3080, 7000] }))).toEqual([
    ['speech', 0, 3000],
    ['speech', 3080, 7000],
    ['speech', 7000, 10_000],
  ]);
});

test('reports loud sound of two seconds or more without speech', () => {
  expect(
    spans(
      cut([
        { kind: 'loud', ms: 1500 },
        { kind: 'quiet', ms: 3000 },
        { kind: 'loud', ms: 2500 },
        { kind: 'quiet', ms: 5000 },
        { kind: 'speech', ms: 1000 },
        { kind: 'quiet', ms: 8000 },
        { kind: 'loud', ms: 30_000 },
      ]),
    ),
  ).toEqual([
    ['noise', 4500, 7000],
    ['speech', 11_800, 13_200],
    ['noise', 21_000, 49_000],
    ['noise', 49_000, 51_000],
  ]);
});

test('reports how far it is in a long silence', () => {
  const chunks = cut([{ kind: 'quiet', ms: 700_000 }]);
  expect(chunks.map(({ kind }) => kind)).toEqual(['silence', 'silence']);
  expect(chunks[0]?.toMs).toBeGreaterThanOrEqual(300_000);
});

const partsArbitrary = fc.array(
  fc.record({
    kind: fc.constantFrom<Part['kind']>('speech', 'loud', 'quiet'),
    ms: fc.integer({ min: 300, max: 35_000 }),
  }),
  { minLength: 1, maxLength: 8 },
);

test('chunks are in order, not too long, and contain all speech', () => {
  fc.assert(
    fc.property(partsArbitrary, fc.array(fc.nat({ max: 60_000 }), { maxLength: 3 }), (parts, cutsMs) => {
      const chunks = cut(parts, { cutsMs });
      let doneMs = 0;
      for (const { kind, fromMs, toMs, chunk } of chunks) {
        expect(fromMs).toBeGreaterThanOrEqual(doneMs);
        expect(toMs).toBeGreaterThan(fromMs);
        expect(toMs - fromMs).toBeLessThanOrEqual(maxChunkMs);
        for (const cutMs of cutsMs) expect(fromMs < cutMs && cutMs < toMs).toBe(false);
        expect(chunk.samples.length).toBe(kind === 'speech' ? (toMs - fromMs) * samplesPerMs : 0);
        doneMs = toMs;
      }
      const heard = chunks.filter(({ kind }) => kind === 'speech');
      for (const span of soundOf(parts).speech) {
        const [from, to] = [span.from / samplesPerMs, span.to / samplesPerMs];
        const heardMs = heard.reduce(
          (sum, { fromMs, toMs }) => sum + Math.max(0, Math.min(to, toMs) - Math.max(from, fromMs)),
          0,
        );
        // Chunks below a tenth of a second are dropped, between cuts.
        expect(to - from - heardMs).toBeLessThanOrEqual(100 * cutsMs.length);
      }
    }),
    { numRuns: 20 },
  );
});

test('continues after any chunk as if it had not stopped', () => {
  fc.assert(
    fc.property(partsArbitrary, fc.nat(), (parts, choice) => {
      const whole = cut(parts);
      const last = whole[choice % Math.max(1, whole.length)];
      if (last === undefined) return;
      const rest = whole.slice(whole.indexOf(last) + 1);
      expect(spans(cut(parts, { fromMs: last.toMs }))).toEqual(spans(rest));
    }),
    { numRuns: 20 },
  );
});
