import { useEffect, useEffectEvent, useState } from 'react';
import {
  followMoment,
  leaveRecording,
  openRecording,
  updateRecording,
} from '#web/features/player/playback/open-recording.ts';
import { selection } from '#web/features/player/engine/selection.ts';
import { sharedPlayhead } from '#web/features/player/engine/shared-player.ts';
import { onReachableAgain } from '#web/api/connection/connection.ts';
import { silenceSkipping } from '#web/features/player/playback/silence-skipping.ts';
import type { PlayableRecording } from '#web/features/player/playable-recording.ts';
import { Waveform } from '#web/features/player/waveform/waveform.ts';

/** Connects a recording to the page's player and to a waveform while its page is mounted. */
export function useWaveform(recording: PlayableRecording): Waveform {
  const [waveform] = useState(() => new Waveform(sharedPlayhead));
  const { id, peaks, durationMs, markers, gaps, breaks, passages: muted } = recording;
  useEffect(() => waveform.start(), [waveform]);
  useEffect(() => waveform.show(peaks), [waveform, peaks]);
  useEffect(
    () =>
      onReachableAgain(() => {
        if (waveform.reader.getSnapshot() === 'failed') waveform.show(peaks);
      }),
    [waveform, peaks],
  );
  useEffect(
    () => waveform.setContent({ durationMs, markers, gaps, breaks, muted }),
    [waveform, durationMs, markers, gaps, breaks, muted],
  );
  const open = useEffectEvent(() => openRecording(recording));
  useEffect(() => open(), [id]);
  useEffect(() => updateRecording(recording), [recording]);
  useEffect(() => silenceSkipping.follow(peaks), [id, peaks]);
  useEffect(() => {
    const draw = () => waveform.setSelection(selection.getSnapshot());
    draw();
    return selection.subscribe(draw);
  }, [waveform]);
  useEffect(() => {
    const stopFollowing = followMoment();
    return () => {
      stopFollowing();
      selection.set(null);
      leaveRecording();
    };
  }, [id]);
  return waveform;
}
