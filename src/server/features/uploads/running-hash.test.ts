import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maxNoteBytes } from '#server/storage/blobs/blob-store.ts';
import { RunningHash } from './running-hash.ts';

const expected = (pieces: readonly Uint8Array[]): string =>
  createHash('sha256').update(Buffer.concat(pieces)).digest('hex');

test('is the SHA-256 of all bytes, in any pieces, over any number of continuations and beside others', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.uint8Array({ maxLength: 300 }), fc.boolean()), { maxLength: 30 }),
      (pieces) => {
        const [hash, other] = [{ running: new RunningHash() }, new RunningHash()];
        for (const [bytes, isContinued] of pieces) {
          hash.running.update(bytes);
          other.update(Uint8Array.of(7));
          if (isContinued) hash.running = RunningHash.fromState(hash.running.state) ?? new RunningHash();
        }
        expect(hash.running.digest().toString('hex')).toBe(expected(pieces.map(([bytes]) => bytes)));
        expect(other.digest().toString('hex')).toBe(expected([Buffer.alloc(pieces.length, 7)]));
      },
    ),
  );
});

test('continues after a digest', () => {
  const hash = new RunningHash();
  hash.update(Buffer.from('one '));
  hash.digest();
  hash.update(Buffer.from('two'));
  expect(hash.digest().toString('hex')).toBe(expected([Buffer.from('one two')]));
});

test('has a state that fits into a note, and rejects a state that is none', () => {
  const { state } = new RunningHash();
  expect(state.length).toBeLessThanOrEqual(maxNoteBytes);
  const other = Uint8Array.from(state);
  other[0] = (other[0] ?? 0) ^ 1;
  for (const damaged of [new Uint8Array(0), state.subarray(1), other])
    expect(RunningHash.fromState(damaged)).toBeNull();
});
