import type { Database } from '#server/storage/database/database.ts';
import type { OpenLink, OpenLinks } from './open-links.ts';

export interface ListeningDeps {
  database: Database;
  open: Pick<OpenLinks, 'all'>;
}

/** How many of these responses are pages of each link. */
export function pagesByShare(links: readonly OpenLink[]): ReadonlyMap<string, number> {
  const pages = links.filter(({ kind }) => kind === 'events');
  const byShare = Map.groupBy(pages, ({ grant: { shareId } }) => shareId);
  return new Map([...byShare].map(([shareId, { length }]) => [shareId, length]));
}

/**
 * Reads how many pages of a link are open. Only this process's are known, so the count is null while other servers
 * of the installation may have some.
 */
export async function listeningCounts({
  database,
  open,
}: ListeningDeps): Promise<(shareId: string) => number | null> {
  if (database.dialect === 'postgres') {
    const { nodes } = await database.queries
      .selectFrom('nodes')
      .select((eb) => eb.fn.countAll<number | string>().as('nodes'))
      .executeTakeFirstOrThrow();
    if (Number(nodes) > 1) return () => null;
  }
  const counts = pagesByShare(open.all());
  return (shareId) => counts.get(shareId) ?? 0;
}
