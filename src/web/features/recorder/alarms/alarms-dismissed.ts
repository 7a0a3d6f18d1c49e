import type { Alarm } from '#workers/take/messages.ts';
import { createStore, type Store } from '#base/store.ts';

const store = createStore<ReadonlySet<string>>(new Set());

/** Which alarms are not to be told of again, as `takeId:alarm`; forgotten with the page. */
export const alarmsDismissed: Store<ReadonlySet<string>> & { add: (takeId: string, alarm: Alarm) => void } = {
  ...store,
  add: (takeId, alarm) => {
    store.set(new Set(store.getSnapshot()).add(`${takeId}:${alarm}`));
  },
};
