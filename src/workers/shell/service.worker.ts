import { clientsClaim } from 'workbox-core';
import { PrecacheController, PrecacheRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { CacheFirst } from 'workbox-strategies';
import { sourceLocale } from '#contract/locales.ts';
import { chooseLocale } from './choose-locale.ts';
import { dressShell } from './dress-shell.ts';
import { sharePath, takeShare } from './take-share.ts';
import type { ToServiceWorker } from './messages.ts';
import { filesForAll, filesForLanguages, notPages, type BuildFile } from './shell-files.ts';

declare const self: ServiceWorkerGlobalScope;

/** One cache for all builds: what did not change is not fetched again, and a page of an older build still finds its parts. */
const cacheName = 'shell';
const shellUrl = '/app-shell';

const build: readonly BuildFile[] = self.__WB_MANIFEST.flatMap((entry) => (typeof entry === 'string' ? [] : [{ url: entry.url, revision: entry.revision ?? null }]));
const kept = new PrecacheController({ cacheName });
kept.addToCacheList(filesForAll(build));

/** What the person chose. Browsers without a cookie store for service workers fall back; the page itself reads its cookie again. */
async function choiceOf(name: 'lang' | 'theme'): Promise<string | null> {
  if (!('cookieStore' in self)) return null;
  return (await self.cookieStore.get(name))?.value ?? null;
}

async function chosenLocale(query: string | null) {
  return chooseLocale({ query, cookie: await choiceOf('lang'), languages: self.navigator.languages });
}

async function chosenTheme(): Promise<'light' | 'dark' | null> {
  const theme = await choiceOf('theme');
  return theme === 'light' || theme === 'dark' ? theme : null;
}

const newNonce = (): string => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));

async function pageFor(request: Request, url: URL): Promise<Response> {
  const shell = await kept.matchPrecache(shellUrl);
  if (!shell) return fetch(request);
  const [locale, theme] = await Promise.all([chosenLocale(url.searchParams.get('lang')), chosenTheme()]);
  return dressShell(shell, { locale, theme, nonce: newNonce() });
}

async function install(event: ExtendableEvent): Promise<void> {
  const { tag } = await chosenLocale(null);
  kept.addToCacheList(filesForLanguages(build, [tag, sourceLocale.tag]));
  await kept.install(event);
}

/** Every file of this build under the name it is kept by. */
function namesOfThisBuild(): ReadonlySet<string> {
  return new Set(build.map(({ url }) => kept.getCacheKeyForURL(url) ?? new URL(url, self.location.href).href));
}

/** Removes the files of older builds once no page of one can be open; never while a newer build is arriving. */
async function tidyWhenAlone(): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (windows.length > 0 || self.registration.installing || self.registration.waiting) return;
  const cache = await caches.open(cacheName);
  const names = namesOfThisBuild();
  for (const { url } of await cache.keys()) {
    if (!names.has(url)) await cache.delete(url);
  }
}

self.addEventListener('install', (event) => { event.waitUntil(install(event)); });
self.addEventListener('activate', (event) => { event.waitUntil(tidyWhenAlone()); });
self.addEventListener('message', (event: ExtendableMessageEvent) => {
  const message: Partial<ToServiceWorker> | null = event.data;
  if (message?.type === 'take-over') event.waitUntil(self.skipWaiting());
});
// The first visit's page is served from here as soon as everything is kept.
clientsClaim();

registerRoute(new NavigationRoute(async ({ event, request, url }) => {
  event.waitUntil(tidyWhenAlone());
  return pageFor(request, url);
}, { denylist: [...notPages] }));
registerRoute(({ sameOrigin, url }) => sameOrigin && url.pathname === sharePath, ({ request }) => takeShare(request), 'POST');
registerRoute(new PrecacheRoute(kept));
// Other languages, kept when they are first chosen, and parts of older builds. The name of such a file holds its hash: what it names never changes.
registerRoute(({ sameOrigin, url }) => sameOrigin && url.pathname.startsWith('/assets/'), new CacheFirst({ cacheName }));
