import { describe, expect, test } from 'vitest';
import { checkCatalogue, checkTranslation } from './catalogue-gate.ts';

const po = (entries: readonly (readonly [id: string, text: string, flag?: string])[]) =>
  [
    'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n',
    ...entries.map(
      ([id, text, flag]) =>
        `${flag ? `#, ${flag}\n` : ''}msgid ${JSON.stringify(id)}\nmsgstr ${JSON.stringify(text)}\n`,
    ),
  ].join('\n');

const markers = '{count, plural, one {# marker} other {# markers}}';
const polish = '{count, plural, one {# znacznik} few {# znaczniki} many {# znaczników} other {# znacznika}}';
const arabic =
  '{count, plural, zero {لا علامات} one {علامة واحدة} two {علامتان} few {# علامات} many {# علامة} other {# علامة}}';

describe('a translation passes', () => {
  test.each([
    ['de', 'Saved by {name} in <0>the library</0>.', 'Von {name} in <0>der Bibliothek</0> gesichert.'],
    ['pl', markers, polish],
    ['ar', markers, arabic],
    [
      'de',
      'Kept for {days, plural, one {# day} other {# days}}.',
      '{days, plural, one {Ein Tag} other {# Tage}} aufbewahrt.',
    ],
    ['ar', 'by {name}', 'من \u2068{name}\u2069'],
    ['de', 'a<0/>b', 'a<0/>c'],
  ])('%s: %s', (locale, source, target) => {
    expect(checkTranslation(locale, source, target)).toEqual([]);
  });

  test('in French without the category for millions, and in Czech without the one for decimals', () => {
    expect(checkTranslation('fr', markers, '{count, plural, one {# repère} other {# repères}}')).toEqual([]);
    expect(
      checkTranslation('cs', markers, '{count, plural, one {# značka} few {# značky} other {# značek}}'),
    ).toEqual([]);
  });
});

describe('a translation is rejected', () => {
  test.each([
    ['when it is missing', 'pl', 'Record', '', 'is missing'],
    ['when a placeholder was lost', 'de', 'Saved by {name}', 'Gesichert', 'lost {name}'],
    [
      'when a placeholder was renamed',
      'de',
      'Saved by {name}',
      'Gesichert von {nahme}',
      '{nahme} is not in the source',
    ],
    ['when a placeholder was added', 'de', 'Saved', 'Gesichert von {name}', '{name} is not in the source'],
    [
      'when a placeholder is missing in one branch only',
      'de',
      '{n, plural, one {# in {place}} other {# in {place}}}',
      '{n, plural, one {#} other {# in {place}}}',
      'lost {place}',
    ],
    ['when a tag was lost', 'de', 'Open <0>the library</0>', 'Bibliothek öffnen', 'lost <0>'],
    ['when a tag was added', 'de', 'Open <0>it</0>', '<1>Es</1> <0>öffnen</0>', '<1> is not in the source'],
    ['when the plural was flattened', 'de', markers, '{count} Marken', 'lost {count, plural}'],
    [
      'when a plural category is missing',
      'pl',
      markers,
      '{count, plural, one {# znacznik} other {# znaczniki}}',
      '{count} lacks the plural category "few"',
    ],
    [
      'when a plural category does not exist',
      'pl',
      markers,
      polish.replace('many', 'two {dwa} many'),
      '{count} has the plural category "two", which pl does not know',
    ],
    [
      'when a category of several numbers hides the number',
      'ru',
      markers,
      '{count, plural, one {одна метка} few {# метки} many {# меток} other {# метки}}',
      '{count} does not show the number in "one", which stands for several',
    ],
    ['when it has raw HTML', 'de', 'Bold', '<b>Fett</b>', 'has raw HTML <b>'],
    ['when it has an HTML entity', 'de', 'A B', 'A&nbsp;B', 'has an HTML entity'],
    [
      'when a bidirectional mark stays open',
      'ar',
      'by {name}',
      'من \u2068{name}',
      'has an unpaired bidirectional mark',
    ],
    [
      'when a bidirectional mark closes nothing',
      'ar',
      'by {name}',
      'من \u2069{name}',
      'has an unpaired bidirectional mark',
    ],
    ['when it ends with a space', 'de', 'Record', 'Aufnehmen ', 'begins or ends with a space'],
    ['when it begins with a space', 'de', 'Record', ' Aufnehmen', 'begins or ends with a space'],
  ])('%s', (...[, locale, source, target, problem]) => {
    expect(checkTranslation(locale, source, target)).toContain(problem);
  });

  test.each([
    ['when braces do not close', 'Saved by {name}', 'Gesichert von {name'],
    ['when a tag does not close', 'Open <0>it</0>', 'Öffne <0>es'],
    ['when the category "other" is missing', markers, '{count, plural, one {# Marke}}'],
    ['when the word "other" was translated', markers, '{count, plural, one {# Marke} andere {# Marken}}'],
  ])('%s', (_, source, target) => {
    expect(checkTranslation('de', source, target)).toEqual([expect.stringMatching(/^is malformed: /)]);
  });
});

describe('a catalogue', () => {
  const sourcePo = po([
    ['Record', 'Record'],
    [markers, markers],
  ]);

  test('passes when every message of the source is translated', () => {
    expect(
      checkCatalogue({
        locale: 'pl',
        sourcePo,
        po: po([
          ['Record', 'Nagraj'],
          [markers, polish],
        ]),
      }),
    ).toEqual([]);
  });

  test('is rejected for a fuzzy message', () => {
    const findings = checkCatalogue({
      locale: 'pl',
      sourcePo,
      po: po([
        ['Record', 'Nagraj', 'fuzzy'],
        [markers, polish],
      ]),
    });
    expect(findings).toEqual([{ locale: 'pl', message: 'Record', problem: 'is fuzzy' }]);
  });

  test('is rejected if an entry of the source is missing', () => {
    const findings = checkCatalogue({ locale: 'pl', sourcePo, po: po([['Record', 'Nagraj']]) });
    expect(findings).toEqual([{ locale: 'pl', message: markers, problem: 'is missing' }]);
  });

  test('is rejected for an entry that the source does not have', () => {
    const findings = checkCatalogue({
      locale: 'pl',
      sourcePo,
      po: po([
        ['Record', 'Nagraj'],
        [markers, polish],
        ['Old', 'Stary'],
      ]),
    });
    expect(findings).toEqual([{ locale: 'pl', message: 'Old', problem: 'is not in the source catalogue' }]);
  });

  test('of the source language follows the same rules', () => {
    const broken = '{count, plural, other {# markers}}';
    const findings = checkCatalogue({
      locale: 'en',
      sourcePo: po([[broken, broken]]),
      po: po([[broken, broken]]),
    });
    expect(findings.map(({ problem }) => problem)).toEqual(['{count} lacks the plural category "one"']);
  });
});
