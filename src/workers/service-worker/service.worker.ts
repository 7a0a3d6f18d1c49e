import { clientsClaim } from 'workbox-core';
import { PrecacheController, PrecacheRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { CacheFirst } from 'workbox-strategies';
import { sourceLocale, type ShippedLocale } from '#contract/locales.ts';
import { picturesPath, type PageParts, type PagePictures } from '#contract/page-pictures.ts';
import { chooseLocale } from './choose-locale.ts';
import { renderStoredShell } from './render-shell.ts';
import { sharePath, takeShare } from './receive-share.ts';
import type { ToServiceWorker } from './messages.ts';
import { isFileOfBuild, onlyFilesOf } from './own-files.ts';
import {
  filesForAll,
  filesForLanguages,
  isPagePath,
  pathsWithoutShell,
  type BuildFile,
} from './shell-files.ts';

declare const self: ServiceWorkerGlobalScope;

/**
 * One cache for all builds: unchanged files are not fetched again, and a page of an older build still finds its
 * chunks.
 */
const cacheName = 'shell';
const shellUrl = '/app-shell';

const build: readonly BuildFile[] = self.__WB_MANIFEST.flatMap((entry) =>
  typeof entry === 'string' ? [] : [{ url: entry.url, revision: entry.revision ?? null }],
);
const precache = new PrecacheController({ cacheName, plugins: [onlyFilesOf(build)] });
precache.addToCacheList(filesForAll(build));

/**
 * Reads the user's choice. Without a cookie store for service workers the default applies, and the page reads its
 * cookie itself.
 */
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

/** The cache key of a file of this build, whether it was precached or not. */
function nameOf({ url, revision }: BuildFile): string {
  const name = new URL(url, self.location.href);
  if (revision !== null) name.searchParams.set('__WB_REVISION__', revision);
  return name.href;
}

/**
 * Caches the prerendered pages of a language that came into use after this build was installed, for the next page
 * load.
 */
async function storePictures(file: BuildFile): Promise<void> {
  const reply = await fetch(file.url);
  if (await isFileOfBuild(build, new URL(file.url, self.location.href).href, reply))
    await (await caches.open(cacheName)).put(nameOf(file), reply);
}

/**
 * The prerendered page in a language. Null if it is not cached, or if the user's choice cannot be read: a page in
 * another language would be confusing.
 */
async function partsOf(
  event: ExtendableEvent,
  path: string,
  { tag }: ShippedLocale,
): Promise<PageParts | null> {
  const file = build.find(({ url }) => url === `${picturesPath}${tag}`);
  if (!file || !('cookieStore' in self)) return null;
  const found = await caches.match(nameOf(file), { cacheName });
  if (!found) {
    event.waitUntil(storePictures(file).catch(() => undefined));
    return null;
  }
  const { pages, others }: PagePictures = await found.json();
  return pages.find(({ address }) => new RegExp(address).test(path)) ?? others;
}

async function pageFor(event: ExtendableEvent, request: Request, url: URL): Promise<Response> {
  const shell = await precache.matchPrecache(shellUrl);
  if (!shell) return fetch(request);
  const [locale, theme] = await Promise.all([chosenLocale(url.searchParams.get('lang')), chosenTheme()]);
  return renderStoredShell(shell, {
    locale,
    theme,
    nonce: newNonce(),
    parts: await partsOf(event, url.pathname, locale),
  });
}

/** If the request fails, the app's own page for unknown URLs is shown. */
async function foreignPage(request: Request): Promise<Response | null> {
  try {
    return await fetch(request);
  } catch {
    return null;
  }
}

async function install(event: ExtendableEvent): Promise<void> {
  const { tag } = await chosenLocale(null);
  precache.addToCacheList(filesForLanguages(build, [tag, sourceLocale.tag]));
  await precache.install(event);
}

/** The cache keys of every file of this build. */
const namesOfThisBuild = (): ReadonlySet<string> => new Set(build.map(nameOf));

/**
 * Deletes the files of older builds once no page of one can be open; never while a newer build is being installed.
 */
async function tidyWhenAlone(): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (windows.length > 0 || self.registration.installing || self.registration.waiting) return;
  const cache = await caches.open(cacheName);
  const names = namesOfThisBuild();
  for (const { url } of await cache.keys()) {
    if (!names.has(url)) await cache.delete(url);
  }
}

/**
 * Whether a page that starts with this script belongs to this build. Also true if the build's own page is not
 * cached.
 */
async function isOfThisBuild(script: string): Promise<boolean> {
  return namesOfThisBuild().has(script) || (await precache.matchPrecache(shellUrl)) === undefined;
}

async function answer(
  message: Partial<ToServiceWorker> | null,
  port: MessagePort | undefined,
): Promise<void> {
  if (message?.type === 'take-over') await self.skipWaiting();
  if (message?.type === 'is-yours' && message.script !== undefined)
    port?.postMessage(await isOfThisBuild(message.script));
}

self.addEventListener('install', (event) => {
  event.waitUntil(install(event));
});
self.addEventListener('activate', (event) => {
  event.waitUntil(tidyWhenAlone());
});
self.addEventListener('message', (event: ExtendableMessageEvent) => {
  event.waitUntil(answer(event.data, event.ports[0]));
});
// The page of the first visit is served from here as soon as everything is cached.
clientsClaim();

registerRoute(
  new NavigationRoute(
    async ({ event, request, url }) => {
      event.waitUntil(tidyWhenAlone());
      const foreign = isPagePath(url.pathname) ? null : await foreignPage(request);
      return foreign ?? pageFor(event, request, url);
    },
    { denylist: [...pathsWithoutShell] },
  ),
);
registerRoute(
  ({ sameOrigin, url }) => sameOrigin && url.pathname === sharePath,
  ({ request }) => takeShare(request, self.location.origin),
  'POST',
);
registerRoute(new PrecacheRoute(precache));
// Other languages, cached when they are first chosen, and chunks of older builds. Their names contain a hash, so
// their content never changes.
registerRoute(
  ({ sameOrigin, url }) => sameOrigin && url.pathname.startsWith('/assets/'),
  new CacheFirst({ cacheName, plugins: [onlyFilesOf(build)] }),
);
