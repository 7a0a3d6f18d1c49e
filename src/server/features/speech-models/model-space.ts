import { modelBytes, type KnownModel } from './known-models.ts';
import type { ModelsDeps } from './models-deps.ts';

/** What must stay free beside a model. */
const spareBytes = 1024 ** 3;

/** The numbers of a model that does not fit. */
export interface MissingSpace {
  /** With what must stay free. */
  neededBytes: number;
  freeBytes: number;
}

/** Returns the numbers if there is too little space for the rest of a model; null if it fits. */
export async function missingSpace(
  { files, space }: Pick<ModelsDeps, 'files' | 'space'>,
  model: KnownModel,
): Promise<MissingSpace | null> {
  const restBytes = modelBytes(model) - (await files.storedBytesOf(model.files));
  const { freeBytes, reserveBytes } = await space();
  if (freeBytes === null || restBytes <= 0) return null;
  const neededBytes = restBytes + Math.max(spareBytes, reserveBytes);
  return neededBytes <= freeBytes ? null : { neededBytes, freeBytes };
}
