import { useEffect, useState } from 'react';
import { followMoment, openRecording } from './engine/open-recording.ts';
import { sharedPlayhead } from './engine/shared-playhead.ts';
import { player } from './engine/shared-player.ts';
import type { PlayableRecording } from './playable-recording.ts';
import { Waveform } from './waveform/waveform.ts';

/** Ties a recording to the page's player and to a waveform for as long as its screen is there; leaving it pauses. */
export function useWaveform(recording: PlayableRecording): Waveform {
  const [waveform] = useState(() => new Waveform(sharedPlayhead));
  const { id, peaks, durationMs, markers, gaps } = recording;
  useEffect(() => waveform.start(), [waveform]);
  useEffect(() => waveform.show(peaks), [waveform, peaks]);
  useEffect(() => waveform.setContent({ durationMs, markers, gaps }), [waveform, durationMs, markers, gaps]);
  useEffect(() => openRecording(recording), [recording]);
  useEffect(() => {
    const stopFollowing = followMoment();
    return () => {
      stopFollowing();
      player.pause();
    };
  }, [id]);
  return waveform;
}
