import { Readable } from 'node:stream';
import { Turns } from '#server/http/turns.ts';

/** What is encoded in one turn: enough to be worth the turn, and little enough to wait in memory for its reader. */
const batchBytes = 1024 ** 2;
const maxWaitingPerClient = 5;
const maxWaitingPerOwner = 20;

export interface ConversionLimits {
  /** How many encode at the same time. The others wait for their reader or for a turn. */
  encoding: number;
  /** How many processes are open together, and of one owner. */
  open: number;
  openOfOwner: number;
}

/** Who converts. A client has one conversion at a time. */
export interface ConversionOf {
  /** The user, or the link, whose part of the server it uses. */
  owner: string;
  client: string;
}

/**
 * Limits conversions that are sent while they are made. Each turn encodes one batch, so a conversion whose reader is
 * slow lets the others encode.
 */
export class Conversions {
  readonly #clients = new Turns({ max: Infinity, maxWaitingPerUser: maxWaitingPerClient });
  readonly #places: Turns;
  readonly #encoding: Turns;

  constructor({ encoding, open, openOfOwner }: ConversionLimits) {
    this.#places = new Turns({ max: open, maxPerUser: openOfOwner, maxWaitingPerUser: maxWaitingPerOwner });
    this.#encoding = new Turns({ max: encoding, maxPerUser: openOfOwner, maxWaitingPerUser: Infinity });
  }

  /** Whether a conversion waits until one of this owner, or any, is over. */
  isAwaited({ owner }: ConversionOf): boolean {
    return this.#places.isAwaited(owner);
  }

  /**
   * Waits for its turn, and starts a conversion. Aborting ends it.
   * @param start starts the process, and is followed by the end of the returned stream
   * @throws rate-limited (429) if too many wait
   */
  async open(of: ConversionOf, signal: AbortSignal, start: () => Promise<Readable>): Promise<Readable> {
    const endClient = await this.#clients.take(of.client, { signal });
    let endPlace = (): void => undefined;
    const end = (): void => {
      endPlace();
      endClient();
    };
    try {
      endPlace = await this.#places.take(of.owner, { signal });
      const converted = await this.#inTurn(of.owner, signal, start);
      const batches = Readable.from(this.#batches(converted, of.owner, signal), { objectMode: false });
      return batches.once('close', () => {
        // The generator does not run its `finally` if nothing was read.
        converted.destroy();
        end();
      });
    } catch (error) {
      end();
      throw error;
    }
  }

  async #inTurn<Result>(owner: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    const endTurn = await this.#encoding.take(owner, { signal });
    try {
      return await work();
    } finally {
      endTurn();
    }
  }

  async *#batches(converted: Readable, owner: string, signal: AbortSignal): AsyncGenerator<Buffer> {
    const pieces = converted[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    const next = async (): Promise<{ batch: Buffer[]; isLast: boolean }> => {
      const batch: Buffer[] = [];
      for (let sizeBytes = 0; sizeBytes < batchBytes;) {
        const piece = await pieces.next();
        if (piece.done === true) return { batch, isLast: true };
        batch.push(piece.value);
        sizeBytes += piece.value.length;
      }
      return { batch, isLast: false };
    };
    for (let isLast = false; !isLast;) {
      const made = await this.#inTurn(owner, signal, next);
      yield* made.batch;
      ({ isLast } = made);
    }
  }
}
