import type { Share } from '#contract/shares.ts';

/** The number of each link among those of its recording, in the order of their creation, by id. */
export function linkNumbers(
  links: readonly Pick<Share, 'id' | 'recordingId' | 'createdAt'>[],
): ReadonlyMap<string, number> {
  const oldestFirst = links.toSorted(
    (a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id),
  );
  const byRecording = Map.groupBy(oldestFirst, ({ recordingId }) => recordingId);
  return new Map([...byRecording.values()].flatMap((group) => group.map(({ id }, index) => [id, index + 1])));
}
