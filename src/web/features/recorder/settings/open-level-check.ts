import { ChannelMixer } from '#audio/channel-mixer.ts';
import { LevelMeter } from '#audio/level-meter.ts';
import { createStore, type Store } from '#base/store.ts';
import type { AudioPreferences } from '#web/features/recorder/audio-preferences.ts';
import { openCapturePipeline } from '#web/features/recorder/capture/capture-pipeline.ts';
import { openAudioContext } from '#web/features/recorder/capture/open-audio-context.ts';
import { createLivePeaks, type MeterLevel } from '#web/features/recorder/live/live-peaks.ts';
import { listenToFeed } from './listen-to-feed.ts';
import { audibleAmplitude, clippingAmplitude } from '#audio/sound-levels.ts';
import { second } from '#base/duration.ts';

/** The assessment of the level: no audio, distortion, or neither. */
type LevelVerdict = 'silent' | 'loud' | 'fine';

const silentAfterMs = 5 * second;
const loudForMs = 2.5 * second;

/**
 * Creates a function that assesses the level of each block before a recording. Silence counts only while blocks
 * arrive.
 */
export function createLevelJudge(): (peak: number, nowMs: number) => LevelVerdict {
  let silentSinceMs: number | null = null;
  let loudUntilMs = 0;
  return (peak, nowMs) => {
    silentSinceMs = peak >= audibleAmplitude ? null : (silentSinceMs ?? nowMs);
    if (peak >= clippingAmplitude) loudUntilMs = nowMs + loudForMs;
    if (nowMs < loudUntilMs) return 'loud';
    return silentSinceMs !== null && nowMs - silentSinceMs >= silentAfterMs ? 'silent' : 'fine';
  };
}

export interface LevelCheck {
  level: () => MeterLevel;
  verdict: Store<LevelVerdict>;
  close: () => void;
}

/**
 * Opens the chosen microphone only to measure its level; no samples are stored. Calls `onLost` when the microphone
 * is lost.
 * @throws CaptureError
 */
export async function openLevelCheck(preferences: AudioPreferences, onLost: () => void): Promise<LevelCheck> {
  const pipeline = await openCapturePipeline({ preferences, context: openAudioContext(), isForLevel: true });
  const meter = new LevelMeter();
  const mixer = new ChannelMixer(pipeline.source.channels);
  const peaks = createLivePeaks();
  const verdict = createStore<LevelVerdict>('fine');
  const judge = createLevelJudge();
  const stopListening = listenToFeed(pipeline.source.pcm, (delivered) => {
    const nowMs = Date.now();
    meter.push(mixer.mix(delivered), delivered);
    const level = meter.take();
    peaks.setLevel(level, nowMs);
    const judged = judge(level.peak, nowMs);
    if (judged !== verdict.getSnapshot()) verdict.set(judged);
  });
  const unwatch = pipeline.watch(onLost);
  return {
    level: peaks.level,
    verdict,
    close: () => {
      unwatch();
      stopListening();
      pipeline.close();
    },
  };
}
