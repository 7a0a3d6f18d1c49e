import type { PcmBlock } from '#workers/capture/messages.ts';
import type { PcmFeed } from '#workers/encode/capture-format.ts';
import { readTrack } from '#workers/encode/intake/read-track.ts';

/** Passes on every block that comes; returns a way to stop. */
export function hearFeed(pcm: PcmFeed | null, hear: (channels: readonly Float32Array[]) => void): () => void {
  if (pcm === null) return () => {};
  if ('getReader' in pcm) return readTrack(pcm, ({ channels }) => { hear(channels); });
  const heard = ({ data }: MessageEvent<PcmBlock>) => { hear(data.channels); };
  pcm.addEventListener('message', heard);
  pcm.start();
  return () => { pcm.removeEventListener('message', heard); };
}

/** How loud a block of samples is. */
export function levelOf(samples: Float32Array): { peak: number; rms: number; clipped: boolean } {
  const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  return { peak, rms: Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length)), clipped: peak >= 0.999 };
}
