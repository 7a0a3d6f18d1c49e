/** Granule positions of Opus always count at this rate (RFC 7845 §4). */
export const opusGranuleRateHz = 48_000;

const samplesPerMs = opusGranuleRateHz / 1000;
const silkFrameMs = [10, 20, 40, 60];
const celtFrameMs = [2.5, 5, 10, 20];
/** RFC 6716 §3.2.5: a longer packet is malformed; its count byte alone could claim almost four seconds. */
const maxPacketMs = 120;

/** Samples at 48 kHz in one Opus packet, from its TOC byte (RFC 6716 §3.1, §3.2); 0 for an empty packet. */
export function opusPacketSamples(packet: Uint8Array): number {
  const toc = packet[0];
  if (toc === undefined) return 0;
  return samplesPerMs * Math.min(maxPacketMs, frameMs(toc >> 3) * frameCount(toc & 3, packet));
}

/** RFC 6716 table 2: 0–11 SILK, 12–15 hybrid, 16–31 CELT. */
function frameMs(configuration: number): number {
  if (configuration < 12) return silkFrameMs[configuration & 3] ?? 0;
  if (configuration < 16) return (configuration & 1) === 0 ? 10 : 20;
  return celtFrameMs[configuration & 3] ?? 0;
}

/** RFC 6716 §3.2: code 0 is one frame, 1 and 2 are two; for 3 the next byte has the number. */
function frameCount(code: number, packet: Uint8Array): number {
  if (code === 0) return 1;
  return code === 3 ? (packet[1] ?? 0) & 0x3f : 2;
}
