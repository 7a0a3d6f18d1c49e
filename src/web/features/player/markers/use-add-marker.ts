import { useState } from 'react';
import { focusToName, type MarkerToName } from '#web/shortcuts/marker-to-name.ts';
import { player } from '#web/features/player/engine/shared-player.ts';
import type { PlayableActions } from '#web/features/player/playable-recording.ts';

export interface AddMarker {
  /** The marker that was just added and can be named. */
  toName: MarkerToName | null;
  /** Adds a marker at the playback position; undefined if markers can't be added. */
  add: ((by: 'key' | 'press') => void) | undefined;
}

/** Adds markers at the playback position and prompts for each name immediately, as the recorder does. */
export function useAddMarker({ addMarker }: PlayableActions, durationMs: number): AddMarker {
  const [toName, setToName] = useState<MarkerToName | null>(null);
  const add =
    addMarker &&
    ((by: 'key' | 'press') => {
      focusToName(addMarker(Math.round(Math.min(player.positionMs(), durationMs))), by, setToName);
    });
  return { toName, add };
}
