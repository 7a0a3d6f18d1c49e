import type { Store } from '#base/store.ts';
import type { AudioPreferences } from '#web/features/recorder/audio-preferences.ts';
import type { TakeState } from '#web/features/recorder/take/take.ts';

interface Melody {
  tonesHz: readonly number[];
  toneSeconds: number;
  loudness: number;
}

const warning: Melody = { tonesHz: [660, 495], toneSeconds: 0.22, loudness: 0.12 };
const beginning: Melody = { tonesHz: [523, 784], toneSeconds: 0.09, loudness: 0.07 };
const end: Melody = { tonesHz: [784, 523], toneSeconds: 0.09, loudness: 0.07 };

const breathSeconds = 0.04;
/** The echo of so soft a tone has faded by then. */
const fadingSeconds = 0.2;

function ring(
  context: AudioContext,
  { toneSeconds, loudness }: Melody,
  [frequency, at]: readonly [number, number],
): void {
  const tone = new OscillatorNode(context, { type: 'sine', frequency });
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loudness, at + Math.min(0.03, toneSeconds / 3));
  gain.gain.linearRampToValueAtTime(0, at + toneSeconds);
  tone.connect(gain).connect(context.destination);
  tone.start(at);
  tone.stop(at + toneSeconds);
}

async function play(melody: Melody): Promise<void> {
  const context = new AudioContext();
  try {
    await context.resume();
    const start = context.currentTime + 0.02;
    const stepSeconds = melody.toneSeconds + breathSeconds;
    melody.tonesHz.forEach((frequency, index) => {
      ring(context, melody, [frequency, start + index * stepSeconds]);
    });
    await new Promise((resolve) => {
      setTimeout(resolve, 1000 * (melody.tonesHz.length * stepSeconds + fadingSeconds));
    });
  } finally {
    await context.close();
  }
}

/** Plays two short soft tones, the second lower. Rejects if the browser can't play audio. */
export const soundAlarm = (): Promise<void> => play(warning);

/**
 * Plays two shorter tones, rising. Resolves when their echo has faded, so that the take can start. Rejects if the
 * browser can't play audio.
 */
export const soundBeginning = (): Promise<void> => play(beginning);

/** Plays the same tones, falling. Rejects if the browser can't play audio. */
const soundEnd = (): Promise<void> => play(end);

/** Plays the end cue of a take once nothing is being captured. */
export function cueEnds(recorder: Store<TakeState>, preferences: Store<AudioPreferences>): void {
  let before = recorder.getSnapshot().status;
  recorder.subscribe(() => {
    const { status } = recorder.getSnapshot();
    const hasEnded = before === 'stopping' && status === 'stopped';
    before = status;
    if (hasEnded && preferences.getSnapshot().cues) void soundEnd().catch(() => undefined);
  });
}
