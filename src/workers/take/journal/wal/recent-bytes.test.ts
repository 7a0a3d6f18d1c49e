import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RecentBytes } from './recent-bytes.ts';

const piece = fc.uint8Array({ maxLength: 40 });
const step = fc.oneof(
  piece.map((bytes) => ({ kind: 'push' as const, bytes })),
  fc.nat(300).map((atBytes) => ({ kind: 'letGo' as const, atBytes })),
  fc.nat(300).map((atBytes) => ({ kind: 'cut' as const, atBytes })),
);

test('reads back pushed bytes until they are released, and nothing else', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 30 }),
      fc.nat(200),
      fc.nat(100),
      (steps, offsetBytes, sizeBytes) => {
        const recent = new RecentBytes(0);
        let all = new Uint8Array(0);
        let from = 0;
        for (const change of steps) {
          if (change.kind === 'push') {
            recent.push(change.bytes);
            all = Uint8Array.from([...all, ...change.bytes]);
          } else if (change.kind === 'letGo' && change.atBytes <= all.length) {
            recent.letGo(change.atBytes);
            from = Math.max(from, change.atBytes);
          } else if (change.kind === 'cut' && change.atBytes >= from && change.atBytes <= all.length) {
            recent.cut(change.atBytes);
            all = all.slice(0, change.atBytes);
          }
        }
        expect([recent.fromBytes, recent.endBytes]).toEqual([from, all.length]);
        expect(recent.read(offsetBytes, sizeBytes)).toEqual(
          offsetBytes < from ? null : all.slice(offsetBytes, offsetBytes + sizeBytes),
        );
      },
    ),
  );
});
