import type { LightMyRequestResponse } from 'fastify';
import type { NewShare } from '#contract/shares-api.ts';
import type { Share } from '#contract/shares.ts';
import { answerOf, Browser } from './accounts-under-test.ts';
import type { ApiUnderTest, TestUser } from './api-under-test.ts';
import { newId } from './factories.ts';

export const goodLinkPassword = 'ferry lantern oats';

/** The token in a link's address. */
export const tokenOf = ({ url }: Pick<Share, 'url'>): string => url?.split('/s/')[1] ?? '';

/** A user and the server that they use. */
interface Sharer {
  api: ApiUnderTest;
  user: TestUser | null;
}

/** Sends the request that shares a recording. */
export const sendShare = (
  { api, user }: Sharer,
  recordingId: string,
  settings: Partial<NewShare> = {},
): Promise<LightMyRequestResponse> =>
  api.as(user, {
    method: 'POST',
    url: `/api/recordings/${recordingId}/shares`,
    payload: { id: newId(), ...settings },
  });

/** Shares a recording. `maxListens` is set as an earlier version stored it. */
export async function share(
  sharer: Sharer,
  recordingId: string,
  { maxListens = null, ...settings }: Partial<NewShare> = {},
): Promise<Share> {
  const made = answerOf<Share>(await sendShare(sharer, recordingId, settings));
  if (maxListens === null) return made;
  await sharer.api.database.queries
    .updateTable('shares')
    .set({ max_listens: maxListens })
    .where('id', '=', made.id)
    .execute();
  return { ...made, maxListens };
}

/** Changes a link, based on the revision that the caller knows. */
export const changeShareOf = (
  { api, user }: Sharer,
  { id, revision }: Pick<Share, 'id' | 'revision'>,
  change: object,
): Promise<LightMyRequestResponse> =>
  api.as(user, { method: 'PATCH', url: `/api/shares/${id}`, payload: { revision, ...change } });

/** A listener's browser, without a session. */
export const listener = (api: Pick<ApiUnderTest, 'app'>, ip = '198.51.100.7'): Browser =>
  new Browser(api.app, ip);

/** Opens what a link shows. */
export const openShared = (browser: Browser, shared: Pick<Share, 'url'>): Promise<LightMyRequestResponse> =>
  browser.send('GET', `/s/${tokenOf(shared)}/recording`);
