import { useState } from 'react';
import { focusToName, type MarkerToName } from '#web/shortcuts/marker-to-name.ts';
import { player } from '#web/features/player/engine/shared-player.ts';
import type { PlayableActions } from '#web/features/player/playable-recording.ts';

export interface AddMarker {
  /** The marker that was just added and can be named at once. */
  toName: MarkerToName | null;
  /** Marks the moment that is played; missing where no markers can be added. */
  add: ((by: 'key' | 'press') => void) | undefined;
}

/**
 * Adds markers where the recording is being played, and asks for the name of each at once, as the recorder
 * does.
 */
export function useAddMarker({ addMarker }: PlayableActions, durationMs: number): AddMarker {
  const [toName, setToName] = useState<MarkerToName | null>(null);
  const add =
    addMarker &&
    ((by: 'key' | 'press') => {
      setToName(focusToName(addMarker(Math.round(Math.min(player.positionMs(), durationMs))), by));
    });
  return { toName, add };
}
