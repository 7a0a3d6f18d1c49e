import { sourceOfAnswer } from '#contract/answer-source.ts';
import { markPageStale } from './shell-worker.ts';

/** The page's last script is the app's own; its name changes with every build. */
const entryUrl = (): string | null =>
  [...document.querySelectorAll<HTMLScriptElement>('head > script[type="module"][src]')].at(-1)?.src ?? null;

/** Whether the server no longer has the script this very page began with: then it has another build. */
async function isGoneFromServer(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { method: 'HEAD', cache: 'no-store', redirect: 'manual' });
    // A proxy that does not find its server says 404 as well.
    return (
      (response.status === 404 || response.status === 410) &&
      (await sourceOfAnswer(response)).from === 'earshot'
    );
  } catch {
    // No network: a reload would bring nothing at all.
    return false;
  }
}

/** Watches for parts of the page that cannot be fetched because the server was renewed meanwhile. */
export function watchForMissingParts(): void {
  addEventListener('vite:preloadError', () => {
    const url = entryUrl();
    if (url === null) return;
    void isGoneFromServer(url).then((isGone) => {
      if (isGone) markPageStale();
    });
  });
}
