import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import type { KnownModel } from '#server/features/speech-models/known-models.ts';

/** A file of a model, its bytes and its place in the table of known models. */
export interface MadeModel {
  model: KnownModel;
  /** The bytes of each file, by its path in the repository. */
  contents: Map<string, Buffer>;
}

/** Makes up a model whose files have this many bytes together. The content differs between names. */
export function makeModel(
  name: KnownModel['name'],
  { sizeBytes = 3000, tokens = name as string } = {},
): MadeModel {
  const contents = new Map<string, Buffer>();
  const bytesOf = (role: string, length: number): Buffer => {
    const text = `${role} of ${role === 'tokens' ? tokens : name}. `;
    return Buffer.alloc(length, text);
  };
  const files = (['encoder', 'decoder', 'tokens'] as const).map((role) => {
    const bytes = bytesOf(role, role === 'decoder' ? sizeBytes - 400 : 200);
    const path = `${role}.${role === 'tokens' ? 'txt' : 'onnx'}`;
    contents.set(path, bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { role, path, sizeBytes: bytes.byteLength, sha256 };
  });
  return {
    contents,
    model: {
      name,
      title: name,
      kind: 'whisper',
      repository: `made/${name}`,
      commit: '0'.repeat(40),
      licence: 'MIT',
      languages: ['en'],
      memoryBytes: 1024 ** 3,
      needsAttentionPatch: false,
      files,
    },
  };
}

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
