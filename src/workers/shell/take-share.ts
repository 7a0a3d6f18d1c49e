import { uuidV7 } from '#base/uuid-v7.ts';
import { keepShared } from '../import/imports-database.ts';
import { notKept } from './messages.ts';

/** Where another app's files arrive, as the web app manifest says (`share_target`). */
export const sharePath = '/shared';

/** Keeps the files that another app shared, and opens the library, where they are imported; where this device cannot keep them, that is said there. */
export async function takeShare(request: Request): Promise<Response> {
  const isKept = await keep(request).then(() => true, () => false);
  // 303: the page is asked for by GET, and reloading it shares nothing twice.
  return new Response(null, { status: 303, headers: { location: isKept ? '/library' : `/library${notKept}` } });
}

async function keep(request: Request): Promise<void> {
  const form = await request.formData();
  const files = form.getAll('files').filter((entry) => entry instanceof File);
  await keepShared(files.map((file) => ({ id: uuidV7(Date.now(), crypto.getRandomValues(new Uint8Array(16))), file })));
}
