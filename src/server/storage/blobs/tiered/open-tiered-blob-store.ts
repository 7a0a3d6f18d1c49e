import { tmpdir } from 'node:os';
import type { ObjectStore } from '#server/storage/blobs/objects/object-store.ts';
import { AppendBatcher } from './append-batcher.ts';
import { BackgroundMoves } from './background-moves.ts';
import { BlobChanges } from './blob-changes.ts';
import { BlobComposer } from './blob-composer.ts';
import { BlobReader } from './blob-reader.ts';
import { HotDatabase } from './hot-database.ts';
import { HotLimit, measureTails } from './hot-limit.ts';
import { hasLostObjects } from './lost-objects.ts';
import type { OnMoveStep } from './move-steps.ts';
import { PiecesVacuum } from './pieces-vacuum.ts';
import { ScratchFiles } from './scratch-files.ts';
import { type DueTails, TailMover, defaultDueTails } from './tail-mover.ts';
import { TieredBlobStore } from './tiered-blob-store.ts';
import { UnreferencedObjects } from './unreferenced-objects.ts';

const defaultInlineBytes = 1024 * 1024;

export interface TieredBlobStoreOptions {
  /** The database of the rows, `postgres://…`, with the product's schema. */
  databaseUrl: string;
  objects: ObjectStore;
  /** How many bytes may wait in rows before appends are rejected. */
  limitBytes: number;
  /** How long a statement of an append, a tail or a seal may take. */
  promptTimeoutMs?: number;
  /** Opens the store beside a running server: nothing is moved, composed or swept. */
  isReader?: boolean;
  /** Called before anything is moved. If it rejects, the store is closed. */
  check?: (store: TieredBlobStore) => Promise<void>;
  /** A blob that is put with up to this size is stored in rows first. */
  inlineBytes?: number;
  /** Which tails the work in the background moves. */
  due?: DueTails;
  onStep?: OnMoveStep;
  /** Called when moving starts to fail, and with null once it works again. */
  onMovesChanged?: (error: unknown) => void;
}

/** A store and the work that it does in the background, for tests that decide when it happens. */
export interface TieredStoreWithMoves {
  store: TieredBlobStore;
  batcher: AppendBatcher;
  mover: TailMover;
  composer: BlobComposer;
  unreferenced: UnreferencedObjects;
  vacuum: PiecesVacuum;
  database: HotDatabase;
  background: BackgroundMoves;
}

/** Builds the store without starting its work in the background. */
export async function buildTieredBlobStore(options: TieredBlobStoreOptions): Promise<TieredStoreWithMoves> {
  const { objects, onStep = () => undefined, onMovesChanged = () => undefined, isReader = false } = options;
  const database = new HotDatabase(options.databaseUrl, options);
  const limit = new HotLimit(options.limitBytes, () => measureTails(database));
  const unreferenced = new UnreferencedObjects(database, objects);
  const reader = new BlobReader(database, objects);
  const inlineBytes = options.inlineBytes ?? defaultInlineBytes;
  const changes = new BlobChanges({ database, objects, unreferenced, inlineBytes });
  const mover = new TailMover({ database, objects, unreferenced, onStep });
  const composer = new BlobComposer({ database, objects, unreferenced, reader, onStep });
  const vacuum = new PiecesVacuum(database);
  const background = new BackgroundMoves({
    mover,
    composer,
    unreferenced,
    vacuum,
    due: options.due ?? defaultDueTails,
    onChanged: onMovesChanged,
  });
  try {
    await limit.refresh();
    const batcher = new AppendBatcher(database);
    const scratch = await ScratchFiles.open(tmpdir(), { isFirst: !isReader });
    const stop = async (): Promise<void> => {
      const ended = background.stop();
      // A running call may wait for the object store for minutes. Its bytes are still in rows.
      objects.close();
      await ended;
    };
    const store = new TieredBlobStore({
      database,
      batcher,
      changes,
      reader,
      limit,
      inlineBytes,
      scratch,
      hasLostObjects: () => hasLostObjects(database, objects),
      pingObjects: () => objects.ping(),
      requests: () => objects.requests?.() ?? [],
      stop,
    });
    return { store, batcher, mover, composer, unreferenced, vacuum, database, background };
  } catch (error) {
    objects.close();
    await database.close();
    throw error;
  }
}

/**
 * Opens the tiered blob store.
 * @throws Error when the database cannot be reached, or that of `check`; the object store may be away
 */
export async function openTieredBlobStore(options: TieredBlobStoreOptions): Promise<TieredBlobStore> {
  const { store, background } = await buildTieredBlobStore(options);
  try {
    await options.check?.(store);
  } catch (error) {
    await store.close();
    throw error;
  }
  if (options.isReader !== true) background.start();
  return store;
}
