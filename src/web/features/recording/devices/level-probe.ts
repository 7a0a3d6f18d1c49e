import { audioPreferences } from '../audio-preferences.ts';
import type { Level } from '../live/live-peaks.ts';
import { openAudioContext } from './capture-graph.ts';
import { closeMicrophone, openMicrophone } from './microphone.ts';

export interface LevelProbe {
  level: () => Level;
  label: string | null;
  close: () => void;
}

/** Listens to the chosen microphone without keeping anything. Throws `Refusal`. */
export async function openLevelProbe(): Promise<LevelProbe> {
  const context = openAudioContext();
  const close = () => { if (context.state !== 'closed') void context.close(); };
  const microphone = await openMicrophone(audioPreferences.getSnapshot()).catch((error: unknown) => { close(); throw error; });
  const analyser = new AnalyserNode(context, { fftSize: 2048 });
  context.createMediaStreamSource(microphone.stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  let clippedAtMs: number | null = null;
  return {
    label: microphone.label,
    level: () => {
      analyser.getFloatTimeDomainData(samples);
      let peak = 0;
      let power = 0;
      for (const sample of samples) {
        peak = Math.max(peak, Math.abs(sample));
        power += sample * sample;
      }
      if (peak >= 0.999) clippedAtMs = Date.now();
      return { peak, rms: Math.sqrt(power / samples.length), clippedAtMs };
    },
    close: () => {
      closeMicrophone(microphone);
      close();
    },
  };
}
