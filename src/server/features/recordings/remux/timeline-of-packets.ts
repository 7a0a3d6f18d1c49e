import { opusGranuleRateHz, opusPacketSamples } from '#audio/ogg/opus-packet.ts';
import { second } from '#base/duration.ts';
import type { TimedPacket } from './packet-reader.ts';

/** Shorter differences are the recorder's clock trembling, not sound that is missing. */
const leastHoleMs = 100;
/**
 * How far ahead a jump of the timestamps must hold before it counts: a late packet is followed by its clock
 * catching up.
 */
const lookAheadMs = second;
/** The part of a lasting difference that is taken for the drift of two clocks, per packet. */
const driftShare = 1 / 256;
const silentPacketMs = 20;
/**
 * CELT, fullband, 20 ms, mono or stereo, with a frame of two bytes that decodes to silence (RFC 6716 §3.1).
 */
const silentPacketMono = Uint8Array.of(0xf8, 0xff, 0xfe);
const silentPacketStereo = Uint8Array.of(0xfc, 0xff, 0xfe);

interface Waiting {
  bytes: Uint8Array;
  durationMs: number;
  offsetMs: number;
}

/** One packet that follows `times` in a row. `isSilence`: it fills a hole and was in no file. */
export interface PacketRun {
  bytes: Uint8Array;
  times: number;
  isSilence: boolean;
}

/**
 * Makes packets follow each other without holes: where the timestamps leap ahead of what was counted, and
 * stay ahead, the recorder lost sound, and runs of silence keep the time true. Timestamps that fall behind
 * change nothing. A leap for which there is no silence left is not believed: the packets behind it follow
 * directly.
 */
export class TimelineOfPackets {
  readonly #silentPacket: Uint8Array;
  #silenceLeftMs: number;
  #hasAbsurdTimes = false;
  #waiting: Waiting[] = [];
  #waitingMs = 0;
  /** Of all packets taken in, silence not counted. */
  #countedMs = 0;
  #baselineMs: number | null = null;

  /** @param options.mostSilenceMs how much silence all leaps together may ask for */
  constructor({ channels, mostSilenceMs }: { channels: number; mostSilenceMs: number }) {
    this.#silentPacket = channels === 1 ? silentPacketMono : silentPacketStereo;
    this.#silenceLeftMs = mostSilenceMs;
  }

  /** Whether a timestamp asked for more silence than there may be, or was no number. */
  get hasAbsurdTimes(): boolean {
    return this.#hasAbsurdTimes;
  }

  /** Takes the next packet; answers with those that are ready to be written, in order. */
  push({ bytes, atMs }: TimedPacket): PacketRun[] {
    const durationMs = (opusPacketSamples(bytes) * second) / opusGranuleRateHz;
    if (durationMs === 0) return [];
    this.#waiting.push({ bytes, durationMs, offsetMs: this.#believable(atMs) - this.#countedMs });
    this.#countedMs += durationMs;
    this.#waitingMs += durationMs;
    const ready: PacketRun[] = [];
    while (this.#waitingMs > lookAheadMs) ready.push(...this.#shift());
    return ready;
  }

  /** Everything that still waits, at the end of the file. */
  finish(): PacketRun[] {
    const ready: PacketRun[] = [];
    while (this.#waiting.length > 0) ready.push(...this.#shift());
    return ready;
  }

  #believable(atMs: number): number {
    if (Number.isFinite(atMs)) return atMs;
    this.#hasAbsurdTimes = true;
    return this.#countedMs;
  }

  #shift(): PacketRun[] {
    const aheadMs = Math.min(...this.#waiting.map(({ offsetMs }) => offsetMs));
    const first = this.#waiting.shift();
    if (first === undefined) return [];
    this.#waitingMs -= first.durationMs;
    const packet = { bytes: first.bytes, times: 1, isSilence: false };
    const baselineMs = this.#baselineMs ?? aheadMs;
    const holeMs = aheadMs - baselineMs;
    if (holeMs < leastHoleMs) {
      this.#baselineMs = baselineMs + holeMs * driftShare;
      return [packet];
    }
    if (holeMs > this.#silenceLeftMs) {
      this.#hasAbsurdTimes = true;
      this.#baselineMs = aheadMs;
      return [packet];
    }
    const times = Math.round(holeMs / silentPacketMs);
    this.#silenceLeftMs -= times * silentPacketMs;
    this.#baselineMs = baselineMs + times * silentPacketMs;
    return [{ bytes: this.#silentPacket, times, isSilence: true }, packet];
  }
}
