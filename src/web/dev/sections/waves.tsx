import { useEffect, useState } from 'react';
import { second } from '#base/duration.ts';
import { LevelBar } from '#web/features/recorder/live/level-meter.tsx';
import { LiveWave } from '#web/features/recorder/live/live-wave.tsx';
import { Waveform } from '#web/features/player/waveform/waveform.ts';
import { WaveCanvas, OverviewStrip } from '#web/features/player/waveform/wave-view.tsx';
import { samplePeaks, sampleLive, stillPlayhead, waveLengthMs } from '#web/dev/sample-data.ts';
import { Part, State } from '#web/dev/states.tsx';
import styles from '#web/dev/dev.module.css';

const markers = [
  { id: 'a', atMs: 4 * second, label: '' },
  { id: 'b', atMs: 21 * second, label: '' },
];

export function Waves() {
  const [waveform] = useState(() => new Waveform(stillPlayhead));
  useEffect(() => {
    waveform.setContent({
      durationMs: waveLengthMs,
      markers,
      gaps: [{ atMs: 14 * second, durationMs: 2 * second }],
      breaks: [{ atMs: 21 * second }],
      muted: [{ fromMs: 7 * second, toMs: 10 * second }],
    });
    waveform.show(samplePeaks);
    return waveform.start();
  }, [waveform]);
  return (
    <>
      <Part name="recording/live-wave, level-meter">
        <State wide name="recording, with a gap">
          <LiveWave peaks={sampleLive} isLive />
        </State>
        <State wide name="paused">
          <LiveWave peaks={sampleLive} isLive={false} />
        </State>
        <State wide name="loud">
          <LevelBar level={() => ({ peak: 0.7, rms: 0.3, clippedAtMs: null })} isOn />
        </State>
        <State wide name="too loud">
          <LevelBar level={() => ({ peak: 1, rms: 0.8, clippedAtMs: performance.now() })} isOn />
        </State>
      </Part>
      <Part name="playback/waveform">
        <State wide name="detail: played, rest, gap, markers">
          <div dir="ltr" className={styles.wave}>
            <WaveCanvas waveform={waveform} kind="detail" />
          </div>
        </State>
        <State wide name="overview">
          <OverviewStrip waveform={waveform} />
        </State>
      </Part>
    </>
  );
}
