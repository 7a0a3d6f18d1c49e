import { sourceOfAnswer } from '#contract/answer-source.ts';
import { markPageStale } from './shell-worker.ts';

/** The page's last script is the app's own. Its name changes with every build. */
const entryUrl = (): string | null =>
  [...document.querySelectorAll<HTMLScriptElement>('head > script[type="module"][src]')].at(-1)?.src ?? null;

/** Whether the server no longer has this page's script, and therefore has another build. */
async function isGoneFromServer(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { method: 'HEAD', cache: 'no-store', redirect: 'manual' });
    // A proxy that does not find its server responds with 404 too.
    return (
      (response.status === 404 || response.status === 410) &&
      (await sourceOfAnswer(response)).from === 'earshot'
    );
  } catch {
    // Without a network, a reload would load nothing.
    return false;
  }
}

/** Detects chunks that fail to load because the server has another build. */
export function watchForMissingParts(): void {
  addEventListener('vite:preloadError', () => {
    const url = entryUrl();
    if (url === null) return;
    void isGoneFromServer(url).then((isGone) => {
      if (isGone) markPageStale();
    });
  });
}
