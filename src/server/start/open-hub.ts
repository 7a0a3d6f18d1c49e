import type { Config } from '#server/config.ts';
import { createLiveHub, type LiveHub } from '#server/features/live/live-hub.ts';
import { createSharedHub } from '#server/features/live/shared-hub.ts';

/** The hub of live events, and its connection to the other servers of the same database. */
export interface OpenHub {
  hub: LiveHub;
  /** Starts to send and receive. */
  start(): void;
  stop(): Promise<void>;
}

/**
 * Opens the hub of live events. On PostgreSQL it also sends to the servers of the same database; SQLite has only one.
 * @param options.onError called for each lost connection
 */
export async function openHub(
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  { onError }: { onError: (error: unknown) => void },
): Promise<OpenHub> {
  const local = createLiveHub();
  if (databaseUrl === '') return { hub: local, start: () => undefined, stop: async () => undefined };
  const { PostgresChannel } = await import('#server/storage/database/postgres/postgres-channel.ts');
  const channel = new PostgresChannel({
    url: databaseUrl,
    name: 'earshot_live',
    onMessage: (message) => shared.receive(message),
    onMissed: () => shared.catchUp(),
    onError,
  });
  const shared = createSharedHub(local, channel);
  return { hub: shared.hub, start: () => channel.start(), stop: () => channel.stop() };
}
