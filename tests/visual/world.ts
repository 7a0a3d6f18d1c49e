import type { BrowserContext, Page } from '@playwright/test';
import { day } from '#base/duration.ts';
import { foldForSearch } from '#base/text.ts';
import { expect } from '#tests/e2e/earshot-test.ts';
import { changeDatabase, isSignedIn, onlyReadyRecording, submitAccount } from '#tests/e2e/steps.ts';
import { cookieHeader } from '#tests/support/cookie-header.ts';
import { uploadGappedRecording } from '#tests/support/gapped-recording.ts';
import { insertRecordings } from '#tests/support/many-recordings.ts';

/** The fixed time of the screenshots, some hours after the newest recording. */
export const takenAtMs = Date.UTC(2023, 10, 15, 12, 30);

const user = { email: 'mira@example.org', password: 'a quiet harbour at dusk 7' };

/** Creates the account that all screenshots use. */
export async function signUpMira(page: Page): Promise<void> {
  await page.goto('/sign-up');
  await submitAccount(page, user, 'Create account');
  await expect.poll(() => isSignedIn(page)).toBe(true);
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A deterministic loudness that rises and falls as sentences do. */
const loudnessAt = (place: number, seed: number): number =>
  Math.round(
    12 +
      100 *
        Math.abs(Math.sin(place / 7 + seed) * Math.sin(place / 31 + seed * 3) * Math.cos(place / 3 + seed)) **
          0.7,
  );

const overviewOf = (seed: number): string =>
  Buffer.from(Array.from({ length: 64 }, (_, place) => loudnessAt(place * 3, seed)))
    .toString('base64')
    .replaceAll('=', '');

interface Stored {
  title: string;
  durationMs: number;
  more?: string;
}

/** Newest first: recorded and imported, in several scripts, short, long, tagged, incomplete, damaged and failed. */
const retained: readonly Stored[] = [
  { title: 'Interview with Anna, part 2', durationMs: 2_530_000 },
  { title: 'مقابلة مع أحمد عن البحر', durationMs: 1_265_000, more: `language = 'ar'` },
  { title: '会議の記録:来年の計画', durationMs: 5_412_000, more: `language = 'ja'` },
  { title: 'Voice note', durationMs: 7400 },
  {
    title:
      'Weekly planning with the whole team, in which everybody said once more what they had already said the week before',
    durationMs: 14_405_000,
  },
  {
    title: 'Walk along the harbour',
    durationMs: 905_000,
    more: `gaps = '[{"atMs":60000,"durationMs":4000,"cause":"microphone-lost"}]'`,
  },
  { title: 'Lecture on tides', durationMs: 3_600_000, more: `damaged_at = 1700000000000` },
  { title: 'Old tape, side B', durationMs: 0, more: `source = 'import', state = 'failed', overview = NULL` },
];

const idAt = (place: number): string => `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`;

/** Inserts eight recordings of different kinds into the only user's library, some with tags and markers. */
export function fillLibrary(dataDir: string): void {
  insertRecordings(dataDir, retained.length);
  const changes = retained.map(
    ({ title, durationMs, more }, place) =>
      [
        `UPDATE recordings SET title = ${quoted(title)}, title_folded = ${quoted(foldForSearch(title))}, duration_ms = ${durationMs}`,
        `overview = ${quoted(overviewOf(place))}, language = NULL WHERE id = ${quoted(idAt(place))}`,
      ].join(', ') +
      (more === undefined ? '' : `; UPDATE recordings SET ${more} WHERE id = ${quoted(idAt(place))}`),
  );
  const tags = [
    ['Interviews', 'blue'],
    ['Research', 'green'],
    ['Later', 'amber'],
  ].map(
    ([name = '', colour = ''], place) =>
      `INSERT INTO tags (id, owner_id, name, name_folded, colour, created_at) SELECT ${quoted(idAt(100 + place))}, id, ${quoted(name)}, ${quoted(foldForSearch(name))}, ${quoted(colour)}, 1700000000000 FROM users`,
  );
  const tagged = [
    [0, 100],
    [0, 101],
    [1, 100],
    [2, 102],
  ].map(
    ([recording = 0, tag = 0]) =>
      `INSERT INTO recording_tags (recording_id, tag_id) VALUES (${quoted(idAt(recording))}, ${quoted(idAt(tag))})`,
  );
  changeDatabase(
    dataDir,
    [
      ...changes,
      ...tags,
      ...tagged,
      ...markersOf(idAt(0), [200, 201, 202]),
      ...markersOf(idAt(4), [210]),
    ].join(';\n'),
  );
}

const markerNames = ['The question she did not expect', 'الميناء', 'Numbers to check'] as const;

const markersOf = (recordingId: string, ids: readonly number[]): string[] =>
  ids.map(
    (id, place) =>
      `INSERT INTO markers (id, recording_id, at_ms, label, colour, created_by, created_at)
   SELECT ${quoted(idAt(id))}, ${quoted(recordingId)}, ${20_000 + place * 65_000}, ${quoted(markerNames[place] ?? '')}, ${quoted(['blue', 'amber', 'violet'][place] ?? 'grey')}, id, 1700000000000 FROM users`,
  );

/** Stores a recording with audio, a named gap, three markers and a note. Returns its id. */
export async function storeInterview(
  page: Page,
  context: BrowserContext,
  { url, dataDir }: { url: string; dataDir: string },
): Promise<string> {
  const id = await uploadGappedRecording(url, await cookieHeader(context, url), {
    durationMs: 180_000,
    segments: [
      { startMs: 0, durationMs: 98_000 },
      { startMs: 112_000, durationMs: 68_000 },
    ],
    gaps: [{ atMs: 98_000, durationMs: 14_000, cause: 'microphone-lost' }],
    peakAt(atMs) {
      const highest = loudnessAt(atMs / 120, 1);
      return { lowest: -highest, highest };
    },
  });
  await onlyReadyRecording(page);
  const title = retained[0]?.title ?? '';
  changeDatabase(
    dataDir,
    [
      `UPDATE recordings SET title = ${quoted(title)}, title_folded = ${quoted(foldForSearch(title))}, language = 'en', started_at = 1700000000000, created_at = 1700000000000, updated_at = 1700000000000 WHERE id = ${quoted(id)}`,
      ...markersOf(id, [220, 221, 222]),
      `INSERT INTO notes (id, recording_id, from_ms, to_ms, text, revision, created_by, created_at, updated_at)
     SELECT ${quoted(idAt(300))}, ${quoted(id)}, 31000, 52000, ${quoted('**Quote this.** She says:\n- the harbour was *not* closed\n- nobody asked')}, 1, id, 1700000000000, 1700000000000 FROM users`,
    ].join(';\n'),
  );
  return id;
}

/** Moves two recordings to the trash: one will be deleted in about half a day, the other in almost a month. */
export function fillTrash(dataDir: string, nowMs: number): void {
  insertRecordings(dataDir, 2);
  const changes = [0, 1].map(
    (place) =>
      `UPDATE recordings SET title = ${quoted(retained[place]?.title ?? '')}, duration_ms = ${retained[place]?.durationMs ?? 0}, deleted_at = ${nowMs - (place === 0 ? 2.5 : 29.5) * day} WHERE id = ${quoted(idAt(place))}`,
  );
  changeDatabase(dataDir, changes.join(';\n'));
}
