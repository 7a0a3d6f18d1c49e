import { opusGranuleRateHz, opusPacketSamples } from '#audio/ogg/opus-packet.ts';
import { second } from '#base/duration.ts';
import type { TimedPacket } from './packet-reader.ts';

/**
 * A forward jump of the timestamps only counts if it lasts this long, because after a late packet the clock
 * catches up.
 */
const lookAheadMs = second;
/** The share of a lasting difference that is attributed to clock drift, per packet. */
const driftShare = 1 / 256;
const silentPacketMs = 20;
/** CELT, fullband, 20 ms, mono or stereo, with a two-byte frame that decodes to silence (RFC 6716 §3.1). */
const silentPacketMono = Uint8Array.of(0xf8, 0xff, 0xfe);
const silentPacketStereo = Uint8Array.of(0xfc, 0xff, 0xfe);

interface Waiting {
  bytes: Uint8Array;
  durationMs: number;
  offsetMs: number;
}

/** A packet that is repeated `times`. `isSilence`: it fills a hole and was not in the file. */
export interface PacketRun {
  bytes: Uint8Array;
  times: number;
  isSilence: boolean;
}

/** Which holes are filled with silence. */
export interface FilledHoles {
  /** Shorter differences are jitter. */
  minHoleMs: number;
  /** The total silence that may be inserted. */
  maxSilenceMs: number;
}

/**
 * Joins packets without holes. If the timestamps jump ahead of the counted duration and stay ahead, the recorder
 * lost sound, and silence is inserted to keep the time correct. Timestamps that fall behind are ignored. A jump
 * that exceeds the remaining silence is not trusted: the packets after it follow directly.
 */
export class TimelineOfPackets {
  readonly #silentPacket: Uint8Array;
  readonly #minHoleMs: number;
  #silenceLeftMs: number;
  #hasAbsurdTimes = false;
  #waiting: Waiting[] = [];
  #waitingMs = 0;
  /** The duration of all packets received, without silence. */
  #countedMs = 0;
  #baselineMs: number | null = null;

  constructor({ channels, minHoleMs, maxSilenceMs }: FilledHoles & { channels: number }) {
    this.#minHoleMs = minHoleMs;
    this.#silentPacket = channels === 1 ? silentPacketMono : silentPacketStereo;
    this.#silenceLeftMs = maxSilenceMs;
  }

  /** Whether a timestamp required more silence than allowed, or was not a number. */
  get hasAbsurdTimes(): boolean {
    return this.#hasAbsurdTimes;
  }

  /** Adds the next packet. Returns the packets that are ready to be written, in order. */
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

  /** Returns the remaining packets at the end of the file. */
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
    if (holeMs < this.#minHoleMs) {
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
