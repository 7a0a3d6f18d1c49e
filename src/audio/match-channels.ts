/**
 * Converts PCM to the wanted number of channels: copies one to all, averages several into one, and drops extra
 * ones.
 */
export function matchChannels(channels: readonly Float32Array[], wanted: number): readonly Float32Array[] {
  const [first] = channels;
  if (first === undefined || channels.length === wanted) return channels;
  if (wanted === 1) return [averageOf(channels, first.length)];
  return Array.from(
    { length: wanted },
    (_, index) => channels[Math.min(index, channels.length - 1)] ?? first,
  );
}

function averageOf(channels: readonly Float32Array[], frames: number): Float32Array {
  const average = new Float32Array(frames);
  for (const samples of channels) {
    for (let index = 0; index < frames; index++)
      average[index] = (average[index] ?? 0) + (samples[index] ?? 0) / channels.length;
  }
  return average;
}
