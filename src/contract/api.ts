import * as accounts from './accounts-api.ts';
import * as administration from './administration-api.ts';
import * as credentials from './credentials-api.ts';
import type { Endpoint } from './endpoint.ts';
import * as events from './events-api.ts';
import * as labels from './labels-api.ts';
import * as library from './library-api.ts';
import * as accountExports from './exports-api.ts';
import * as markers from './markers-api.ts';
import * as passages from './passages-api.ts';
import * as positions from './positions-api.ts';
import * as notes from './notes-api.ts';
import type { RouteName } from './routes.ts';
import * as providers from './providers-api.ts';
import * as recordings from './recordings-api.ts';
import * as accountImports from './restores-api.ts';
import * as serverStatus from './server-status-api.ts';
import * as shareLinks from './share-links-api.ts';
import * as shares from './shares-api.ts';
import * as speechModels from './speech-models-api.ts';
import * as storage from './storage-api.ts';
import * as transcripts from './transcripts-api.ts';
import * as uploads from './uploads-api.ts';

type Contract = typeof accounts &
  typeof credentials &
  typeof administration &
  typeof serverStatus &
  typeof providers &
  typeof recordings &
  typeof uploads &
  typeof speechModels &
  typeof storage &
  typeof markers &
  typeof notes &
  typeof passages &
  typeof transcripts &
  typeof positions &
  typeof labels &
  typeof library &
  typeof events &
  typeof accountExports &
  typeof accountImports &
  typeof shares;

/** Every endpoint of the contract by name, as types only, so that the page imports no schemas. */
export type Api = Pick<Contract, RouteName>;

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'statuses' in value;

/** Every endpoint by name, for the API reference and tests. */
export const api: Record<string, Endpoint> = Object.fromEntries(
  Object.entries<unknown>({
    ...accounts,
    ...credentials,
    ...administration,
    ...serverStatus,
    ...providers,
    ...recordings,
    ...uploads,
    ...speechModels,
    ...storage,
    ...markers,
    ...notes,
    ...transcripts,
    ...passages,
    ...positions,
    ...labels,
    ...library,
    ...events,
    ...accountExports,
    ...accountImports,
    ...shares,
    ...shareLinks,
  }).filter((entry): entry is [string, Endpoint] => isEndpoint(entry[1])),
);
