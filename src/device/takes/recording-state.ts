import type { Recording } from '#contract/recordings.ts';

/**
 * Whether the bytes of a recording move to the server. `pending`: a page has the recording and has not said yet
 * whether they do; `none`: no page of this browser has it.
 */
export type Transfer = 'moving' | 'no-connection' | 'no-session' | 'no-space' | 'pending' | 'none';

/** Whose recording it is, from the point of view of the user of this device. */
export type Owner = 'me' | 'other' | 'nobody';

/** The facts that this device has about a recording of which it has bytes. */
export interface DeviceFacts {
  /** A page of this browser records it now. */
  isCapturing: boolean;
  /**
   * `whole`: the server confirmed every byte. `so-far`: while it is recorded, the server confirmed all but
   * the last seconds.
   */
  receipt: 'whole' | 'so-far' | 'none';
  /** The disk confirmed all bytes that only this device has. */
  isStored: boolean;
  owner: Owner;
  /** Whether its bytes move to the server. */
  transfer: Transfer;
}

/** What the server said of a recording when it was last asked. */
export interface ServerFacts {
  state: Recording['state'];
  source: Recording['source'];
  isDamaged: boolean;
  hasNoSound: boolean;
  /** False for an answer of an earlier visit: what was in progress then may have ended. */
  isCurrent: boolean;
}

export interface RecordingFacts {
  server: ServerFacts | null;
  device: DeviceFacts | null;
}

/** Where the bytes are. */
export type Safety =
  | 'server'
  | 'uploading'
  | 'waiting'
  | 'sign-in-needed'
  | 'server-full'
  | 'device'
  | 'memory';

/** The state of a recording as every surface shows it. docs/specification.md has the table. */
export type RecordingState =
  | Safety
  | 'recording-here'
  | 'recording-elsewhere'
  | 'finishing'
  | 'interrupted'
  | 'incomplete'
  | 'not-ready'
  | 'no-sound'
  | 'damaged';

/**
 * What is known of a file that this page imports; null where it doesn't. The file itself stays where it is
 * until the server has it.
 */
export const importFactsOf = (transfer: Transfer | undefined): DeviceFacts | null =>
  transfer === undefined
    ? null
    : { isCapturing: false, receipt: 'none', isStored: true, owner: 'me', transfer };

/** Whether an imported file is stored in which no sound was found: it can be downloaded, not played. */
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
  pending: 'device',
};

/**
 * Where the bytes of a recording are that this device has. Never asks whether the server can be reached: only
 * receipts, disk writes and moving bytes count.
 */
export function safetyOf({ receipt, isStored, owner, transfer }: Omit<DeviceFacts, 'isCapturing'>): Safety {
  if (receipt !== 'none') return 'server';
  if (!isStored) return 'memory';
  if (transfer !== 'none') return safetyOfTransfer[transfer];
  return owner === 'me' ? 'waiting' : 'device';
}

/** The states in which the server holds every byte. */
const isWhole = ({ state }: ServerFacts): boolean =>
  state === 'finishing' || state === 'ready' || state === 'failed';

function stateOnServer({ state, source, hasNoSound, isCurrent }: ServerFacts): RecordingState {
  switch (state) {
    case 'finishing':
      return 'finishing';
    case 'ready':
      return 'server';
    case 'failed':
      return hasNoSound ? 'no-sound' : 'not-ready';
    case 'abandoned':
      return 'interrupted';
    // A file that still arrives is not being recorded.
    case 'receiving':
      return isCurrent && source === 'microphone' ? 'recording-elsewhere' : 'incomplete';
  }
}

/**
 * The one state that all surfaces show, from what this device and the server know; null where neither knows
 * the recording.
 */
export function recordingStateOf({ server, device }: RecordingFacts): RecordingState | null {
  if (server?.isDamaged === true) return 'damaged';
  if (device?.isCapturing === true) return 'recording-here';
  if (server && isWhole(server)) return stateOnServer(server);
  // The device knows more than a server that still waits for the rest.
  if (device) return safetyOf(device);
  return server && stateOnServer(server);
}

/** The facts with what this page's workers say about the bytes. */
export function withTransfer<Facts extends { transfer: Transfer }>(
  facts: Facts,
  transfer: Transfer | undefined,
): Facts {
  return transfer === undefined || transfer === facts.transfer ? facts : { ...facts, transfer };
}
