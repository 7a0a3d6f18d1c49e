import type { Store } from '#base/store.ts';
import { type Transfer } from '#device/takes/recording-state.ts';
import { setTransfer, transferIn } from '#web/recordings/state/transfers.ts';
import type { ImportState, ImportsView } from './import-item.ts';

function transferOf(state: ImportState): Transfer {
  if (state.step === 'sending') return transferIn(state.condition);
  return state.step === 'sign-in' ? 'no-session' : 'none';
}

/** Publishes whether the bytes of this page's imports are moving, for the lists and the player. */
export function trackTransfers(imports: Store<ImportsView>): void {
  let noted: readonly string[] = [];
  imports.subscribe(() => {
    const { rows } = imports.getSnapshot();
    const shown = new Set(rows.map(({ recordingId }) => recordingId));
    for (const id of noted) if (!shown.has(id)) setTransfer(id, 'none');
    for (const { recordingId, state } of rows) setTransfer(recordingId, transferOf(state));
    noted = [...shown];
  });
}
