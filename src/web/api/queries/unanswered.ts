import type { MessageDescriptor } from '@lingui/core';
import { type Query, type QueryClient, hashKey, type QueryKey } from '@tanstack/react-query';
import { createStore, type Store } from '#base/store.ts';
import { isUnreached } from '#web/api/api-error.ts';
import { readSession } from '#web/api/request.ts';
import { sessionState } from '#web/api/session-state.ts';
import { knownQueryClient } from './known-query-client.ts';
import { maxSilentWaitMs } from '#web/api/connection/cut-off.ts';
import { useSyncExternalStore } from 'react';

declare module '@tanstack/react-query' {
  interface Register {
    /**
     * `what` names, as its heading does, what the screen can't show without the response. `isPublic`: the response
     * doesn't depend on the session, so it outlasts it.
     */
    queryMeta: { what?: MessageDescriptor; isPublic?: boolean };
  }
}

/**
 * A query of the current screen without a response: the server can't be reached, or has not responded for two
 * seconds.
 */
export interface Unanswered {
  hash: string;
  what: MessageDescriptor | null;
}

const store = createStore<readonly Unanswered[]>([]);

/** What the screens can't show now, because the server hasn't responded. */
export const unanswered: Store<readonly Unanswered[]> = store;

type QueryStatus = 'answered' | 'waiting' | 'unreached';

/** An error response counts as answered, and so does a query that no screen uses. */
function statusOf(query: Query): QueryStatus {
  if (!query.isActive() || query.state.data !== undefined) return 'answered';
  if (query.state.status === 'pending') return 'waiting';
  return isUnreached(query.state.error) ? 'unreached' : 'answered';
}

/** Watches the queries of all screens. Call once per cache. */
export function watchQueries(client: QueryClient): void {
  /** The timers of the queries that are waiting, by hash. */
  const waiting = new Map<string, ReturnType<typeof setTimeout>>();
  const known = new Map<string, Unanswered>();
  const publish = (): void => {
    store.set([...known.values()]);
  };
  const add = ({ queryHash: hash, meta }: Query): void => {
    if (known.has(hash)) return;
    known.set(hash, { hash, what: meta?.what ?? null });
    publish();
  };
  const settle = (hash: string): void => {
    clearTimeout(waiting.get(hash));
    waiting.delete(hash);
  };
  const update = (query: Query): void => {
    const { queryHash: hash } = query;
    const status = statusOf(query);
    if (status === 'waiting') {
      if (!waiting.has(hash))
        waiting.set(
          hash,
          setTimeout(() => {
            add(query);
          }, maxSilentWaitMs),
        );
      return;
    }
    settle(hash);
    if (status === 'unreached') add(query);
    else if (known.delete(hash)) publish();
  };
  client.getQueryCache().subscribe(({ query }) => {
    update(query);
  });
}

/** Retries every unanswered query. A request that is still waiting is replaced by a new one. */
export function retryUnanswered(): void {
  if (sessionState.getSnapshot().status === 'unknown') readSession().catch(() => undefined);
  const client = knownQueryClient.getSnapshot();
  const hashes = new Set(store.getSnapshot().map(({ hash }) => hash));
  const predicate = ({ queryHash }: Query): boolean => hashes.has(queryHash);
  void client?.cancelQueries({ predicate }).then(() => client.refetchQueries({ predicate }));
}

/** Whether the server can't be reached for this query, or has not responded to it for two seconds. */
export function useUnanswered(key: QueryKey): boolean {
  const hash = hashKey(key);
  return useSyncExternalStore(unanswered.subscribe, unanswered.getSnapshot, unanswered.getSnapshot).some(
    (question) => question.hash === hash,
  );
}
