import captureWorkletUrl from '#workers/capture/capture.worklet.ts?worker&url';
import { captureWorkletName, type ToCaptureWorklet } from '#workers/capture/messages.ts';
import type { Microphone } from './microphone.ts';

export interface CaptureGraph {
  /** The rate of the context. Requesting another rate makes Firefox throw. */
  sampleRateHz: number;
  /**
   * The worklet posts blocks of PCM to this port, which is transferred to the take's worker. It may already hold
   * some.
   */
  pcm: MessagePort;
  /** A port that gets what is captured from now on; the one before gets no more. */
  reconnect: () => MessagePort;
  context: AudioContext;
  /** Dispatches `processorerror` when the worklet has failed. */
  worklet: EventTarget;
  close: () => void;
}

/** Closes a context, which may already be closed or broken. */
export function closeContext(context: AudioContext): void {
  if (context.state !== 'closed') void context.close().catch(() => undefined);
}

/**
 * Connects the microphone to the capture worklet, and resolves once the context runs: in Firefox when the sound
 * output has started, which may take seconds, or never happen. Closing the context ends the wait without a result.
 * The audio never passes through the page's thread.
 */
export async function openCaptureGraph(context: AudioContext, microphone: Microphone): Promise<CaptureGraph> {
  await context.audioWorklet.addModule(captureWorkletUrl);
  let source = context.createMediaStreamSource(microphone.stream);
  const worklet = new AudioWorkletNode(context, captureWorkletName, {
    numberOfInputs: 1,
    numberOfOutputs: 0,
    // All channels that the device delivers: the graph would let two in opposite phase cancel each other out.
    channelCountMode: 'max',
  });
  const openPort = () => {
    const { port1, port2 } = new MessageChannel();
    const connect: ToCaptureWorklet = { type: 'connect', port: port1 };
    worklet.port.postMessage(connect, [port1]);
    return port2;
  };
  const pcm = openPort();
  source.connect(worklet);
  const reconnect = () => {
    // WebKitGTK holds what was captured before the context ran in the source, and would deliver everything that late.
    source.disconnect();
    source = context.createMediaStreamSource(microphone.stream);
    source.connect(worklet);
    return openPort();
  };
  await context.resume();
  return {
    sampleRateHz: context.sampleRate,
    pcm,
    reconnect,
    context,
    worklet,
    close: () => {
      const close: ToCaptureWorklet = { type: 'close' };
      worklet.port.postMessage(close);
      source.disconnect();
      closeContext(context);
    },
  };
}
