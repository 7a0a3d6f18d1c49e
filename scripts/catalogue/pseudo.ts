import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  isLiteralElement,
  isPluralElement,
  isSelectElement,
  isTagElement,
  parse,
  type MessageFormatElement,
} from '@formatjs/icu-messageformat-parser';
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js';
import { parsePo, stringifyPo } from 'pofile-ts';
import { nameTags, numberTags } from './catalogue-message.ts';

type Respell = (text: string) => string;

const accents = new Map(
  Object.entries({
    a: 'á',
    b: 'ƀ',
    c: 'ç',
    d: 'ð',
    e: 'é',
    f: 'ƒ',
    g: 'ĝ',
    h: 'ĥ',
    i: 'î',
    j: 'ĵ',
    k: 'ķ',
    l: 'ļ',
    m: 'ɱ',
    n: 'ñ',
    o: 'ö',
    p: 'þ',
    q: 'ǫ',
    r: 'ŕ',
    s: 'š',
    t: 'ţ',
    u: 'û',
    v: 'ṽ',
    w: 'ŵ',
    x: 'ẋ',
    y: 'ý',
    z: 'ž',
    A: 'Å',
    B: 'Ɓ',
    C: 'Ç',
    D: 'Ð',
    E: 'É',
    F: 'Ƒ',
    G: 'Ĝ',
    H: 'Ĥ',
    I: 'Î',
    J: 'Ĵ',
    K: 'Ķ',
    L: 'Ļ',
    M: 'Ṁ',
    N: 'Ñ',
    O: 'Ö',
    P: 'Þ',
    Q: 'Ǫ',
    R: 'Ŕ',
    S: 'Š',
    T: 'Ţ',
    U: 'Û',
    V: 'Ṽ',
    W: 'Ŵ',
    X: 'Ẋ',
    Y: 'Ý',
    Z: 'Ž',
  }),
);

const words = /\p{L}[\p{L}\p{M}’-]*/gu;
const rightToLeftOverride = '\u202e';
const popDirection = '\u202c';

/**
 * Accents every letter and marks every word with tildes for half its length, so that texts get longer by about
 * half, as translations can.
 */
export const accented: Respell = (text) =>
  text.replaceAll(
    words,
    (word) =>
      `${Array.from(word, (letter) => accents.get(letter) ?? letter).join('')}${'~'.repeat(Math.ceil(word.length / 2))}`,
  );

/** Reverses every word, as a right-to-left script would be displayed. */
export const turned: Respell = (text) =>
  text.replaceAll(words, (word) => `${rightToLeftOverride}${word}${popDirection}`);

function respelled(elements: readonly MessageFormatElement[], respell: Respell): MessageFormatElement[] {
  return elements.map((element) => {
    if (isLiteralElement(element))
      return {
        ...element,
        value: element.value.replaceAll(/<t\d+\/>|[^<]+|</g, (part) =>
          part.startsWith('<t') ? part : respell(part),
        ),
      };
    if (isTagElement(element)) return { ...element, children: respelled(element.children, respell) };
    if (!isPluralElement(element) && !isSelectElement(element)) return element;
    const options = Object.entries(element.options).map(
      ([name, option]) => [name, { ...option, value: respelled(option.value, respell) }] as const,
    );
    return { ...element, options: Object.fromEntries(options) };
  });
}

/** Returns one message in a pseudo-locale. Placeholders, tags and plural forms are unchanged. */
export function pseudoMessage(message: string, respell: Respell): string {
  const printed = printAST(respelled(parse(nameTags(message), { captureLocation: false }), respell));
  // The parser reads a tag without content as text, and the printer quotes it.
  return numberTags(printed.replaceAll(/'(<t\d+\/>)'/g, '$1'));
}

/** Generates the catalogues of both pseudo-locales from the source catalogue. */
export function writePseudoCatalogues(folder: string): void {
  const source = readFileSync(join(folder, 'en.po'), 'utf8');
  for (const [tag, respell] of [
    ['en-XA', accented],
    ['ar-XB', turned],
  ] as const) {
    const po = parsePo(source);
    po.headers['Language'] = tag;
    for (const item of po.items)
      item.msgstr = item.msgstr.map((text) => pseudoMessage(text || item.msgid, respell));
    if (tag === 'en-XA') for (const item of po.items) item.msgstr = item.msgstr.map((text) => `[${text}]`);
    writeFileSync(join(folder, `${tag}.po`), stringifyPo(po));
  }
}
