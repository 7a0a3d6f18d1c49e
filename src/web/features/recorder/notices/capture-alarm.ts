import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { type Store, createStore } from '#base/store.ts';
import { type TakeState, takeOf } from '#web/features/recorder/take/take.ts';
import { soundAlarm } from './alarm-tone.ts';
import { showNotification } from './notification.ts';
import type { Alarm } from '#workers/take/messages.ts';

const store = createStore<ReadonlySet<string>>(new Set());

/** The dismissed alarms, as `takeId:alarm`. They are not persisted. */
export const alarmsDismissed: Store<ReadonlySet<string>> & { add: (takeId: string, alarm: Alarm) => void } = {
  ...store,
  add: (takeId, alarm) => {
    store.set(new Set(store.getSnapshot()).add(`${takeId}:${alarm}`));
  },
};

/** The problems that a user must notice without looking at this page, worst first. */
type CaptureAlarm =
  | 'microphone-lost'
  | 'permission-withdrawn'
  | 'interrupted'
  | 'storage-full'
  | 'memory-full'
  | 'silence'
  | 'clipping';

/** The worst current problem of the take; null if there is none or the take is paused. */
function captureAlarmOf(state: TakeState): CaptureAlarm | null {
  if (state.status === 'interrupted') return state.cause;
  const take = takeOf(state);
  if (!take || state.status !== 'recording') return null;
  if (take.storageTarget === 'nowhere') return take.journal === 'memory' ? 'memory-full' : 'storage-full';
  const dismissed = alarmsDismissed.getSnapshot();
  const warned = (['silence', 'clipping'] as const).find(
    (alarm) => take.alarms.includes(alarm) && !dismissed.has(`${take.id}:${alarm}`),
  );
  return warned ?? null;
}

/** A tone would only add to audio that is too loud. */
const isAudible = (alarm: CaptureAlarm): boolean => alarm !== 'clipping';

const titles: Readonly<Record<CaptureAlarm, MessageDescriptor>> = {
  'microphone-lost': msg`Microphone disconnected`,
  'permission-withdrawn': msg`Microphone access withdrawn`,
  interrupted: msg`No sound from the microphone`,
  'storage-full': msg`This device is full`,
  'memory-full': msg`Recording is on hold: this page’s memory is full`,
  silence: msg`No sound detected`,
  clipping: msg`Too loud`,
};

/** A title element before the page's own. Browsers show the first of two, and React can still update the other. */
function titleElement(): { show: (text: string) => void; remove: () => void } {
  const element = document.createElement('title');
  return {
    show: (text) => {
      element.textContent = `⚠ ${text} · Earshot`;
      document.head.prepend(element);
    },
    remove: () => {
      element.remove();
    },
  };
}

/**
 * Signals problems of a take outside the page: in the title, with a soft tone and, if allowed, with a
 * notification.
 */
export function raiseAlarms(recorder: Store<TakeState> & { signalled: () => void }): void {
  const title = titleElement();
  let known: CaptureAlarm | null = null;
  const raise = (alarm: CaptureAlarm) => {
    const text = i18n._(titles[alarm]);
    title.show(text);
    if (document.visibilityState === 'hidden') void showNotification(text);
    if (!isAudible(alarm)) return;
    recorder.signalled();
    void soundAlarm().catch(() => undefined);
  };
  const update = () => {
    const alarm = captureAlarmOf(recorder.getSnapshot());
    if (alarm === known) return;
    known = alarm;
    if (alarm === null) title.remove();
    else raise(alarm);
  };
  recorder.subscribe(update);
  alarmsDismissed.subscribe(update);
  update();
}
