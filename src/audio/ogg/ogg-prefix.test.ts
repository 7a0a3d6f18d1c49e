import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeOggPage } from './ogg-page.ts';
import { durationMsOf, lastPageIn, OggPrefixScanner, wholePages } from './ogg-prefix.ts';

const stream = fc
  .array(
    fc.record({
      packets: fc.array(fc.uint8Array({ maxLength: 400 }), { minLength: 1, maxLength: 4 }),
      samples: fc.nat(10_000),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => {
    let granulePosition = 0;
    return parts.map(({ packets, samples }, sequenceNumber) => {
      granulePosition += samples;
      const bytes = writeOggPage({
        packets,
        granulePosition,
        serialNumber: 9,
        sequenceNumber,
        startsStream: sequenceNumber === 0,
        endsStream: sequenceNumber === parts.length - 1,
      });
      return { bytes, granulePosition };
    });
  });
type Page = { bytes: Uint8Array; granulePosition: number };
const joined = (pages: readonly Page[]) => Uint8Array.from(pages.flatMap(({ bytes }) => Array.from(bytes)));

/** The pages that are completely within the first bytes, found by adding sizes. */
function pagesWithin(pages: readonly Page[], sizeBytes: number): Page[] {
  let endsAtBytes = 0;
  return pages.filter(({ bytes }) => (endsAtBytes += bytes.length) <= sizeBytes);
}

test('finds the longest prefix of whole pages, wherever the bytes are cut', () => {
  fc.assert(
    fc.property(stream, fc.nat(), (pages, at) => {
      const bytes = joined(pages);
      const cut = at % (bytes.length + 1);
      const whole = pagesWithin(pages, cut);
      expect(wholePages(bytes.subarray(0, cut))).toEqual({
        validBytes: joined(whole).length,
        pageCount: whole.length,
        lastGranulePosition: whole.at(-1)?.granulePosition ?? -1,
        endsStream: whole.length === pages.length,
      });
    }),
  );
});

test('ends the prefix before a damaged page', () => {
  fc.assert(
    fc.property(stream, fc.nat(), (pages, at) => {
      const bytes = joined(pages);
      const damagedAt = at % bytes.length;
      bytes[damagedAt] = (bytes[damagedAt] ?? 0) ^ 0x55;
      expect(wholePages(bytes).pageCount).toBe(pagesWithin(pages, damagedAt).length);
    }),
  );
});

test('does not take junk or zeros after the last page for sound', () => {
  fc.assert(
    fc.property(
      stream,
      fc.oneof(
        fc.uint8Array({ maxLength: 100 }),
        fc.nat(5000).map((size) => new Uint8Array(size)),
      ),
      (pages, junk) => {
        expect(wholePages(Uint8Array.of(...joined(pages), ...junk)).validBytes).toBe(joined(pages).length);
      },
    ),
  );
});

test('finds the same in pieces as at once, and reports where each page ends', () => {
  fc.assert(
    fc.property(stream, fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1 }), (pages, sizes) => {
      const bytes = joined(pages);
      const ends: number[] = [];
      const scanner = new OggPrefixScanner((_, endsAtBytes) => ends.push(endsAtBytes));
      for (let from = 0, turn = 0; from < bytes.length; turn++) {
        const sizeBytes = sizes[turn % sizes.length] ?? 1;
        scanner.push(bytes.slice(from, from + sizeBytes));
        from += sizeBytes;
      }
      expect(scanner.prefix).toEqual(wholePages(bytes));
      expect(ends).toEqual(pages.map((_, index) => joined(pages.slice(0, index + 1)).length));
    }),
  );
});

test('requests no more bytes once they can no longer become a page', () => {
  const scanner = new OggPrefixScanner();
  expect(scanner.push(new Uint8Array(1000))).toBe(true);
  expect(scanner.push(new Uint8Array(70_000))).toBe(false);
  expect(scanner.push(new Uint8Array(1))).toBe(false);
  expect(scanner.prefix).toEqual({ validBytes: 0, pageCount: 0, lastGranulePosition: -1, endsStream: false });
});

test('finds the last whole page in a window that starts anywhere and ends within a page', () => {
  fc.assert(
    fc.property(stream, fc.nat(), fc.nat(), (pages, fromSeed, toSeed) => {
      const bytes = joined(pages);
      const from = fromSeed % bytes.length;
      const to = from + (toSeed % (bytes.length - from + 1));
      const starts = pages.map((_, index) => joined(pages.slice(0, index)).length);
      const expected = pages.findLastIndex(
        (page, index) => (starts[index] ?? 0) >= from && (starts[index] ?? 0) + page.bytes.length <= to,
      );
      const found = lastPageIn(bytes.subarray(from, to));
      expect(found?.page.sequenceNumber ?? -1).toBe(expected);
      expect(found && from + found.endsAtBytes).toBe(found && (starts[expected] ?? 0) + found.page.sizeBytes);
    }),
  );
});

test('computes the duration from the granule position without the pre-skip, at 48 kHz (RFC 7845 §4.3)', () => {
  expect(durationMsOf(48_312, 312)).toBe(1000);
  expect(durationMsOf(100, 312)).toBe(0);
  expect(durationMsOf(12 * 3600 * 48_000 + 312, 312)).toBe(12 * 3600 * 1000);
});
