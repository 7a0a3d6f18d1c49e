import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { day, hour, minute, second } from '#base/duration.ts';
import { newId, type ApiClient } from '#tests/support/api-client.ts';
import { type Excerpt, excerptOf, readSpeech, type Speech } from './speech/read-speech.ts';
import { speechTexts, type SpeechText } from './speech/speech-texts.ts';
import { lengthMsOf, type SampleRecording, storeSampleRecording } from './store-recording.ts';

const speechFile = (name: string): URL => new URL(`speech/${name}`, import.meta.url);
/** Eleven seconds of John F. Kennedy’s inaugural address of 1961, in the public domain. */
const inauguralAddress = new URL('../../tests/fixtures/jfk-1961.opus', import.meta.url);

/** A text that was read aloud, with its audio and the start of each passage. */
interface ReadText {
  text: SpeechText;
  speech: Speech;
  startsMs: readonly number[];
  durationMs: number;
}

async function readText(name: string): Promise<ReadText> {
  const text = speechTexts.find((known) => known.name === name);
  if (text === undefined) throw new Error(`the demo has no speech named ${name}`);
  const times: { startsMs: number[]; durationMs: number } = JSON.parse(
    await readFile(speechFile(`${name}.json`), 'utf8'),
  );
  return { text, speech: await readSpeech(speechFile(`${name}.opus`)), ...times };
}

const passageEndMs = ({ startsMs, durationMs }: ReadText, index: number): number =>
  startsMs[index + 1] ?? durationMs;

const passageOf = (read: ReadText, index: number): Excerpt =>
  excerptOf(read.speech, { fromMs: read.startsMs[index] ?? 0, toMs: passageEndMs(read, index) });

/** Returns a whole text as a recording, with its markers and notes. */
function wholeText(
  read: ReadText,
  { title, startedAt }: { title: string; startedAt: Date },
): SampleRecording {
  const { text, speech, startsMs, durationMs } = read;
  const placed = text.passages.map((passage, index) => ({
    ...passage,
    atMs: startsMs[index] ?? 0,
    endMs: passageEndMs(read, index),
  }));
  return {
    title,
    startedAt,
    head: speech.head,
    segments: [{ startMs: 0, ...excerptOf(speech, { fromMs: 0, toMs: durationMs }) }],
    markers: placed.flatMap(({ marker, atMs }) => (marker === undefined ? [] : [{ atMs, label: marker }])),
    notes: placed.flatMap(({ note, atMs, endMs }) =>
      note === undefined ? [] : [{ fromMs: atMs, toMs: endMs - second, text: note }],
    ),
    details: { language: text.language },
  };
}

/** Returns a long recording: the passages of a text in changing order, up to a length. */
function longText(
  read: ReadText,
  { title, startedAt, durationMs }: { title: string; startedAt: Date; durationMs: number },
): SampleRecording {
  const segment = { startMs: 0, packets: [] as Uint8Array[], peaks: [] as Int8Array[] };
  const count = read.text.passages.length;
  const markers: { atMs: number; label: string }[] = [];
  for (let step = 0; lengthMsOf(segment) < durationMs; step += 1) {
    const round = Math.floor(step / count);
    if (step % count === 0 && round % 8 === 0)
      markers.push({ atMs: lengthMsOf(segment), label: `Part ${round / 8 + 1}` });
    const passage = passageOf(read, (step * 3 + round) % count);
    segment.packets.push(...passage.packets);
    segment.peaks.push(...passage.peaks);
  }
  return {
    title,
    startedAt,
    head: read.speech.head,
    segments: [segment],
    markers,
    details: { language: read.text.language },
  };
}

/** Returns a recording during which the device slept. The gap is marked, and nothing around it is lost. */
function interruptedAddress(
  speech: Speech,
  { title, startedAt }: { title: string; startedAt: Date },
): SampleRecording {
  const sleptFromMs = 5 * second;
  const sleptMs = 12 * second;
  const before = { startMs: 0, ...excerptOf(speech, { fromMs: 0, toMs: sleptFromMs }) };
  const after = {
    startMs: sleptFromMs + sleptMs,
    ...excerptOf(speech, { fromMs: sleptFromMs, toMs: minute }),
  };
  return {
    title,
    startedAt,
    head: speech.head,
    segments: [before, after],
    gaps: [
      { atMs: lengthMsOf(before), durationMs: after.startMs - lengthMsOf(before), cause: 'device-slept' },
    ],
    markers: [
      { atMs: 0, label: 'And so, my fellow Americans' },
      { atMs: after.startMs + 3 * second, label: 'Ask what you can do' },
    ],
    notes: [
      {
        fromMs: 0,
        toMs: sleptFromMs,
        text: 'The laptop was closed for twelve seconds after this. Earshot names the gap.',
      },
    ],
    details: { language: 'en', people: ['John F. Kennedy'] },
  };
}

const tagsSchema = z.object({ items: z.array(z.object({ id: z.string(), name: z.string() })) });

/** Returns the id of a tag, which is created if the user has none of this name. */
async function tagNamed(client: ApiClient, name: string, colour: string): Promise<string> {
  const { items } = tagsSchema.parse(await client.json('GET', '/api/tags'));
  const known = items.find((tag) => tag.name === name);
  if (known !== undefined) return known.id;
  const id = newId();
  await client.json('POST', '/api/tags', { body: { id, name, colour } });
  return id;
}

/** Returns two seconds of speech, for tests that only need some recording. */
export async function shortRecording(title: string): Promise<SampleRecording> {
  const speech = await readSpeech(inauguralAddress);
  return {
    title,
    startedAt: new Date(Date.now() - day),
    head: speech.head,
    segments: [{ startMs: 0, ...excerptOf(speech, { fromMs: 0, toMs: 2 * second }) }],
  };
}

const pageSchema = z.object({
  items: z.array(z.object({ id: z.string(), title: z.string().nullable(), state: z.string() })),
  nextCursor: z.string().nullable(),
});

/** Returns the titles of all recordings, and deletes those of these titles that were never finished. */
async function storedTitles(client: ApiClient, wanted: ReadonlySet<string>): Promise<Set<string>> {
  const titles = new Set<string>();
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`;
    const page = pageSchema.parse(await client.json('GET', `/api/recordings${query}`));
    for (const { id, title, state } of page.items) {
      if (title === null || !wanted.has(title)) continue;
      if (state === 'receiving') {
        await client.json('DELETE', `/api/recordings/${id}`);
        await client.json('POST', `/api/recordings/${id}/purge`);
      } else titles.add(title);
    }
    cursor = page.nextCursor;
  } while (cursor !== null);
  return titles;
}

/**
 * Stores a library as a user might have after some weeks, for the client's signed-in user. What an earlier call has
 * stored stays as it is; what an interrupted one has left unfinished is stored again. Returns how many recordings were
 * stored.
 */
export async function storeDemoRecordings(client: ApiClient, now = Date.now()): Promise<number> {
  const ago = (ms: number): Date => new Date(now - ms);
  const [family, university, association] = [
    await tagNamed(client, 'Family', 'amber'),
    await tagNamed(client, 'University', 'blue'),
    await tagNamed(client, 'Garden club', 'green'),
  ];
  const lecture = await readText('lecture');
  const tagged = (
    recording: SampleRecording,
    details: NonNullable<SampleRecording['details']>,
  ): SampleRecording => ({ ...recording, details: { ...recording.details, ...details } });
  const recordings = [
    tagged(
      wholeText(await readText('interview'), {
        title: 'Interview mit Oma Helene, Teil 1',
        startedAt: ago(40 * day),
      }),
      { people: ['Helene Brandt'], tagIds: [family] },
    ),
    wholeText(await readText('fisherman'), { title: 'El pescador y la tormenta', startedAt: ago(21 * day) }),
    wholeText(await readText('story'), { title: 'حكاية مصلح الساعات', startedAt: ago(16 * day) }),
    interruptedAddress(await readSpeech(inauguralAddress), {
      title: 'Inaugural address, 1961',
      startedAt: ago(9 * day),
    }),
    tagged(
      longText(lecture, {
        title: 'Acoustics: the whole afternoon',
        startedAt: ago(6 * day),
        durationMs: 2 * hour,
      }),
      { tagIds: [university] },
    ),
    tagged(
      wholeText(await readText('meeting'), {
        title: 'Réunion du jardin partagé',
        startedAt: ago(day + 5 * hour),
      }),
      { tagIds: [association] },
    ),
    tagged(
      wholeText(lecture, { title: 'Acoustics, lecture 4: why halls answer', startedAt: ago(4 * hour) }),
      { people: ['Dr. Amina Farouk'], tagIds: [university] },
    ),
  ];
  const known = await storedTitles(client, new Set(recordings.map(({ title }) => title)));
  const missing = recordings.filter(({ title }) => !known.has(title));
  for (const recording of missing) await storeSampleRecording(client, recording);
  return missing.length;
}

/** Returns the speech of the recording that runs during the demo. */
export async function runningSpeech(): Promise<Speech> {
  return (await readText('lecture')).speech;
}
