import { ChannelMixer } from '#audio/channel-mixer.ts';
import { LevelMeter } from '#audio/level-meter.ts';
import { clippingAmplitude } from '#audio/sound-levels.ts';
import { second } from '#base/duration.ts';
import { audioPreferences } from '#web/features/recorder/audio-preferences.ts';
import { openAudioContext } from '#web/features/recorder/capture/open-audio-context.ts';
import { openCapturePipeline } from '#web/features/recorder/capture/capture-pipeline.ts';
import { listenToFeed } from './listen-to-feed.ts';
import { createLivePeaks, type MeterLevel } from '#web/features/recorder/live/live-peaks.ts';

const checkMs = 5 * second;

/** The result of the test: no audio, too quiet, too loud, or a good level. */
/** `unmeasured`: this browser delivers no samples here, so nothing is known about the sound. */
export type CheckResult = 'unmeasured' | 'nothing' | 'quiet' | 'loud' | 'well';

/** A voice near a microphone peaks far above −34 dB. A room without one stays far below −54 dB. */
function resultOf(peak: number): CheckResult {
  if (peak < 0.002) return 'nothing';
  if (peak < 0.02) return 'quiet';
  return peak >= clippingAmplitude ? 'loud' : 'well';
}

export interface MicrophoneCheck {
  label: string | null;
  level: () => MeterLevel;
  /** Resolves after five seconds with the result. Rejects if the check is closed earlier. */
  result: Promise<CheckResult>;
  /** Plays the recorded audio. Resolves when it has ended. */
  play: () => Promise<void>;
  close: () => void;
}

/**
 * Records five seconds from the chosen microphone, through the same pipeline as a take, in memory only.
 * @throws CaptureError
 */
export async function openMicrophoneCheck(): Promise<MicrophoneCheck> {
  // Created during the press, because the browser otherwise blocks playback.
  const player = openAudioContext();
  const pipeline = await openCapturePipeline({
    preferences: audioPreferences.getSnapshot(),
    context: openAudioContext(),
    isForLevel: true,
  }).catch((error: unknown) => {
    void player.close();
    throw error;
  });
  const meter = new LevelMeter();
  const mixer = new ChannelMixer(1);
  const peaks = createLivePeaks();
  const blocks: Float32Array<ArrayBuffer>[] = [];
  let loudest = 0;
  const { promise, resolve, reject } = Promise.withResolvers<CheckResult>();
  const stopListening = listenToFeed(pipeline.source.pcm, (delivered) => {
    const [mono = new Float32Array()] = mixer.mix(delivered);
    const samples = new Float32Array(mono);
    blocks.push(samples);
    meter.push([samples], delivered);
    const level = meter.take();
    loudest = Math.max(loudest, level.peak);
    peaks.setLevel(level, Date.now());
  });
  const end = () => {
    stopListening();
    pipeline.close();
  };
  const ending = setTimeout(() => {
    end();
    resolve(blocks.length === 0 ? 'unmeasured' : resultOf(loudest));
  }, checkMs);
  return {
    label: pipeline.microphone.label,
    level: peaks.level,
    result: promise,
    play: () => playSamples(player, blocks, pipeline.source.sampleRateHz),
    close: () => {
      clearTimeout(ending);
      end();
      void player.close();
      reject(new DOMException('the check was closed', 'AbortError'));
    },
  };
}

async function playSamples(
  context: AudioContext,
  blocks: readonly Float32Array<ArrayBuffer>[],
  sampleRateHz: number,
): Promise<void> {
  const length = blocks.reduce((sum, block) => sum + block.length, 0);
  if (length === 0) return;
  const buffer = new AudioBuffer({ length, sampleRate: sampleRateHz });
  let at = 0;
  for (const block of blocks) {
    buffer.copyToChannel(block, 0, at);
    at += block.length;
  }
  const source = new AudioBufferSourceNode(context, { buffer });
  source.connect(context.destination);
  await context.resume();
  await new Promise<void>((resolve) => {
    source.addEventListener(
      'ended',
      () => {
        resolve();
      },
      { once: true },
    );
    source.start();
  });
}
