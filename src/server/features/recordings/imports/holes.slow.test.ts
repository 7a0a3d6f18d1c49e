import { describe, expect, test } from 'vitest';
import { apiOnSqlite } from '#tests/support/api-under-test.ts';
import { importFile } from '#tests/support/import-file.ts';
import { fileWithHoles, toneHzAt, tonesAt } from '#tests/support/media/holes.ts';
import { hasFfmpeg } from '#tests/support/sample-files.ts';
import { listener, share, tokenOf } from '#tests/support/sharing.ts';

const opus = ['-c:a', 'libopus', '-b:a', '64k'];
const vorbis = ['-c:a', 'libvorbis', '-q:a', '3'];
const aac = ['-c:a', 'aac', '-b:a', '96k'];
const flac = ['-c:a', 'flac', '-strict', '-2'];
const fragments = ['-movflags', '+frag_keyframe+empty_moov+default_base_moof', '-frag_duration', '1000000'];

const toleranceMs = 100;

/** A place in the recording, and the place in the sound that is heard there; null is silence. */
type Place = readonly [atS: number, soundS: number | null];

/** The places with another tone than the right one. */
const wrongPlaces = (bytes: Uint8Array, places: readonly Place[]): string[] =>
  tonesAt(
    bytes,
    places.map(([atS]) => atS),
  ).flatMap((hz, index) => {
    const [atS, soundS] = places[index] ?? [0, null];
    const expected = soundS === null ? 0 : toneHzAt(soundS);
    return Math.abs(hz - expected) <= 30 ? [] : [`${hz} instead of ${expected} Hz at ${atS} s`];
  });

async function imported(name: string, bytes: Buffer, options?: { ffmpeg: boolean }) {
  const api = await apiOnSqlite(undefined, options);
  const user = await api.signIn();
  const {
    recording,
    take: { recordingId },
  } = await importFile(api, user, { name, bytes });
  const get = async (path: string) =>
    (await api.as(user, { url: `/api/recordings/${recordingId}/${path}` })).rawPayload;
  return { api, user, recording, recordingId, get };
}

const isNear = (ms: number | undefined, expectedMs: number): boolean =>
  Math.abs((ms ?? Infinity) - expectedMs) <= toleranceMs;

const longHole = { afterS: [3], lengthS: 10 };
const afterLongHole: readonly Place[] = [
  [1.4, 1.4],
  [7.4, null],
  [13.4, 3.4],
  [15.4, 5.4],
];

describe.skipIf(!hasFfmpeg)('F3: ten seconds without packets', () => {
  test.for<[string, readonly string[]]>([
    ['opus.webm', opus],
    ['vorbis.webm', vorbis],
    ['flac.mka', flac],
    ['aac.m4a', aac],
    ['opus.mp4', opus],
    ['fragments-aac.mp4', [...aac, ...fragments]],
    ['opus.opus', opus],
    ['vorbis.ogg', vorbis],
    ['aac.ts', aac],
    ['aac.flv', ['-c:a', 'aac', '-ar', '44100']],
  ])('are silence of their length and a gap in %s', async ([name, options]) => {
    const { recording, get } = await imported(name, fileWithHoles(name, options, longHole));
    expect(wrongPlaces(await get('audio'), afterLongHole)).toEqual([]);
    expect(recording).toMatchObject({ rendition: 'ready', gaps: [{ cause: 'not-in-file' }] });
    const [gap] = recording.gaps;
    expect([
      isNear(gap?.atMs, 3000),
      isNear(gap?.durationMs, 10_000),
      isNear(recording.durationMs, 16_000),
    ]).toEqual([true, true, true]);
  });

  test.for<[string, readonly string[]]>([
    ['opus.webm', opus],
    ['aac.ts', aac],
  ])('are in the downloads and links of %s as well', async ([name, options]) => {
    const { api, user, recordingId, get } = await imported(name, fileWithHoles(name, options, longHole));
    const shared = await share({ api, user }, recordingId);
    await api.runJobs();
    for (const bytes of [
      await get('download?format=mp3'),
      await get('download?format=wav'),
      (await listener(api).send('GET', `/s/${tokenOf(shared)}/audio`)).rawPayload,
    ])
      expect(wrongPlaces(bytes, afterLongHole)).toEqual([]);
  });

  test('in Opus are found without ffmpeg', async () => {
    const bytes = fileWithHoles('a.mka', opus, longHole);
    const { recording, get } = await imported('a.mka', bytes, { ffmpeg: false });
    expect(wrongPlaces(await get('audio'), afterLongHole)).toEqual([]);
    expect(recording).toMatchObject({ gaps: [{ cause: 'not-in-file' }] });
  });
});

describe.skipIf(!hasFfmpeg)('F3: small holes', () => {
  test.for<[string, readonly string[]]>([
    ['opus.webm', opus],
    ['aac.m4a', aac],
  ])('add up in %s', async ([name, options]) => {
    const bytes = fileWithHoles(name, options, { afterS: [1, 2, 3, 4, 5], lengthS: 0.4 });
    const { recording, get } = await imported(name, bytes);
    const places: readonly Place[] = [
      [0.5, 0.5],
      [3.3, 2.5],
      [7.5, 5.5],
    ];
    expect(wrongPlaces(await get('audio'), places)).toEqual([]);
    expect(recording.gaps.map(({ durationMs }) => isNear(durationMs, 400))).toEqual(
      Array.from({ length: 5 }, () => true),
    );
  });

  test.for<[number, number]>([
    [0.09, 5],
    [0.02, 0],
  ])('of %d s are %d gaps', async ([lengthS, count]) => {
    const bytes = fileWithHoles('a.mka', ['-c:a', 'pcm_s16le'], { afterS: [1, 2, 3, 4, 5], lengthS });
    expect((await imported('a.mka', bytes)).recording.gaps).toHaveLength(count);
  });
});

test.skipIf(!hasFfmpeg).for<[string, readonly string[]]>([
  ['opus.webm', opus],
  ['aac.mka', aac],
])('F17: %s whose times ask for hours of silence is one piece, shown as damaged', async ([name, options]) => {
  const bytes = fileWithHoles(name, options, { afterS: [3], lengthS: 3600 });
  const { recording, get } = await imported(name, bytes);
  expect(recording).toMatchObject({ state: 'ready', gaps: [] });
  expect(isNear(recording.durationMs, 6000)).toBe(true);
  for (const sound of [await get('audio'), await get('download?format=mp3')])
    expect(
      wrongPlaces(sound, [
        [1.4, 1.4],
        [5.4, 5.4],
      ]),
    ).toEqual([]);
});
