import { type DBSchema, type IDBPDatabase, openDB, type OpenDBCallbacks } from 'idb';

/** Runs one call on the database, which is opened on first use. */
export type WithDatabase<Schema extends DBSchema> = <T>(
  call: (database: IDBPDatabase<Schema>) => Promise<T>,
) => Promise<T>;

/** `UnknownError` is Safari's "connection to Indexed Database server lost". */
const isClosed = (error: unknown): boolean =>
  error instanceof DOMException && ['InvalidStateError', 'UnknownError'].includes(error.name);

/**
 * One IndexedDB connection for the whole page or worker. It closes when another tab upgrades the database. iOS
 * closes the databases of pages that it suspends, so a call that finds the database closed is retried once on a
 * new connection.
 */
export function lazyDatabase<Schema extends DBSchema>(
  name: string,
  version: number,
  upgrade: NonNullable<OpenDBCallbacks<Schema>['upgrade']>,
): WithDatabase<Schema> {
  let opened: Promise<IDBPDatabase<Schema>> | null = null;
  const forget = (): void => {
    opened = null;
  };
  const open = (): Promise<IDBPDatabase<Schema>> =>
    (opened ??= openDB<Schema>(name, version, {
      upgrade,
      blocking: (_current, _wanted, event) => {
        if (event.target instanceof IDBDatabase) event.target.close();
        forget();
      },
      terminated: forget,
    }).catch((error: unknown) => {
      forget();
      throw error;
    }));
  return async (call) => {
    try {
      return await call(await open());
    } catch (error) {
      if (!isClosed(error)) throw error;
      forget();
      return call(await open());
    }
  };
}
