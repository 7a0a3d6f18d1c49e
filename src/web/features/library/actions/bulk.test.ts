import fc from 'fast-check';
import { expect, test } from 'vitest';
import { undoOf } from './bulk.ts';

const ids = ['a', 'b', 'c', 'd'];
const tags = ['t', 'u', 'v'];
type Tagged = ReadonlyMap<string, ReadonlySet<string>>;

function apply(
  tagged: Tagged,
  tagId: string,
  { kind, chosen }: { kind: 'add' | 'remove'; chosen: readonly string[] },
): Tagged {
  const next = new Set(tagged.get(tagId));
  for (const id of chosen) {
    if (kind === 'add') next.add(id);
    else next.delete(id);
  }
  return new Map(tagged).set(tagId, next);
}

const plain = (tagged: Tagged) => tags.map((tagId) => [...(tagged.get(tagId) ?? [])].toSorted());

test('restores the tags of every recording when a tag change is undone', () => {
  const had = fc.tuple(...tags.map(() => fc.subarray(ids)));
  fc.assert(
    fc.property(had, fc.subarray(ids), fc.subarray(tags), (sets, chosen, touched) => {
      const before: Tagged = new Map(tags.map((tagId, place) => [tagId, new Set(sets[place])]));
      const [add, remove] = [touched.slice(0, 1), touched.slice(1)];
      const after = [
        ...add.map((tagId) => [tagId, 'add'] as const),
        ...remove.map((tagId) => [tagId, 'remove'] as const),
      ].reduce((tagged, [tagId, kind]) => apply(tagged, tagId, { kind, chosen }), before);
      const undone = undoOf(chosen, { add, remove }, before).reduce(
        (tagged, one) => apply(tagged, one.tagId, { kind: one.kind, chosen: one.ids }),
        after,
      );
      expect(plain(undone)).toEqual(plain(before));
    }),
  );
});
