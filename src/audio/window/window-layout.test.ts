import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readSegmentFacts } from '#audio/ogg/joined-facts.ts';
import { rangeOf as joinedRangeOf } from '#audio/ogg/joined.suite.ts';
import type { TimeWindow } from '#audio/ogg/cut-segment.ts';
import { layOut } from '#audio/ogg/joined-layout.ts';
import { openPart, type OpenPart } from './inside-windows.ts';
import {
  continuedArbitrary,
  type Cut,
  cutOf,
  fileOf,
  importsArbitrary,
  isSilence,
  type MadeFile,
  type MadeSegment,
  rangeOfWindow,
  readStream,
  samplesPerMs,
  shareArbitrary,
  soundEndMs,
  takesArbitrary,
} from './window.suite.ts';

const rangesPerWindow = 50;
const windowsPerKind = 50;

const rangesArbitrary = fc.array(fc.tuple(shareArbitrary, shareArbitrary), {
  minLength: rangesPerWindow,
  maxLength: rangesPerWindow,
});

const windowArbitrary = fc.record({
  from: shareArbitrary,
  length: shareArbitrary,
  ranges: rangesArbitrary,
});

const keyOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

interface Expected {
  key: string;
  /** Samples after the start of the window. */
  startsAt: number;
}

/** The packets that are wholly inside a window. The start and the end of a file are no edges. */
function packetsInside(
  files: readonly MadeFile[],
  { startMs, endMs }: { startMs: number; endMs: number },
): Expected[] {
  return files.flatMap(({ made, packets }) => {
    const at = (position: number): number => made.startMs * samplesPerMs + position - made.preSkip;
    const last = packets.at(-1)?.endsAt ?? 0;
    const soundEnd = at(last - (made.pages === 'ten-packets' && made.endsStream ? made.trimmedSamples : 0));
    const isOwnStart = startMs <= made.startMs;
    const isOwnEnd = endMs * samplesPerMs >= soundEnd;
    if (endMs <= made.startMs || startMs * samplesPerMs >= soundEnd) return [];
    return packets
      .filter(
        ({ startsAt, endsAt }) =>
          (isOwnStart || at(startsAt) >= startMs * samplesPerMs) &&
          (isOwnEnd || at(endsAt) <= endMs * samplesPerMs),
      )
      .map(({ bytes, startsAt }) => ({ key: keyOf(bytes), startsAt: at(startsAt) - startMs * samplesPerMs }));
  });
}

const filesOf = (made: readonly MadeSegment[]): MadeFile[] => made.map((each, index) => fileOf(each, index));
const given = (files: readonly MadeFile[]) =>
  files.map(({ made, bytes }) => ({ startMs: made.startMs, bytes }));

/** The differences of a cut from exactly the expected packets, each at its time, and otherwise only silence. */
function flawsOf({ bytes, window }: Cut, expected: readonly Expected[]): unknown[] {
  if (bytes.length === 0) return [...expected];
  const stream = readStream(bytes, window);
  const played = stream.packets.filter((packet) => !isSilence(packet));
  const missing = expected.filter(
    ({ key }, index) => keyOf(played[index]?.bytes ?? new Uint8Array()) !== key,
  );
  const misplaced = played.filter(({ startsAt }, index) => {
    const lateSamples = startsAt - stream.preSkip - (expected[index]?.startsAt ?? Number.NaN);
    return !(lateSamples <= 0 && lateSamples > -120);
  });
  return [...stream.flaws, ...missing, ...misplaced];
}

type Ranges = readonly (readonly [number, number])[];

/** The byte ranges of a cut that are not the same bytes as in the whole of it. */
async function wrongRanges({ window, bytes }: Cut, ranges: Ranges): Promise<Ranges> {
  const wrong: [number, number][] = bytes.length === window.layout.sizeBytes ? [] : [[0, bytes.length]];
  for (const shares of ranges) {
    const [from = 0, until = 0] = shares
      .map((share) => Math.round(share * bytes.length))
      .toSorted((a, b) => a - b);
    const range = await rangeOfWindow(window, from, until);
    if (Buffer.compare(range, bytes.subarray(from, until)) !== 0) wrong.push([from, until]);
  }
  return wrong;
}

const windowIn = (made: readonly MadeSegment[], { from, length }: { from: number; length: number }) => {
  const endMs = soundEndMs(made);
  const startMs = Math.round(from * endMs * 0.95);
  return { startMs, endMs: startMs + 30 + Math.round(length * (endMs - startMs) * 1.1) };
};

describe('a window of a recording', () => {
  test.for([
    ['one segment', takesArbitrary({ min: 1, max: 1 })],
    ['several segments with gaps', takesArbitrary({ min: 2, max: 5 })],
    ['an imported file whose packets continue over pages', importsArbitrary],
  ] as const)(
    'of %s has every packet wholly inside it and no other, in whole and in any byte range',
    async ([, arbitrary]) => {
      await fc.assert(
        fc.asyncProperty(arbitrary, windowArbitrary, async (made, { ranges, ...where }) => {
          const files = filesOf(made);
          const window = windowIn(made, where);
          const cut = await cutOf(given(files), { windows: [window] });
          const expected = packetsInside(files, window);
          expect(flawsOf(cut, expected)).toEqual([]);
          expect(await wrongRanges(cut, ranges)).toEqual([]);
        }),
        { numRuns: windowsPerKind },
      );
    },
  );

  test('of a growing recording has every packet inside it that is given, in whole and in any byte range', async () => {
    await fc.assert(
      fc.asyncProperty(
        takesArbitrary({ min: 1, max: 4 }),
        windowArbitrary,
        shareArbitrary,
        async (made, { ranges, ...where }, grown) => {
          const files = filesOf(made);
          const window = windowIn(made, where);
          const cut = await cutOf(grownTo(files, grown), { windows: [window], isEnded: false });
          const played =
            cut.bytes.length === 0
              ? []
              : readStream(cut.bytes, cut.window).packets.filter((packet) => !isSilence(packet));
          expect(flawsOf(cut, packetsInside(files, window).slice(0, played.length))).toEqual([]);
          expect(await wrongRanges(cut, ranges)).toEqual([]);
        },
      ),
      { numRuns: windowsPerKind },
    );
  });

  test('is as long as the window, to twice the shortest silence', async () => {
    await fc.assert(
      fc.asyncProperty(
        takesArbitrary({ min: 1, max: 4 }),
        shareArbitrary,
        shareArbitrary,
        async (made, from, length) => {
          const files = filesOf(made);
          const endMs = soundEndMs(made) - 200;
          const startMs = Math.floor(from * (endMs - 60));
          const window = { startMs, endMs: startMs + 60 + Math.floor(length * (endMs - startMs - 60)) };
          const { layout } = (await cutOf(given(files), { windows: [window] })).window;
          expect(Math.abs(layout.durationMs - (window.endMs - window.startMs))).toBeLessThanOrEqual(5);
        },
      ),
      { numRuns: 100 },
    );
  });

  test('is as long as the window where it ends in the trimmed samples of a file', async () => {
    // Its sound ends at 1368.5 ms, its last packet at 1380 ms.
    const trimmed = { packets: 69, preSkip: 0, endsStream: true, trimmedSamples: 553 };
    const files = filesOf(takes([trimmed, { startMs: 2000, packets: 100 }]));
    const { layout } = (await cutOf(given(files), { windows: [{ startMs: 1300, endMs: 1376 }] })).window;
    expect(layout.durationMs).toBe(76);
  });

  test('has exact silence in a gap, and instead of sound where a window is silent as a whole', async () => {
    const made = takes([{ packets: 100 }, { startMs: 6000, packets: 100 }]);
    const files = filesOf(made);
    const cut = await cutOf(given(files), { windows: [{ startMs: 2500, endMs: 5500 }] });
    const stream = readStream(cut.bytes, cut.window);
    expect(stream.flaws).toEqual([]);
    expect(stream.packets.every(isSilence)).toBe(true);
    expect(cut.window.layout.durationMs).toBe(3000);
  });

  test('is empty after the end of the recording, or where no segment is playable', async () => {
    const files = filesOf(takes([{ packets: 100 }]));
    const after = await cutOf(given(files), { windows: [{ startMs: 90_000, endMs: Infinity }] });
    const nothing = await cutOf(given(files), { windows: [{ startMs: 1992, endMs: Infinity }] });
    expect(nothing.bytes.length).toBe(0);
    const without = await cutOf([{ startMs: 0, bytes: new Uint8Array(90) }], {});
    expect([after.bytes.length, without.bytes.length]).toEqual([0, 0]);
  });

  test('has all packets of the whole recording, the same positions, and neither its serial number nor its tags', async () => {
    const made = takes([
      { packets: 333, trimmedSamples: 100 },
      { startMs: 9001, packets: 50 },
    ]);
    const files = filesOf(made);
    const cut = await cutOf(given(files), {});
    expect(flawsOf(cut, packetsInside(files, { startMs: 0, endMs: Infinity }))).toEqual([]);
    const facts = await Promise.all(
      files.map(({ bytes }) => readSegmentFacts(async (from, to) => bytes.subarray(from, to), bytes.length)),
    );
    const layout = layOut(
      facts.map((each, index) => ({ startMs: made[index]?.startMs ?? 0, facts: each })),
      { isEnded: true },
    );
    const read = async (segment: number, from: number, to: number) =>
      (files[segment]?.bytes ?? new Uint8Array()).subarray(from, to);
    const whole = await joinedRangeOf({ layout, read }, 0, layout.sizeBytes);
    expect(cut.window.layout.durationMs).toBe(layout.durationMs);
    expect(keyOf(whole)).toContain('secret');
    expect(keyOf(cut.bytes)).not.toContain('secret');
  });

  test('with passages that are withheld is silent there, in whole and in any byte range, and keeps its times', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(takesArbitrary({ min: 1, max: 3 }), importsArbitrary),
        fc.array(shareArbitrary, { minLength: 4, maxLength: 8 }),
        rangesArbitrary,
        async (made, shares, ranges) => {
          const files = filesOf(made);
          const times = [
            ...new Set(shares.map((share) => Math.round(share * soundEndMs(made) * 0.95))),
          ].toSorted((a, b) => a - b);
          const windows = times.flatMap((startMs, index) => {
            const endMs = times[index + 1];
            return index % 2 === 0 && endMs !== undefined ? [{ startMs, endMs }] : [];
          });
          fc.pre(windows.length > 1);
          const originMs = windows[0]?.startMs ?? 0;
          const expected = windows.flatMap((window) =>
            packetsInside(files, window).map(({ key, startsAt }) => ({
              key,
              startsAt: startsAt + (window.startMs - originMs) * samplesPerMs,
            })),
          );
          const cut = await cutOf(given(files), { windows });
          expect(flawsOf(cut, expected)).toEqual([]);
          expect(await wrongRanges(cut, ranges)).toEqual([]);
        },
      ),
      { numRuns: 100 },
    );
  });

  test('never contains bytes of a damaged page, of another stream in the file, or of a page with a wrong position', async () => {
    const [file] = filesOf(takes([{ packets: 600 }]));
    if (!file) throw new Error('no file');
    const facts = await readSegmentFacts(
      async (from, to) => file.bytes.subarray(from, to),
      file.bytes.length,
    );
    const [foreign] = filesOf(takes([{ packets: 600, channels: 2 }]));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(58), { minLength: 1, maxLength: 8 }),
        shareArbitrary,
        async (places, from) => {
          const hurt = file.bytes.slice();
          for (const place of places) {
            const [start = 0, end = 0] = file.pageEnds.slice(place + 1, place + 3);
            // Either a wrong checksum, or bytes of another file.
            if (place % 2 === 0) hurt[start + 40] = (hurt[start + 40] ?? 0) ^ 0xff;
            else hurt.set((foreign?.bytes ?? hurt).subarray(start, end), start);
          }
          const startMs = Math.round(from * 8000);
          const { window, bytes } = await cutOf([{ startMs: 0, bytes: hurt, facts }], {
            windows: [{ startMs, endMs: startMs + 3000 }],
          });
          expect(bytes.length).toBe(window.layout.sizeBytes);
          const inside = new Set(
            packetsInside([file], { startMs, endMs: startMs + 3000 }).map(({ key }) => key),
          );
          const text = keyOf(bytes);
          const leaked = file.packets.filter(
            ({ bytes: packet }) =>
              packet.length > 40 && !inside.has(keyOf(packet)) && text.includes(keyOf(packet)),
          );
          expect(leaked).toEqual([]);
        },
      ),
      { numRuns: 100 },
    );
  });

  test('opens with few reads, however long the recording is', async () => {
    const [file] = filesOf(takes([{ packets: 60_000 }]));
    if (!file) throw new Error('no file');
    const facts = await readSegmentFacts(
      async (from, to) => file.bytes.subarray(from, to),
      file.bytes.length,
    );
    for (const startMs of [1234, 333_333, 777_777, 1_190_001]) {
      const { probes, readBytes } = await cutOf([{ startMs: 0, bytes: file.bytes, facts }], {
        windows: [{ startMs, endMs: startMs + 5000 }],
      });
      expect(probes).toBeLessThan(60);
      expect(readBytes).toBeLessThan(file.bytes.length / 8);
    }
  });
});

describe('a window of a growing recording', () => {
  test.for([
    ['takes', takesArbitrary({ min: 1, max: 4 })],
    ['files whose packets continue over pages', importsArbitrary],
  ] as const)(
    'of %s never changes bytes that were given, up to its end and after it',
    async ([, arbitrary]) => {
      await fc.assert(
        fc.asyncProperty(
          arbitrary,
          fc.record({ from: shareArbitrary, length: shareArbitrary }),
          fc.record({
            steps: fc.array(shareArbitrary, { minLength: 1, maxLength: 12 }),
            delayMs: fc.constantFrom(0, 200, 1500),
          }),
          async (made, where, { steps, delayMs }) => {
            const files = filesOf(made);
            const window = { ...windowIn(made, where), ...(where.length > 0.8 ? { endMs: Infinity } : {}) };
            const last = await cutOf(given(files), { windows: [window] });
            let before = new Uint8Array();
            for (const step of steps.toSorted((a, b) => a - b)) {
              const { bytes } = await cutOf(grownTo(files, step), {
                windows: [window],
                isEnded: false,
                delayMs,
              });
              expect(Buffer.compare(before, bytes.subarray(0, before.length))).toBe(0);
              expect(bytes.length).toBeGreaterThanOrEqual(before.length);
              before = bytes.slice();
            }
            expect(Buffer.compare(before, last.bytes.subarray(0, before.length))).toBe(0);
          },
        ),
        { numRuns: 150 },
      );
    },
  );

  test('never gives sound later than what was received, less the delay', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(takesArbitrary({ min: 1, max: 4 }), importsArbitrary),
        fc.record({
          from: shareArbitrary,
          grown: shareArbitrary,
          delayMs: fc.integer({ min: 0, max: 4000 }),
        }),
        async (made, { from, grown, delayMs }) => {
          const files = filesOf(made);
          const startMs = Math.round(from * soundEndMs(made) * 0.5);
          const arrived = grownTo(files, grown);
          const { window, bytes } = await cutOf(arrived, {
            windows: [{ startMs, endMs: Infinity }],
            isEnded: false,
            delayMs,
          });
          const limitMs = Math.max(0, ...(await Promise.all(arrived.map(receivedMs)))) - delayMs;
          const allowed = new Set(
            packetsInside(files, { startMs, endMs: Math.max(startMs, limitMs) }).map(({ key }) => key),
          );
          const played = bytes.length === 0 ? [] : readStream(bytes, window).packets;
          expect(played.filter((packet) => !isSilence(packet) && !allowed.has(keyOf(packet.bytes)))).toEqual(
            [],
          );
          expect(window.givenUntilMs).toBeLessThanOrEqual(Math.max(startMs, limitMs));
          const endsAt = played.length === 0 ? 0 : readStream(bytes, window).endsAt;
          expect(endsAt / samplesPerMs).toBeLessThanOrEqual(Math.max(0, limitMs - startMs) + 80);
        },
      ),
      { numRuns: 150 },
    );
  });

  test('gives nothing of a segment, not even its pre-skip, before sound of it is old enough', async () => {
    // Each packet has a page, and the first four of twelve are the pre-skip.
    const [file] = filesOf(takes([{ packets: 12, preSkip: 3840, pages: 1, endsStream: false }]));
    if (!file) throw new Error('no file');
    const givenAfter = async (packets: number) => {
      const received = [{ startMs: 0, bytes: file.bytes.subarray(0, file.pageEnds[packets + 1]) }];
      const { bytes, window } = await cutOf(received, { isEnded: false, delayMs: 20 });
      return bytes.length === 0 ? 0 : readStream(bytes, window).packets.length;
    };
    expect([await givenAfter(4), await givenAfter(5), await givenAfter(6)]).toEqual([0, 0, 5]);
  });

  test('does not end where the received bytes end within a packet', async () => {
    const [file] = filesOf(takes([{ packets: 145, preSkip: 3840, pages: 16, endsStream: false }]));
    if (!file) throw new Error('no file');
    for (const sizeBytes of file.pageEnds.slice(2)) {
      const received = { startMs: 0, bytes: file.bytes.subarray(0, sizeBytes) };
      const windows = [{ startMs: 0, endMs: await receivedMs(received) }];
      const { bytes } = await cutOf([received], { windows, isEnded: false });
      const last = await cutOf(given([file]), { windows });
      expect(Buffer.compare(bytes, last.bytes.subarray(0, bytes.length))).toBe(0);
    }
  });

  test('withholds a page that may become the last one of the window', async () => {
    const [file] = filesOf(takes([{ packets: 500, preSkip: 0 }]));
    if (!file) throw new Error('no file');
    // A page ends at 2000 ms, where the window has no place for another packet or for silence.
    const windows = [{ startMs: 1000, endMs: 2001 }];
    const last = await cutOf(given([file]), { windows });
    // 2200 ms have been received: two header pages and eleven pages of 200 ms.
    const received = [{ startMs: 0, bytes: file.bytes.subarray(0, file.pageEnds[12]) }];
    const grown = await cutOf(received, { windows, isEnded: false, delayMs: 200 });
    expect(grown.window.isComplete).toBe(false);
    expect(Buffer.compare(grown.bytes, last.bytes.subarray(0, grown.bytes.length))).toBe(0);
  });

  test('ends as soon as its own end has arrived, while the recording continues', async () => {
    const [file] = filesOf(takes([{ packets: 500 }]));
    if (!file) throw new Error('no file');
    const windows = [{ startMs: 1003, endMs: 4001 }];
    const complete = await cutOf(given([file]), { windows });
    for (const share of [0.5, 0.7, 1]) {
      const { window, bytes } = await cutOf(grownTo([file], share), { windows, isEnded: false });
      expect(window.isComplete).toBe(true);
      expect(Buffer.compare(bytes, complete.bytes)).toBe(0);
    }
    const delayed = await cutOf(grownTo([file], 0.5), { windows, isEnded: false, delayMs: 2000 });
    expect(delayed.window.isComplete).toBe(false);
  });
});

/** A passage that is taken off the record while a take is recorded: from `pressedMs`, less the delay, to `releasedMs`. */
interface Press {
  pressedMs: number;
  /** Infinity: until the end. */
  releasedMs: number;
}

/** Passages at these shares of a recording; the last one may stay open. */
const pressesIn = (made: readonly MadeSegment[], shares: readonly number[]): Press[] => {
  const times = shares.map((share) => Math.round(share * soundEndMs(made))).toSorted((a, b) => a - b);
  return times.flatMap((pressedMs, index) =>
    index % 2 === 0 ? [{ pressedMs, releasedMs: times[index + 1] ?? Infinity }] : [],
  );
};

/** What is withheld once so much has been received: presses of a later moment are not known yet. */
const withheldAt = (presses: readonly Press[], receivedUntilMs: number, delayMs: number): TimeWindow[] =>
  presses
    .filter(({ pressedMs }) => pressedMs <= receivedUntilMs)
    .map(({ pressedMs, releasedMs }) => ({
      startMs: Math.max(0, pressedMs - delayMs),
      endMs: releasedMs <= receivedUntilMs ? releasedMs : Infinity,
    }));

const passagesArbitrary = fc.record({
  from: shareArbitrary,
  presses: fc.array(shareArbitrary, { minLength: 1, maxLength: 6 }),
  steps: fc.array(shareArbitrary, { minLength: 2, maxLength: 12 }),
  delayMs: fc.constantFrom(0, 200, 1500),
});

describe('a passage that is taken off the record while a link plays live', () => {
  test('never gives anything from within, and never changes bytes that were given', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(takesArbitrary({ min: 1, max: 4 }), importsArbitrary),
        passagesArbitrary,
        async (made, { from, presses: shares, steps, delayMs }) => {
          const files = filesOf(made);
          const presses = pressesIn(made, shares);
          const whole = { startMs: Math.round(from * from * soundEndMs(made)), endMs: Infinity };
          const partAt = (receivedUntilMs: number) =>
            openPart(whole, withheldAt(presses, receivedUntilMs, delayMs));
          const allowedIn = ({ windows }: OpenPart) =>
            new Set(windows.flatMap((window) => packetsInside(files, window).map(({ key }) => key)));
          const soundIn = ({ bytes, window }: Cut) =>
            bytes.length === 0
              ? []
              : readStream(bytes, window).packets.filter((packet) => !isSilence(packet));
          let before = new Uint8Array();
          for (const step of steps.toSorted((a, b) => a - b)) {
            const arrived = grownTo(files, step);
            const part = partAt(Math.max(0, ...(await Promise.all(arrived.map(receivedMs)))));
            const cut = await cutOf(arrived, { part, isEnded: false, delayMs });
            const stream = cut.bytes.length === 0 ? null : readStream(cut.bytes, cut.window);
            expect(stream?.flaws ?? []).toEqual([]);
            const allowed = allowedIn(part);
            expect(soundIn(cut).filter(({ bytes }) => !allowed.has(keyOf(bytes)))).toEqual([]);
            expect(Buffer.compare(before, cut.bytes.subarray(0, before.length))).toBe(0);
            expect(cut.bytes.length).toBeGreaterThanOrEqual(before.length);
            before = cut.bytes.slice();
          }
          const part = partAt(Infinity);
          const last = await cutOf(given(files), { part });
          expect(Buffer.compare(before, last.bytes.subarray(0, before.length))).toBe(0);
          const expected = part.windows.flatMap((window) =>
            packetsInside(files, window).map(({ key, startsAt }) => ({
              key,
              startsAt: startsAt + (window.startMs - part.startMs) * samplesPerMs,
            })),
          );
          expect(flawsOf(last, expected)).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('gives no silence where the pre-skip of a file begins that starts after it', async () => {
    const files = filesOf(
      takes([
        { packets: 200, preSkip: 0 },
        { startMs: 5015, packets: 40, preSkip: 3840 },
      ]),
    );
    const part = openPart({ startMs: 0, endMs: Infinity }, [{ startMs: 0, endMs: 5003 }]);
    const last = await cutOf(given(files), { part });
    for (let share = 0; share <= 1; share += 0.01) {
      const { bytes } = await cutOf(grownTo(files, share), { part, isEnded: false });
      expect(Buffer.compare(bytes, last.bytes.subarray(0, bytes.length))).toBe(0);
    }
  });

  test('is silent while it lasts, so that listeners stay as far behind, and continues after it', async () => {
    const files = filesOf(takes([{ packets: 1500 }]));
    const silentUntil = async (share: number, withheld: readonly TimeWindow[]) => {
      const part = openPart({ startMs: 0, endMs: Infinity }, withheld);
      const cut = await cutOf(grownTo(files, share), { part, isEnded: false, delayMs: 2000 });
      const { packets } = readStream(cut.bytes, cut.window);
      return {
        isWithheld: cut.window.isWithheld,
        durationMs: cut.window.layout.durationMs,
        sound: packets.filter((packet) => !isSilence(packet)).length,
      };
    };
    const open = [{ startMs: 8000, endMs: Infinity }];
    const [early, later] = [await silentUntil(0.5, open), await silentUntil(0.9, open)];
    expect([early.isWithheld, later.isWithheld]).toEqual([true, true]);
    expect(later.sound).toBe(early.sound);
    expect(later.durationMs).toBeGreaterThan(23_000);
    expect(later.durationMs).toBeLessThanOrEqual(25_000);
    const released = await silentUntil(0.9, [{ startMs: 8000, endMs: 20_000 }]);
    expect(released.isWithheld).toBe(false);
    expect(released.sound).toBeGreaterThan(early.sound + 100);
  });

  test('that starts with the part is silent from its start', async () => {
    const files = filesOf(takes([{ packets: 1500 }]));
    const cut = await cutOf(grownTo(files, 0.5), {
      part: openPart({ startMs: 3000, endMs: Infinity }, [{ startMs: 0, endMs: Infinity }]),
      isEnded: false,
    });
    expect(readStream(cut.bytes, cut.window).packets.every(isSilence)).toBe(true);
    expect(cut.window.layout.durationMs).toBeGreaterThan(10_000);
  });
});

const takes = (list: readonly Partial<MadeSegment>[]): MadeSegment[] =>
  list.map((each) => ({
    startMs: 0,
    packets: 100,
    channels: 1,
    preSkip: 312,
    trimmedSamples: 0,
    frames: 'twenty',
    pages: 'ten-packets',
    endsStream: true,
    ...each,
  }));

/** What has arrived of files that are sent one after the other. */
function grownTo(files: readonly MadeFile[], share: number): { startMs: number; bytes: Uint8Array }[] {
  let leftBytes = Math.round(share * files.reduce((sum, { bytes }) => sum + bytes.length, 0));
  return given(files).flatMap(({ startMs, bytes }) => {
    if (leftBytes <= 0) return [];
    const arrived = bytes.subarray(0, leftBytes);
    leftBytes -= bytes.length;
    return [{ startMs, bytes: arrived }];
  });
}

async function receivedMs({ startMs, bytes }: { startMs: number; bytes: Uint8Array }): Promise<number> {
  const facts = await readSegmentFacts(async (from, to) => bytes.subarray(from, to), bytes.length);
  return facts === null ? 0 : startMs + (facts.lastGranulePosition - facts.preSkip) / samplesPerMs;
}

describe('a recording that was stopped and continued', () => {
  const keysIn = ({ bytes, window }: Cut): string[] =>
    bytes.length === 0
      ? []
      : readStream(bytes, window)
          .packets.filter((packet) => !isSilence(packet))
          .map((packet) => keyOf(packet.bytes));

  test('gives a link that ends at the cut what it gave before, and not a packet more', async () => {
    await fc.assert(
      fc.asyncProperty(
        continuedArbitrary,
        shareArbitrary,
        fc.array(shareArbitrary, { minLength: 2, maxLength: 2 }),
        async (made, from, passage) => {
          const files = filesOf(made);
          const endMs = made[1]?.startMs ?? 0;
          const whole = { startMs: Math.round(from * endMs * 0.9), endMs };
          const [passageStartMs = 0, passageEndMs = 0] = passage
            .map((share) => Math.round(share * endMs))
            .toSorted((a, b) => a - b);
          for (const withheld of [[], [{ startMs: passageStartMs, endMs: passageEndMs }]]) {
            const part = openPart(whole, withheld);
            const before = keysIn(await cutOf(given(files.slice(0, 1)), { part }));
            expect(keysIn(await cutOf(given(files), { part }))).toEqual(before);
            const growing = keysIn(await cutOf(given(files), { part, isEnded: false }));
            expect(growing).toEqual(before.slice(0, growing.length));
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  test('gives a link that continues nothing of a passage around the cut', async () => {
    await fc.assert(
      fc.asyncProperty(continuedArbitrary, shareArbitrary, shareArbitrary, async (made, before, after) => {
        const files = filesOf(made);
        const cutMs = made[1]?.startMs ?? 0;
        const passage = {
          startMs: Math.round(before * cutMs),
          endMs: Math.round(cutMs + after * (soundEndMs(made) - cutMs)),
        };
        const part = openPart({ startMs: 0, endMs: Infinity }, [passage]);
        const allowed = part.windows.flatMap((window) => packetsInside(files, window).map(({ key }) => key));
        for (const isEnded of [true, false]) {
          const keys = keysIn(await cutOf(given(files), { part, isEnded }));
          expect(keys).toEqual(allowed.slice(0, isEnded ? undefined : keys.length));
        }
      }),
      { numRuns: 200 },
    );
  });
});
