import type { FastifyReply } from 'fastify';
import { second } from '#base/duration.ts';
import { serverLimits } from '#contract/server-limits.ts';
import type { ShareEvent } from '#contract/shares.ts';
import { countedNetwork, type IsClientNetwork } from '#server/http/client-network.ts';
import { rateLimited } from '#server/http/rate-limited.ts';
import type { ShareGrant } from '#server/http/share-grant.ts';

/** A response that a listener of a link has open: its sound, its peaks, its texts, or its events. Each kind has its own limit. */
export interface OpenLink {
  grant: Pick<ShareGrant, 'shareId' | 'recordingId' | 'revision'>;
  network: string | null;
  kind: 'sound' | 'peaks' | 'texts' | 'events';
  /** What its listener sees of the link when it opens (`shownVersionOf`); null for bytes. */
  version: string | null;
  /** Sends an event; does nothing for bytes. */
  send: (event: ShareEvent) => void;
  /** Ends the response: for bytes in the middle, because a player would take an orderly end for the end. */
  end: () => void;
}

/** How long a listener waits who has too many responses open. */
const retryMs = 5 * second;

/**
 * The responses that listeners have open in this process, so that they end with their right, and so that no one of
 * them takes the connections of the others or of running takes.
 */
export class OpenLinks {
  readonly #open = new Set<OpenLink>();
  readonly #isClientNetwork: IsClientNetwork;
  readonly #max: number;

  /** @param options.max how many listeners may have open together */
  constructor({ isClientNetwork, max }: { isClientNetwork: IsClientNetwork; max: number }) {
    this.#isClientNetwork = isClientNetwork;
    this.#max = max;
  }

  /**
   * Registers a response until it is complete.
   * @throws rate-limited (429) if the listener's network, the link or the server has too many open
   */
  enter(
    {
      grant,
      ip,
      reply,
      kind = 'sound',
    }: { grant: ShareGrant; ip: string; reply: FastifyReply; kind?: 'sound' | 'peaks' | 'texts' },
    events: Pick<OpenLink, 'version' | 'send' | 'end'> | null = null,
  ): void {
    const link: OpenLink = {
      grant: { shareId: grant.shareId, recordingId: grant.recordingId, revision: grant.revision },
      network: countedNetwork(ip, this.#isClientNetwork),
      kind: events === null ? kind : 'events',
      version: events?.version ?? null,
      send: events?.send ?? (() => undefined),
      end: events?.end ?? (() => reply.raw.destroy()),
    };
    this.#admit(link);
    if (reply.raw.destroyed) return;
    this.#open.add(link);
    // Every part that waits for the end of a download adds a listener, one more than Node expects by default.
    reply.raw.setMaxListeners(reply.raw.getMaxListeners() + 2);
    reply.raw.once('close', () => this.#open.delete(link));
  }

  /** All open responses. */
  all(): OpenLink[] {
    return [...this.#open];
  }

  #admit({ grant: { shareId }, network, kind }: OpenLink): void {
    const ofShare = this.all().filter((link) => link.kind === kind && link.grant.shareId === shareId);
    const ofNetwork = ofShare.filter((link) => network !== null && link.network === network);
    if (
      this.#open.size >= this.#max ||
      ofShare.length >= serverLimits.share.streams ||
      ofNetwork.length >=
        (kind === 'texts' ? serverLimits.share.textsPerNetwork : serverLimits.share.streamsPerNetwork)
    )
      throw rateLimited(retryMs);
  }
}
