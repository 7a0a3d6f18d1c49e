/**
 * A block that the capture worklet posts to the take worker: about 20 ms, one Float32Array per channel,
 * transferred.
 */
export interface PcmBlock {
  type: 'pcm';
  /** Frames since the context started. A hole in this count is a hole in the sound. */
  frame: number;
  channels: Float32Array[];
}

/** Messages from the page to the worklet. */
export type ToCaptureWorklet = { type: 'connect'; port: MessagePort } | { type: 'close' };

export const captureWorkletName = 'earshot-capture';
