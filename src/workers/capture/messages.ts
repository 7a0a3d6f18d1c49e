/**
 * What the capture worklet posts to the take worker: one block of about 20 ms, one Float32Array per channel,
 * transferred.
 */
export interface PcmBlock {
  type: 'pcm';
  /** Frames counted since the context began: a hole in it is a hole in the sound. */
  frame: number;
  channels: Float32Array[];
}

/** What the page posts to the worklet. */
export type ToCaptureWorklet = { type: 'connect'; port: MessagePort } | { type: 'close' };

export const captureWorkletName = 'earshot-capture';
