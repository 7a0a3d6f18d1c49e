import { memo } from 'react';
import type { PlayableMarker } from '#web/features/player/playable-recording.ts';
import { TimeRuler } from './time-ruler.tsx';
import { MarkerPoints } from './marker-points.tsx';
import { OverviewStrip } from './overview-strip.tsx';
import { PositionSlider } from './position-slider.tsx';
import { WaveCanvas } from './wave-canvas.tsx';
import type { Waveform } from './waveform.ts';

/** The recording as a picture: times, the stretch that is looked at, its markers, and the whole in small. */
export const WaveView = memo(function WaveView({
  waveform,
  markers,
}: {
  waveform: Waveform;
  markers: readonly PlayableMarker[];
}) {
  return (
    <>
      <TimeRuler waveform={waveform} />
      <PositionSlider waveform={waveform}>
        <WaveCanvas waveform={waveform} kind="detail" />
      </PositionSlider>
      <MarkerPoints waveform={waveform} markers={markers} />
      <OverviewStrip waveform={waveform} />
    </>
  );
});
