import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { useStore } from '#web/ui/hooks/use-store.ts';
import { audioPreferences } from '#web/features/recorder/audio-preferences.ts';
import { useMicrophonePermission } from './use-microphone-permission.ts';
import { microphones } from '#web/features/recorder/capture/microphone-list.ts';
import { recorder } from '#web/features/recorder/recorder.ts';
import { levelCheckSwitch } from './level-check-switch.ts';
import { openLevelCheck, type LevelCheck } from './open-level-check.ts';

const onVisibility = (listener: () => void): (() => void) => {
  document.addEventListener('visibilitychange', listener);
  return () => {
    document.removeEventListener('visibilitychange', listener);
  };
};
const isSeen = () => document.visibilityState === 'visible';

/** Opens the microphone. It is closed when it is lost, when a recording starts, or by the returned function. */
function open(onOpened: (check: LevelCheck) => void, onLost: () => void): () => void {
  let check: LevelCheck | null = null;
  let isOver = false;
  const close = () => {
    isOver = true;
    leave();
    check?.close();
    check = null;
  };
  // Close during the press on Record, so that the microphone is free for the take.
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
 * The level of the chosen microphone; null unless the user has switched the check on during this visit of the
 * recorder, the browser allows the microphone, and the page is visible.
 */
export function useLevelCheck(): { check: LevelCheck | null; isLost: boolean } {
  const { deviceId, echoCancellation, noiseSuppression, autoGainControl } = useStore(audioPreferences);
  const isOn = useStore(levelCheckSwitch);
  const isAllowed = useMicrophonePermission() !== 'denied';
  const isVisible = useSyncExternalStore(onVisibility, isSeen, () => false);
  const found = useStore(microphones)
    .map((microphone) => microphone.deviceId)
    .join(' ');
  const [check, setCheck] = useState<LevelCheck | null>(null);
  const [lostWith, setLostWith] = useState<string | null>(null);
  const isWanted = isOn && isAllowed && isVisible;
  // A microphone that was lost or could not be opened is tried again when the list of microphones changes.
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
  useEffect(() => () => levelCheckSwitch.set(false), []);
  return { check: isWanted ? check : null, isLost };
}
