import { useEffect, useEffectEvent, useState } from 'react';
import { followMoment, leaveRecording, openRecording, updateRecording } from './engine/open-recording.ts';
import { selection } from './engine/selection.ts';
import { sharedPlayhead } from './engine/shared-player.ts';
import { silenceSkipping } from './silence/silence-skipping.ts';
import type { PlayableRecording } from './playable-recording.ts';
import { Waveform } from './waveform/waveform.ts';

/** Ties a recording to the page's player and to a waveform for as long as its screen is there. */
export function useWaveform(recording: PlayableRecording): Waveform {
  const [waveform] = useState(() => new Waveform(sharedPlayhead));
  const { id, peaks, durationMs, markers, gaps } = recording;
  useEffect(() => waveform.start(), [waveform]);
  useEffect(() => waveform.show(peaks), [waveform, peaks]);
  useEffect(() => waveform.setContent({ durationMs, markers, gaps }), [waveform, durationMs, markers, gaps]);
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
