import { useMemo, useSyncExternalStore } from 'react';
import { sessionState } from '#web/api/session-state.ts';
import { cutOff } from './cut-off.ts';
import { lastUser, type LastUser } from './last-known.ts';

export interface Viewer {
  user: LastUser | null;
  /** The server has said so; else it is the person signed in last on this device. */
  isConfirmed: boolean;
}

/**
 * For whom the screens are: the person signed in, or, while no server says who is, the one signed in last on
 * this device.
 */
export function useViewer(): Viewer {
  const { status, user } = useSyncExternalStore(
    sessionState.subscribe,
    sessionState.getSnapshot,
    sessionState.getSnapshot,
  );
  const isCutOff = useSyncExternalStore(cutOff.subscribe, cutOff.getSnapshot, cutOff.getSnapshot);
  return useMemo(() => {
    if (status !== 'unknown') return { user, isConfirmed: true };
    return { user: isCutOff ? lastUser() : null, isConfirmed: false };
  }, [status, user, isCutOff]);
}

export const useViewerId = (): string | null => useViewer().user?.id ?? null;
