import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { audioPreferences } from '#web/features/recorder/audio-preferences.ts';
import { useMicrophonePermission } from './use-microphone-permission.ts';
import { microphones } from '#web/features/recorder/capture/microphone-list.ts';
import { recorder } from '#web/features/recorder/recorder.ts';
import { openLevelCheck, type LevelCheck } from './open-level-check.ts';
import { createStore } from '#base/store.ts';

const onVisibility = (tell: () => void): (() => void) => {
  document.addEventListener('visibilitychange', tell);
  return () => {
    document.removeEventListener('visibilitychange', tell);
  };
};
const isSeen = () => document.visibilityState === 'visible';

/** A microphone that is open; closed when it is lost, when a recording begins, or by `close`. */
function open(onOpened: (check: LevelCheck) => void, onLost: () => void): () => void {
  let check: LevelCheck | null = null;
  let isOver = false;
  const close = () => {
    isOver = true;
    leave();
    check?.close();
    check = null;
  };
  // In the same moment as the press on Record: the recording finds the microphone free.
  const leave = recorder.subscribe(() => {
    if (recorder.getSnapshot().status === 'asking') close();
  });
  const lose = () => {
    if (!isOver) onLost();
    close();
  };
  openLevelCheck(audioPreferences.getSnapshot(), lose).then((opened) => {
    check = opened;
    if (isOver) close();
    else onOpened(opened);
  }, lose);
  return close;
}

/**
 * The level of the chosen microphone while the user wants to see it, the browser allows it without asking,
 * and the page is seen; else null.
 */
export function useLevelCheck(): { check: LevelCheck | null; isLost: boolean } {
  const { checksLevel, deviceId, echoCancellation, noiseSuppression, autoGainControl } =
    useStore(audioPreferences);
  const isAllowed = useMicrophonePermission() === 'granted';
  const isHeld = useStore(levelCheckHold);
  const isVisible = useSyncExternalStore(onVisibility, isSeen, () => false);
  const found = useStore(microphones)
    .map((microphone) => microphone.deviceId)
    .join(' ');
  const [check, setCheck] = useState<LevelCheck | null>(null);
  const [lostWith, setLostWith] = useState<string | null>(null);
  const isWanted = checksLevel && isAllowed && isVisible && !isHeld;
  // One that could not be opened, or was lost, is opened again once another microphone is there.
  const isLost = isWanted && lostWith === found;
  const lose = useEffectEvent(() => setLostWith(found));
  useEffect(() => {
    if (!isWanted || isLost) return undefined;
    const close = open(setCheck, () => lose());
    return () => {
      close();
      setCheck(null);
    };
  }, [isWanted, isLost, deviceId, echoCancellation, noiseSuppression, autoGainControl]);
  return { check: isWanted ? check : null, isLost };
}

/**
 * Whether something else listens to the microphone now: some systems give sound only to the one that opened
 * it last.
 */
export const levelCheckHold = createStore(false);
