import { second } from '#base/duration.ts';
import type { RecordedSound } from '#server/features/recordings/media/recorded-sounds.ts';
import type { SpeechModel, Transcriber } from '#server/transcribers/transcriber.ts';

/** Where the language is guessed, as parts of the sound. */
const places = [1 / 6, 1 / 2, 5 / 6];
const heardMs = 28 * second;
/** Shorter speech tells too little. */
const minSpeechMs = 5 * second;

/** The sound at a part of all sound, from there on. */
function soundAt(
  sounds: readonly RecordedSound[],
  part: number,
): { sound: RecordedSound; fromMs: number } | null {
  let leftMs = part * sounds.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  for (const sound of sounds) {
    const durationMs = sound.endMs - sound.startMs;
    if (leftMs < durationMs) return { sound, fromMs: sound.startMs + Math.round(leftMs) };
    leftMs -= durationMs;
  }
  return null;
}

/** The languages that an engine hears in a part of a sound, of speech that is long enough. */
async function languagesIn(
  transcriber: Transcriber,
  { sound, fromMs }: { sound: RecordedSound; fromMs: number },
  { model, signal }: { model: SpeechModel | null; signal: AbortSignal },
): Promise<{ language: string; speechMs: number }[]> {
  const heard: { language: string; speechMs: number }[] = [];
  await transcriber.transcribe(
    { startMs: sound.startMs, fromMs, toMs: Math.min(sound.endMs, fromMs + heardMs), audio: sound.audio },
    {
      model,
      language: null,
      cutsMs: [],
      signal,
      async onChunk({ language, words, fromMs: from, toMs }) {
        if (language !== null && words.length > 0) heard.push({ language, speechMs: toMs - from });
      },
    },
  );
  return heard;
}

/**
 * Guesses the language from three places of a recording: the one that two of them agree on. A recording with little
 * speech is guessed from what there is.
 * @returns null if the engine doesn't say what it hears, or nothing is said; `unknown` if the places disagree
 */
export async function guessLanguage(
  transcriber: Transcriber,
  { sounds, ...how }: { sounds: readonly RecordedSound[]; model: SpeechModel | null; signal: AbortSignal },
): Promise<string | null> {
  const votes = new Map<string, number>();
  let spoken: { language: string; speechMs: number }[] = [];
  const totalMs = sounds.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  for (const part of totalMs <= 2 * heardMs ? [0] : places) {
    const place = soundAt(sounds, part);
    if (place === null) continue;
    const heard = await languagesIn(transcriber, place, how);
    spoken = [...spoken, ...heard];
    const [first] = heard.filter(({ speechMs }) => speechMs >= minSpeechMs);
    if (first !== undefined) votes.set(first.language, (votes.get(first.language) ?? 0) + 1);
    const agreed = [...votes].find(([, count]) => count >= 2);
    if (agreed !== undefined) return agreed[0];
  }
  const heardLanguages = new Set(votes.size > 0 ? votes.keys() : spoken.map(({ language }) => language));
  const [only, other] = heardLanguages;
  return other === undefined ? (only ?? null) : 'unknown';
}
