import type { NewTake, TakeMarker, TakeProgress, UploadCondition } from '#workers/encode/messages.ts';

/** Where the bytes are known to be: left to right, and never back. */
export type Safety = 'device' | 'syncing' | 'server';

export type RefusalReason =
  | 'microphone-refused' | 'microphone-missing' | 'microphone-busy' | 'insecure-page'
  | 'storage-refused' | 'storage-full' | 'encoder-missing' | 'internal';

/** Why a take came to its end; all but `asked` and `discarded` were not the person's doing. */
export type Ending = 'asked' | 'discarded' | 'microphone-lost' | 'storage-full' | 'longest-take' | 'internal';

export type InterruptionCause = 'microphone-lost' | 'interrupted' | 'device-slept';

export interface Take extends NewTake {
  progress: TakeProgress;
  condition: UploadCondition;
  safety: Safety;
  markers: readonly TakeMarker[];
}

export type TakeState =
  | { status: 'idle' }
  | { status: 'asking' }
  | { status: 'refused'; reason: RefusalReason }
  | { status: 'recording'; take: Take }
  | { status: 'paused'; take: Take }
  | { status: 'interrupted'; take: Take; cause: InterruptionCause }
  | { status: 'stopping'; take: Take; ending: Ending }
  | { status: 'stopped'; take: Take; ending: Ending };

export const noTake: TakeState = { status: 'idle' };

/** True while sound is, or may again be, captured. */
export function isOpen(state: TakeState): state is Extract<TakeState, { status: 'recording' | 'paused' | 'interrupted' }> {
  return state.status === 'recording' || state.status === 'paused' || state.status === 'interrupted';
}

/** True until the journal is closed. */
export function isRunning(state: TakeState): state is Extract<TakeState, { status: 'recording' | 'paused' | 'interrupted' | 'stopping' }> {
  return isOpen(state) || state.status === 'stopping';
}

export function takeOf(state: TakeState): Take | null {
  return 'take' in state ? state.take : null;
}
