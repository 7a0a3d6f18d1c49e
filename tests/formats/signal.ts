import { signal } from './signal-shape.ts';

const { periodSeconds, firstHz, hzPerSecond, loudness } = signal;

/** The signal as a 16-bit WAV file of `seconds` seconds, the same in every channel. */
export function signalWav({
  sampleRateHz,
  channels,
  seconds,
}: {
  sampleRateHz: number;
  channels: number;
  seconds: number;
}): Buffer {
  const count = seconds * sampleRateHz;
  const wav = Buffer.alloc(44 + count * channels * 2);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(channels, 22);
  wav.writeUInt32LE(sampleRateHz, 24);
  wav.writeUInt32LE(sampleRateHz * channels * 2, 28);
  wav.writeUInt16LE(channels * 2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(wav.length - 44, 40);
  for (let index = 0; index < count; index += 1) {
    const atSeconds = (index / sampleRateHz) % periodSeconds;
    const phase = 2 * Math.PI * (firstHz * atSeconds + (hzPerSecond / 2) * atSeconds ** 2);
    const value = Math.round(32_767 * (loudness[Math.floor(atSeconds)] ?? 0) * Math.sin(phase));
    for (let channel = 0; channel < channels; channel += 1)
      wav.writeInt16LE(value, 44 + (index * channels + channel) * 2);
  }
  return wav;
}

/**
 * Whether peaks of hundredths of a second (0–1) match the signal's length and the loudness of every second, to
 * within 50 ms. Codecs may smear the edges of the seconds.
 */
export function arePeaksRight(peaks: readonly number[], seconds: number): boolean {
  if (Math.abs(peaks.length - 100 * seconds) > 10) return false;
  return Array.from({ length: seconds }, (_, second) => loudness[second % periodSeconds] ?? 0).every(
    (loud, second) =>
      [6, 30, 50, 70, 94].every((hundredth) => {
        const at = second * 100 + hundredth;
        const heard = Math.max(...peaks.slice(at - 2, at + 3));
        return Math.abs(heard - loud) < Math.max(0.05, 0.2 * loud);
      }),
  );
}
