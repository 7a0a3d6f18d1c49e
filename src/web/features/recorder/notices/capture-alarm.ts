import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { type Store, createStore } from '#base/store.ts';
import { type TakeState, takeOf } from '#web/features/recorder/take/take.ts';
import { soundAlarm } from './alarm-tone.ts';
import { showNotification } from './notification.ts';
import type { Alarm } from '#workers/take/messages.ts';

const store = createStore<ReadonlySet<string>>(new Set());

/** The dismissed alarms, as `takeId:alarm`; forgotten with the page. */
export const alarmsDismissed: Store<ReadonlySet<string>> & { add: (takeId: string, alarm: Alarm) => void } = {
  ...store,
  add: (takeId, alarm) => {
    store.set(new Set(store.getSnapshot()).add(`${takeId}:${alarm}`));
  },
};

/** What a user must know who does not look at this page, the worst first. */
type CaptureAlarm =
  | 'microphone-lost'
  | 'permission-withdrawn'
  | 'interrupted'
  | 'storage-full'
  | 'memory-full'
  | 'silence'
  | 'clipping';

/** The worst problem of the take right now; null for none, and in a pause. */
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

/** A voice that is too loud needs no sound of ours on top of it. */
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

/**
 * A title before the page's own: of two, browsers show the first, and React keeps the other up to date
 * meanwhile.
 */
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
 * Makes problems of a take known beyond this page: in the title, by a soft tone and, if allowed, by a
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
