import { useEffect } from 'react';
import { createStore } from '#base/store.ts';
import { deviceTakes } from '#device/takes/device-takes.ts';
import { type ResultFate, resultFateOf } from '#device/takes/server-word.ts';
import { removedRecordings } from '#web/features/recorder/recovery/removed-recordings.ts';
import type { Take } from '#web/features/recorder/take/take.ts';
import { useStore } from '#web/ui/hooks/use-store.ts';

/** The result that the list of the device has shown as stopped, by the id and the length of its take. */
const listed = createStore<string | null>(null);

/** What became of a result. Follows the list of the device, once that has been read since Stop. */
export function useResultFate({ id, progress }: Pick<Take, 'id' | 'progress'>): ResultFate {
  const { takes } = useStore(deviceTakes);
  const removedIds = useStore(removedRecordings);
  const result = `${id} ${progress.capturedMs}`;
  const state = takes.find((take) => take.id === id)?.state;
  const isListed = useStore(listed) === result;
  useEffect(() => {
    if (state !== undefined && state !== 'recording') listed.set(result);
  }, [state, result]);
  return resultFateOf(id, takes, { removedIds, isListed });
}
