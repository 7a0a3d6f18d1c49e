import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { second } from '#base/duration.ts';
import { formatRecordedTime } from '#base/recorded-time/format-recorded-time.ts';
import { momentOf, type RecordedTime, unknownTime } from '#base/recorded-time/recorded-time.ts';
import { makeWav } from '#tests/support/made-wav.ts';
import { probeFile } from './probe-file.ts';

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'earshot-times-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
vi.spyOn(console, 'warn').mockImplementation(() => undefined);

const zones = ['America/Los_Angeles', 'UTC', 'Asia/Kolkata', 'Pacific/Kiritimati'];
const date = (text: string): RecordedTime => ({ kind: 'date', date: text });
const local = (dateTime: string): RecordedTime => ({ kind: 'local', dateTime });

/** A file with the current time as its modification date, like a copy: that is no evidence. */
const named = (
  name: string,
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array(makeWav({ seconds: 1, sampleRateHz: 8000 })),
): File => new File([bytes], name, { lastModified: Date.now() });
const timeOf = async (file: File): Promise<RecordedTime> =>
  (await probeFile(file)).facts.recordedTime ?? unknownTime;
const shownIn = (time: RecordedTime): (string | undefined)[] =>
  zones.map((timeZone) =>
    formatRecordedTime(time, { locale: 'en-US', timeZone })?.replace(/[\u00a0\u202f]/g, ' '),
  );
const everywhere = (text: string): string[] => zones.map(() => text);

function made(name: string, ...args: string[]): File {
  const path = join(folder, name);
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    'sine=frequency=440:duration=1',
    ...args,
    path,
  ]);
  return named(name, new Uint8Array(readFileSync(path)));
}
const tagged = (...pairs: string[]): string[] => pairs.flatMap((pair) => ['-metadata', pair]);

describe('shows the time that a file states, no more exactly, in every zone', () => {
  it('M7.1: a day in the name, before 1970', async () => {
    const time = await timeOf(named('1961-01-20 Inaugural speech.wav'));
    expect([time, shownIn(time)]).toEqual([date('1961-01-20'), everywhere('January 20, 1961')]);
  });

  it.skipIf(!hasFfmpeg)(
    'M7.2: a tag with a date of 1962',
    async () => {
      const times = [
        await timeOf(made('a.mp3', ...tagged('date=1962-08-05'))),
        await timeOf(made('b.mp3', ...tagged('date=1962'))),
        await timeOf(made('c.mp3', '-id3v2_version', '3', ...tagged('date=1962-08-05'))),
      ];
      expect(times.map(shownIn)).toEqual([
        everywhere('August 5, 1962'),
        everywhere('1962'),
        everywhere('August 5, 1962'),
      ]);
    },
    30 * second,
  );

  it.skipIf(!hasFfmpeg)(
    'M7.3: a tag with a day only',
    async () => {
      for (const name of ['a.mp3', 'a.flac', 'a.m4a', 'a.wav']) {
        const time = await timeOf(made(name, ...tagged('date=2019-05-17')));
        expect([name, shownIn(time)]).toEqual([name, everywhere('May 17, 2019')]);
      }
    },
    30 * second,
  );

  it.skipIf(!hasFfmpeg)(
    'M7.4: the moment that a phone writes into MP4, and the same in Matroska',
    async () => {
      const moment = momentOf('2019-03-04T05:06:07.000Z', null);
      for (const name of ['New Recording 5.m4a', 'take.mp4', 'take.mkv', 'take.webm'])
        expect([
          name,
          await timeOf(
            made(
              name,
              ...(name.endsWith('m') ? ['-c:a', 'libopus'] : []),
              ...tagged('creation_time=2019-03-04T05:06:07Z'),
            ),
          ),
        ]).toEqual([name, moment]);
      expect(shownIn(moment)).toEqual([
        'March 3, 2019 at 9:06 PM',
        'March 4, 2019 at 5:06 AM',
        'March 4, 2019 at 10:36 AM',
        'March 4, 2019 at 7:06 PM',
      ]);
    },
    30 * second,
  );

  it.skipIf(!hasFfmpeg)(
    'M7.5: the time that a field recorder writes into BWF, without a zone',
    async () => {
      const time = await timeOf(
        made(
          'ZOOM0001.wav',
          '-write_bext',
          '1',
          ...tagged('origination_date=2019-03-04', 'origination_time=05:06:07'),
        ),
      );
      expect([time, shownIn(time)]).toEqual([
        local('2019-03-04T05:06:07'),
        everywhere('March 4, 2019 at 5:06 AM'),
      ]);
    },
    30 * second,
  );

  it('M7.6: the moment in a file name of Zoom, in UTC', async () => {
    const time = await timeOf(named('GMT20240517-140305_Recording.wav'));
    expect([time, shownIn(time)[0]]).toEqual([
      momentOf('2024-05-17T14:03:05.000Z', null),
      'May 17, 2024 at 7:03 AM',
    ]);
  });

  it('M7.7: times in names of macOS, German and Samsung recorders and dictation machines; a German day', async () => {
    for (const name of [
      'Screen Recording 2024-05-17 at 2.03.05 PM.wav',
      'Aufnahme 2024-05-17 um 14.03.05.wav',
      'Voice 240517_140305.wav',
      '20240517140305.wav',
    ]) {
      expect([name, shownIn(await timeOf(named(name)))]).toEqual([
        name,
        everywhere('May 17, 2024 at 2:03 PM'),
      ]);
    }
    expect(shownIn(await timeOf(named('17.05.2024 Gespräch.wav')))).toEqual(everywhere('May 17, 2024'));
  });
});

describe('treats a time without evidence as unknown, not as today', () => {
  it('the modification date of the file', async () => {
    expect(await timeOf(named('track01.wav'))).toEqual(unknownTime);
  });

  it.skipIf(!hasFfmpeg).each([
    ['an empty time of MP4', 'a.m4a', []],
    ['the beginning of Unix time', 'b.m4a', tagged('creation_time=1970-01-01T00:00:00Z')],
    ['a camera whose clock was reset', 'c.m4a', tagged('creation_time=2000-01-01T00:04:10Z')],
    ['the beginning of Matroska’s time', 'd.mkv', tagged('creation_time=2001-01-01T00:00:00Z')],
    ['a time in the future', 'e.m4a', tagged('creation_time=2039-05-17T14:03:05Z')],
    ['a tag of the future', 'f.mp3', tagged('date=2199-01-01')],
    ['a day that no calendar has', 'g.mp3', tagged('date=2023-02-30')],
    [
      'a recorder whose clock was reset',
      'h.wav',
      ['-write_bext', '1', ...tagged('origination_date=2000-01-01', 'origination_time=00:00:12')],
    ],
  ])(
    '%s',
    async (_, name, args) => {
      expect(await timeOf(made(name, ...args))).toEqual(unknownTime);
    },
    30 * second,
  );
});

it.skipIf(!hasFfmpeg)(
  'prefers a day in the name to the day of a conversion',
  async () => {
    expect(
      await timeOf(made('1961-01-20 Inaugural speech.m4a', ...tagged('creation_time=2019-03-04T05:06:07Z'))),
    ).toEqual(date('1961-01-20'));
    expect(
      await timeOf(made('2019-03-04 Interview.m4a', ...tagged('creation_time=2019-03-04T05:06:07Z'))),
    ).toEqual(momentOf('2019-03-04T05:06:07.000Z', null));
  },
  30 * second,
);
