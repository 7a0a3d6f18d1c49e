import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';

interface Step {
  query: Query;
  before: Pick<Query['state'], 'data' | 'dataUpdatedAt' | 'status'>;
  after: unknown;
}

/** What is shown and not yet decided, in the order it was shown. */
const pending = new Set<Step>();
/** What is to be read again once all that is shown of it is decided. */
const putOff = new Set<Query>();

/** A change that is shown before the server was asked. */
export interface ShownChange {
  keep: () => void;
  /** Puts back what was there, except where something else has come in between. */
  takeBack: () => void;
}

/** Shows a change of what is cached; afterwards it is either kept or taken back. */
export function showChange(client: QueryClient, show: (client: QueryClient) => void): ShownChange {
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
  const decide = (): void => {
    for (const step of steps) pending.delete(step);
  };
  const readPutOff = (): void => {
    const due = new Set(
      steps.map(({ query }) => query).filter((query) => !isUndecided(query) && putOff.delete(query)),
    );
    if (due.size > 0) void client.invalidateQueries({ predicate: (query) => due.has(query) });
  };
  return {
    keep: () => {
      decide();
      readPutOff();
    },
    takeBack: () => {
      decide();
      for (const step of steps) takeBack(step);
      readPutOff();
    },
  };
}

/**
 * Reads again what a key covers. Where a change is shown and not yet decided, only afterwards: the server may
 * not have heard of it, and what it answers would take the change off the screen and bring it back.
 */
export function readAgain(client: QueryClient, queryKey: QueryKey): void {
  for (const query of client.getQueryCache().findAll({ queryKey })) if (isUndecided(query)) putOff.add(query);
  void client.invalidateQueries({ queryKey, predicate: (query) => !isUndecided(query) });
}

const isUndecided = (wanted: Query): boolean => [...pending].some(({ query }) => query === wanted);

function takeBack({ query, before, after }: Step): void {
  // Not set as data: that would make equal parts again, and an earlier change that is taken back later would
  // not know its own.
  if (query.state.data === after) query.setState(before);
  // What was shown on top of this stays; where that fails too, it leads back to before both.
  for (const later of pending)
    if (later.query === query && later.before.data === after) later.before = before;
}
