import { createReadStream, readFileSync, statSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import { basename, join, normalize } from 'node:path';

const here = import.meta.dirname;
const mediabunny = join(
  here,
  '..',
  '..',
  'node_modules',
  'mediabunny',
  'dist',
  'bundles',
  'mediabunny.min.mjs',
);
const page = `<!doctype html><meta charset="utf-8"><title>Formats</title>
<script type="importmap">{"imports":{"mediabunny":"/mediabunny.mjs","#audio/":"/src/audio/","#base/":"/src/base/","#contract/":"/src/contract/"}}</script>
<script type="module" src="/tests/formats/probe-page.ts"></script>`;

/** Sends a file or the requested range of it; browsers cannot seek without ranges. */
function sendFile(
  response: ServerResponse,
  { path, mediaType, range }: { path: string; mediaType: string; range: string | undefined },
): void {
  const size = statSync(path).size;
  const asked = /^bytes=(\d+)-(\d*)$/.exec(range ?? '');
  const from = Number(asked?.[1] ?? 0);
  const to = Math.min(size - 1, asked?.[2] ? Number(asked[2]) : size - 1);
  response.writeHead(asked ? 206 : 200, {
    'content-type': mediaType,
    'content-length': to - from + 1,
    'accept-ranges': 'bytes',
    ...(asked ? { 'content-range': `bytes ${from}-${to}/${size}` } : {}),
  });
  createReadStream(path, { start: from, end: to })
    .on('error', () => response.destroy())
    .pipe(response);
}

/** Serves the probe page and the files, with the media types of `mediaTypeOf`. */
export async function serveSamples(
  folder: string,
  mediaTypeOf: (file: string) => string,
): Promise<{ url: string; close: () => void }> {
  // Serves scripts of the product and of this folder, transpiled for the browser. Paths cannot leave them.
  const script = (path: string) =>
    stripTypeScriptTypes(readFileSync(join(here, '..', '..', normalize(path)), 'utf8'));
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
    const say = (mediaType: string, text: string | Buffer) => {
      response.writeHead(200, { 'content-type': mediaType });
      response.end(text);
    };
    if (path === '/') say('text/html', page);
    else if (path === '/mediabunny.mjs') say('text/javascript', readFileSync(mediabunny));
    else if (path.startsWith('/files/'))
      sendFile(response, {
        path: join(folder, basename(path)),
        mediaType: mediaTypeOf(basename(path)),
        range: request.headers.range,
      });
    else if (/^\/(?:src|tests\/formats)\/.+\.ts$/.test(path)) say('text/javascript', script(path));
    else {
      response.writeHead(404);
      response.end();
    }
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => {
    server.once('listening', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
