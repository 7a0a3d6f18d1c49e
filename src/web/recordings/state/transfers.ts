import type { Transfer } from '#device/takes/recording-state.ts';
import { createStore, type Store } from '#base/store.ts';
import type { UploadCondition } from '#workers/upload/upload-condition.ts';

const transferOf: Readonly<Record<UploadCondition, Transfer>> = {
  syncing: 'moving',
  idle: 'moving',
  unattached: 'pending',
  offline: 'no-connection',
  'gate-closed': 'no-connection',
  'server-trouble': 'no-connection',
  'server-full': 'no-space',
  'over-quota': 'no-quota',
  // Its rejection follows, with the reason.
  'not-audio': 'pending',
  'capability-rejected': 'no-session',
};

/** The transfer of an upload in this condition. */
export const transferIn = (condition: UploadCondition): Transfer => transferOf[condition];

const store = createStore<ReadonlyMap<string, Transfer>>(new Map());

/** The transfers of this page's own workers, by recording. */
export const transfers: Store<ReadonlyMap<string, Transfer>> = store;

/** Records whether the bytes of a recording are moving; `none` once no worker of this page has it. */
export function setTransfer(recordingId: string, transfer: Transfer): void {
  const known = store.getSnapshot();
  if ((known.get(recordingId) ?? 'none') === transfer) return;
  const next = new Map(known);
  if (transfer === 'none') next.delete(recordingId);
  else next.set(recordingId, transfer);
  store.set(next);
}
