import { randomBytes } from 'node:crypto';
import type { I18n } from '@lingui/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { escapeHtml } from '#base/escape-html.ts';
import { serverI18n } from '#server/i18n/server-i18n.ts';
import { negotiateLocale } from './negotiate-page.ts';

const style = `:root{color-scheme:light dark;font:1.125rem/1.5 system-ui,sans-serif}body{margin:0;min-block-size:100svh;display:grid;place-items:center;padding:1.5rem;text-align:center;box-sizing:border-box}a{color:inherit;overflow-wrap:anywhere}small{opacity:.8}`;

const messages = (i18n: I18n) => ({
  title: i18n._('Earshot is at a different address'),
  where: i18n._('This server responds only at this address:'),
  operator: i18n._(
    'If this address is wrong, the person who runs this server can change it with PUBLIC_URL.',
  ),
});

/** Returns whether a browser navigated to a URL. Programs get a problem response instead. */
export const isNavigation = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && (headers.accept ?? '').includes('text/html');

/**
 * Shows where Earshot is when the host is not ours. A redirect would lead nowhere if PUBLIC_URL is wrong, without
 * showing why.
 */
export function sendOtherAddress(request: FastifyRequest, reply: FastifyReply, publicUrl: string): void {
  const nonce = randomBytes(16).toString('base64');
  const locale = negotiateLocale({
    query: undefined,
    cookie: undefined,
    acceptLanguage: request.headers['accept-language'],
  });
  const { title, where, operator } = messages(serverI18n(locale.tag));
  const address = escapeHtml(publicUrl);
  void reply
    .code(421)
    .headers({
      'Content-Security-Policy': `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'Cache-Control': 'no-store',
      Vary: 'Accept, Accept-Language',
    })
    .type('text/html; charset=utf-8').send(`<!doctype html>
<html lang="${locale.tag}" dir="${locale.dir}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><style nonce="${nonce}">${style}</style></head>
<body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(where)}<br><a dir="ltr" href="${address}/">${address}</a></p><p><small>${escapeHtml(operator)}</small></p></main></body>
</html>
`);
}
