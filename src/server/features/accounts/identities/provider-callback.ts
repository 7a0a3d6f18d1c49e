import type { ShippedLocale } from '#contract/locales.ts';
import {
  providerAnswerKey,
  providerAnswerPath,
  testAnswerPath,
  type ProviderAnswer,
} from '#contract/provider-answer.ts';

import { serverI18n } from '#server/i18n/server-i18n.ts';
import type { I18n } from '@lingui/core';
import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { HttpApp } from '#server/http/app.ts';
import { queryOf } from '#server/http/request-url.ts';
import { negotiateLocale } from '#server/http/pages/negotiate-page.ts';
import { ProblemError } from '#server/http/problem.ts';
import type { ProviderRegister } from '#server/features/accounts/providers/create-providers.ts';

/** The messages of the callback page, which is shown briefly before the app loads. */
const callbackMessages = (i18n: I18n) => ({
  title: i18n._('Signing in to Earshot…'),
  wait: i18n._('One moment…'),
  done: i18n._('You’re signed in. You can close this window.'),
  tested: i18n._('Test complete. You can close this window.'),
  script: i18n._('Signing in needs JavaScript. Turn it on for this site and try again.'),
});

/** Serialises JSON that is safe inside a script element. */
const embedded = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/**
 * Runs in the browser. A pop-up passes the response to the page that opened it over a BroadcastChannel, because
 * the provider's Cross-Origin-Opener-Policy can sever `window.opener`. If no page accepts it within 2 s, or after
 * a redirect, this window continues the sign-in itself.
 */
const script = `(() => {
  const { answer, key, path, done } = JSON.parse(document.getElementById('answer').textContent);
  history.replaceState(null, '', location.pathname);
  const goOn = () => {
    try { sessionStorage.setItem(key, JSON.stringify(answer)); } catch { /* The page there will ask to start again. */ }
    location.replace(path);
  };
  const state = answer.body.state ?? '';
  if (!/^[pt]/.test(state) || typeof BroadcastChannel === 'undefined') { goOn(); return; }
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
 * The page that a provider redirects the browser to. It reads no cookies, creates no session and loads no
 * resources.
 */
function callbackPage(answer: ProviderAnswer, options: { locale: ShippedLocale; nonce: string }): string {
  const { locale, nonce } = options;
  const messages = callbackMessages(serverI18n(locale.tag));
  const isTest = answer.body.state?.startsWith('t') === true;
  const data = embedded({
    answer,
    key: providerAnswerKey,
    path: isTest ? testAnswerPath : providerAnswerPath,
    done: isTest ? messages.tested : messages.done,
  });
  return `<!doctype html>
<html lang="${locale.tag}" dir="${locale.dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(isTest ? messages.wait : messages.title)}</title>
<style nonce="${nonce}">${style}</style>
</head>
<body>
<main><p id="said" role="status">${escaped(messages.wait)}</p><noscript><p>${escaped(messages.script)}</p></noscript></main>
<script type="application/json" id="answer">${data}</script>
<script nonce="${nonce}">${script}</script>
</body>
</html>
`;
}

/**
 * This policy lets the page run its own script and nothing else. It sends no referrer, because the URL contains
 * the code.
 */
const callbackHeaders = (nonce: string): Record<string, string> => ({
  'Content-Security-Policy': `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
});

const maxAnswerBytes = 32 * 1024;
/** Only logged, so it may be truncated. */
const maxLengths: Partial<Record<string, number>> = { error_description: 1000 };
const formType = 'application/x-www-form-urlencoded';
const paramsSchema = z.object({ provider: z.string() });

/** Returns undefined for a parameter that occurs more than once (RFC 6749 §3.1). */
function once(params: URLSearchParams, name: string): string | undefined {
  const [value, ...more] = params.getAll(name);
  return more.length === 0 ? value : undefined;
}

function answerOf(provider: string, params: URLSearchParams): ProviderAnswer {
  const named = (['state', 'code', 'error', 'error_description', 'iss', 'user'] as const).map(
    (name) => [name, once(params, name)?.slice(0, maxLengths[name])] as const,
  );
  return {
    type: 'provider-answer',
    provider,
    body: Object.fromEntries(named.filter(([, value]) => value !== undefined)),
  };
}

function sendCallback(
  providers: ProviderRegister,
  request: FastifyRequest,
  given: { reply: FastifyReply; params: URLSearchParams },
): FastifyReply {
  const { provider } = paramsSchema.parse(request.params);
  if (!providers.find(provider)) throw new ProblemError('provider-unknown');
  const nonce = randomBytes(16).toString('base64');
  const locale = negotiateLocale({
    query: undefined,
    cookie: undefined,
    acceptLanguage: request.headers['accept-language'],
  });
  return given.reply
    .headers(callbackHeaders(nonce))
    .type('text/html; charset=utf-8')
    .send(callbackPage(answerOf(provider, given.params), { locale, nonce }));
}

/**
 * Mounts the callback URL, which providers call by GET or by form post. The cross-site post carries none of our
 * cookies; it is allowed as the only one of its kind because it changes nothing.
 */
export function mountCallback(app: HttpApp, providers: ProviderRegister): void {
  const url = '/auth/:provider/callback';
  app.get(url, (request, reply) => sendCallback(providers, request, { reply, params: queryOf(request) }));
  app.post(url, { bodyLimit: maxAnswerBytes }, (request, reply) => {
    if (request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() !== formType)
      throw new ProblemError('unsupported-media-type');
    const body = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '';
    return sendCallback(providers, request, { reply, params: new URLSearchParams(body) });
  });
}
