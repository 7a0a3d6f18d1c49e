/**
 * Where PCM comes out: the track itself where a browser lets it be read (Chromium), else the worklet's port
 * of `PcmBlock`s.
 */
export type PcmFeed = ReadableStream<AudioData> | MessagePort;

/** How one source of sound speaks: a segment keeps to one format. */
export interface CaptureFormat {
  /** What its blocks come at: 44,100 or 48,000. */
  sampleRateHz: number;
  channels: number;
  deviceLabel: string | null;
}
