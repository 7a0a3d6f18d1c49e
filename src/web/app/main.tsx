import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import '#web/ui/base.css';
import { typedText } from '#device/site-data/typed-text.ts';
import { loadInBackground } from '#web/ui/lazy/load-in-background.ts';
import { loadSession } from '#web/api/session.ts';
import { holdSignInBack } from '#web/api/sign-in-prompt.ts';
import { userScope } from '#web/api/user-scope.ts';
import { whenIdle } from '#web/api/when-idle.ts';
import { recorder } from '#web/features/recorder/recorder.ts';
import { isInProgress } from '#web/features/recorder/take/take.ts';
import { followAccountLanguage } from '#web/features/settings/choose-language.ts';
import { startTheme } from '#web/features/settings/theme.ts';
import { startLanguage } from '#web/i18n/switch-language.ts';
import { clearAnnouncements } from '#web/ui/feedback/announce.ts';
import { clearToasts } from '#web/ui/overlays/toast.tsx';
import { protectTranslatedText } from '#web/ui/dom/translated-text.ts';
import { App } from './app.tsx';
import { startScrollRestoration } from './page-mounted.tsx';
import { prefetchPrerendered, preloadOnIdle, preloadPrerendered } from './lazy.ts';

/** Follows changes on the server. A running take keeps the connection open while the page is hidden. */
async function followServer(): Promise<void> {
  const { liveEvents, startLiveEvents } = await loadInBackground(() => import('#web/api/live-events.ts'));
  startLiveEvents();
  const followTake = () => {
    const isTakeRunning = isInProgress(recorder.everyTake.getSnapshot());
    liveEvents.setTakeRunning(isTakeRunning);
    holdSignInBack(isTakeRunning);
  };
  recorder.everyTake.subscribe(followTake);
  followTake();
}

/** Sends what earlier pages could not send. */
async function sendOutbox(): Promise<void> {
  await whenIdle();
  const { followOutbox } = await loadInBackground(() => import('#web/outbox/page-outbox.ts'));
  followOutbox();
}

/** Renders the app once its messages are loaded. Called once, by the page's entry script (prerender/boot.ts). */
export async function start(): Promise<void> {
  startTheme();
  protectTranslatedText();
  userScope.onSessionEnd(clearToasts);
  userScope.onSessionEnd(clearAnnouncements);
  userScope.onUserLeft(typedText.clear);
  loadSession();
  startScrollRestoration();
  // The prerendered page stays until the app can render the page itself rather than a spinner.
  await Promise.all([startLanguage(), preloadPrerendered()]);
  await prefetchPrerendered();

  // From here on the pages set the document's title. Of two titles the browser would show the first.
  document.querySelector('head > title')?.remove();
  const root = document.getElementById('root');
  if (!root) throw new Error('the page has no element for the app');
  // A transition renders in slices, so that input events are handled in between.
  startTransition(() => createRoot(root).render(<App />));
  followAccountLanguage();
  void followServer();
  void sendOutbox();
  preloadOnIdle();
}
