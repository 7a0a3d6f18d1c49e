import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { titleSchema } from '#contract/values.ts';
import { asTitle, type FileNews, nameWithoutEnding, titleAndTime } from './title-and-time.ts';

const nowMs = Date.UTC(2026, 10, 22);
const read = (news: FileNews, languages: readonly string[] = []) => titleAndTime(news, { nowMs, languages });
const local = (...parts: [number, number, number, number?, number?, number?]) => {
  const [year, month, day, hours = 12, minutes = 0, seconds = 0] = parts;
  return new Date(year, month - 1, day, hours, minutes, seconds).getTime();
};

describe('the title', () => {
  it.each([['a/b/My talk.mp3', 'My talk'], ['.hidden', '.hidden'], ['v1.2 final.wav', 'v1.2 final'], ['חדשות.ogg', 'חדשות'], ['no ending', 'no ending'], ['Interview v1.2', 'Interview v1.2'], ['Meeting 10.30am', 'Meeting 10.30am'], ['call.3gpp', 'call'], ['old.8svx', 'old'], ['call.amr', 'call']])('of %s is %s', (name, title) => {
    expect(nameWithoutEnding(name)).toBe(title);
  });

  it('is one that the server takes, whatever the tags and the name hold', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.string({ unit: 'binary', maxLength: 400 }), (tagTitle, name) => {
      const { title } = read({ name, lastModifiedMs: 0, tagTitle, tagDate: undefined, recordedAtMs: null });
      expect(titleSchema.safeParse(title).success).toBe(true);
    }));
    expect(asTitle('  two\nlines\u0000 ')).toBe('two lines');
  });

  it.each([
    ['مصاحبه با می\u200cخواهم', 'مصاحبه با می\u200cخواهم'],
    ['Family 👩\u200d👩\u200d👧 dinner', 'Family 👩\u200d👩\u200d👧 dinner'],
    ['क्\u200dष', 'क्\u200dष'],
    ['🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} match', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} match'],
    ['Groß\u00admutter\u200b erzählt\ufeff', 'Großmutter erzählt'],
    ['evil\u202egpj.exe', 'evilgpj.exe'],
    ['\u200d\u200c', ''],
  ])('of %j keeps what belongs to its letters: %j', (text, title) => {
    expect(asTitle(text)).toBe(title);
  });
});

describe('the beginning', () => {
  const news: FileNews = { name: 'talk.mp3', lastModifiedMs: Date.UTC(2020, 0, 5, 8), tagTitle: undefined, tagDate: undefined, recordedAtMs: null };

  it('is the tag’s, else the name’s, else the recorder’s, else when the file was last changed', () => {
    const tagDate = new Date(Date.UTC(2021, 2, 4, 10, 30));
    const recordedAtMs = Date.UTC(2019, 2, 4, 5, 6, 7);
    const name = '2022-01-02 03.04.mp3';
    expect(read({ ...news, name, tagDate, recordedAtMs }).startedAtMs).toBe(tagDate.getTime());
    expect(read({ ...news, name, recordedAtMs }).startedAtMs).toBe(local(2022, 1, 2, 3, 4));
    expect(read({ ...news, recordedAtMs }).startedAtMs).toBe(recordedAtMs);
    expect(read(news).startedAtMs).toBe(news.lastModifiedMs);
  });

  it('is the name’s where the tag states only the day', () => {
    expect(read({ ...news, name: '2021-03-04 15.30.mp3', tagDate: new Date(Date.UTC(2021, 0, 1)) }).startedAtMs).toBe(local(2021, 3, 4, 15, 30));
  });

  it('is the recorder’s moment where the name states the same day without a time, and the name’s day where they differ', () => {
    const recordedAtMs = local(2024, 5, 17, 9, 30);
    expect(read({ ...news, name: '2024-05-17 Interview.m4a', recordedAtMs }).startedAtMs).toBe(recordedAtMs);
    expect(read({ ...news, name: '1961-01-20 Inaugural speech.m4a', recordedAtMs }).startedAtMs).toBe(local(1961, 1, 20));
  });

  it('is the stated day, whatever the zone, where a tag states no time', () => {
    expect(read({ ...news, tagDate: new Date(Date.UTC(2019, 4, 17)) }).startedAtMs).toBe(local(2019, 5, 17));
  });

  it('may lie before 1970', () => {
    expect(read({ ...news, name: '1961-01-20 Inaugural speech.mp3' }).startedAtMs).toBe(local(1961, 1, 20));
    expect(read({ ...news, tagDate: new Date(Date.UTC(1962, 7, 5, 10)) }).startedAtMs).toBe(Date.UTC(1962, 7, 5, 10));
  });

  it('is never in the future, and never no number', () => {
    fc.assert(fc.property(fc.double(), fc.date({ noInvalidDate: false }), fc.double(), (lastModifiedMs, tagDate, recordedAtMs) => {
      const { startedAtMs } = read({ ...news, lastModifiedMs, tagDate, recordedAtMs });
      expect(Number.isInteger(startedAtMs)).toBe(true);
      expect(startedAtMs).toBeLessThanOrEqual(nowMs);
    }));
  });
});
