import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Store } from '#base/store.ts';
import type { TakeState } from '#web/features/recorder/take/take.ts';
import { alarmsDismissed } from './alarms-dismissed.ts';
import { soundAlarm } from './alarm-tone.ts';
import { showNotification } from './notify-trouble.ts';
import { isAudible, captureAlarmOf, type CaptureAlarm } from './trouble.ts';

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
 * Makes trouble with a take known beyond this page: in the title, by a soft signal and, where allowed, by a
 * notification.
 */
export function warnOfTrouble(recorder: Store<TakeState> & { signalled: () => void }): void {
  const title = titleElement();
  let known: CaptureAlarm | null = null;
  const raise = (trouble: CaptureAlarm) => {
    const text = i18n._(titles[trouble]);
    title.show(text);
    if (document.visibilityState === 'hidden') void showNotification(text);
    if (!isAudible(trouble)) return;
    recorder.signalled();
    void soundAlarm().catch(() => undefined);
  };
  const look = () => {
    const trouble = captureAlarmOf(recorder.getSnapshot());
    if (trouble === known) return;
    known = trouble;
    if (trouble === null) title.remove();
    else raise(trouble);
  };
  recorder.subscribe(look);
  alarmsDismissed.subscribe(look);
  look();
}
