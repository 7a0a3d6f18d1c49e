import { useCallback, useRef, useSyncExternalStore } from 'react';
import { countBefore } from '#playback/count-before.ts';
import type { TranscriptLine } from '#contract/transcripts-api.ts';
import { player } from '#web/features/player/engine/shared-player.ts';

/** The line and the word that sound; -1 for none. */
export interface Sounding {
  line: number;
  word: number;
}

const silent: Sounding = { line: -1, word: -1 };

/** The line and the word at a position. Between two words, the one before is still shown. */
function soundingAt(lines: readonly TranscriptLine[], positionMs: number): Sounding {
  const line = countBefore(lines, ({ fromMs }) => fromMs > positionMs) - 1;
  const found = lines[line];
  if (found === undefined || positionMs >= found.toMs)
    return { line: found === undefined ? -1 : line, word: -1 };
  return { line, word: countBefore(found.times, ([fromMs]) => fromMs > positionMs) - 1 };
}

/** Calls back at each frame while the player plays, and whenever its state changes. */
function watchPosition(onChange: () => void): () => void {
  let frame = 0;
  const follow = (): void => {
    cancelAnimationFrame(frame);
    onChange();
    if (player.getSnapshot().status === 'playing') frame = requestAnimationFrame(follow);
  };
  const unsubscribe = player.subscribe(follow);
  follow();
  return () => {
    unsubscribe();
    cancelAnimationFrame(frame);
  };
}

/** The line and the word that sound, if the player has this recording. */
export function useSounding(recordingId: string, lines: readonly TranscriptLine[]): Sounding {
  const last = useRef(silent);
  const read = useCallback(() => {
    const { track, status } = player.getSnapshot();
    const positionMs = player.positionMs();
    const isHere = track?.id === recordingId && (positionMs > 0 || status === 'playing');
    const now = isHere ? soundingAt(lines, positionMs) : silent;
    if (now.line !== last.current.line || now.word !== last.current.word) last.current = now;
    return last.current;
  }, [recordingId, lines]);
  return useSyncExternalStore(watchPosition, read);
}
