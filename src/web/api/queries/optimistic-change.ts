import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';

interface Step {
  query: Query;
  before: Pick<Query['state'], 'data' | 'dataUpdatedAt' | 'status'>;
  after: unknown;
}

/** The optimistic changes that are not decided yet, in the order they were shown. */
const pending = new Set<Step>();
/** The queries to refetch once all their changes are decided. */
const deferred = new Set<Query>();

/** An optimistic change, shown before the server responds. */
export interface OptimisticChange {
  commit: () => void;
  /** Restores the state before, unless something else has changed it since. */
  rollBack: () => void;
}

/** Shows a change of cached data. The caller has to commit it or roll it back. */
export function applyOptimistically(
  client: QueryClient,
  show: (client: QueryClient) => void,
): OptimisticChange {
  const known = new Map(
    client
      .getQueryCache()
      .getAll()
      .map((query) => [query, query.state]),
  );
  show(client);
  const steps: Step[] = [];
  for (const query of client.getQueryCache().getAll()) {
    const { data, dataUpdatedAt, status } = known.get(query) ?? {
      data: undefined,
      dataUpdatedAt: 0,
      status: 'pending',
    };
    if (query.state.data !== data)
      steps.push({ query, before: { data, dataUpdatedAt, status }, after: query.state.data });
  }
  for (const step of steps) pending.add(step);
  const settle = (): void => {
    for (const step of steps) pending.delete(step);
  };
  const refetchDeferred = (): void => {
    const due = new Set(
      steps.map(({ query }) => query).filter((query) => !isUndecided(query) && deferred.delete(query)),
    );
    if (due.size > 0) void client.invalidateQueries({ predicate: (query) => due.has(query) });
  };
  return {
    commit: () => {
      settle();
      refetchDeferred();
    },
    rollBack: () => {
      settle();
      for (const step of steps) rollBack(step);
      refetchDeferred();
    },
  };
}

/**
 * Refetches the queries under a key. A query with an undecided change is refetched afterwards: the server may not
 * have the change yet, and its response would make the change disappear and reappear.
 */
export function readAgain(client: QueryClient, queryKey: QueryKey): void {
  for (const query of client.getQueryCache().findAll({ queryKey }))
    if (isUndecided(query)) deferred.add(query);
  void client.invalidateQueries({ queryKey, predicate: (query) => !isUndecided(query) });
}

const isUndecided = (wanted: Query): boolean => [...pending].some(({ query }) => query === wanted);

function rollBack({ query, before, after }: Step): void {
  // `setData` would copy equal parts (structural sharing), and the rollback of an earlier change would not
  // recognise its data.
  if (query.state.data === after) query.setState(before);
  // A later change on top of this one stays. If it fails too, it rolls back to before both.
  for (const later of pending)
    if (later.query === query && later.before.data === after) later.before = before;
}
