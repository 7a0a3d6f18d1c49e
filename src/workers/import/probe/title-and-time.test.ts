import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { titleSchema } from '#contract/values.ts';
import { asTitle, momentInName, nameWithoutEnding, titleAndTime } from './title-and-time.ts';

const nowMs = Date.UTC(2026, 10, 22);
const local = (...parts: [number, number, number, number?, number?, number?]) => {
  const [year, month, day, hours = 12, minutes = 0, seconds = 0] = parts;
  return new Date(year, month - 1, day, hours, minutes, seconds).getTime();
};

describe('the moment in a file’s name', () => {
  it.each([
    ['2024-05-17 14.03.wav', local(2024, 5, 17, 14, 3)],
    ['20240517_140305.m4a', local(2024, 5, 17, 14, 3, 5)],
    ['20240517_1403.m4a', local(2024, 5, 17, 14, 3)],
    ['Voice_2024_05_17T14-03-05.mp3', local(2024, 5, 17, 14, 3, 5)],
    ['WhatsApp Audio 2024-05-17 at 14.03.05.opus', local(2024, 5, 17, 14, 3, 5)],
    ['AUD-20240517-WA0007.m4a', local(2024, 5, 17)],
    ['Interview 2024.05.17.mp3', local(2024, 5, 17)],
    ['REC 20240229 2359.wav', local(2024, 2, 29, 23, 59)],
  ])('%s', (name, ms) => expect(momentInName(name)).toBe(ms));

  it.each(['track 01.mp3', '2024-13-01.wav', '2024-02-30.wav', '120240517.mp3', 'call 4930123456.m4a', ''])('is none in %j', (name) => {
    expect(momentInName(name)).toBeNull();
  });
});

describe('the title', () => {
  it.each([['a/b/My talk.mp3', 'My talk'], ['.hidden', '.hidden'], ['v1.2 final.wav', 'v1.2 final'], ['חדשות.ogg', 'חדשות'], ['no ending', 'no ending']])('of %s is %s', (name, title) => {
    expect(nameWithoutEnding(name)).toBe(title);
  });

  it('is one that the server takes, whatever the tags and the name hold', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.string({ unit: 'binary', maxLength: 400 }), (tagTitle, name) => {
      const { title } = titleAndTime({ name, lastModifiedMs: 0, tagTitle, tagDate: undefined }, nowMs);
      expect(titleSchema.safeParse(title).success).toBe(true);
    }));
    expect(asTitle('  two\nlines\u0000 ')).toBe('two lines');
  });
});

describe('the beginning', () => {
  const news = { name: 'talk.mp3', lastModifiedMs: Date.UTC(2020, 0, 5, 8), tagTitle: undefined, tagDate: undefined };

  it('is the tag’s, else the name’s, else when the file was last changed', () => {
    const tagDate = new Date(Date.UTC(2021, 2, 4, 10, 30));
    const name = '2022-01-02 03.04.mp3';
    expect(titleAndTime({ ...news, name, tagDate }, nowMs).startedAtMs).toBe(tagDate.getTime());
    expect(titleAndTime({ ...news, name }, nowMs).startedAtMs).toBe(local(2022, 1, 2, 3, 4));
    expect(titleAndTime(news, nowMs).startedAtMs).toBe(news.lastModifiedMs);
  });

  it('is the name’s where the tag knows only the day', () => {
    expect(titleAndTime({ ...news, name: '2021-03-04 15.30.mp3', tagDate: new Date(Date.UTC(2021, 0, 1)) }, nowMs).startedAtMs).toBe(local(2021, 3, 4, 15, 30));
  });

  it('is never in the future, and never no number', () => {
    fc.assert(fc.property(fc.double(), fc.date({ noInvalidDate: false }), (lastModifiedMs, tagDate) => {
      const { startedAtMs } = titleAndTime({ ...news, lastModifiedMs: Number.isNaN(lastModifiedMs) ? 0 : lastModifiedMs, tagDate }, nowMs);
      expect(Number.isInteger(startedAtMs)).toBe(true);
      expect(startedAtMs).toBeLessThanOrEqual(nowMs);
    }));
  });
});
