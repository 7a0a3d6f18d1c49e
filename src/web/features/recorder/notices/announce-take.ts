import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { StorageTarget } from '#workers/take/messages.ts';
import { announce, type Urgency } from '#web/ui/feedback/announce.ts';
import type { Store } from '#base/store.ts';
import type { InterruptionCause } from '#web/features/recorder/capture/interruption.ts';
import {
  interruptionOf,
  takeOf,
  type Ending,
  type TakeState,
  type Take,
} from '#web/features/recorder/take/take.ts';
import { formatsFor } from '#web/i18n/format.ts';
import { regionalLocale } from '#web/i18n/regional-locale.ts';
import { takeBlockReasonOf, takeSafetyOf } from '#web/features/recorder/take/take-safety.ts';
import { ownerStandings } from '#device/takes/owner-standings.ts';

const endings: Readonly<Record<Exclude<Ending, 'asked'>, MessageDescriptor>> = {
  discarded: msg`Recording discarded`,
  'storage-full': msg`Recording stopped because this device is full. Everything up to now is safe.`,
  'longest-take': msg`Recording stopped: it reached the maximum length. It’s complete and safe.`,
  internal: msg`Recording stopped because of an error. Everything recorded so far is safe.`,
};

const interruptions: Readonly<Record<InterruptionCause, MessageDescriptor>> = {
  'microphone-lost': msg`Microphone disconnected. Earshot is looking for another one.`,
  'permission-withdrawn': msg`Your browser no longer lets Earshot use the microphone. Recording is on hold until you allow it again.`,
  interrupted: msg`No sound from the microphone. Earshot is reopening it.`,
};

const storageWarnings: Readonly<Record<Exclude<StorageTarget, 'disk'>, MessageDescriptor>> = {
  memory: msg`This device is full. New audio is held in memory until it’s on the server.`,
  nowhere: msg`This device is full. Recording is on hold until there’s space.`,
};

const memoryWarnings: typeof storageWarnings = {
  memory: msg`New audio is held in this page’s memory until it’s on the server. Keep this page open.`,
  nowhere: msg`Recording is on hold: this page’s memory is full`,
};

interface Announcement {
  message: string;
  urgency: Urgency;
}

function started(before: TakeState): Announcement {
  if (before.status === 'interrupted')
    return { message: i18n._(msg`Recording resumed`), urgency: 'assertive' };
  return {
    message: i18n._(before.status === 'paused' ? msg`Recording resumed` : msg`Recording started`),
    urgency: 'polite',
  };
}

/**
 * The announcement of the end of a take. A requested stop is announced once the recording is complete, with its
 * length and where it is saved. On other screens a toast does that.
 */
function ended(after: Extract<TakeState, { status: 'stopping' | 'stopped' }>): Announcement | null {
  if (after.ending === 'asked')
    return after.status === 'stopped' && location.pathname === '/'
      ? { message: stoppedMessage(after.take), urgency: 'polite' }
      : null;
  return after.status === 'stopping'
    ? {
        message: i18n._(endings[after.ending]),
        urgency: after.ending === 'discarded' ? 'polite' : 'assertive',
      }
    : null;
}

/** The announcement of a change of state; null if it is not announced. */
function announcementFor(before: TakeState, after: TakeState): Announcement | null {
  if (after.status === 'stopping' || after.status === 'stopped') return ended(after);
  if (after.status === 'asking') return { message: i18n._(msg`Opening the microphone…`), urgency: 'polite' };
  const cause = interruptionOf(after);
  if (cause !== null && cause !== interruptionOf(before))
    return { message: i18n._(interruptions[cause]), urgency: 'assertive' };
  if (after.status === 'paused') return { message: i18n._(msg`Recording paused`), urgency: 'polite' };
  return after.status === 'recording' ? started(before) : null;
}

function announceStorageTarget(before: TakeState, after: TakeState): void {
  const take = takeOf(after);
  if (take === null || take.storageTarget === 'disk' || take.storageTarget === takeOf(before)?.storageTarget)
    return;
  announce(
    i18n._((take.journal === 'memory' ? memoryWarnings : storageWarnings)[take.storageTarget]),
    'assertive',
  );
}

/**
 * Announces to screen readers when a take starts, pauses, ends or has a problem. It never announces the time,
 * because the microphone would record the voice. `lastAnnounced` is the last state that was announced.
 */
export function announceTake(store: Store<TakeState>, lastAnnounced: TakeState): void {
  let before = lastAnnounced;
  const update = () => {
    const after = store.getSnapshot();
    const previous = before;
    before = after;
    announceStorageTarget(previous, after);
    if (previous.status === after.status && interruptionOf(previous) === interruptionOf(after)) return;
    const announcement = announcementFor(previous, after);
    if (announcement) announce(announcement.message, announcement.urgency);
  };
  store.subscribe(update);
  update();
}

/** A message that the recording was stopped, with its length and where it is saved at this moment. */
export function stoppedMessage(take: Take): string {
  const length = formatsFor(regionalLocale(i18n.locale)).duration(take.progress.capturedMs);
  const blockReason = takeBlockReasonOf(take, ownerStandings.getSnapshot());
  const safety = takeSafetyOf({ status: 'stopped', ending: 'asked', take }, blockReason)?.safety;
  if (safety === 'server') return i18n._(msg`Recording stopped. ${length}, saved on the server`);
  if (safety === 'memory') return i18n._(msg`Recording stopped. ${length}, only in this page’s memory`);
  return i18n._(msg`Recording stopped. ${length}, saved on this device`);
}
