import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { day, hour, minute } from '#base/duration.ts';
import { foldForSearch } from '#base/text.ts';
import { uuidV7 } from '#base/uuid-v7.ts';
import type { Database } from '#server/storage/database/database.ts';
import type { MarkerRow, RecordingRow } from '#server/storage/database/schema.ts';
import { reindexRecordings } from '#server/storage/search/search-index.ts';
import { storeUser } from '#tests/support/factories.ts';

export const sizes = { recordings: Number(process.env['BENCH_RECORDINGS'] ?? 100_000), markersEach: 10 };
const bornMs = Date.UTC(2010, 0, 1);
const together = 500;

/** A pseudo-random generator that returns the same numbers in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

const syllables = [
  'ba',
  'ke',
  'li',
  'mo',
  'nu',
  'ra',
  'se',
  'ti',
  'vo',
  'zu',
  'chan',
  'der',
  'fel',
  'gor',
  'hal',
];
const han =
  '天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏闰余成岁律吕调阳云腾致雨露结为霜金生丽水玉出昆冈';

/** Returns a word of a vocabulary of 5,000. Low ranks are frequent, as in speech. */
export const wordAt = (rank: number): string =>
  [rank % 15, Math.floor(rank / 15) % 15, Math.floor(rank / 225) % 15, 1 + (rank % 7)]
    .map((index) => syllables[index] ?? '')
    .join('');
const zipf = (random: () => number): string => wordAt(Math.floor(5000 ** random()));

function titleOf(index: number, random: () => number): string {
  if (index % 100 === 0)
    return Array.from({ length: 8 }, () => han[Math.floor(random() * han.length)]).join('');
  return index % 10 < 6
    ? `Recording, ${new Date(bornMs + index * hour).toDateString()}`
    : `${zipf(random)} ${zipf(random)} ${zipf(random)}`;
}

function recordingRow(index: number, ownerId: string, random: () => number): RecordingRow {
  const title = titleOf(index, random);
  return {
    id: uuidV7(bornMs + index * hour, randomBytes(16)),
    owner_id: ownerId,
    title,
    title_folded: foldForSearch(title),
    language: [null, 'de', 'en', 'fi', 'zh-Hans'][index % 5] ?? null,
    started_at: bornMs + index * hour,
    time_zone: 'Europe/Berlin',
    recorded_kind: 'moment',
    recorded_date: null,
    recorded_from: null,
    began_at: null,
    duration_ms: Math.floor(random() ** 3 * 3 * hour) + minute,
    state: index % 500 === 0 ? 'failed' : 'ready',
    container: 'ogg',
    codec: 'opus',
    sample_rate_hz: 48_000,
    channels: 1,
    size_bytes: Math.floor(random() * 50_000_000),
    stored_bytes: 0,
    sha256: randomBytes(32).toString('hex'),
    source: index % 4 === 0 ? 'import' : 'microphone',
    device_label: null,
    peaks_points: 6000,
    overview: randomBytes(96).toString('base64'),
    gaps: '[]',
    pauses: '[]',
    microphone_silence_ms: null,
    people: index % 20 === 0 ? JSON.stringify([zipf(random)]) : '[]',
    damaged_at: null,
    distrusted_at: null,
    finished_at: null,
    created_at: bornMs,
    updated_at: bornMs + Math.floor(random() * 5000 * day),
    deleted_at: index % 200 === 7 ? bornMs : null,
  };
}

const markersOf = (row: RecordingRow, random: () => number): MarkerRow[] =>
  Array.from({ length: sizes.markersEach }, (_, index) => ({
    id: uuidV7(bornMs, randomBytes(16)),
    recording_id: row.id,
    at_ms: index * 1000,
    label: `${zipf(random)} ${zipf(random)}`,
    colour: 'blue',
    created_by: row.owner_id,
    created_at: bornMs,
  }));

/**
 * Runs the housekeeping that PostgreSQL does automatically within minutes of such an import. One `vacuum` may not
 * complete it while another one is running.
 */
async function vacuumAll({ queries }: Database): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    await sql`vacuum analyze`.execute(queries);
    const { rows } = await sql<{
      n: number;
    }>`select count(*)::int as n from pg_class where relname in ('recordings', 'recording_words', 'words_by_title') and relallvisible < relpages`.execute(
      queries,
    );
    if (rows[0]?.n === 0) return;
    await sleep(1000);
  }
}

/**
 * Stores one user with all recordings, their markers and ten tags, indexed for search. Returns the ids of the user
 * and of a tag.
 */
export async function fill(database: Database): Promise<{ ownerId: string; tagId: string }> {
  const { id: ownerId } = await storeUser(database.queries);
  const random = randomFrom(7);
  const tags = Array.from({ length: 10 }, (_, index) => ({
    id: uuidV7(bornMs + index, randomBytes(16)),
    owner_id: ownerId,
    name: `Tag ${wordAt(index)}`,
    name_folded: `tag ${index}`,
    colour: 'blue',
    created_at: bornMs,
  }));
  await database.queries.insertInto('tags').values(tags).execute();
  for (let from = 0; from < sizes.recordings; from += together) {
    const rows = Array.from({ length: together }, (_, index) => recordingRow(from + index, ownerId, random));
    await database.transaction(async (transaction) => {
      await transaction.insertInto('recordings').values(rows).execute();
      const markers = rows.flatMap((row) => markersOf(row, random));
      for (let at = 0; at < markers.length; at += 2500)
        await transaction
          .insertInto('markers')
          .values(markers.slice(at, at + 2500))
          .execute();
      await transaction
        .insertInto('recording_tags')
        .values(rows.map(({ id }, index) => ({ recording_id: id, tag_id: tags[index % 10]?.id ?? '' })))
        .execute();
      await reindexRecordings(
        transaction,
        rows.map(({ id }) => id),
      );
    });
  }
  if (database.dialect === 'postgres') await vacuumAll(database);
  return { ownerId, tagId: tags[3]?.id ?? '' };
}
