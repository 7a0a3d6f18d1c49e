/**
 * A block of a track: one Float32Array per channel, and when the browser captured its first sample, by a
 * clock of its own.
 */
export interface TrackBlock {
  channels: Float32Array[];
  takenAtMs: number;
  sampleRateHz: number;
}

function blockOf(data: AudioData): TrackBlock {
  const channels = Array.from({ length: data.numberOfChannels }, (_, planeIndex) => {
    const samples = new Float32Array(data.numberOfFrames);
    data.copyTo(samples, { planeIndex, format: 'f32-planar' });
    return samples;
  });
  return { channels, takenAtMs: data.timestamp / 1000, sampleRateHz: data.sampleRate };
}

/**
 * Passes on what a track gives until it ends; returns a way to let it go. Blocks that waited in its queue
 * come first.
 */
export function readTrack(
  track: ReadableStream<AudioData>,
  onBlock: (block: TrackBlock) => void,
): () => void {
  const reader = track.getReader();
  // A track that breaks gives no more sound, and that is noticed by whoever waits for it.
  const next = async () => (await reader.read().catch(() => null))?.value ?? null;
  const read = async () => {
    for (let data = await next(); data !== null; data = await next()) {
      const block = blockOf(data);
      data.close();
      onBlock(block);
    }
  };
  void read().catch((error: unknown) => {
    reportError(error);
  });
  return () => {
    void reader.cancel().catch(() => undefined);
  };
}
