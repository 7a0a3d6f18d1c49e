import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PluralElement } from '@formatjs/icu-messageformat-parser';
import { parsePo, type PoItem } from 'pofile-ts';
import { locales } from '#contract/locales.ts';
import { readMessage, showsNumber, type MessageParts } from './catalogue-message.ts';

export interface Finding {
  locale: string;
  message: string;
  problem: string;
}

const maxCounted = 1000;
const opening = /[\u2066-\u2068\u202a\u202b\u202d\u202e]/;

/**
 * Returns the plural categories of the integers 0–1000, with how many integers are in each. Categories only for
 * millions or decimals are not required.
 */
function countedCategories(locale: string, type: Intl.PluralRulesOptions['type']): Map<string, number> {
  const rules = new Intl.PluralRules(locale, { type: type ?? 'cardinal' });
  const counts = new Map<string, number>();
  for (let number = 0; number <= maxCounted; number += 1)
    counts.set(rules.select(number), (counts.get(rules.select(number)) ?? 0) + 1);
  return counts;
}

function pluralProblems(locale: string, plural: PluralElement): string[] {
  const given = Object.keys(plural.options).filter((category) => !category.startsWith('='));
  const counted = countedCategories(locale, plural.pluralType);
  const possible = new Intl.PluralRules(locale, { type: plural.pluralType ?? 'cardinal' }).resolvedOptions()
    .pluralCategories;
  const missing = [...counted.keys()].filter((category) => !given.includes(category));
  const impossible = given.filter(
    (category) => category !== 'other' && !possible.some((known) => known === category),
  );
  // A category for several numbers must show the number: Russian "one" covers 1, 21, 31 …
  const silent = showsNumber(plural, 'other')
    ? given.filter((category) => (counted.get(category) ?? 0) > 1 && !showsNumber(plural, category))
    : [];
  return [
    ...missing.map((category) => `{${plural.value}} lacks the plural category "${category}"`),
    ...impossible.map(
      (category) => `{${plural.value}} has the plural category "${category}", which ${locale} does not know`,
    ),
    ...silent.map(
      (category) => `{${plural.value}} does not show the number in "${category}", which stands for several`,
    ),
  ];
}

const bareName = (name: string) => name.split(',', 1)[0] ?? name;

function placeholderProblems(source: MessageParts, target: MessageParts): string[] {
  const lost = source.always.difference(target.always).union(source.anywhere.difference(target.anywhere));
  const known = new Set([...source.anywhere].map(bareName));
  const extra = [...target.anywhere].filter((name) => !known.has(bareName(name)));
  const show = (name: string) => (name.startsWith('<') ? name.replace('<t', '<') : `{${name}}`);
  const shownLost = [...lost].filter((name) => !name.endsWith('plural') || target.plurals.length === 0);
  return [
    ...shownLost.map((name) => `lost ${show(name)}`),
    ...extra.map((name) => `${show(name)} is not in the source`),
  ];
}

/**
 * Returns whether bidirectional marks are not closed in order. An unclosed mark affects everything after the
 * message.
 */
function hasUnpairedMarks(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (opening.test(character)) depth += 1;
    if (character === '\u2069' || character === '\u202c') depth -= 1;
    if (depth < 0) return true;
  }
  return depth !== 0;
}

function textProblems(text: string): string[] {
  const problems: string[] = [];
  if (text !== text.trim()) problems.push('begins or ends with a space');
  if (hasUnpairedMarks(text)) problems.push('has an unpaired bidirectional mark');
  if (/&(#\d+|#x[0-9a-f]+|[a-z]{2,8});/i.test(text)) problems.push('has an HTML entity');
  return problems;
}

/** Returns the problems of one translation of one source message; empty if it may ship. */
export function checkTranslation(locale: string, source: string, target: string): string[] {
  if (target === '') return ['is missing'];
  let parts: MessageParts;
  try {
    parts = readMessage(target);
  } catch (error) {
    return [`is malformed: ${error instanceof Error ? error.message : String(error)}`];
  }
  const html = parts.rawTags.map((tag) => `has raw HTML <${tag}>`);
  return [
    ...textProblems(target),
    ...html,
    ...placeholderProblems(readMessage(source), parts),
    ...parts.plurals.flatMap((plural) => pluralProblems(locale, plural)),
  ];
}

const keyOf = ({ msgid, msgctxt }: PoItem) => `${msgctxt ?? ''}\u0004${msgid}`;
const itemsOf = (po: string) => parsePo(po).items.filter(({ msgid, obsolete }) => msgid !== '' && !obsolete);

/** Checks a catalogue against the one of the source language. */
export function checkCatalogue({
  locale,
  po,
  sourcePo,
}: {
  locale: string;
  po: string;
  sourcePo: string;
}): Finding[] {
  const sources = itemsOf(sourcePo);
  const translations = new Map(itemsOf(po).map((item) => [keyOf(item), item]));
  const findings = sources.flatMap((source) => {
    const item = translations.get(keyOf(source));
    const problems = checkTranslation(locale, source.msgid, item?.msgstr[0] ?? '');
    if (item?.flags['fuzzy']) problems.unshift('is fuzzy');
    return problems.map((problem) => ({ locale, message: source.msgid, problem }));
  });
  const known = new Set(sources.map(keyOf));
  const stale = [...translations]
    .filter(([key]) => !known.has(key))
    .map(([, { msgid }]) => ({ locale, message: msgid, problem: 'is not in the source catalogue' }));
  return [...findings, ...stale];
}

async function main(folder: string, sourceLocale: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => locales.some(({ tag }) => name === `${tag}.po`));
  const sourcePo = await readFile(join(folder, `${sourceLocale}.po`), 'utf8');
  const checked = await Promise.all(
    names.map(async (name) =>
      checkCatalogue({ locale: name.slice(0, -3), po: await readFile(join(folder, name), 'utf8'), sourcePo }),
    ),
  );
  const findings = checked.flat();
  for (const { locale, message, problem } of findings) console.error(`${locale}: ${problem}: ${message}`);
  console.log(
    `${names.length} catalogues, ${itemsOf(sourcePo).length} messages, ${findings.length} findings`,
  );
  if (findings.length > 0) process.exitCode = 1;
}

if (import.meta.main) await main(join(import.meta.dirname, '..', '..', 'locales'), 'en');
