import type { ShippedLocale } from '#contract/locales.ts';
import { providerAnswerKey, providerAnswerPath, type ProviderAnswer } from '#contract/provider-answer.ts';
import { serverI18n } from '#server/i18n/server-i18n.ts';
import { callbackWords } from './callback-words.ts';

/** JSON that no HTML parser takes for markup. */
const embedded = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/**
 * Runs in the browser. A pop-up hands the answer to the page that opened it: over a channel, because an
 * opener may be cut off by the provider's Cross-Origin-Opener-Policy. Where nobody takes it, and after a
 * redirect, this window goes on by itself.
 */
const script = `(() => {
  const { answer, key, path, done } = JSON.parse(document.getElementById('answer').textContent);
  history.replaceState(null, '', location.pathname);
  const goOn = () => {
    try { sessionStorage.setItem(key, JSON.stringify(answer)); } catch { /* The page there will ask to start again. */ }
    location.replace(path);
  };
  const state = answer.body.state ?? '';
  if (!state.startsWith('p') || typeof BroadcastChannel === 'undefined') { goOn(); return; }
  const channel = new BroadcastChannel('auth');
  const giveUp = setTimeout(goOn, 2000);
  channel.addEventListener('message', ({ data }) => {
    if (data?.type !== 'provider-answer-taken' || data.flow !== state) return;
    clearTimeout(giveUp);
    channel.close();
    document.getElementById('said').textContent = done;
    window.close();
  });
  channel.postMessage(answer);
})();`;

const style = `:root{color-scheme:light dark;font:1.125rem/1.5 system-ui,sans-serif}body{margin:0;min-block-size:100svh;display:grid;place-items:center;padding:1.5rem;text-align:center}`;

/**
 * The page that a provider sends the browser back to. It reads no cookie, makes no session and loads nothing.
 */
export function callbackPage(answer: ProviderAnswer, look: { locale: ShippedLocale; nonce: string }): string {
  const { locale, nonce } = look;
  const words = callbackWords(serverI18n(locale.tag));
  const data = embedded({ answer, key: providerAnswerKey, path: providerAnswerPath, done: words.done });
  return `<!doctype html>
<html lang="${locale.tag}" dir="${locale.dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(words.title)}</title>
<style nonce="${nonce}">${style}</style>
</head>
<body>
<main><p id="said" role="status">${escaped(words.wait)}</p><noscript><p>${escaped(words.script)}</p></noscript></main>
<script type="application/json" id="answer">${data}</script>
<script nonce="${nonce}">${script}</script>
</body>
</html>
`;
}

/**
 * Under this policy the page can run its own script and nothing else, and tells nobody where it was (the
 * address holds the code).
 */
export const callbackHeaders = (nonce: string): Record<string, string> => ({
  'Content-Security-Policy': `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
});
