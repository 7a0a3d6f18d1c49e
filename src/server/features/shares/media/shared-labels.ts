import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import { momentsInside, notesInside } from '#audio/window/inside-windows.ts';
import { BoundedMap } from '#base/bounded-map.ts';
import { escapeHtml } from '#base/escape-html.ts';
import { mapPages, type Pages } from '#base/pages.ts';
import type { SharedRecording } from '#contract/shares.ts';
import type { SecretBox } from '#server/features/accounts/challenges/secret-box.ts';
import type { RecordingWindow } from '#server/features/recordings/windows/window-of.ts';
import { showsOf } from '#server/features/shares/share-settings.ts';
import type { StoredShare } from '#server/features/shares/shares-store.ts';
import type { Queries } from '#server/storage/database/database.ts';
import { knownColour } from '#server/storage/rows/known-values.ts';
import { type LabelPlace, markerPages, notePages } from '#server/storage/rows/labels.ts';

type Marker = SharedRecording['markers'][number];
type Note = SharedRecording['notes'][number];
type Kind = 'markers' | 'notes';

/** A link and what it plays: null if it plays nothing, and then shows no labels. */
interface LabelledLink {
  share: StoredShare;
  window: RecordingWindow | null;
}

interface Shown<Label> {
  label: Label;
  place: LabelPlace;
}

/** The markers and notes inside the window of a link, with times from its start, and with their places. */
const labelsOf = (queries: Queries, { share, window }: LabelledLink, after: LabelPlace | null) => {
  const shows = showsOf(share);
  const { part } = window ?? { part: null };
  const wanted = {
    recordingId: share.recording_id,
    after,
    ...(part && { fromMs: part.startMs, toMs: part.endMs }),
  };
  const empty = async function* <Label>(): AsyncGenerator<Shown<Label>[], void> {};
  return {
    markers: (): Pages<Shown<Marker>> =>
      part === null || !shows.markers
        ? empty<Marker>()
        : mapPages(markerPages(queries, wanted), (page) =>
            page.flatMap(({ row: { at_ms: atMs, label, colour }, place }) =>
              momentsInside([{ atMs, label, colour: knownColour(colour) }], part).map((marker) => ({
                label: marker,
                place,
              })),
            ),
          ),
    notes: (): Pages<Shown<Note>> =>
      part === null || !shows.notes
        ? empty<Note>()
        : mapPages(notePages(queries, wanted), (page) =>
            page.flatMap(({ row: { from_ms: fromMs, to_ms: toMs, text }, place }) =>
              notesInside([{ fromMs, toMs, text }], part).map((note) => ({ label: note, place })),
            ),
          ),
  };
};

const withoutPlaces = <Label>(pages: Pages<Shown<Label>>): Pages<Label> =>
  mapPages(pages, (page) => page.map(({ label }) => label));

/** The markers inside the window of a link, or none if it does not show them. */
export const shownMarkers = (queries: Queries, link: LabelledLink): Pages<Marker> =>
  withoutPlaces(labelsOf(queries, link, null).markers());

/** The notes inside the window of a link, or none if it does not show them. */
export const shownNotes = (queries: Queries, link: LabelledLink): Pages<Note> =>
  withoutPlaces(labelsOf(queries, link, null).notes());

/** A page of a link shows labels of this many characters of HTML; a transcript of two hours is shorter. */
const maxPartLength = 256 * 1024;
/** What a label takes besides its text. */
const itemLength = 300;

/** The labels that one page of a link shows. */
export interface LabelsPart extends Pick<SharedRecording, Kind> {
  /** Where the next part begins, for `labelsPart`; null after the last one. */
  next: string | null;
}

const purpose = 'share labels';
const cursorSchema = z.tuple([z.enum(['markers', 'notes']), z.int(), z.string()]);
interface Start {
  kind: Kind;
  place: LabelPlace;
}

/** Cursors are sealed: they have a time of the whole recording, which its listeners must not learn. */
const sealStart = (secrets: SecretBox, shareId: string, { kind, place }: Start): string =>
  secrets.seal(JSON.stringify([kind, place.atMs, place.id]), `${purpose} ${shareId}`);

function openStart(secrets: SecretBox, shareId: string, sealed: string | undefined): Start | null {
  const text = sealed === undefined ? null : secrets.open(sealed, `${purpose} ${shareId}`);
  if (text === null) return null;
  const [kind, atMs, id] = cursorSchema.parse(JSON.parse(text));
  return { kind, place: { atMs, id } };
}

/** One label of a link, its place, its text, and how it is added to a part. */
interface Listed {
  at: Start;
  text: string;
  addTo: (part: LabelsPart) => unknown;
}

/** The markers of a link, then its notes, from a place on. */
async function* labelsFrom(
  queries: Queries,
  link: LabelledLink,
  start: Start | null,
): AsyncGenerator<Listed, void> {
  const after = start?.place ?? null;
  if (start?.kind !== 'notes')
    for await (const page of labelsOf(queries, link, after).markers())
      yield* page.map(({ label, place }) => ({
        at: { kind: 'markers' as const, place },
        text: label.label,
        addTo: (part: LabelsPart) => part.markers.push(label),
      }));
  for await (const page of labelsOf(queries, link, start?.kind === 'notes' ? after : null).notes())
    yield* page.map(({ label, place }) => ({
      at: { kind: 'notes' as const, place },
      text: label.text,
      addTo: (part: LabelsPart) => part.notes.push(label),
    }));
}

/**
 * Reads the markers and notes for one page of a link: its markers first, then its notes, each in time order.
 * @param after `next` of the part before; the first part for anything else
 */
export async function labelsPart(
  { queries, secrets }: { queries: Queries; secrets: SecretBox },
  link: LabelledLink,
  after: string | undefined,
): Promise<LabelsPart> {
  const shareId = link.share.id;
  const part: LabelsPart = { markers: [], notes: [], next: null };
  let length = 0;
  let last: Start | null = null;
  for await (const { at, text, addTo } of labelsFrom(queries, link, openStart(secrets, shareId, after))) {
    if (last !== null && length >= maxPartLength) {
      part.next = sealStart(secrets, shareId, last);
      break;
    }
    addTo(part);
    length += escapeHtml(text).length + itemLength;
    last = at;
  }
  return part;
}

/** Digests of so many links are remembered. */
const maxDigests = 500;

/**
 * Hashes what links show of markers and notes. The labels of a link are read again only if those of its recording have
 * changed, or more of them are inside its window.
 */
export class LabelDigests {
  readonly #queries: Queries;
  readonly #digests = new BoundedMap<string, string>(maxDigests);

  constructor(queries: Queries) {
    this.#queries = queries;
  }

  async of(link: LabelledLink): Promise<string> {
    const key = await this.#keyOf(link);
    const known = this.#digests.get(key);
    if (known !== undefined) return known;
    const hash = createHash('sha256');
    for (const pages of [shownMarkers(this.#queries, link), shownNotes(this.#queries, link)]) {
      for await (const page of pages) for (const label of page) hash.update(`${JSON.stringify(label)},`);
      hash.update(';');
    }
    const digest = hash.digest('base64url');
    this.#digests.set(key, digest);
    return digest;
  }

  /** The window of a growing recording grows all the time; what counts is how many labels are inside it. */
  async #keyOf({ share, window }: LabelledLink): Promise<string> {
    if (window === null) return '';
    const { startMs, endMs } = window.part;
    const { markers, notes } = showsOf(share);
    const count = async (table: Kind, column: 'at_ms' | 'from_ms') => {
      const { rows } = await sql<{
        n: number | string;
      }>`select count(*) as n from ${sql.table(table)} where recording_id = ${share.recording_id} and ${sql.ref(column)} < ${Math.ceil(Math.min(endMs, Number.MAX_SAFE_INTEGER))}`.execute(
        this.#queries,
      );
      return Number(rows[0]?.n);
    };
    return JSON.stringify([
      share.id,
      share.recording_labels_revision,
      markers && (await count('markers', 'at_ms')),
      notes && (await count('notes', 'from_ms')),
      startMs,
      window.withheld,
    ]);
  }
}
