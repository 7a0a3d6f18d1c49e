import { resolve } from 'node:path';
import type { Config } from './config.ts';

/** Names the data directory of an installation, or its database, without secrets. */
export function installationPlaceOf({
  dataDir,
  databaseUrl,
}: Pick<Config, 'dataDir' | 'databaseUrl'>): string {
  if (databaseUrl === '') return resolve(dataDir);
  const url = URL.parse(databaseUrl);
  return url === null ? 'PostgreSQL' : `PostgreSQL ${url.host}${url.pathname}`;
}
