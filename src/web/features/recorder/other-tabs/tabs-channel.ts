import { openBroadcast } from '#device/site-data/broadcast.ts';
import type { TakeOfOtherTab } from './take-of-other-tab.ts';

/**
 * `asked`: a tab wants to know what runs. `running`: sent by the tab that records, at each change and once a second.
 * `ended`: its microphone is closed. `stop`: another tab wants it to stop.
 */
export type TabMessage =
  | { type: 'asked' }
  | ({ type: 'running' } & TakeOfOtherTab)
  | { type: 'ended' | 'stop'; takeId: string };

/** Messages between the tabs of this browser about the take that one of them records. */
export interface TabsChannel {
  post: (message: TabMessage) => void;
  listen: (listener: (message: TabMessage) => void) => void;
}

let opened: BroadcastChannel | null | undefined;

/** The one channel of this page, which does not hear itself. Where the browser has none, no tab hears of another. */
function channel(): BroadcastChannel | null {
  opened ??= openBroadcast('running-take');
  return opened;
}

export const tabsChannel: TabsChannel = {
  post: (message) => channel()?.postMessage(message),
  listen: (listener) =>
    channel()?.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => listener(data)),
};
