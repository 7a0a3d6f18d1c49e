import { api } from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { errorStatus } from '#contract/errors.ts';
import { errorsOf, type Operation } from './openapi.ts';

const escape = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const access: Record<Endpoint['access'], string> = {
  anyone: 'anyone',
  session: 'signed in (cookie)',
  'upload-capability': 'upload capability (header Upload-Capability, or bearer token)',
  'session-or-upload-capability': 'signed in, or upload capability',
  share: 'the token of a share in the path, with its password if it has one',
  'share-locked': 'the token of a share in the path',
  'share-outsider': 'signed in (cookie), and the token of a share in the path',
};

const style = `
:root{color-scheme:light dark;--ink:light-dark(#1d2026,#e9e7e2);--soft:light-dark(#5d626d,#a2a6b0);--page:light-dark(#fcfaf7,#111319);--card:light-dark(#fff,#1a1d25);--line:light-dark(#e4dfd7,#2c303b);--accent:light-dark(#2857b8,#8fb2ff)}
*{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,sans-serif}
main{max-width:60rem;margin-inline:auto;padding:1.5rem 1rem 4rem}h1{font-size:1.7rem;margin:0}h2{margin:2.5rem 0 .75rem}
a{color:var(--accent)}nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;padding:0;list-style:none}
section.call{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:1rem;margin-block:.75rem}
h3{margin:0;font:600 .95rem/1.5 ui-monospace,monospace;overflow-wrap:anywhere}h3 b{color:var(--accent);margin-inline-end:.5rem}
p{margin:.5rem 0}dl{margin:.5rem 0;display:grid;grid-template-columns:minmax(6rem,max-content) 1fr;gap:.15rem 1rem;font-size:.9rem}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
pre{background:var(--page);border:1px solid var(--line);border-radius:8px;padding:.75rem;overflow-x:auto;font:.8rem/1.5 ui-monospace,monospace;margin:.5rem 0}
summary{cursor:pointer;font-size:.9rem;color:var(--soft)}code{font-family:ui-monospace,monospace;font-size:.9em}
@media(max-width:30rem){dl{grid-template-columns:1fr}dd{margin-block-end:.4rem}}`;

const fold = (title: string, value: unknown): string =>
  `<details><summary>${title}</summary><pre tabindex="0">${escape(JSON.stringify(value, null, 2))}</pre></details>`;

function callSection({ operationId, endpoint, path, description }: Operation): string {
  const errors = errorsOf(endpoint)
    .map((code) => `<code>${errorStatus[code]} ${code}</code>`)
    .join(', ');
  const parameters =
    Array.isArray(description['parameters']) && description['parameters'].length > 0
      ? fold('Parameters', description['parameters'])
      : '';
  const body = description['requestBody'] === undefined ? '' : fold('Body', description['requestBody']);
  return `<section class="call" id="${operationId}"><h3><b>${endpoint.method}</b>${escape(path)}</h3><p>${escape(endpoint.summary)}</p>
<dl><dt>Who</dt><dd>${access[endpoint.access]}</dd><dt>Success</dt><dd>${endpoint.statuses.join(', ')}</dd><dt>Problems</dt><dd>${errors}</dd></dl>
${parameters}${body}${fold('Replies', description['responses'])}</section>`;
}

/**
 * Renders a readable, self-contained page of every endpoint, without scripts or external resources.
 * @param options.nonce the CSP nonce that allows its style
 */
export function referencePage(options: {
  operations: readonly Operation[];
  schemas: Record<string, unknown>;
  nonce: string;
}): string {
  const groups = Map.groupBy(options.operations, ({ tag }) => tag);
  const links = [...groups.keys(), 'Schemas'].map((tag) => `<li><a href="#${tag}">${tag}</a></li>`).join('');
  const calls = [...groups]
    .map(([tag, operations]) => `<h2 id="${tag}">${tag}</h2>${operations.map(callSection).join('')}`)
    .join('');
  const schemas = Object.entries(options.schemas)
    .map(([name, schema]) => fold(`<code>${name}</code>`, schema))
    .join('');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Earshot API</title><style nonce="${options.nonce}">${style}</style></head>
<body><main><h1>Earshot API</h1><p>${Object.keys(api).length} calls. The same as <a href="/api/openapi.json">OpenAPI 3.1</a>. Problems are <code>application/problem+json</code> (RFC 9457) with a permanent <code>code</code>.</p>
<nav aria-label="Groups"><ul>${links}</ul></nav>${calls}<h2 id="Schemas">Schemas</h2>${schemas}</main></body></html>`;
}
