import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import {
  AudioLines,
  CircleSlash,
  CloudAlert,
  CloudOff,
  CloudUpload,
  HardDrive,
  Hourglass,
  LogIn,
  MemoryStick,
  Mic,
  ShieldAlert,
  ShieldCheck,
  Unplug,
  UserX,
  type LucideIcon,
} from 'lucide-react';
import type { BlockReason } from '#device/takes/block-reason.ts';
import type { Owner, RecordingState, Safety } from '#device/takes/recording-state.ts';

export interface StateMessages {
  /** For rows: where the recording is, or what its user has to know or do. Why it isn't further is in `long`. */
  short: MessageDescriptor;
  /** For pills on their own line. */
  long: MessageDescriptor;
  icon: LucideIcon;
  tone: 'safe' | 'device' | 'warn' | 'neutral' | 'live';
}

const same = (messages: MessageDescriptor): Pick<StateMessages, 'short' | 'long'> => ({
  short: messages,
  long: messages,
});
const onServer = msg`On server`;
const onDevice = msg`On device`;
const onlyHere = msg`Only on this device`;
const recordingNow: StateMessages = {
  short: msg({ message: 'Recording', context: 'row state' }),
  long: msg`Recording now`,
  icon: Mic,
  tone: 'live',
};

/**
 * The text of each state on every surface. The wording is fixed in docs/voice.md and the table in
 * docs/specification.md.
 */
export const stateMessages: Readonly<Record<RecordingState, StateMessages>> = {
  server: { short: onServer, long: msg`Saved on the server`, icon: ShieldCheck, tone: 'safe' },
  uploading: { ...same(msg`Uploading`), icon: CloudUpload, tone: 'device' },
  waiting: { short: onDevice, long: msg`Waiting for a connection`, icon: CloudOff, tone: 'device' },
  'sign-in-needed': { ...same(msg`Waiting for you to sign in`), icon: LogIn, tone: 'device' },
  'server-full': { ...same(msg`The server is out of space`), icon: CloudAlert, tone: 'device' },
  'over-quota': { ...same(msg`Storage limit reached`), icon: CloudAlert, tone: 'device' },
  device: { short: onDevice, long: msg`Saved on this device`, icon: HardDrive, tone: 'device' },
  'account-deleted': {
    short: msg`Account deleted`,
    long: msg`On this device, its account was deleted`,
    icon: UserX,
    tone: 'warn',
  },
  'account-off': {
    short: msg`Account turned off`,
    long: msg`On this device, your account is turned off`,
    icon: UserX,
    tone: 'warn',
  },
  'deleted-elsewhere': {
    short: onlyHere,
    long: msg`Only on this device, deleted on another one`,
    icon: CloudAlert,
    tone: 'warn',
  },
  rejected: {
    short: onlyHere,
    long: msg`Only on this device: the server doesn’t take it`,
    icon: CloudAlert,
    tone: 'warn',
  },
  memory: { ...same(msg`Only in this page’s memory`), icon: MemoryStick, tone: 'warn' },
  'recording-here': recordingNow,
  'recording-elsewhere': recordingNow,
  checking: {
    short: onServer,
    long: msg`Uploaded, being checked`,
    icon: AudioLines,
    tone: 'neutral',
  },
  interrupted: {
    short: msg`Interrupted`,
    long: msg`Interrupted, waiting for its device`,
    icon: Unplug,
    tone: 'warn',
  },
  incomplete: { ...same(msg`Not complete yet`), icon: Hourglass, tone: 'warn' },
  'not-ready': {
    short: onServer,
    long: msg`On the server, still processing`,
    icon: Hourglass,
    tone: 'neutral',
  },
  'no-sound': { ...same(msg`Can’t be played`), icon: CircleSlash, tone: 'warn' },
  damaged: { short: msg`Damaged`, long: msg`Damaged on the server`, icon: ShieldAlert, tone: 'warn' },
};

const whenOnline = msg`Saved on this device. It uploads when you’re back online.`;
const memoryBlocked = msg`The server doesn’t take this recording, and this device couldn’t store all of it. What isn’t stored is lost when you close this page.`;
const whenSignedIn = msg`Saved on this device. It uploads when you sign in again.`;

/** The sentences about a recording that is complete, and those about one with gaps, which is never called complete. */
const sentences = {
  complete: {
    server: msg`Your recording is complete and saved on the server.`,
    uploading: msg`Your recording is complete and saved on this device. It’s uploading to the server. You can close this page: uploading continues next time you open Earshot.`,
    memory: msg`Your recording is complete, but this device couldn’t store all of it. Keep this page open until it’s on the server.`,
    signedOut: msg`Your recording is complete and saved on this device only. Sign in to save it on the server too.`,
    unclaimed: msg`Your recording is complete and saved on this device only. Add it to your library to save it on the server too.`,
  },
  withGaps: {
    server: msg`Everything recorded is saved on the server.`,
    uploading: msg`Everything recorded is saved on this device. It’s uploading to the server. You can close this page: uploading continues next time you open Earshot.`,
    memory: msg`This device couldn’t store all of the recording. Keep this page open until it’s on the server.`,
    signedOut: msg`Everything recorded is saved on this device only. Sign in to save it on the server too.`,
    unclaimed: msg`Everything recorded is saved on this device only. Add it to your library to save it on the server too.`,
  },
} as const;

/** Why the server doesn't take a recording, and how that ends. */
const blockSentences: Readonly<Record<BlockReason, MessageDescriptor>> = {
  'account-deleted': msg`The account of this recording was deleted, so it stays on this device only. Save it as a file, or delete it. Otherwise Earshot deletes it here after 30 days.`,
  'account-off': msg`Your account is turned off. Recordings stay on this device and upload once an administrator turns it on again and you sign in.`,
  deleted: msg`This recording was deleted permanently on another device. What was recorded is only on this device now.`,
  taken: msg`Another account on this server has this recording. What was recorded is only on this device: save it as a file, or delete it.`,
  finished: msg`The server finished this recording too long ago to add more to it. The rest is only on this device: save it as a file, or delete it.`,
  invalid: msg`The server doesn’t accept this recording. What was recorded is only on this device: save it as a file, or delete it.`,
  'not-audio': msg`The server found no audio in this recording. What was recorded is only on this device: save it as a file, or delete it.`,
  unknown: msg`The server doesn’t take this recording, for example because it was deleted from the account. What was recorded is only on this device: save it as a file, or delete it.`,
};

interface SentenceFacts {
  owner: Owner;
  isSignedIn: boolean;
  /** Of `summarizeGaps`. */
  isComplete: boolean;
  blockReason?: BlockReason | undefined;
}

/** Of a recording that waits for nothing but a page of its owner. */
const deviceSentences = (
  isSignedIn: boolean,
  { unclaimed, signedOut }: (typeof sentences)['complete' | 'withGaps'],
): Readonly<Record<Owner, MessageDescriptor>> => ({
  me: whenOnline,
  'me-signed-out': whenSignedIn,
  other: msg`Saved on this device. It uploads when its owner signs in.`,
  nobody: isSignedIn ? unclaimed : signedOut,
});

/** One sentence on what happens next to a stopped recording. */
export function sentenceFor(
  safety: Safety,
  { owner, isSignedIn, isComplete, blockReason }: SentenceFacts,
): MessageDescriptor {
  const chosen = sentences[isComplete ? 'complete' : 'withGaps'];
  const blocked = blockSentences[blockReason ?? 'unknown'];
  return {
    server: chosen.server,
    uploading: chosen.uploading,
    memory: blockReason === undefined ? chosen.memory : memoryBlocked,
    'server-full': msg`Saved on this device. It uploads when the server has space.`,
    'over-quota': msg`Saved on this device. It uploads when your account has space again.`,
    'account-deleted': blocked,
    'account-off': blocked,
    'deleted-elsewhere': blocked,
    rejected: blocked,
    'sign-in-needed': whenSignedIn,
    waiting: whenOnline,
    device: deviceSentences(isSignedIn, chosen)[owner],
  }[safety];
}
