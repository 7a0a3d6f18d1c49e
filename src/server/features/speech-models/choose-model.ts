import { whisperLanguage } from '#server/transcribers/words/whisper-languages.ts';
import type { KnownModel, ModelName } from './known-models.ts';

/** Best first. */
const preference: readonly ModelName[] = ['parakeet-v3', 'whisper-small', 'whisper-base'];

/** Whisper has names of its own for some languages. */
function knowsLanguage({ kind, languages }: KnownModel, language: string): boolean {
  const name = kind === 'whisper' ? whisperLanguage(language) : language;
  return name !== null && languages.includes(name);
}

/**
 * Returns the models that may hear a language, best first. Without a language, Whisper comes first, because it knows
 * all of them.
 */
export function modelsFor(language: string | null, usable: readonly KnownModel[]): KnownModel[] {
  const stored = usable.toSorted((a, b) => preference.indexOf(a.name) - preference.indexOf(b.name));
  if (language !== null) return stored.filter((model) => knowsLanguage(model, language));
  return stored.toSorted((a, b) => Number(b.kind === 'whisper') - Number(a.kind === 'whisper'));
}
