import type { TakeRecord } from '#device/records/take-record.ts';
import { changeTake } from './takes-store.ts';
import { isVisibleTo, type ViewerFacts } from './viewer.ts';

/**
 * Changes a stored take for the viewer who asked. Drops the change, and returns null, if the take is not theirs, or no longer
 * exists.
 */
export async function changeTakeFor(
  asker: ViewerFacts,
  id: string,
  change: (take: TakeRecord) => TakeRecord,
): Promise<TakeRecord | null> {
  let isTheirs = false;
  const changed = await changeTake(id, (take) => {
    isTheirs = isVisibleTo(take, asker);
    return isTheirs ? change(take) : take;
  });
  return isTheirs ? changed : null;
}
