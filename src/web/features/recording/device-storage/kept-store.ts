import { keptImportBytes } from '#workers/import/import-files.ts';
import { listTakes } from '#device/takes/takes-store.ts';
import { onViewerChange, viewerId } from '#web/api/viewer.ts';
import { session } from '#web/api/session.ts';
import { createStore, type Store } from '#base/store.ts';
import { transfers } from '#web/recordings/state/transfers.ts';
import { heldTakeIds } from '#web/features/recording/local/held-takes.ts';
import { takesChannel } from '#web/features/recording/local/takes-channel.ts';
import { keptFactsOf, type KeptFacts } from './kept-facts.ts';
import { roomHere, type RoomHere } from './space-here.ts';

export interface KeptSnapshot {
  facts: KeptFacts;
  room: RoomHere;
}

const store = createStore<KeptSnapshot | null>(null);

/** Looks at the device again. A browser that refuses storage keeps nothing. */
export async function lookAgain(): Promise<void> {
  const [records, held, room, importBytes] = await Promise.all([
    listTakes().catch(() => []),
    heldTakeIds().catch(() => new Set<string>()),
    roomHere(),
    keptImportBytes(),
  ]);
  store.set({
    facts: keptFactsOf(
      records,
      { userId: viewerId(), heldTakeIds: held, transfers: transfers.getSnapshot() },
      importBytes,
    ),
    room,
  });
}

/** What is kept on this device; null until it was looked at. Looks as long as somebody listens. */
export const keptHere: Store<KeptSnapshot | null> = {
  getSnapshot: store.getSnapshot,
  subscribe: (listener) => {
    const look = () => {
      void lookAgain();
    };
    const stops = [
      store.subscribe(listener),
      takesChannel.subscribe(look),
      session.subscribe(look),
      onViewerChange(look),
      transfers.subscribe(look),
    ];
    look();
    return () => {
      for (const stop of stops) stop();
    };
  },
};
