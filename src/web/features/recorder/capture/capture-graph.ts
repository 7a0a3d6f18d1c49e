import { second } from '#base/duration.ts';
import captureWorkletUrl from '#workers/capture/capture.worklet.ts?worker&url';
import { captureWorkletName, type ToCaptureWorklet } from '#workers/capture/messages.ts';
import type { Microphone } from './microphone.ts';
import { CaptureError } from './capture-error.ts';

export interface CaptureGraph {
  /** The rate of the context. Requesting another rate makes Firefox throw. */
  sampleRateHz: number;
  /** The worklet posts blocks of PCM to this port, which is transferred to the take's worker. */
  pcm: MessagePort;
  close: () => Promise<void>;
}

/** After this, MediaRecorder is used instead. */
const longestStartMs = second;

/** Waits until the context runs. In Firefox it never starts on a machine without a sound output. */
async function running(context: AudioContext): Promise<void> {
  const { promise, reject } = Promise.withResolvers<void>();
  const tooLate = setTimeout(() => {
    reject(new CaptureError('internal', 'the audio context did not start'));
  }, longestStartMs);
  try {
    await Promise.race([context.resume(), promise]);
  } finally {
    clearTimeout(tooLate);
  }
}

/** Connects the microphone to the capture worklet. The audio never passes through the page's thread. */
export async function openCaptureGraph(context: AudioContext, microphone: Microphone): Promise<CaptureGraph> {
  await context.audioWorklet.addModule(captureWorkletUrl);
  const source = context.createMediaStreamSource(microphone.stream);
  const worklet = new AudioWorkletNode(context, captureWorkletName, {
    numberOfInputs: 1,
    numberOfOutputs: 0,
    channelCount: microphone.channels,
    channelCountMode: 'explicit',
    channelInterpretation: 'speakers',
  });
  const { port1, port2 } = new MessageChannel();
  const connect: ToCaptureWorklet = { type: 'connect', port: port1 };
  worklet.port.postMessage(connect, [port1]);
  source.connect(worklet);
  await running(context);
  return {
    sampleRateHz: context.sampleRate,
    pcm: port2,
    close: async () => {
      const close: ToCaptureWorklet = { type: 'close' };
      worklet.port.postMessage(close);
      source.disconnect();
      if (context.state !== 'closed') await context.close();
    },
  };
}
