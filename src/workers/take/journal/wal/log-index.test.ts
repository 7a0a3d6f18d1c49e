import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LogIndex, type WalSafety } from './log-index.ts';

const entries = fc
  .array(fc.record({ bytes: fc.integer({ min: 1, max: 3000 }), ms: fc.integer({ min: 0, max: 400 }) }), {
    minLength: 1,
    maxLength: 300,
  })
  .map((steps) => {
    let offsetBytes = 0;
    let writtenAtMs = 0;
    return steps.map(({ bytes, ms }) => {
      const entry = { offsetBytes, endBytes: offsetBytes + bytes, writtenAtMs: (writtenAtMs += ms) };
      offsetBytes = entry.endBytes;
      return entry;
    });
  });
const safety = fc.record({
  isAged: fc.boolean(),
  fileBytes: fc.nat(900_000),
  acknowledgedBytes: fc.nat(900_000),
  nowMs: fc.nat(300_000),
});

const indexOf = (known: readonly Parameters<LogIndex['add']>[0][]): LogIndex => {
  const index = new LogIndex();
  for (const entry of known) index.add(entry);
  return index;
};

test('trims only entries in an aged file that the server has or that are a minute old', () => {
  fc.assert(
    fc.property(entries, safety, (known, state: WalSafety) => {
      const range = indexOf(known).trimmable(state);
      if (range === null) return;
      expect(state.isAged).toBe(true);
      expect(range.fromBytes).toBe(0);
      for (const { endBytes, writtenAtMs } of known.filter(
        ({ offsetBytes }) => offsetBytes < range.toBytes,
      )) {
        expect(endBytes).toBeLessThanOrEqual(state.fileBytes);
        expect(endBytes <= state.acknowledgedBytes || state.nowMs - writtenAtMs >= 60_000).toBe(true);
      }
    }),
  );
});

test('keeps the last entry, which shows how far the file can be trusted', () => {
  fc.assert(
    fc.property(entries, (known) => {
      const range = indexOf(known).trimmable({
        isAged: true,
        fileBytes: 1e9,
        acknowledgedBytes: 1e9,
        nowMs: 1e9,
      });
      expect(range?.toBytes ?? 0).toBeLessThanOrEqual(known.at(-1)?.offsetBytes ?? 0);
    }),
  );
});

test('stores at most about a minute of sound twice in twelve hours without a server', () => {
  const index = new LogIndex();
  let held = 0;
  let max = 0;
  for (let nth = 0; nth < 12 * 3600 * 4; nth += 1) {
    index.add({ offsetBytes: nth * 1500, endBytes: (nth + 1) * 1500, writtenAtMs: nth * 250 });
    held += 1;
    const range = index.trimmable({
      isAged: true,
      fileBytes: (nth + 1) * 1500,
      acknowledgedBytes: 0,
      nowMs: nth * 250,
    });
    if (range === null) continue;
    index.trimmed(range);
    held -= (range.toBytes - range.fromBytes) / 1500;
    max = Math.max(max, held);
  }
  expect(max).toBeGreaterThan(200);
  expect(max).toBeLessThan(280);
});
