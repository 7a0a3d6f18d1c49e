import type { NewTake } from '#workers/encode/messages.ts';
import type { AudioPreferences } from '../audio-preferences.ts';
import type { CaptureGraph } from './capture-graph.ts';
import { openAudioContext, openCaptureGraph } from './capture-graph.ts';
import { askToPersist, keepAwake, warnBeforeLeaving } from './keep-awake.ts';
import { closeMicrophone, onMicrophoneLost, openMicrophone, type Microphone } from './microphone.ts';
import { startTakeWorker, type TakeWorker, type TakeWorkerEvents } from './take-worker.ts';

/** Everything of the machine that a take needs; tests bring their own where Node has none. */
export interface TakeDevices {
  openAudioContext: () => AudioContext;
  openMicrophone: (preferences: AudioPreferences) => Promise<Microphone>;
  openCaptureGraph: (context: AudioContext, microphone: Microphone) => Promise<CaptureGraph>;
  onMicrophoneLost: (microphone: Microphone, tell: () => void) => () => void;
  closeMicrophone: (microphone: Microphone) => void;
  startTakeWorker: (events: TakeWorkerEvents) => TakeWorker;
  keepAwake: () => () => void;
  warnBeforeLeaving: () => () => void;
  askToPersist: () => Promise<void>;
}

export const browserDevices: TakeDevices = {
  openAudioContext, openMicrophone, openCaptureGraph, onMicrophoneLost, closeMicrophone, startTakeWorker, keepAwake, warnBeforeLeaving, askToPersist,
};

/** What the recorder decides about a new take; the machine adds the rest. */
export type TakeWish = Pick<NewTake, 'id' | 'title' | 'timeZone' | 'quality' | 'ownerId'>;
