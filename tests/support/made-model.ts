import { createHash } from 'node:crypto';
import type { KnownModel } from '#server/features/speech-models/known-models.ts';

/** A file of a model, its bytes and its place in the table of known models. */
export interface MadeModel {
  model: KnownModel;
  /** The bytes of each file, by its path in the repository. */
  contents: Map<string, Buffer>;
}

/** Makes up a model whose files have this many bytes together. The content differs between names. */
export function madeModelOf(
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
