import { escapeHtml } from '#base/escape-html.ts';
import type { LocalUser } from './local-issuer.ts';

const style = `:root{color-scheme:light dark;font:1.0625rem/1.5 system-ui,sans-serif}body{margin:0;min-block-size:100svh;display:grid;place-items:center;padding:1.5rem;box-sizing:border-box}
main{max-inline-size:26rem}p.mark{display:inline-block;margin:0;padding:.125rem .625rem;border:1px solid;border-radius:1rem;font-size:.875rem}h1{font-size:1.375rem;margin-block:1rem .5rem}
form{display:grid;gap:.75rem;margin-block-start:1.5rem}button{font:inherit;text-align:start;padding:.875rem 1rem;border:1px solid #8888;border-radius:.625rem;background:none;color:inherit;cursor:pointer}button small{display:block;opacity:.75}`;

const buttonOf = ({ sub, claims }: LocalUser): string =>
  `<button name="user" value="${escapeHtml(sub)}">${escapeHtml(String(claims['name']))}<small>${escapeHtml(String(claims['email']))}</small></button>`;

/** Renders the demo provider's only page, which asks which user to be. It must not look like a real sign-in. */
export function choosePage(people: readonly LocalUser[]): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Demo provider</title><style>${style}</style></head>
<body><main><p class="mark">Demo</p><h1>Who do you want to be?</h1><p>This stands in for a provider such as Google. It runs on this machine only and knows two people who do not exist; there is no password.</p>
<form method="post">${people.map(buttonOf).join('')}<button name="user" value="">Nobody: go back without signing in</button></form></main></body></html>
`;
}
