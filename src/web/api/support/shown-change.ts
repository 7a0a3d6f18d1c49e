import type { Query, QueryClient } from '@tanstack/react-query';

interface Step { query: Query; before: Pick<Query['state'], 'data' | 'dataUpdatedAt' | 'status'>; after: unknown }

/** What is shown and not yet decided, in the order it was shown. */
const pending = new Set<Step>();

/** A change that is shown before the server was asked. */
export interface ShownChange {
  keep: () => void;
  /** Puts back what was there, except where something else has come in between. */
  takeBack: () => void;
}

/** Shows a change of what is cached; afterwards it is either kept or taken back. */
export function showChange(client: QueryClient, show: (client: QueryClient) => void): ShownChange {
  const known = new Map(client.getQueryCache().getAll().map((query) => [query, query.state]));
  show(client);
  const steps: Step[] = [];
  for (const query of client.getQueryCache().getAll()) {
    const { data, dataUpdatedAt, status } = known.get(query) ?? { data: undefined, dataUpdatedAt: 0, status: 'pending' };
    if (query.state.data !== data) steps.push({ query, before: { data, dataUpdatedAt, status }, after: query.state.data });
  }
  for (const step of steps) pending.add(step);
  const keep = (): void => { for (const step of steps) pending.delete(step); };
  return {
    keep,
    takeBack: () => {
      keep();
      for (const step of steps) takeBack(step);
    },
  };
}

function takeBack({ query, before, after }: Step): void {
  // Not set as data: that would make equal parts anew, and an earlier change that is taken back later would not know its own.
  if (query.state.data === after) query.setState(before);
  // What was shown on top of this stays; where that fails too, it leads back to before both.
  for (const later of pending) if (later.query === query && later.before.data === after) later.before = before;
}
