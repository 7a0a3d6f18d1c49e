import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { announce } from '#web/ui/feedback/announce.ts';
import type { Store } from '#web/api/support/store.ts';
import type { Ending, TakeState } from './take/take.ts';

const endings: Readonly<Record<Ending, MessageDescriptor>> = {
  asked: msg`Recording stopped.`,
  discarded: msg`Recording discarded.`,
  'microphone-lost': msg`The microphone is gone. Recording stopped; everything until now is kept.`,
  'storage-full': msg`This device is full. Recording stopped; everything until now is kept.`,
  'longest-take': msg`The longest possible recording is reached. It is complete and kept.`,
  internal: msg`Recording stopped because of a fault. What was recorded is kept.`,
};

/** Says what a person without eyes on the screen must know: begin, pause, end and trouble; never the time, which the microphone would hear. */
export function announceTake(store: Store<TakeState>): void {
  let before = store.getSnapshot().status;
  store.subscribe(() => {
    const state = store.getSnapshot();
    const previous = before;
    before = state.status;
    if (previous === state.status) return;
    if (state.status === 'recording') announce(i18n._(previous === 'paused' ? msg`Recording goes on.` : msg`Recording.`));
    else if (state.status === 'paused') announce(i18n._(msg`Paused.`));
    else if (state.status === 'stopping') announce(i18n._(endings[state.ending]), state.ending === 'asked' || state.ending === 'discarded' ? 'polite' : 'assertive');
  });
}
