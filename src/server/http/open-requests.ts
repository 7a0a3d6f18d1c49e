import type { FastifyReply } from 'fastify';
import type { Principal } from './principal.ts';

/** What ends a principal's right when it ends. */
type RightKind = 'session' | 'upload-capability' | 'share';

interface Right {
  kind: RightKind;
  id: string;
}

function rightsOf(principal: Principal): Right[] {
  switch (principal.kind) {
    case 'session':
      return [{ kind: 'session', id: principal.sessionId }];
    case 'upload-capability':
      return [{ kind: 'upload-capability', id: principal.recordingId }];
    case 'share':
      return [
        { kind: 'share', id: principal.shareId },
        ...(principal.sessionId === null ? [] : [{ kind: 'session' as const, id: principal.sessionId }]),
      ];
    case 'share-locked':
    case 'share-outsider':
      return [{ kind: 'share', id: principal.shareId }];
  }
}

/**
 * Registers the long responses of each right, so that they end with it: with the session, the capabilities of the
 * recording, or the share. It covers one process: where several share a database, `SessionWatch` finds sessions that
 * another one ended.
 */
export class OpenRequests {
  readonly #open = new Map<RightKind, Map<string, Set<FastifyReply>>>();

  /** Registers a response until it is complete. */
  enter(principal: Principal, reply: FastifyReply): void {
    // A client that disconnected while the principal was identified has already closed it; no further event follows.
    if (reply.raw.destroyed) return;
    for (const right of rightsOf(principal)) this.#enter(right, reply);
  }

  #enter({ kind, id }: Right, reply: FastifyReply): void {
    const ofKind = this.#open.get(kind) ?? new Map<string, Set<FastifyReply>>();
    const replies = ofKind.get(id) ?? new Set();
    this.#open.set(kind, ofKind.set(id, replies.add(reply)));
    reply.raw.once('close', () => {
      replies.delete(reply);
      if (replies.size === 0 && ofKind.get(id) === replies) ofKind.delete(id);
    });
  }

  /** Returns the ids of the rights of this kind with an open response. */
  idsOf(kind: RightKind): string[] {
    return [...(this.#open.get(kind)?.keys() ?? [])];
  }

  /** Aborts all open responses of a right. */
  end(kind: RightKind, id: string): void {
    for (const reply of this.#open.get(kind)?.get(id) ?? []) reply.raw.destroy();
  }
}
