import * as accounts from './accounts-api.ts';
import type { Endpoint } from './endpoint.ts';
import * as events from './events-api.ts';
import * as markers from './markers-api.ts';
import * as recordings from './recordings-api.ts';
import * as uploads from './uploads-api.ts';

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'statuses' in value;

/** Every call there is, by name: what the API reference prints and what tests walk. */
export const api: Record<string, Endpoint> = Object.fromEntries(
  Object.entries<unknown>({ ...accounts, ...recordings, ...uploads, ...markers, ...events }).filter((entry): entry is [string, Endpoint] => isEndpoint(entry[1])),
);
