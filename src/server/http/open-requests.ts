import type { FastifyReply } from 'fastify';
import type { Principal } from './principal.ts';

/** The id of what a principal's right depends on, and ends with. */
function rightIdOf(principal: Principal): string {
  switch (principal.kind) {
    case 'session':
      return principal.sessionId;
    case 'upload-capability':
      return principal.recordingId;
  }
}

/**
 * Registers the long responses of each right, so that they end with it: with the session, or with the capabilities
 * of the recording. It covers one process: where several share a database, `SessionWatch` finds sessions that
 * another one ended.
 */
export class OpenRequests {
  readonly #open = new Map<Principal['kind'], Map<string, Set<FastifyReply>>>();

  /** Registers a response until it is complete. */
  enter(principal: Principal, reply: FastifyReply): void {
    // A client that disconnected while the principal was identified has already closed it; no further event follows.
    if (reply.raw.destroyed) return;
    const id = rightIdOf(principal);
    const ofKind = this.#open.get(principal.kind) ?? new Map<string, Set<FastifyReply>>();
    const replies = ofKind.get(id) ?? new Set();
    this.#open.set(principal.kind, ofKind.set(id, replies.add(reply)));
    reply.raw.once('close', () => {
      replies.delete(reply);
      if (replies.size === 0 && ofKind.get(id) === replies) ofKind.delete(id);
    });
  }

  /** Returns the ids of the rights of this kind with an open response. */
  idsOf(kind: Principal['kind']): string[] {
    return [...(this.#open.get(kind)?.keys() ?? [])];
  }

  /** Aborts all open responses of a right. */
  end(kind: Principal['kind'], id: string): void {
    for (const reply of this.#open.get(kind)?.get(id) ?? []) reply.raw.destroy();
  }
}
