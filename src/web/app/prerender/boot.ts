import { fetchEarly } from '#web/api/connection/early-responses.ts';
import { recordEarlyPress } from './early-press.ts';
import { earlyRequestsFor } from './early-requests.ts';
import { reloadIfStalled } from './stalled-load.ts';

const wait = (milliseconds?: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
const nextFrame = (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => {
      resolve();
    });
  });
/** Runs the rest in a new task, so that input events are handled before it. */
const nextTask = (): Promise<void> => wait();

/**
 * Resolves when the rendered frame has been handed to the screen; after 100 ms if nothing is painted, as in a
 * background tab.
 */
const painted = (): Promise<void> => Promise.race([nextFrame().then(nextTask), wait(100)]);

/**
 * Resolves when the browser reports the first paint, or an element with `elementtiming`. Waits for two frames in a
 * browser without these performance entries.
 */
function whenVisible(what: 'paint' | 'element'): Promise<void> {
  if (!PerformanceObserver.supportedEntryTypes.includes(what)) return painted().then(painted);
  return new Promise((resolve) => {
    new PerformanceObserver((_, observer) => {
      observer.disconnect();
      resolve();
    }).observe({ type: what, buffered: true });
  });
}

/** The longest wait for the prerendered page's data before the deferred requests start. */
const dataTimeoutMs = 500;
/** The longest that the app, once loaded, waits for the prerendered page's data before it runs. */
const runDelayLimitMs = 100;

/** From then on the app makes its own requests. */
let isStarted = false;

/**
 * Starts the deferred requests once the prerendered page is complete and visible: on a slow connection they would
 * delay the data that the user waits for.
 */
async function startDeferredRequests(filled: Promise<boolean>, urls: readonly string[]): Promise<void> {
  await Promise.race([
    filled.then((isFilled) => whenVisible(isFilled ? 'element' : 'paint')),
    wait(dataTimeoutMs),
  ]);
  for (const { content } of document.querySelectorAll<HTMLTemplateElement>('template.after-picture'))
    document.head.append(content);
  if (!isStarted) fetchEarly(urls);
}

/**
 * Renders the user's data into the prerendered page. Only pages that show any load the code, and they name its file
 * (page-template.ts). Returns whether it rendered something.
 */
async function fillPicture(address: string | null): Promise<boolean> {
  await painted();
  if (address === null) return false;
  const { fillPictureEarly } = await import('./fill-picture.ts');
  return fillPictureEarly(address);
}

/** Shows the error page that came with the HTML. */
function showLoadError(): void {
  const root = document.getElementById('root');
  const template = document.querySelector<HTMLTemplateElement>('#load-error');
  if (!root || !template) return;
  root.replaceChildren(template.content.cloneNode(true));
  // Submitting the form would drop the query string.
  root.querySelector('form')?.addEventListener('submit', (event) => {
    event.preventDefault();
    location.reload();
  });
}

/**
 * Runs the app after the prerendered page is on the screen. Its files load meanwhile, but running them would delay
 * the first paint.
 */
async function boot(filled: Promise<boolean>): Promise<void> {
  const stopWatching = reloadIfStalled();
  await painted();
  await Promise.race([filled, wait(runDelayLimitMs)]);
  // The first `Intl` call loads ICU data, which takes as long as half the bundle. It runs in a task of its
  // own, so that input events are handled in between.
  Intl.DateTimeFormat.supportedLocalesOf('en');
  await nextTask();
  // React runs in a task of its own for the same reason.
  await import('./react.ts');
  await nextTask();
  const { start } = await import('#web/app/main.tsx');
  await nextTask();
  isStarted = true;
  await start();
  stopWatching();
}

recordEarlyPress();
const { addresses, pictured, later } = earlyRequestsFor(location, document.cookie);
fetchEarly(addresses);
// If this fails, the app shows the error or the data.
const filled = fillPicture(pictured).catch(() => false);
void startDeferredRequests(filled, later);
boot(filled).catch(showLoadError);
