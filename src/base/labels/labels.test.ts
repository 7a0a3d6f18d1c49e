import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromAudacity, toAudacity } from './audacity.ts';
import { chapterComments } from './chapters.ts';
import { fromCsv, toCsv } from './csv.ts';
import { type Label, labelColours, type LabelUnit } from './label.ts';
import { readLabels } from './read-labels.ts';
import { toSrt } from './srt.ts';
import { fromVtt, toVtt } from './vtt.ts';

/**
 * Text that breaks formats: separators, quotes, arrows, escapes, direction marks, starts of formulas and comments.
 */
const awkward = fc.constantFrom(
  '\t',
  '\n',
  '\r',
  '\r\n',
  '\n\n',
  '"',
  '""',
  ',',
  ';',
  '-->',
  '00:00:01.000 --> 00:00:02.000',
  '&amp;',
  '&',
  '<i>',
  '<',
  '\\',
  '\\n',
  '\\t',
  "'",
  '=1+1',
  '@',
  '\u200F',
  '\u200E',
  '\u2028',
  '\uFEFF',
  '\0',
  ' ',
  'NOTE',
  'WEBVTT',
  'STYLE',
  '#1',
  'marker',
  'مرحبا',
  '録音',
  '👩‍🎤',
);
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.array(fc.oneof(awkward, fc.string({ maxLength: 3 })), { maxLength: 8 }).map((parts) => parts.join('')),
);
const atMs = fc.oneof(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 0, max: 400_000_000 }));
const label: fc.Arbitrary<Label> = fc.oneof(
  fc.record({
    kind: fc.constant('marker' as const),
    atMs,
    endMs: fc.constant(null),
    text,
    colour: fc.option(fc.constantFrom(...labelColours)),
  }),
  fc.tuple(atMs, fc.option(fc.integer({ min: 1, max: 1_000_000 })), text).map(([at, length, words]) => ({
    kind: 'note' as const,
    atMs: at,
    endMs: length === null ? null : at + length,
    text: words,
    colour: null,
  })),
);

const formats = [
  { name: 'WebVTT', write: toVtt, read: fromVtt },
  { name: 'Audacity labels', write: toAudacity, read: fromAudacity },
  { name: 'CSV', write: toCsv, read: fromCsv },
];

describe.each(formats)('$name', ({ write, read }) => {
  test('reads back what it wrote without any loss', () => {
    fc.assert(
      fc.property(fc.array(label, { maxLength: 6 }), (labels) => {
        expect(read(write(labels))).toMatchObject({ labels, rejected: [] });
      }),
      { numRuns: 1000 },
    );
  });

  test('recognises its own files among all formats', () => {
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 3 }), (labels) => {
        expect(readLabels(write(labels))).toMatchObject({ labels, rejected: [] });
      }),
    );
  });

  test('reads any text or rejects it by line, and never fails', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(awkward, fc.string(), fc.constantFrom('WEBVTT\n\n', 'start,end\n', '1.5\t2\t')), {
          maxLength: 20,
        }),
        (parts) => {
          const { labels, rejected } = read(parts.join(''));
          for (const { atMs: at, endMs } of labels)
            expect(at >= 0 && (endMs === null || endMs > at)).toBe(true);
          for (const { line } of rejected) expect(line).toBeGreaterThan(0);
        },
      ),
    );
  });

  test('reads a large file in linear time', () => {
    const many = Array.from({ length: 10_000 }, (_, index): Label => ({
      kind: 'marker',
      atMs: index * 1000,
      endMs: null,
      text: `${'<'.repeat(50)}"${index}"`,
      colour: 'blue',
    }));
    expect(read(write(many)).labels).toEqual(many);
    expect(read(`"${'<"'.repeat(200_000)}`).labels).toEqual([]);
  }, 30_000);
});

test('keeps the text of a WebVTT file of another program without tags, and reads cues as notes', () => {
  const file =
    '\uFEFFWEBVTT - Talk\nKind: captions\n\nNOTE made elsewhere\nwith --> inside\n\nSTYLE\n::cue { color: red }\n\n1\n00:01.500 --> 00:04.000 position:10%\n<v Roger>Hello &amp; <i>welcome</i>\nagain\n\n00:05.000 --> later\nNo\n';
  expect(fromVtt(file)).toEqual({
    lines: [11],
    labels: [{ kind: 'note', atMs: 1500, endMs: 4000, text: 'Hello & welcome\nagain', colour: null }],
    rejected: [{ line: 15, reason: 'time' }],
  });
});

test('reads points of an Audacity label track as markers and regions as notes, and reports other lines', () => {
  const file =
    '1.250000\t1.250000\tC:\\temp\r\n2,5\t3,75\tRegion\r\n\\\t100.0\t200.0\r\nnonsense\r\nx\ty\tz\r\n';
  expect(fromAudacity(file)).toEqual({
    unit: 'seconds',
    lines: [1, 2],
    labels: [
      { kind: 'marker', atMs: 1250, endMs: null, text: 'C:\\temp', colour: null },
      { kind: 'note', atMs: 2500, endMs: 3750, text: 'Region', colour: null },
    ],
    rejected: [
      { line: 4, reason: 'columns' },
      { line: 5, reason: 'time' },
    ],
  });
});

test('reads a spreadsheet with any column order and names, separated by semicolons, and reports bad lines', () => {
  const file = 'Name;Color;Time\n"one\ntwo";VIOLET;1:02,5\n;;\nthree;;soon\nfour;pink;3\n';
  expect(fromCsv(file)).toEqual({
    unit: 'seconds',
    lines: [2, 6],
    labels: [
      { kind: 'marker', atMs: 62_500, endMs: null, text: 'one\ntwo', colour: 'violet' },
      { kind: 'marker', atMs: 3000, endMs: null, text: 'four', colour: null },
    ],
    rejected: [{ line: 5, reason: 'time' }],
  });
  expect(fromCsv('a,b\n1,2\n').rejected).toEqual([{ line: 1, reason: 'format' }]);
});

test('writes no cell that is a formula', () => {
  expect(toCsv([{ kind: 'marker', atMs: 0, endMs: null, text: '=HYPERLINK("x")', colour: null }])).toContain(
    `"'=HYPERLINK(""x"")"`,
  );
});

test('writes markers as chapters of an Ogg file in order of time, and names an untitled one by its time', () => {
  const at = (atMs: number, words: string, kind: Label['kind'] = 'marker') => ({ kind, atMs, text: words });
  expect(chapterComments([at(3_723_004, 'End\nof it'), at(1500, ''), at(10, 'A note', 'note')])).toEqual([
    'CHAPTER000=00:00:01.500',
    'CHAPTER000NAME=00:00:01.500',
    'CHAPTER001=01:02:03.004',
    'CHAPTER001NAME=End of it',
  ]);
  expect(chapterComments(Array.from({ length: 1200 }, (_, index) => at(index, 'x')))).toHaveLength(2000);
});

describe('files of other programs', () => {
  const helloTwo = [
    ['note', 1000, 2000, 'Hello'],
    ['note', 3000, 4000, 'Two'],
  ];
  const textsOf = (file: string) =>
    readLabels(file).labels.map(({ kind, atMs: at, endMs, text: words }) => [kind, at, endMs, words]);

  test.each([
    [
      'SubRip',
      '1\r\n00:00:01,000 --> 00:00:02,000\r\nHello\r\n\r\n2\r\n00:00:02,500 --> 00:00:04,000\r\n{\\an8}<i>World</i>\r\n',
      [
        ['note', 1000, 2000, 'Hello'],
        ['note', 2500, 4000, 'World'],
      ],
    ],
    ['SubRip without numbers', '00:00:01,000 --> 00:00:02,000\nHello\n', [['note', 1000, 2000, 'Hello']]],
    [
      'SubRip with full stops',
      '1\n00:00:01.000 --> 00:00:02.000\nHello\nthere\n',
      [['note', 1000, 2000, 'Hello\nthere']],
    ],
    [
      'Excel’s separator line',
      'sep=;\r\nstart;end;label\r\n00:00:01,500;;Hallo\r\n',
      [['marker', 1500, null, 'Hallo']],
    ],
    ['a German header', 'Start;Ende;Beschriftung\n1,5;2,5;hallo\n', [['note', 1500, 2500, 'hallo']]],
    ['a Japanese header', '開始,終了,ラベル\n1.5,2.5,話\n', [['note', 1500, 2500, '話']]],
    [
      'Audition',
      'Name\tStart\tDuration\tTime Format\tType\tDescription\nMarker 01\t0:01.500\t0:02.000\tdecimal\tCue\thello\nMarker 02\t0:03.000\t0:00.000\tdecimal\tCue\t\n',
      [
        ['note', 1500, 3500, 'Marker 01\nhello'],
        ['marker', 3000, null, 'Marker 02'],
      ],
    ],
    [
      'no header',
      '1.5,2.5,hello\n3.0,4.0,world\n',
      [
        ['note', 1500, 2500, 'hello'],
        ['note', 3000, 4000, 'world'],
      ],
    ],
    [
      'no header and no end',
      '0:01;hello\n0:03;world\n',
      [
        ['marker', 1000, null, 'hello'],
        ['marker', 3000, null, 'world'],
      ],
    ],
    [
      'WebVTT whose first cue follows the header',
      'WEBVTT\r\n00:00:01.000 --> 00:00:02.000\r\nHello\r\n\r\n00:00:03.000 --> 00:00:04.000\r\nTwo\r\n',
      helloTwo,
    ],
    [
      'WebVTT with metadata and a number before the first cue',
      'WEBVTT\nKind: captions\nLanguage: en\n1\n00:01.000 --> 00:02.000\nHello\n\n2\n00:03.000 --> 00:04.000\nTwo\n',
      helloTwo,
    ],
    [
      'WebVTT without an empty line',
      'WEBVTT\nNOTE by a program\n00:01.000 --> 00:02.000\nHello\n00:03.000 --> 00:04.000\nTwo\n',
      helloTwo,
    ],
    [
      'WebVTT with spaces in its empty lines',
      'WEBVTT\n \n00:01.000 --> 00:02.000\nHello\n \t\nsecond\n00:03.000 --> 00:04.000\nTwo\n',
      helloTwo,
    ],
    [
      'WebVTT with an empty line inside of a style, and a comment in front of a cue',
      'WEBVTT\n\nSTYLE\n::cue { color: red }\n\nNOTE\nfirst --> second\n\n00:01.000 --> 00:02.000\nHello\n\n00:03.000 --> 00:04.000\nTwo\n',
      helloTwo,
    ],
    [
      'SubRip without empty lines',
      '1\n00:00:01,000 --> 00:00:02,000\nHello\n2\n00:00:03,000 --> 00:00:04,000\nTwo\n',
      helloTwo,
    ],
    [
      'SubRip with an arrow and a number in a text',
      '1\n00:00:01,000 --> 00:00:02,000\na --> b\n7\n\n2\n00:00:03,000 --> 00:00:04,000\nTwo\n',
      [
        ['note', 1000, 2000, 'a --> b\n7'],
        ['note', 3000, 4000, 'Two'],
      ],
    ],
    ['Whisper’s table', 'start\tend\ttext\n1000\t2000\tHello\n3000\t4000\tTwo\n', helloTwo],
    ['the same table in seconds', 'start\tend\ttext\n1.0\t2.0\tHello\n3.0\t4\tTwo\n', helloTwo],
    [
      'YouTube’s SBV',
      '0:00:01.000,0:00:02.000\r\nHello\r\n\r\n0:00:03.000,0:00:04.000\r\nTwo[br]lines\r\n',
      [
        ['note', 1000, 2000, 'Hello'],
        ['note', 3000, 4000, 'Two\nlines'],
      ],
    ],
    [
      'a chat of Zoom',
      '00:00:01\t Anna:\tHello\n00:00:03\tFrom Bernd to Everyone:\tHi\n',
      [
        ['marker', 1000, null, 'Anna: Hello'],
        ['marker', 3000, null, 'From Bernd to Everyone: Hi'],
      ],
    ],
    ['no header, and a comma in the text', '1.5,2.5,well, yes\n', [['note', 1500, 2500, 'well, yes']]],
    ['a Turkish header in capitals', 'BAŞLANGIÇ;BİTİŞ;ETİKET\n1;2;Hello\n3;4;Two\n', helloTwo],
    ['a Turkish header', 'Başlangıç;Bitiş;Etiket\n1;2;Hello\n3;4;Two\n', helloTwo],
    ['an Audacity region without words', '1.000000\t2.000000\t\n', [['marker', 1000, null, '']]],
    ['Audacity’s two columns', '1.000000\t2.000000\n', [['marker', 1000, null, '']]],
  ])('are read: %s', (_name, file, labels) => {
    expect(textsOf(file)).toEqual(labels);
    expect(readLabels(file).rejected).toEqual([]);
  });

  test('reject only the line of an Audacity label before zero', () => {
    expect(readLabels('-0.500000\t1.000000\tearly\n2.0\t2.0\tlater\n')).toMatchObject({
      labels: [{ atMs: 2000, text: 'later' }],
      rejected: [{ line: 1, reason: 'time' }],
    });
  });

  test.each([
    ['a paragraph without a time', 'WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n\nlost words\n', [6]],
    [
      'a paragraph in front of a cue',
      '1\n00:01.000 --> 00:02.000\nHello\n\nlost\nwords\n00:03.000 --> 00:04.000\nTwo\n',
      [6],
    ],
    ['times as fractions of a day', 'Start;Text\n0,0423611;A\n0,0833333;B\n', [2, 3]],
  ])('have each line reported that is not used: %s', (_name, file, lines) => {
    expect(readLabels(file).rejected).toEqual(lines.map((line) => ({ line, reason: 'time' })));
  });

  test('have their unknown columns reported', () => {
    expect(readLabels('Start,Speaker,Label,Text\n1,Ann,one,two\n')).toMatchObject({
      labels: [{ atMs: 1000, text: 'one' }],
      unknownColumns: ['Speaker', 'Text'],
    });
  });

  test('with frames of video editors are rejected by line, because the length of a frame is unknown', () => {
    expect(
      readLabels('Marker Name\tDescription\tIn\tOut\nA\thello\t00:00:01:12\t00:00:01:12\n'),
    ).toMatchObject({ labels: [], rejected: [{ line: 2, reason: 'time' }] });
  });

  test('in SubRip have the same times and texts after writing and reading', () => {
    const labels: Label[] = [
      { kind: 'marker', atMs: 1500, endMs: null, text: 'One', colour: 'blue' },
      { kind: 'note', atMs: 3_723_004, endMs: 3_725_000, text: 'Two\n\nlines', colour: null },
    ];
    expect(textsOf(toSrt(labels))).toEqual([
      ['note', 1500, 2500, 'One'],
      ['note', 3_723_004, 3_725_000, 'Two\nlines'],
    ]);
  });
});

describe('times saved again by a spreadsheet', () => {
  const labels: Label[] = [
    { kind: 'marker', atMs: 3_599_960, endMs: null, text: 'One', colour: 'blue' },
    { kind: 'note', atMs: 3_723_500, endMs: 7_325_040, text: 'Two', colour: null },
    { kind: 'marker', atMs: 90_061_004, endMs: null, text: 'Three', colour: null },
  ];
  /** Excel shows and saves times with fractions as minutes and seconds with one decimal. */
  const asExcel = (clock: string): string => {
    const tenths = Math.round(clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) * 10);
    return `${String(Math.floor(tenths / 600) % 60).padStart(2, '0')}:${((tenths % 600) / 10).toFixed(1).padStart(4, '0')}`;
  };
  const clocks = /\b\d+:\d\d:\d\d\.\d{3}\b/g;

  test('stay the same in our own table, whatever is left of their clocks', () => {
    const ours = toCsv(labels);
    expect(ours).toContain('\r\n01:02:03.500,02:02:05.040,Two,note,,3723500,7325040\r\n');
    for (const saved of [
      ours.replaceAll(clocks, asExcel),
      ours
        .replaceAll(clocks, asExcel)
        .replaceAll(/(?<=\d{2}:\d{2})\.(?=\d,)/g, ';')
        .replaceAll(',', ';')
        .replaceAll(/(?<=\d{2}:\d{2});(?=\d;)/g, ','),
      ours.replaceAll(clocks, '########'),
      ours.replaceAll(clocks, (clock) => clock.replace(/\.\d+$/, '')),
      ours.replaceAll(clocks, ''),
    ])
      expect(readLabels(saved)).toMatchObject({ labels, rejected: [] });
  });

  test('are reported where the clock was changed but not the milliseconds', () => {
    const changed = toCsv(labels).replace('01:02:03.500', '01:02:04.500').replace(',90061004', ',soon');
    expect(readLabels(changed)).toMatchObject({
      labels: [{ text: 'One' }],
      rejected: [
        { line: 3, reason: 'differs' },
        { line: 4, reason: 'time' },
      ],
    });
  });

  test('are used as they are in a row that was added without milliseconds', () => {
    expect(readLabels(`${toCsv(labels)}00:10:00.000,,New,marker,,,\r\n`).labels.at(-1)).toEqual({
      kind: 'marker',
      atMs: 600_000,
      endMs: null,
      text: 'New',
      colour: null,
    });
  });

  test.each([
    [
      'a table of ours of an earlier version',
      'start,end,label,kind,colour\n02:03.5,,A,marker,\n05:00.0,,B,marker,\n01:10:00,,C,marker,\n',
      [2, 3],
    ],
    ['times that go back', 'Time;Text\n59:50.5;A\n00:12,0;B\n00:13,0;C\n', [2, 3, 4]],
    ['a time without hours behind one with them', 'Time,Text\n01:00:00,A\n02:03.5,B\n', [3]],
    ['an end before its beginning', 'start,end,text\n59:58.0,00:03.5,A\n', [2]],
    ['no header', '59:50.5,A\n00:12.0,B\n', [1, 2]],
  ])('are recognised without hours: %s', (_name, file, lines) => {
    expect(readLabels(file)).toMatchObject({ rejected: [], linesWithoutHours: lines });
  });

  test.each([
    ['all below an hour, in their order', 'Time,Text\n02:03.5,A\n59:50.0,B\n'],
    ['hours only where there are some', 'Time,Text\n59:50.5,A\n1:00:12.0,B\n2:00:12.0,C\n'],
    ['three decimals', 'Time,Text\n59:50.500,A\n00:12.000,B\n'],
    ['seconds', 'Time,Text\n3590.5,A\n12,B\n'],
  ])('are recognised with hours: %s', (_name, file) => {
    expect(readLabels(file).linesWithoutHours).toBeUndefined();
    expect(readLabels(file).rejected).toEqual([]);
  });
});

describe('times in a unit that the user chose', () => {
  const times = (file: string, unit: LabelUnit | null) => {
    const { labels, rejected, unit: used } = readLabels(file, unit);
    return [labels.map(({ atMs, endMs }) => [atMs, endMs]), rejected.length, used];
  };

  test.each<[file: string, unit: LabelUnit | null, atMs: (number | null)[][], used: LabelUnit]>([
    ['start,label\n1500,A\n', null, [[1_500_000, null]], 'seconds'],
    ['start,label\n1500,A\n', 'milliseconds', [[1500, null]], 'milliseconds'],
    ['start,label\n0.5,A\n', 'hours', [[1_800_000, null]], 'hours'],
    ['start,end,label\n1,2.5,A\n', 'hours', [[3_600_000, 9_000_000]], 'hours'],
    ['start,label\n1:30,A\n', 'hours', [[5_400_000, null]], 'hours'],
    ['start,label\n1:30,A\n', 'milliseconds', [[90_000, null]], 'milliseconds'],
    ['start,label\n01:02:03.500,A\n', 'hours', [[3_723_500, null]], 'hours'],
    ['start;duration;label\n1000;500;A\n', 'milliseconds', [[1000, 1500]], 'milliseconds'],
    ['start\tend\ttext\n1000\t2000\tA\n', null, [[1000, 2000]], 'milliseconds'],
    ['start\tend\ttext\n1000\t2000\tA\n', 'seconds', [[1_000_000, 2_000_000]], 'seconds'],
    ['start_ms,label\n1000,A\n', null, [[1000, null]], 'milliseconds'],
    ['start_ms,label\n10,A\n', 'seconds', [[10_000, null]], 'seconds'],
    ['1000\t2000\tA\n', 'milliseconds', [[1000, 2000]], 'milliseconds'],
    ['1000\t2000\tA\n', null, [[1_000_000, 2_000_000]], 'seconds'],
    ['0.0423611\tA\n', 'hours', [], 'hours'],
    ['start,label\n0.0423611,A\n', 'hours', [[152_500, null]], 'hours'],
  ])('%j as %s', (...[file, unit, atMs, used]) => {
    expect(times(file, unit)).toEqual([atMs, atMs.length === 0 ? 1 : 0, used]);
  });

  test('are not offered for formats that always have clocks', () => {
    for (const file of ['WEBVTT\n\n00:01.000 --> 00:02.000\nA\n', '1\n00:00:01,000 --> 00:00:02,000\nA\n'])
      expect(readLabels(file).unit).toBeUndefined();
  });

  test('are no times if no recording is that long', () => {
    expect(times('start,label\n999999999999,A\n', 'hours')).toEqual([[], 1, 'hours']);
  });
});
