import type { Provider } from '#contract/providers-api.ts';
import { createStore } from '#base/store.ts';
import { userScope } from '#web/api/user-scope.ts';
import { readJson, writeText } from '#device/site-data/text-store.ts';

const key = 'earshot.link-offer';

function read(): Provider | null {
  const stored = readJson('sessionStorage', key);
  return isProvider(stored) ? stored : null;
}

const isProvider = (value: unknown): value is Provider =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'string' &&
  'name' in value &&
  typeof value.name === 'string' &&
  'kind' in value;

const store = createStore<Provider | null>(read());

/**
 * A provider whose account has the e-mail address of an existing account here. Linking it is offered after the
 * user has signed in.
 */
export const linkOffer = { subscribe: store.subscribe, getSnapshot: store.getSnapshot };

/** Stored in sessionStorage, to survive a redirect to another provider and back. */
export function offerLink(provider: Provider | null): void {
  store.set(provider);
  writeText('sessionStorage', key, provider && JSON.stringify(provider));
}

// Only the user who signed in after the offer may link that account.
userScope.onSessionEnd(() => offerLink(null));
