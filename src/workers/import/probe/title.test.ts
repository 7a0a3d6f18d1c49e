import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { titleSchema } from '#contract/values.ts';
import { asTitle, nameWithoutEnding, titleOf } from './title.ts';

describe('the title', () => {
  it.each([
    ['a/b/My talk.mp3', 'My talk'],
    ['.hidden', '.hidden'],
    ['v1.2 final.wav', 'v1.2 final'],
    ['חדשות.ogg', 'חדשות'],
    ['no ending', 'no ending'],
    ['Interview v1.2', 'Interview v1.2'],
    ['Meeting 10.30am', 'Meeting 10.30am'],
    ['call.3gpp', 'call'],
    ['old.8svx', 'old'],
    ['call.amr', 'call'],
  ])('of %s is %s', (name, title) => {
    expect(nameWithoutEnding(name)).toBe(title);
  });

  it('is valid on the server, whatever the tags and the name contain', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 400 }),
        fc.string({ unit: 'binary', maxLength: 400 }),
        (tagTitle, name) => {
          const title = titleOf({ name, tagTitle }, []);
          expect(titleSchema.safeParse(title).success).toBe(true);
        },
      ),
    );
    expect(asTitle('  two\nlines\u0000 ')).toBe('two lines');
  });

  it.each([
    ['مصاحبه با می\u200cخواهم', 'مصاحبه با می\u200cخواهم'],
    ['Family 👩\u200d👩\u200d👧 dinner', 'Family 👩\u200d👩\u200d👧 dinner'],
    ['क्\u200dष', 'क्\u200dष'],
    [
      '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} match',
      '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} match',
    ],
    ['Groß\u00admutter\u200b erzählt\ufeff', 'Großmutter erzählt'],
    ['evil\u202egpj.exe', 'evilgpj.exe'],
    ['\u200d\u200c', ''],
  ])('of %j keeps the marks that belong to its letters: %j', (text, title) => {
    expect(asTitle(text)).toBe(title);
  });
});
