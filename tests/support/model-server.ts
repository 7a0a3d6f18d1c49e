import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import type { MadeModel } from './made-model.ts';

interface Served {
  bytes: Buffer;
  /** The first byte that was requested; null without a range. */
  fromByte: number | null;
  request: IncomingMessage;
  response: ServerResponse;
}

/** Answers in place of the plain one. Returns false to leave it to the plain one. */
export type Misbehaviour = (served: Served) => boolean;

export interface ModelServer {
  url: string;
  /** The ranges that were requested, `file from`. */
  requests: string[];
  misbehave(how: Misbehaviour | null): void;
}

/** Answers as a host of models does: with the range that was requested. */
export function answerPlainly({ bytes, fromByte, response }: Served): void {
  const start = fromByte ?? 0;
  response.writeHead(fromByte === null ? 200 : 206, {
    'content-length': bytes.byteLength - start,
    ...(fromByte === null
      ? {}
      : { 'content-range': `bytes ${start}-${bytes.byteLength - 1}/${bytes.byteLength}` }),
  });
  response.end(bytes.subarray(start));
}

/** Serves models on loopback until the test ends. */
export async function startModelServer(models: readonly MadeModel[]): Promise<ModelServer> {
  const requests: string[] = [];
  let misbehaviour: Misbehaviour | null = null;
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://localhost').pathname;
    const bytes = models
      .flatMap(({ model, contents }) =>
        [...contents].map(([file, content]) => ({
          at: `/${model.repository}/resolve/${model.commit}/${file}`,
          content,
        })),
      )
      .find(({ at }) => at === path)?.content;
    if (bytes === undefined) {
      response.writeHead(404).end();
      return;
    }
    const [, from] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? [];
    const fromByte = from === undefined ? null : Number(from);
    requests.push(`${path.slice(path.lastIndexOf('/') + 1)} ${fromByte ?? 0}`);
    const served = { bytes, fromByte, request, response };
    if (misbehaviour?.(served) !== true) answerPlainly(served);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    misbehave(how) {
      misbehaviour = how;
    },
  };
}
