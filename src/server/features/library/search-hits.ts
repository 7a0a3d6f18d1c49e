import { setImmediate } from 'node:timers/promises';
import { excerptOf } from '#base/search/excerpt.ts';
import { locateWords } from '#base/search/locate-words.ts';
import { wantedWordsOf, type WantedWords } from '#base/search-words.ts';
import { limits } from '#contract/limits.ts';
import { serverLimits } from '#contract/server-limits.ts';
import type { ListedRecording, Recording, SearchHit } from '#contract/recordings.ts';
import type { Database } from '#server/storage/database/database.ts';
import { labelHitsOf, textBytesOf } from '#server/storage/search/label-hits.ts';
import { transcriptHitOf, withTranscript } from '#server/storage/search/transcript-hits.ts';

/** A text of a recording with wanted words, and the number of texts with equally many. */
interface Candidate {
  kind: SearchHit['kind'];
  text: string;
  atMs: number | null;
  found: number;
  alike: number;
}

/** Among texts with equally many wanted words: first those with a moment, then those that the row shows anyway. */
const order: readonly SearchHit['kind'][] = [
  'marker',
  'note',
  'transcript',
  'title',
  'person',
  'tag',
  'file-name',
];

interface Wanted {
  wanted: WantedWords;
  tagNames: ReadonlyMap<string, string>;
}

function shortCandidates(
  { title, people, tagIds, file }: Recording,
  { wanted, tagNames }: Wanted,
): Candidate[] {
  const texts: [SearchHit['kind'], string][] = [
    ['title', title],
    ...people.map((name): [SearchHit['kind'], string] => ['person', name]),
    ...tagIds.map((id): [SearchHit['kind'], string] => ['tag', tagNames.get(id) ?? '']),
    ['file-name', file?.name ?? ''],
  ];
  return texts
    .map(([kind, text]) => ({ kind, text, atMs: null, found: locateWords(text, wanted).found, alike: 1 }))
    .filter(({ found }) => found > 0);
}

function hitOf(candidates: readonly Candidate[], wanted: WantedWords): SearchHit | null {
  const max = Math.max(...candidates.map(({ found }) => found));
  const best = candidates
    .filter(({ found }) => found === max)
    .toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  const [first] = best;
  if (first === undefined) return null;
  const { kind, text, atMs } = first;
  const excerpt = excerptOf(text, locateWords(text, wanted), {
    maxLength: kind === 'title' ? limits.titleLength : serverLimits.hit.textLength,
    ranges: serverLimits.hit.ranges,
  });
  return { kind, ...excerpt, atMs, more: best.reduce((sum, { alike }) => sum + alike, 0) - 1 };
}

async function tagNamesOf(
  { queries }: Database,
  recordings: readonly Recording[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(recordings.flatMap(({ tagIds }) => tagIds))];
  if (ids.length === 0) return new Map();
  const rows = await queries.selectFrom('tags').select(['id', 'name']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The texts with moments in which a recording is searched. */
async function placedCandidates(
  database: Database,
  recordingId: string,
  { wanted, textBytes, hasTranscript }: { wanted: WantedWords; textBytes: number; hasTranscript: boolean },
): Promise<Candidate[]> {
  const labels = textBytes === 0 ? [] : await labelHitsOf(database, { recordingId, wanted, textBytes });
  const line = hasTranscript ? await transcriptHitOf(database, { recordingId, wanted }) : null;
  return line === null ? labels : [...labels, line];
}

/**
 * Adds the best-matching text to each recording that a search found; null if no text matched, for example if it
 * was found by date. Yields to other requests after each recording.
 * @param showsTranscripts whether the page knows hits in transcripts; those of earlier versions do not
 */
export async function withHits(
  database: Database,
  recordings: readonly Recording[],
  { typed, showsTranscripts }: { typed: string; showsTranscripts: boolean },
): Promise<ListedRecording[]> {
  const wanted = wantedWordsOf(typed);
  if (wanted === null) return [...recordings];
  const ids = recordings.map(({ id }) => id);
  const tagNames = await tagNamesOf(database, recordings);
  const textBytes = await textBytesOf(database, ids);
  const transcribed = showsTranscripts ? await withTranscript(database, ids) : new Set<string>();
  const listed: ListedRecording[] = [];
  for (const recording of recordings) {
    const placed = await placedCandidates(database, recording.id, {
      wanted,
      textBytes: textBytes.get(recording.id) ?? 0,
      hasTranscript: transcribed.has(recording.id),
    });
    listed.push({
      ...recording,
      hit: hitOf([...placed, ...shortCandidates(recording, { wanted, tagNames })], wanted),
    });
    await setImmediate();
  }
  return listed;
}
