import { deepStrictEqual, notStrictEqual, ok, strictEqual } from 'node:assert';
import { second } from '#base/duration.ts';
import { BlobFencedError, BlobOffsetError, sealedEpoch } from '#server/storage/blobs/blob-store.ts';
import type { MoveStep, OnMoveStep } from '#server/storage/blobs/tiered/move-steps.ts';
import type { TieredStoreWithMoves } from '#server/storage/blobs/tiered/open-tiered-blob-store.ts';
import { SweptObjectError } from '#server/storage/blobs/tiered/unreferenced-objects.ts';
import { MemoryObjectStore } from './memory-object-store.ts';
import type { TieredStores } from './tiered-stores.ts';

const key = 'recordings/model/audio-0000';
const otherKey = 'recordings/model/renamed-0000';
const whole = { startByte: 0, endByteExclusive: Number.MAX_SAFE_INTEGER };
/** A blob of this size is put into rows, a larger one into an object. */
const inlineBytes = 50;

export const moveSteps: readonly MoveStep[] = [
  'claimed',
  'read',
  'announced',
  'stored',
  'committing',
  'committed',
];

/** Deeds of another server, while the first one stands at a step of a move. */
export const deeds = [
  'append',
  'truncate',
  'put',
  'replace',
  'rename',
  'read',
  'sweep',
  'move',
  'compose',
  'remove',
  'nothing',
] as const;
type Deed = (typeof deeds)[number];

interface MoveCommand {
  kind: 'move' | 'compose';
  diesAt: MoveStep | null;
  deed: Deed;
  deedAt: MoveStep;
}

export type ModelCommand =
  | { kind: 'append'; sizeBytes: number; server: number; offBytes: number }
  | MoveCommand
  | { kind: 'put'; sizeBytes: number }
  | { kind: 'truncate'; to: number }
  | { kind: 'read'; from: number; to: number }
  | { kind: 'seal' }
  | { kind: 'sweep' };

/** A server dies: no later step of it happens. */
class Death extends Error {}

export interface ModelTally {
  deaths: number;
  comparisons: number;
  kinds: Set<string>;
}

/** Three servers on one database and one bucket, and what the blob must contain. */
export class TieredModel {
  readonly objects = new MemoryObjectStore();
  readonly #stores: TieredStores;
  readonly #tally: ModelTally;
  #servers: TieredStoreWithMoves[] = [];
  #bytes: Buffer = Buffer.alloc(0);
  #isSealed = false;
  #filler = 0;
  #onStep: OnMoveStep = () => undefined;

  constructor(stores: TieredStores, tally: ModelTally) {
    this.#stores = stores;
    this.#tally = tally;
  }

  async open(): Promise<void> {
    const options = {
      objects: this.objects,
      inlineBytes,
      onStep: (step: MoveStep) => this.#onStep(step),
    };
    this.#servers = await Promise.all([0, 1, 2].map(() => this.#stores.open(options)));
  }

  async run(next: ModelCommand): Promise<void> {
    await this.#runOne(next);
    await this.compare();
  }

  /** Starts a sequence with an empty blob. */
  async start(): Promise<void> {
    await this.#stores.clear();
    this.objects.objects.clear();
    await this.#server(0).store.create(key);
    this.#bytes = Buffer.alloc(0);
    this.#isSealed = false;
  }

  async append(server: number, sizeBytes: number, offBytes: number): Promise<void> {
    const bytes = this.#newBytes(sizeBytes);
    const offsetBytes = Math.max(0, this.#bytes.length + offBytes);
    try {
      await this.#server(server).store.append(key, { offsetBytes, bytes });
      deepStrictEqual([offsetBytes, this.#isSealed], [this.#bytes.length, false]);
      this.#bytes = Buffer.concat([this.#bytes, bytes]);
    } catch (error) {
      if (error instanceof BlobFencedError) ok(this.#isSealed);
      else if (error instanceof BlobOffsetError) {
        notStrictEqual(offsetBytes, this.#bytes.length);
        strictEqual(error.sizeBytes, this.#bytes.length);
      } else throw error;
    }
  }

  async truncate(to: number): Promise<void> {
    const sizeBytes = Math.floor(this.#bytes.length * to);
    await this.#server(0).store.truncate(key, sizeBytes);
    this.#bytes = this.#bytes.subarray(0, sizeBytes);
  }

  async seal(): Promise<void> {
    await this.#server(1).store.fence(key, sealedEpoch, { sizeBytes: this.#bytes.length });
    this.#isSealed = true;
  }

  async sweep(): Promise<void> {
    await this.#server(1).unreferenced.sweep({ graceMs: -second });
  }

  async read(from: number, to: number): Promise<void> {
    const [startByte, endByteExclusive] = [from, to]
      .map((at) => Math.floor(this.#bytes.length * at))
      .sort((a, b) => a - b) as [number, number];
    const bytes = await this.#server(2).store.read(key, { startByte, endByteExclusive });
    ok(Buffer.from(bytes).equals(this.#bytes.subarray(startByte, endByteExclusive)));
  }

  async put(sizeBytes: number): Promise<void> {
    const bytes = this.#newBytes(sizeBytes);
    await this.#server(1).store.put(key, bytes);
    this.#bytes = bytes;
    this.#isSealed = false;
  }

  async compare(): Promise<void> {
    this.#tally.comparisons += 1;
    const { store } = this.#server(2);
    ok(Buffer.from(await store.read(key, whole)).equals(this.#bytes), 'other bytes than the model');
    strictEqual((await this.#server(1).store.head(key))?.sizeBytes, this.#bytes.length);
  }

  /** Another server does something, to its end, while the first one stands at a step of a move. */
  async do(name: Deed): Promise<void> {
    if (name === 'append') await this.append(1, 50, 0);
    if (name === 'read') await this.read(0, 1);
    if (name === 'truncate') await this.truncate(0.5);
    if (name === 'put') await this.put(inlineBytes + 27);
    if (name === 'replace') await this.put(inlineBytes - 27);
    if (name === 'rename') {
      await this.#server(1).store.move(key, otherKey);
      await this.#server(2).store.move(otherKey, key);
      this.#isSealed = false;
    }
    if (name === 'sweep') await this.sweep();
    if (name === 'move' || name === 'compose') await this.#moveOn(1, name);
    if (name === 'remove') {
      await this.#server(1).store.remove('recordings/model/');
      await this.#server(1).store.create(key);
      this.#bytes = Buffer.alloc(0);
      this.#isSealed = false;
    }
  }

  async moveAndDie({ kind, diesAt, deed: name, deedAt }: MoveCommand): Promise<void> {
    let isDone = false;
    this.#onStep = async (step) => {
      // At this step the mover holds the lock of the row.
      if (step === deedAt && !isDone && step !== 'committing') {
        isDone = true;
        await this.do(name);
      }
      if (step !== diesAt) return;
      this.#tally.deaths += 1;
      this.#tally.kinds.add(`${kind}: ${step}, ${name} at ${deedAt}`);
      throw new Death(step);
    };
    // A move has something to do only while the blob grows, composing only once it is sealed.
    if (kind === 'compose') await this.seal();
    else if (this.#isSealed) await this.put(inlineBytes);
    await this.#moveOn(0, kind);
    this.#onStep = () => undefined;
  }

  /** Nothing is missing in the bucket, and nothing is left there that no blob refers to. */
  async finish(): Promise<void> {
    await this.#moveOn(0, 'move');
    await this.#moveOn(0, 'compose');
    await this.#server(0).unreferenced.sweep({ graceMs: -second, againAfterMs: -second });
    const rows = await this.#stores.query<{ name: string }>('select name from blob_objects order by name');
    deepStrictEqual([...this.objects.objects.keys()].toSorted(), rows.map(({ name }) => name).toSorted());
    deepStrictEqual(await this.#stores.query('select * from unreferenced_objects'), []);
    await this.compare();
    const pieces = await this.#stores.query('select * from blob_pieces');
    deepStrictEqual(pieces, []);
    if (this.#isSealed) ok(rows.length <= 1, 'a sealed blob has several objects');
  }

  #runOne(next: ModelCommand): Promise<void> {
    switch (next.kind) {
      case 'append':
        return this.append(next.server, next.sizeBytes, next.offBytes);
      case 'put':
        return this.put(next.sizeBytes);
      case 'truncate':
        return this.truncate(next.to);
      case 'read':
        return this.read(next.from, next.to);
      case 'seal':
        return this.seal();
      case 'sweep':
        return this.sweep();
      case 'move':
      case 'compose':
        return this.moveAndDie(next);
    }
  }

  async #moveOn(server: number, kind: 'move' | 'compose'): Promise<void> {
    // The leases of servers that died have run out.
    await this.#stores.query('update blobs set leased_until = 0');
    const { mover, composer } = this.#server(server);
    try {
      if (kind === 'move') await mover.moveDue({ atBytes: 1, afterMs: 0, everyMs: 0 });
      else await composer.composeNext();
    } catch (error) {
      const isExpected =
        error instanceof Death ||
        error instanceof SweptObjectError ||
        (error instanceof Error && /changed while|no such (blob|object)/.test(error.message));
      if (!isExpected) throw error;
    }
  }

  #server(index: number): TieredStoreWithMoves {
    const server = this.#servers[index];
    if (server === undefined) throw new RangeError(`no server ${index}`);
    return server;
  }

  #newBytes(sizeBytes: number): Buffer {
    this.#filler = (this.#filler + 1) % 251;
    return Buffer.alloc(sizeBytes, this.#filler);
  }
}
