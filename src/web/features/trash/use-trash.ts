import { useMemo } from 'react';
import { msg } from '@lingui/core/macro';
import type { RecordedTime } from '#base/recorded-time/recorded-time.ts';
import type { Recording } from '#contract/recordings.ts';
import { lengthOfBoth, type DeviceTake } from '#device/takes/device-take.ts';
import { hasNoSound } from '#device/takes/recording-state.ts';
import { call } from '#web/api/call.ts';
import { useErrorMessage } from '#web/api/error-messages.ts';
import { useRecordingPages, type RecordingPages } from '#web/api/queries/use-recording-pages.ts';
import { showFailure } from '#web/ui/overlays/toast.tsx';
import { useSelection, type ChosenItems } from '#web/ui/lists/use-selection.ts';

/** An item in the trash, of the server or of this device. */
export interface Trashed {
  id: string;
  title: string;
  recordedTime: RecordedTime;
  /** Null if it is not known yet. */
  durationMs: number | null;
  deletedAtMs: number;
  isOnServer: boolean;
  /** Whether it is a file in which nothing can be played. */
  hasNoSound: boolean;
}

/** A take in the trash of this device. */
export interface TrashedTake extends Trashed {
  take: Pick<DeviceTake, 'state' | 'durationMs' | 'facts'>;
}

export interface Trash {
  query: RecordingPages;
  items: readonly Trashed[];
  /** Includes those that are not loaded yet. */
  count: number;
  selection: ChosenItems;
  /** The selected items, without those known to be gone. */
  chosenIds: readonly string[];
  chooseAll: () => void;
}

type TrashedRecording = Pick<
  Recording,
  | 'id'
  | 'title'
  | 'recordedTime'
  | 'durationMs'
  | 'deletedAt'
  | 'updatedAt'
  | 'source'
  | 'state'
  | 'rendition'
>;

const trashedOf = (recording: TrashedRecording): Trashed => ({
  id: recording.id,
  title: recording.title,
  recordedTime: recording.recordedTime,
  durationMs: recording.durationMs,
  deletedAtMs: Date.parse(recording.deletedAt ?? recording.updatedAt),
  isOnServer: true,
  hasNoSound: hasNoSound(recording),
});

/** The trash of the server and of this device, and the selection. Requests nothing while `isEnabled` is false. */
export function useTrash(isEnabled: boolean, onDevice: readonly TrashedTake[]): Trash {
  const messageOf = useErrorMessage();
  const selection = useSelection('trash');
  // Moving to the trash is the last change of a recording, so this sorts by the time of deletion.
  const query = useRecordingPages({
    name: 'trash',
    query: () => ({ trashed: 'true', sort: 'recently-changed' }),
    isEnabled,
    what: msg`Trash`,
  });
  const { recordings, hasMore, total } = query;
  const items = useMemo(() => mergeTrash(recordings, onDevice), [recordings, onDevice]);
  const chooseAll = () => {
    const here = items.map(({ id }) => id);
    if (!hasMore) return selection.set(here);
    call('listRecordingIds', { query: { trashed: 'true' } }).then(
      ({ ids }) => selection.set([...here, ...ids]),
      (error: unknown) => showFailure(() => messageOf(error)),
    );
  };
  return {
    query,
    items,
    selection,
    chooseAll,
    count: hasMore ? Math.max(items.length, (total ?? 0) + items.length - recordings.length) : items.length,
    chosenIds: hasMore
      ? [...selection.chosen]
      : items.flatMap(({ id }) => (selection.chosen.has(id) ? [id] : [])),
  };
}

/** The trash of the server and of this device, last deleted first, each recording once, with the length of both. */
export function mergeTrash(
  onServer: readonly TrashedRecording[],
  onDevice: readonly TrashedTake[],
): Trashed[] {
  const here = new Map(onDevice.map((item) => [item.id, item]));
  const there = onServer.map((recording) => {
    const take = here.get(recording.id)?.take;
    const length = { durationMs: recording.durationMs, isGrowing: recording.state === 'receiving' };
    return {
      ...trashedOf(recording),
      ...(take && { durationMs: lengthOfBoth(length, take, true) }),
    };
  });
  const byId = new Map<string, Trashed>([...onDevice, ...there].map((item) => [item.id, item]));
  return [...byId.values()].toSorted((a, b) => b.deletedAtMs - a.deletedAtMs);
}
