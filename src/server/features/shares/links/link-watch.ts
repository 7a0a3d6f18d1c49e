import type { Clock } from '#base/clock.ts';
import { second } from '#base/duration.ts';
import type { ShareEndReason, SharingPolicy } from '#contract/shares.ts';
import { stateOfShare } from '#server/features/shares/share-state.ts';
import { findShares, type StoredShare } from '#server/features/shares/shares-store.ts';
import { readPolicy } from '#server/features/shares/sharing-rules.ts';
import { ProblemError } from '#server/http/problem.ts';
import { Repeated } from '#server/jobs/repeated.ts';
import type { Database } from '#server/storage/database/database.ts';
import { statementPieces } from '#server/storage/rows/pieces.ts';
import { pagesByShare } from './listening-counts.ts';
import type { OpenLink, OpenLinks } from './open-links.ts';

/** Ensures that a response ends within a second of its right, also if another process ended it. */
const intervalMs = 0.5 * second;

export interface LinkWatchDeps {
  database: Database;
  clock: Clock;
  open: Pick<OpenLinks, 'all'>;
  /** Reads what a link shows and plays now. */
  shownOf: (share: StoredShare) => Promise<Shown>;
  /** Called when the number of a link's open pages has changed. */
  onListening: (share: Pick<StoredShare, 'owner_id' | 'recording_id'>) => void;
}

/** The open pages of a link that stay open. */
interface Pages {
  share: StoredShare;
  pages: readonly OpenLink[];
}

/** What a link of a growing recording plays: how much, and whether it is silent because its speaker is off the record. */
interface Growth {
  durationMs: number;
  isOffRecord: boolean;
}

/** What a link shows and plays at a moment. */
export interface Shown {
  /** Equal if its listeners see and hear the same, apart from what grows. */
  version: string;
  /** Null unless the recording grows. */
  growth: Growth | null;
}

/** What a page that is open knows of its link. */
interface Known {
  version: OpenLink['version'];
  growth: Growth | null;
}

/** What a link whose recording has ended showed at the last check, and what it was read for. */
interface Read {
  cause: string;
  shown: Shown;
}

const isSame = (before: Growth | null, now: Growth): boolean =>
  before?.durationMs === now.durationMs && before.isOffRecord === now.isOffRecord;

/** Changes with everything that a link may show, also with what it hides. */
const causeOf = (share: StoredShare): string =>
  JSON.stringify([
    share.revision,
    share.recording_state,
    share.recording_updated_at,
    share.recording_labels_revision,
    share.rendition_state,
    share.owner_name,
  ]);

/**
 * Compares the links that listeners have open in this process with the database, twice a second, and ends or updates
 * what has changed: by revocation, expiry, trash, a new password, a rule, or a recording that grows.
 */
export class LinkWatch {
  readonly #deps: LinkWatchDeps;
  readonly #known = new WeakMap<OpenLink, Known>();
  /** By the id of the link, of links with open pages. */
  #read = new Map<string, Read>();
  /** The number of open pages at the last check, of links with any. */
  #listening = new Map<string, { count: number; share: StoredShare }>();
  readonly #checks = new Repeated(intervalMs, () => this.#tick());
  #onError: (error: unknown) => void = () => undefined;
  #isUpdating = false;
  #updating: Promise<void> = Promise.resolve();

  constructor(deps: LinkWatchDeps) {
    this.#deps = deps;
  }

  /** @param onError called if the database or a recording can't be read; the watch continues */
  start(onError: (error: unknown) => void): void {
    this.#onError = onError;
    this.#checks.start(onError);
  }

  /** Stops the watch after the queries in progress. */
  async stop(): Promise<void> {
    await this.#checks.stop();
    await this.#updating;
  }

  /** Runs one check, and updates the pages that stay open. */
  async check(): Promise<void> {
    const pages = await this.#end();
    await this.#updating;
    await this.#update(pages);
  }

  /** Ends what a committed change no longer allows. Nothing rejects: the change is made, and the watch tries again. */
  async endNow(): Promise<void> {
    try {
      await this.#end();
    } catch (error) {
      this.#onError(error);
    }
  }

  /** Ends every response that must end, before anything reads a recording. Returns the pages of the other links. */
  async #end(): Promise<Pages[]> {
    const { database, open } = this.#deps;
    const byShare = Map.groupBy(open.all(), ({ grant: { shareId } }) => shareId);
    const ids = [...byShare.keys()];
    if (ids.length === 0 && this.#listening.size === 0) return [];
    const others: Pages[] = [];
    const found: StoredShare[] = [];
    const policy = await readPolicy(database.queries);
    for (const some of statementPieces(ids)) {
      const shares = new Map((await findShares(database.queries, some)).map((share) => [share.id, share]));
      for (const id of some) {
        const [share, links] = [shares.get(id), byShare.get(id) ?? []];
        const pages = this.#endOf(links, share, policy);
        if (share !== undefined && pages.length > 0) others.push({ share, pages });
        if (share !== undefined) found.push(share);
      }
    }
    this.#notifyListening(found);
    return others;
  }

  /** Notifies of each link whose number of open pages has changed since the last check. */
  #notifyListening(shares: readonly StoredShare[]): void {
    const counts = pagesByShare(this.#deps.open.all());
    const before = this.#listening;
    this.#listening = new Map();
    for (const share of shares) {
      const count = counts.get(share.id) ?? 0;
      if (count > 0) this.#listening.set(share.id, { count, share });
      if (count !== (before.get(share.id)?.count ?? 0)) this.#deps.onListening(share);
      before.delete(share.id);
    }
    for (const { share } of before.values()) this.#deps.onListening(share);
  }

  /** Ends the responses of one link that must end. Returns its pages that stay open. */
  #endOf(
    links: readonly OpenLink[],
    share: StoredShare | undefined,
    policy: SharingPolicy,
  ): readonly OpenLink[] {
    const reason = this.#reasonOf(share, policy);
    if (share === undefined || reason !== null) {
      for (const link of links) {
        link.send({ type: 'share-ended', reason: reason ?? 'unavailable' });
        link.end();
      }
      return [];
    }
    // A response that was opened under other settings may send what they no longer allow.
    for (const link of links)
      if (link.grant.revision !== share.revision) {
        link.send({ type: 'share-changed' });
        link.end();
      }
    return links.filter(({ kind, grant }) => kind === 'events' && grant.revision === share.revision);
  }

  /** A link that is used up still plays for those who started. */
  #reasonOf(share: StoredShare | undefined, policy: SharingPolicy): ShareEndReason | null {
    if (share === undefined) return 'unavailable';
    const { reason } = stateOfShare(share, policy, this.#deps.clock.nowMs());
    return reason === 'used-up' ? null : reason;
  }

  /** Sends the pages what changed. A recording that can't be read delays and hides no other one. */
  async #update(all: readonly Pages[]): Promise<void> {
    const before = this.#read;
    this.#read = new Map();
    for (const { share, pages } of all)
      try {
        this.#send(pages, await this.#shownOf(share, before.get(share.id)));
      } catch (error) {
        // A recording that was deleted in the meantime: the next check ends its links.
        if (!(error instanceof ProblemError)) this.#onError(error);
      }
  }

  /** Reads a recording that has ended only if something that its link may show has changed. */
  async #shownOf(share: StoredShare, before: Read | undefined): Promise<Shown> {
    const cause = causeOf(share);
    const shown = before?.cause === cause ? before.shown : await this.#deps.shownOf(share);
    if (shown.growth === null) this.#read.set(share.id, { cause, shown });
    return shown;
  }

  #send(pages: readonly OpenLink[], now: Shown): void {
    for (const page of pages) {
      // The page reads the length itself as soon as its stream is open.
      const known = this.#known.get(page) ?? { ...now, version: page.version };
      this.#known.set(page, now);
      if (known.version !== now.version) page.send({ type: 'share-changed' });
      else if (now.growth !== null && !isSame(known.growth, now.growth))
        page.send({ type: 'share-grew', ...now.growth });
    }
  }

  /** The lengths of many growing recordings may take longer than the interval: the next check does not wait. */
  async #tick(): Promise<void> {
    const pages = await this.#end();
    if (this.#isUpdating) return;
    this.#isUpdating = true;
    this.#updating = this.#update(pages).finally(() => {
      this.#isUpdating = false;
    });
  }
}
