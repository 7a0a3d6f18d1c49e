import type { Clock } from '#base/clock.ts';
import { second } from '#base/duration.ts';
import type { ShareEndReason, SharingPolicy } from '#contract/shares.ts';
import { stateOfShare } from '#server/features/shares/share-state.ts';
import { findShares, type StoredShare } from '#server/features/shares/shares-store.ts';
import { readPolicy } from '#server/features/shares/sharing-rules.ts';
import type { Database } from '#server/storage/database/database.ts';
import type { OpenLink, OpenLinks } from './open-links.ts';

/** Ensures that a response ends within a second of its right, also if another process ended it. */
const intervalMs = 0.5 * second;
/** Both databases limit the number of parameters per statement. */
const idsPerQuery = 500;

export interface LinkWatchDeps {
  database: Database;
  clock: Clock;
  open: OpenLinks;
  /** The length that a link plays now, for those whose recording grows. */
  durationMs: (share: StoredShare) => Promise<number | null>;
}

/** What a page that is open knows of its link. */
interface Known {
  version: string;
  durationMs: number | null;
}

/** Everything of a link and its recording that its listeners see, except the length: equal if nothing changed. */
export const seenVersionOf = ({
  revision,
  recording_state: state,
  recording_updated_at: updatedAt,
}: StoredShare): string => `${revision} ${state} ${state === 'receiving' ? '' : updatedAt}`;

/**
 * Compares the links that listeners have open in this process with the database, twice a second, and ends or updates
 * what has changed: by revocation, expiry, trash, a new password, a rule, or a recording that grows.
 */
export class LinkWatch {
  readonly #deps: LinkWatchDeps;
  readonly #known = new WeakMap<OpenLink, Known>();
  #timer: NodeJS.Timeout | null = null;
  #isStopped = true;
  #checking: Promise<void> = Promise.resolve();

  constructor(deps: LinkWatchDeps) {
    this.#deps = deps;
  }

  /** @param onError called if the database can't be read; the watch continues */
  start(onError: (error: unknown) => void): void {
    this.#isStopped = false;
    this.#schedule(onError);
  }

  /** Stops the watch after the query in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#checking;
  }

  /** Runs one check. */
  async check(): Promise<void> {
    const { database, open } = this.#deps;
    const byShare = Map.groupBy(open.all(), ({ grant: { shareId } }) => shareId);
    const ids = [...byShare.keys()];
    if (ids.length === 0) return;
    const policy = await readPolicy(database.queries);
    for (let from = 0; from < ids.length; from += idsPerQuery) {
      const some = ids.slice(from, from + idsPerQuery);
      const shares = new Map((await findShares(database.queries, some)).map((share) => [share.id, share]));
      for (const id of some) await this.#compare(byShare.get(id) ?? [], shares.get(id), policy);
    }
  }

  async #compare(
    links: readonly OpenLink[],
    share: StoredShare | undefined,
    policy: SharingPolicy,
  ): Promise<void> {
    const reason = this.#endOf(share, policy);
    if (share === undefined || reason !== null) {
      for (const link of links) {
        link.send({ type: 'share-ended', reason: reason ?? 'unavailable' });
        link.end();
      }
      return;
    }
    // A response that was opened under other settings may send what they no longer allow.
    for (const link of links)
      if (link.grant.revision !== share.revision) {
        link.send({ type: 'share-changed' });
        link.end();
      }
    const pages = links.filter(({ kind, grant }) => kind === 'events' && grant.revision === share.revision);
    if (pages.length > 0)
      this.#update(pages, { version: seenVersionOf(share), durationMs: await this.#deps.durationMs(share) });
  }

  /** A link that is used up still plays for those who started. */
  #endOf(share: StoredShare | undefined, policy: SharingPolicy): ShareEndReason | null {
    if (share === undefined) return 'unavailable';
    const { reason } = stateOfShare(share, policy, this.#deps.clock.nowMs());
    return reason === 'used-up' ? null : reason;
  }

  #update(pages: readonly OpenLink[], now: Known): void {
    for (const page of pages) {
      // The page reads the length itself as soon as its stream is open.
      const known = this.#known.get(page) ?? { ...now, version: page.version };
      this.#known.set(page, now);
      if (known.version !== now.version) page.send({ type: 'share-changed' });
      else if (known.durationMs !== now.durationMs && now.durationMs !== null)
        page.send({ type: 'share-grew', durationMs: now.durationMs });
    }
  }

  #schedule(onError: (error: unknown) => void): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#checking = this.check()
        .catch(onError)
        .finally(() => this.#schedule(onError));
    }, intervalMs);
    this.#timer.unref();
  }
}
