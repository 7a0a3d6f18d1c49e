import { fetchEarly } from '#web/api/connection/early-responses.ts';
import { recordEarlyPress } from './early-press.ts';
import { earlyRequestsFor } from './early-requests.ts';
import { fillPictureEarly } from './fill-picture.ts';
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
/** What was pressed meanwhile is heard before more is done. */
const nextTask = (): Promise<void> => wait();

/**
 * Resolves when what was drawn is handed over to the screen; soon, too, where nothing is painted, as in a tab
 * in the background.
 */
const painted = (): Promise<void> => Promise.race([nextFrame().then(nextTask), wait(100)]);

/**
 * Resolves when the browser says that something is on the screen: the first paint, or an element that was
 * marked for it. One that says nothing of the kind is given two frames.
 */
function seen(what: 'paint' | 'element'): Promise<void> {
  if (!PerformanceObserver.supportedEntryTypes.includes(what)) return painted().then(painted);
  return new Promise((resolve) => {
    new PerformanceObserver((_, observer) => {
      observer.disconnect();
      resolve();
    }).observe({ type: what, buffered: true });
  });
}

/** How long a picture may wait for what is written into it before what may wait is asked for all the same. */
const longestMs = 500;
/**
 * How long the program, once it has come, lets the picture be filled before it is run: it could hold back
 * what is wanted first.
 */
const longestBeforeRunMs = 100;

/** From then on the program asks by itself. */
let isStarted = false;

/**
 * Asks for what may wait until the picture is complete and seen: on a slow line it would come between a
 * person and what they look for.
 */
async function fetchTheRest(filled: Promise<boolean>, questions: readonly string[]): Promise<void> {
  await Promise.race([filled.then((isFilled) => seen(isFilled ? 'element' : 'paint')), wait(longestMs)]);
  for (const { content } of document.querySelectorAll<HTMLTemplateElement>('template.after-picture'))
    document.head.append(content);
  if (!isStarted) fetchEarly(questions);
}

/** Says in the words that came with the page that it cannot be shown. */
function giveUp(): void {
  const root = document.getElementById('root');
  const trouble = document.querySelector<HTMLTemplateElement>('#trouble');
  if (!root || !trouble) return;
  root.replaceChildren(trouble.content.cloneNode(true));
  // The form by itself would leave out what the address asks for.
  root.querySelector('form')?.addEventListener('submit', (event) => {
    event.preventDefault();
    location.reload();
  });
}

/**
 * First the picture, then what makes it work: its files are on their way meanwhile, and running them would
 * hold the picture back.
 */
async function boot(filled: Promise<boolean>): Promise<void> {
  const isThere = reloadIfStalled();
  await painted();
  await Promise.race([filled, wait(longestBeforeRunMs)]);
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
  isThere();
}

recordEarlyPress();
const { addresses, pictured, later } = earlyRequestsFor(location, document.cookie);
fetchEarly(addresses);
// What cannot be read now, the program says.
const filled = painted()
  .then(() => fillPictureEarly(pictured))
  .catch(() => false);
void fetchTheRest(filled, later);
boot(filled).catch(giveUp);
