import { speechRateHz } from '#audio/speech/point-levels.ts';
import { utf8 } from '#base/utf8.ts';

const headerBytes = 44;
const sampleBytes = 2;

/** A WAV file of mono sound at 16 kHz, from samples of −1…1. */
export function wavOf(samples: Float32Array): Uint8Array<ArrayBuffer> {
  const dataBytes = samples.length * sampleBytes;
  const bytes = new Uint8Array(headerBytes + dataBytes);
  const view = new DataView(bytes.buffer);
  bytes.set(utf8('RIFF'));
  view.setUint32(4, headerBytes - 8 + dataBytes, true);
  bytes.set(utf8('WAVEfmt '), 8);
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true); // PCM
  view.setUint16(22, 1, true); // channels
  view.setUint32(24, speechRateHz, true);
  view.setUint32(28, speechRateHz * sampleBytes, true);
  view.setUint16(32, sampleBytes, true);
  view.setUint16(34, 8 * sampleBytes, true);
  bytes.set(utf8('data'), 36);
  view.setUint32(40, dataBytes, true);
  samples.forEach((sample, index) => {
    view.setInt16(headerBytes + sampleBytes * index, Math.round(sample * 32_767), true);
  });
  return bytes;
}

/** Samples of −1…1 from 16 bits, little-endian. */
export function samplesOf(pcm: Uint8Array): Float32Array {
  const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.length);
  return Float32Array.from(
    { length: Math.floor(pcm.length / sampleBytes) },
    (_, index) => view.getInt16(sampleBytes * index, true) / 32_768,
  );
}
