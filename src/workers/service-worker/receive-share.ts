import { newId } from '#device/new-id.ts';
import { storeShared } from '#workers/import/imports-database.ts';
import { rejectionHash, type ShareRejection } from './messages.ts';

/** Where files from another app arrive (`share_target` in the web app manifest). */
export const sharePath = '/shared';

/**
 * Stores the files that another app shared and opens the library, where they wait for *Import* or *Discard*,
 * because a page of another site can post the same form. If they are not stored, the library shows the reason.
 */
export async function takeShare(request: Request, ownOrigin: string): Promise<Response> {
  const rejection = comesFromForeignPage(request, ownOrigin)
    ? 'foreign-page'
    : await store(request).catch((): ShareRejection => 'not-stored');
  // 303: the page is requested by GET, so reloading it does not share again.
  return new Response(null, {
    status: 303,
    headers: { location: `/library${rejection === null ? '' : rejectionHash[rejection]}` },
  });
}

/**
 * The system opens a share as a new page without a referrer. A hostile page can hide its address, so this is not
 * the only defence.
 */
export function comesFromForeignPage(
  { referrer, destination }: Pick<Request, 'referrer' | 'destination'>,
  ownOrigin: string,
): boolean {
  if (destination !== 'document') return true;
  const from = URL.parse(referrer);
  return from !== null && /^https?:$/.test(from.protocol) && from.origin !== ownOrigin;
}

async function store(request: Request): Promise<ShareRejection | null> {
  const form = await request.formData();
  const files = form.getAll('files').filter((entry) => entry instanceof File);
  const isStored = await storeShared(files.map((file) => ({ id: newId(), file })));
  return isStored ? null : 'too-much';
}
