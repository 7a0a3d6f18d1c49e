import { describe, expect, it } from 'vitest';
import { momentOf, type RecordedTime } from '#base/recorded-time/recorded-time.ts';
import { type RawTags, taggedTime, timeOfText } from './tag-date.ts';

const date = (text: string): RecordedTime => ({ kind: 'date', date: text });
const local = (dateTime: string): RecordedTime => ({ kind: 'local', dateTime });

it.each<[string, RecordedTime | null]>([
  ['1962', date('1962')],
  ['1962-08', date('1962-08')],
  ['1962-08-05', date('1962-08-05')],
  ['1962/08/05', date('1962-08-05')],
  ['1962:08:05', date('1962-08-05')],
  ['19620805', date('1962-08-05')],
  ['1962-00-00', date('1962')],
  ['1962-08-00', date('1962-08')],
  ['2019-05-17T14', date('2019-05-17')],
  ['2019-05-17T14:03', local('2019-05-17T14:03:00')],
  ['2019-05-17 14:03:05.250', local('2019-05-17T14:03:05')],
  ['2019-05-17T14:03:05Z', momentOf('2019-05-17T14:03:05.000Z', null)],
  ['2019-05-17T14:03:05+0200', momentOf('2019-05-17T12:03:05.000Z', '+0200')],
  ['2019-05-17T14:03:05-03:30', momentOf('2019-05-17T17:33:05.000Z', '-0330')],
  ['2019-05-17T00:00:00Z', date('2019-05-17')],
  ['2019-05-17T07:00:00Z', date('2019-05-17')],
  ['Fri May 17 14:03:05 2024', local('2024-05-17T14:03:05')],
  ['2019-05-17\u00002020-01-02', date('2019-05-17')],
  ['2019-02-29', null],
  ['2019-05-17T25:00:00', null],
  ['0000', null],
  ['0962', null],
  ['May 2019', null],
  ['', null],
  ['20', null],
  ['19', null],
])('reads the text %j as %j', (text, time) => expect(timeOfText(text)).toEqual(time));

describe('tags', () => {
  it.each<[string, RawTags, RecordedTime | null]>([
    ['ID3v2.4', { TDRC: '1962-08-05T10:00:00' }, local('1962-08-05T10:00:00')],
    ['ID3v2.4 with a day alone', { TDRC: '2019-05-17' }, date('2019-05-17')],
    ['ID3v2.3', { TYER: '2019', TDAT: '1705' }, date('2019-05-17')],
    ['ID3v2.3 with a time', { TYER: '2019', TDAT: '1705', TIME: '1403' }, local('2019-05-17T14:03:00')],
    ['ID3v2.2', { TYE: '2019', TDA: '1705' }, date('2019-05-17')],
    ['ID3v2.3 with a year alone', { TYER: '2019' }, date('2019')],
    ['ID3v2.3 with dates of its recording', { TYER: '2019', TRDA: '1962-08-05' }, date('1962-08-05')],
    ['ID3v2.3 with dates in words', { TYER: '2019', TRDA: '4th-7th June' }, date('2019')],
    [
      'ID3v1',
      {
        TAG: Uint8Array.from({ length: 125 }, (_, index) =>
          index >= 90 && index < 94 ? '1962'.charCodeAt(index - 90) : 0,
        ),
      },
      date('1962'),
    ],
    ['ID3v1 beside ID3v2', { TDRC: '1962-08', TAG: new Uint8Array(125) }, date('1962-08')],
    ['Vorbis', { DATE: '1961-01-20' }, date('1961-01-20')],
    ['Vorbis with several', { DATE: ['1961', '1999'] }, date('1961')],
    ['RIFF', { ICRD: '2021-03-04' }, date('2021-03-04')],
    ['RIFF of a camera', { IDIT: 'Fri May 17 14:03:05 2024\u0000' }, local('2024-05-17T14:03:05')],
    ['Apple', { '\u00a9day': '2019-05-17T14:03:05Z' }, momentOf('2019-05-17T14:03:05.000Z', null)],
    [
      'QuickTime',
      { 'com.apple.quicktime.creationdate': '2019-03-04T05:06:07+0530', '\u00a9day': '2024' },
      momentOf('2019-03-03T23:36:07.000Z', '+0530'),
    ],
    ['Matroska', { DATE_RECORDED: '1962-08-05', DATE: '2020' }, date('1962-08-05')],
    ['the most exact that agrees', { DATE: '2019', ICRD: '2019-05-17' }, date('2019-05-17')],
    ['programs that know none', { DATE: '1970-01-01', '\u00a9day': '1904-01-01T00:00:00Z' }, null],
    ['a year that a program may well know', { DATE: '1970' }, date('1970')],
    ['nothing', { TITLE: '2019-05-17', picture: new Uint8Array(3) }, null],
  ])('of %s', (_, raw, time) => expect(taggedTime(raw)).toEqual(time));
});
