import type { Recording } from '#contract/recordings.ts';
import type { BlockReason } from './block-reason.ts';

/**
 * Whether the bytes of a recording are being uploaded. `pending`: a page holds the recording and has not reported
 * yet. `none`: no page of this browser holds it.
 */
export type Transfer =
  | 'moving'
  | 'no-connection'
  | 'no-session'
  | 'no-space'
  | 'no-quota'
  | 'pending'
  | 'none';

/**
 * The owner of a recording from the point of view of this device's user. `nobody`: it has no owner. `me-signed-out`:
 * the owner's session has ended, and the owner has not left the tab that recorded it.
 */
export type Owner = 'me' | 'me-signed-out' | 'other' | 'nobody';

/** This device's facts about a recording of which it has bytes. */
export interface DeviceFacts {
  /** A page of this browser is recording it. */
  isCapturing: boolean;
  /**
   * `whole`: the server has confirmed every byte. `so-far`: the take is being recorded, and the server has
   * confirmed all but the last seconds.
   */
  receipt: 'whole' | 'so-far' | 'none';
  /** The disk has confirmed all bytes that only this device has. */
  isStored: boolean;
  owner: Owner;
  transfer: Transfer;
  /** Why the server doesn't take it. Missing means that it does, or may. */
  blockReason?: BlockReason | undefined;
}

/** The server's facts about a recording, as of its last response. */
export interface ServerFacts {
  state: Recording['state'];
  source: Recording['source'];
  isDamaged: boolean;
  hasNoSound: boolean;
  /** False for a cached response of an earlier visit: work that was in progress may have ended since. */
  isCurrent: boolean;
}

export interface RecordingFacts {
  server: ServerFacts | null;
  device: DeviceFacts | null;
}

/** Where the bytes of a recording are. */
export type Safety =
  | 'server'
  | 'uploading'
  | 'waiting'
  | 'sign-in-needed'
  | 'server-full'
  | 'over-quota'
  | 'device'
  | 'account-deleted'
  | 'account-off'
  | 'deleted-elsewhere'
  | 'rejected'
  | 'memory';

/** The state of a recording as every surface shows it. docs/specification.md has the table. */
export type RecordingState =
  | Safety
  | 'recording-here'
  | 'recording-elsewhere'
  | 'checking'
  | 'interrupted'
  | 'incomplete'
  | 'not-ready'
  | 'no-sound'
  | 'damaged';

/**
 * The facts of a file that this page imports; null if this page doesn't import it. The original file stays on the
 * device until the server has it.
 */
export const importFactsOf = (transfer: Transfer | undefined): DeviceFacts | null =>
  transfer === undefined
    ? null
    : { isCapturing: false, receipt: 'none', isStored: true, owner: 'me', transfer };

/** Whether an imported file is stored but has no sound. Such a file can be downloaded, but not played. */
export const hasNoSound = ({
  source,
  state,
  rendition,
}: Pick<Recording, 'source' | 'state' | 'rendition'>): boolean =>
  source === 'import' && state === 'failed' && rendition === 'failed';

export const serverFactsOf = (recording: Recording, isCurrent = true): ServerFacts => ({
  state: recording.state,
  source: recording.source,
  isDamaged: recording.damagedAt !== null,
  hasNoSound: hasNoSound(recording),
  isCurrent,
});

const safetyOfTransfer: Readonly<Record<Exclude<Transfer, 'none'>, Safety>> = {
  moving: 'uploading',
  'no-connection': 'waiting',
  'no-session': 'sign-in-needed',
  'no-space': 'server-full',
  'no-quota': 'over-quota',
  pending: 'device',
};

const safetyOfBlockReason: Readonly<Record<BlockReason, Safety>> = {
  'account-deleted': 'account-deleted',
  'account-off': 'account-off',
  deleted: 'deleted-elsewhere',
  taken: 'rejected',
  finished: 'rejected',
  invalid: 'rejected',
  'not-audio': 'rejected',
  unknown: 'rejected',
};

/** Whether a state has ended the upload, so that the only ways on are to save the take elsewhere or to delete it. */
export const isBlocked = (state: RecordingState): boolean =>
  Object.values<RecordingState>(safetyOfBlockReason).includes(state);

/** A server that keeps a recording for an account that is only turned off still has it. */
const isConfirmed = ({ receipt, blockReason }: Pick<DeviceFacts, 'receipt' | 'blockReason'>): boolean =>
  receipt !== 'none' && (blockReason === undefined || blockReason === 'account-off');

/**
 * Where the bytes of a recording on this device are. Only receipts, disk writes and moving bytes count, not
 * whether the server can be reached.
 */
export function safetyOf({
  receipt,
  isStored,
  owner,
  transfer,
  blockReason,
}: Omit<DeviceFacts, 'isCapturing'>): Safety {
  if (isConfirmed({ receipt, blockReason })) return 'server';
  if (!isStored) return 'memory';
  if (blockReason !== undefined) return safetyOfBlockReason[blockReason];
  if (transfer !== 'none') return safetyOfTransfer[transfer];
  if (owner === 'me-signed-out') return 'sign-in-needed';
  return owner === 'me' ? 'waiting' : 'device';
}

/** The states in which the server holds every byte. */
const isWhole = ({ state }: ServerFacts): boolean =>
  state === 'finishing' || state === 'ready' || state === 'failed';

function stateOnServer({ state, source, hasNoSound, isCurrent }: ServerFacts): RecordingState {
  switch (state) {
    // What the server does with a whole take changes nothing for its owner. A file may turn out to be unreadable.
    case 'finishing':
      return source === 'microphone' ? 'server' : 'checking';
    case 'ready':
      return 'server';
    case 'failed':
      return hasNoSound ? 'no-sound' : 'not-ready';
    case 'abandoned':
      return 'interrupted';
    // An import that is still arriving is not a recording in progress.
    case 'receiving':
      return isCurrent && source === 'microphone' ? 'recording-elsewhere' : 'incomplete';
  }
}

/**
 * The state that every surface shows, from the facts of this device and the server; null if neither knows the
 * recording.
 */
export function recordingStateOf({ server, device }: RecordingFacts): RecordingState | null {
  if (server?.isDamaged === true) return 'damaged';
  if (device?.isCapturing === true) return 'recording-here';
  if (server && isWhole(server)) return stateOnServer(server);
  // The server is still waiting for the rest, so the device knows more.
  if (device) return safetyOf(device);
  return server && stateOnServer(server);
}

/** Replaces `transfer` with the state that this page's workers report, if any. */
export function withTransfer<Facts extends { transfer: Transfer }>(
  facts: Facts,
  transfer: Transfer | undefined,
): Facts {
  return transfer === undefined || transfer === facts.transfer ? facts : { ...facts, transfer };
}
