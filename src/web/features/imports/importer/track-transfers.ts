import type { Store } from '#base/store.ts';
import { type Transfer } from '#device/takes/recording-state.ts';
import { noteTransfer, transferIn } from '#web/recordings/state/transfers.ts';
import type { ImportState, ImportsView } from './import-item.ts';

function transferOf(state: ImportState): Transfer {
  if (state.step === 'sending') return transferIn(state.condition);
  return state.step === 'sign-in' ? 'no-session' : 'none';
}

/** Lets the lists and the player know whether the bytes of this page's imports move. */
export function noteTransfers(imports: Store<ImportsView>): void {
  let noted: readonly string[] = [];
  imports.subscribe(() => {
    const { rows } = imports.getSnapshot();
    const shown = new Set(rows.map(({ id }) => id));
    for (const id of noted) if (!shown.has(id)) noteTransfer(id, 'none');
    for (const { id, state } of rows) noteTransfer(id, transferOf(state));
    noted = [...shown];
  });
}
