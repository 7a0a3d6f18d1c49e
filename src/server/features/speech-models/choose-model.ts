import type { KnownModel, ModelName } from './known-models.ts';

/** Best first. */
const preference: readonly ModelName[] = ['parakeet-v3', 'whisper-small', 'whisper-base'];

/**
 * Returns the models that may hear a language, best first. Without a language, Whisper comes first, because it knows
 * all of them.
 */
export function modelsFor(language: string | null, usable: readonly KnownModel[]): KnownModel[] {
  const stored = usable.toSorted((a, b) => preference.indexOf(a.name) - preference.indexOf(b.name));
  if (language !== null) return stored.filter(({ languages }) => languages.includes(language));
  return stored.toSorted((a, b) => Number(b.kind === 'whisper') - Number(a.kind === 'whisper'));
}
