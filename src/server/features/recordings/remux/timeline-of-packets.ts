import { opusGranuleRateHz, opusPacketSamples } from '#audio/ogg/opus-packet.ts';
import { second } from '#base/duration.ts';
import type { TimedPacket } from './packet-reader.ts';

/** Shorter differences are the recorder's clock trembling, not sound that is missing. */
const leastHoleMs = 100;
/** How far ahead a jump of the timestamps must hold before it counts: a late packet is followed by its clock catching up. */
const lookAheadMs = second;
/** The part of a lasting difference that is taken for the drift of two clocks, per packet. */
const driftShare = 1 / 256;
const silentPacketMs = 20;
/** CELT, fullband, 20 ms, mono or stereo, with a frame of two bytes that decodes to silence (RFC 6716 §3.1). */
const silentPacketMono = Uint8Array.of(0xf8, 0xff, 0xfe);
const silentPacketStereo = Uint8Array.of(0xfc, 0xff, 0xfe);

interface Waiting { bytes: Uint8Array; durationMs: number; offsetMs: number }

/**
 * Makes packets follow each other without holes: where the timestamps leap ahead of what was counted, and stay ahead, the
 * recorder lost sound, and packets of silence keep the time true. Timestamps that fall behind change nothing.
 */
export class TimelineOfPackets {
  readonly #silentPacket: Uint8Array;
  #waiting: Waiting[] = [];
  #waitingMs = 0;
  /** Of all packets taken in, silence not counted. */
  #countedMs = 0;
  #baselineMs: number | null = null;

  constructor(channels: number) {
    this.#silentPacket = channels === 1 ? silentPacketMono : silentPacketStereo;
  }

  /** Takes the next packet; answers with those that are ready to be written, in order. */
  push({ bytes, atMs }: TimedPacket): Uint8Array[] {
    const durationMs = (opusPacketSamples(bytes) * second) / opusGranuleRateHz;
    if (durationMs === 0) return [];
    this.#waiting.push({ bytes, durationMs, offsetMs: atMs - this.#countedMs });
    this.#countedMs += durationMs;
    this.#waitingMs += durationMs;
    const ready: Uint8Array[] = [];
    while (this.#waitingMs > lookAheadMs) ready.push(...this.#shift());
    return ready;
  }

  /** Everything that still waits, at the end of the file. */
  finish(): Uint8Array[] {
    const ready: Uint8Array[] = [];
    while (this.#waiting.length > 0) ready.push(...this.#shift());
    return ready;
  }

  #shift(): Uint8Array[] {
    const aheadMs = Math.min(...this.#waiting.map(({ offsetMs }) => offsetMs));
    const first = this.#waiting.shift();
    if (first === undefined) return [];
    this.#waitingMs -= first.durationMs;
    const baselineMs = this.#baselineMs ?? aheadMs;
    const holeMs = aheadMs - baselineMs;
    if (holeMs < leastHoleMs) {
      this.#baselineMs = baselineMs + holeMs * driftShare;
      return [first.bytes];
    }
    const silences = Math.round(holeMs / silentPacketMs);
    this.#baselineMs = baselineMs + silences * silentPacketMs;
    return [...Array.from({ length: silences }, () => this.#silentPacket), first.bytes];
  }
}
