import type { FromEncodeWorker, NewTake, ToEncodeWorker } from '#workers/encode/messages.ts';
import type { AudioPreferences } from '../audio-preferences.ts';
import { Refusal, refusalReasonOfFailure } from './refusal.ts';
import type { TakeDevices, TakeWish } from './take-devices.ts';
import type { TakeWorker } from './take-worker.ts';

/** One take's hold on the machine: microphone, audio graph and worker. */
export interface TakeSession {
  take: NewTake;
  post: (message: ToEncodeWorker) => void;
  /** Lets the microphone go; the worker stays until the server has everything. */
  endCapture: () => void;
  /** Ends the worker too. */
  end: () => void;
}

interface TakeSessionEvents {
  onMessage: (message: FromEncodeWorker) => void;
  onMicrophoneLost: () => void;
  onBroken: (detail: string) => void;
}

export interface BeginTake {
  wish: TakeWish;
  preferences: AudioPreferences;
  nowMs: () => number;
  events: TakeSessionEvents;
}

/** Things opened one after another, closed in reverse; closing twice does nothing. */
function createScope() {
  const closers: (() => void)[] = [];
  return {
    add: (closer: () => void) => { closers.push(closer); },
    close: () => { for (let closer = closers.pop(); closer; closer = closers.pop()) closer(); },
  };
}

/** Starts the worker and waits until it has opened its journal. */
async function openWorker(devices: TakeDevices, events: TakeSessionEvents, start: (worker: TakeWorker) => void): Promise<TakeWorker> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let hasStarted = false;
  const worker = devices.startTakeWorker({
    onMessage: (message) => {
      if (hasStarted) events.onMessage(message);
      else if (message.type === 'started') { hasStarted = true; resolve(); }
      else if (message.type === 'failed') reject(new Refusal(refusalReasonOfFailure(message.code), message.detail));
    },
    onBroken: (detail) => {
      if (hasStarted) events.onBroken(detail);
      else reject(new Refusal('internal', detail));
    },
  });
  start(worker);
  try { await promise; } catch (error) { worker.terminate(); throw error; }
  return worker;
}

/** Opens microphone, graph and worker, in this order. Throws `Refusal` with everything closed again. */
export async function beginTake(devices: TakeDevices, { wish, preferences, nowMs, events }: BeginTake): Promise<TakeSession> {
  const capture = createScope();
  try {
    // Before the first await: still inside the press, which Safari demands.
    const context = devices.openAudioContext();
    capture.add(() => { if (context.state !== 'closed') void context.close(); });
    const microphone = await devices.openMicrophone(preferences);
    capture.add(() => { devices.closeMicrophone(microphone); });
    const graph = await devices.openCaptureGraph(context, microphone);
    capture.add(() => { void graph.close(); });
    const take: TakeSession['take'] = {
      ...wish, startedAtMs: nowMs(), deviceLabel: microphone.label, sampleRateHz: graph.sampleRateHz, channels: microphone.channels,
    };
    const worker = await openWorker(devices, events, (opened) => { opened.post({ type: 'start', take, pcmPort: graph.pcmPort }); });
    capture.add(devices.onMicrophoneLost(microphone, events.onMicrophoneLost));
    capture.add(devices.keepAwake());
    capture.add(devices.warnBeforeLeaving());
    return {
      take,
      post: worker.post,
      endCapture: capture.close,
      end: () => { capture.close(); worker.terminate(); },
    };
  } catch (error) {
    capture.close();
    throw error;
  }
}
