import { audioPreferences } from '#web/features/recorder/audio-preferences.ts';
import type { FailoverDeps } from './failover.ts';
import { openAudioContext } from './open-audio-context.ts';
import {
  openCapturePipeline,
  type CapturePipeline,
  type CapturePipelineOptions,
} from './capture-pipeline.ts';
import { keepAwake, warnBeforeLeaving } from './keep-awake.ts';
import { listMicrophones, mayListen, onMicrophoneChange } from './microphone-changes.ts';
import { startTakeWorker, type TakeWorker, type TakeWorkerEvents } from './take-worker.ts';

/** Everything of the machine that a take needs; tests bring their own where Node has none. */
export interface CaptureDevices extends Omit<FailoverDeps, 'openPipeline'> {
  openAudioContext: () => AudioContext;
  openPipeline: (options: CapturePipelineOptions) => Promise<CapturePipeline>;
  startTakeWorker: (events: TakeWorkerEvents) => TakeWorker;
  keepAwake: () => () => void;
  warnBeforeLeaving: () => () => void;
}

export const browserDevices: CaptureDevices = {
  openAudioContext,
  openPipeline: openCapturePipeline,
  startTakeWorker,
  keepAwake,
  warnBeforeLeaving,
  preferences: audioPreferences,
  listMicrophones,
  mayListen,
  onMicrophoneChange,
};
