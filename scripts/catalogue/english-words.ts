import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  isArgumentElement,
  isLiteralElement,
  isPluralElement,
  isPoundElement,
  isSelectElement,
  isTagElement,
  parse,
  type MessageFormatElement,
} from '@formatjs/icu-messageformat-parser';
import { parsePo } from 'pofile-ts';
import { nameTags } from './catalogue-message.ts';

/** A pattern that English messages avoid, and the replacement that `docs/voice.md` recommends. */
interface Rule {
  pattern: RegExp;
  instead: string;
}

const notContracted =
  /\b(?:can ?not|(?:is|are|was|were|do|does|did|has|have|had|could|would|should|will|need) not)\b/i;
const verbs =
  'is|isn’t|was|wasn’t|are|aren’t|were|has|hasn’t|had|have|can|can’t|could|couldn’t|will|won’t|would|may|might|must|needs|takes|looks|contains|changes|opens|works|means|gives|did|didn’t|does|doesn’t';

const rules: readonly Rule[] = [
  {
    pattern: /\b(?:go|goes|going|went|gone) on\b/i,
    instead: 'continue (a process) or resume (recording, playback)',
  },
  {
    pattern:
      /\bkept\b|\bkeeps? (?!recording\b)(?:\S+ ){0,3}?(?:recordings?|cop(?:y|ies)|audio|sound|files?|seconds?)\b/i,
    instead: 'save, saved or safe',
  },
  { pattern: /\brooms?\b/i, instead: 'space, storage or limit' },
  { pattern: /\bfor good\b/i, instead: 'permanently' },
  {
    pattern: new RegExp(String.raw`^(?:It\b|(?:This|That|These|Those|They)(?:’\w+| (?:${verbs})\b|\.))`),
    instead: 'the name of the thing at the start: a screen-reader user hears the message alone',
  },
  { pattern: /\banew\b/i, instead: 'again' },
  { pattern: /\bat once\b/i, instead: 'right away, now or at a time' },
  { pattern: /\bbesides?\b/i, instead: 'next to' },
  { pattern: /\bby (?:itself|themselves)\b/i, instead: 'automatically, or nothing' },
  { pattern: /\bmeanwhile\b/i, instead: 'in the meantime, or nothing' },
  { pattern: /\b(?:begin|begins|began|begun|beginning)\b/i, instead: 'start' },
  {
    pattern: /\b(?:somebody|anybody|everybody|whoever)\b/i,
    instead: 'someone, anyone, everyone, or a sentence that starts with "If someone"',
  },
  { pattern: /\bnobody\b/i, instead: 'no one' },
  { pattern: /;/, instead: 'two sentences' },
  { pattern: /\b(?:is|are|was|were)(?:n’t| not) right\b/i, instead: 'wrong' },
  { pattern: /\be-mails?\b/i, instead: 'email' },
  { pattern: notContracted, instead: 'the contraction: can’t, isn’t, doesn’t' },
  {
    pattern:
      /(?<!\b(?:where|what|who|how|as) )\b(?:(?:you|they|we) (?:are|have been|will)|it is)\b|\bthere (?:is|are) (?:no|not)\b/i,
    instead: 'the contraction: you’re, they’ll, there’s, it’s',
  },
  { pattern: /\b(?:a|an|the|this|that|each|every|another) takes?\b/i, instead: 'recording' },
  {
    pattern: /\btabs?\b.*\bwindows?\b|\bwindows?\b.*\btabs?\b/i,
    instead: 'tab for a page, window for a private window or a sign-in window; never both',
  },
  { pattern: /\bswitch(?:es|ed|ing)?(?: \S+)? (?:on|off)\b/i, instead: 'turn on, turn off' },
  { pattern: /\bprograms?\b/i, instead: 'app' },
  {
    pattern:
      /\b(?:as you wished|letter by letter|all is well|counts? (?:once|for|no longer)|puts? (?:it|them) right|on (?:its|their) way|(?:is|are) here already|of the same number)\b/i,
    instead: 'what a native speaker says: valid for, exactly as shown, nothing to do, uploading, already',
  },
  {
    pattern: /\b(?:colors?|favorites?|canceled|behavior|(?:recogni|organi|synchroni)z\w+)\b/i,
    instead: 'the British spelling',
  },
  { pattern: /['"]/, instead: 'typographic marks: ’ “ ”' },
  { pattern: /!|\boops\b/i, instead: 'a calm sentence with a full stop' },
];

function texts(elements: readonly MessageFormatElement[]): string[] {
  return elements.reduce<string[]>(
    (before, element) => {
      const after = textsOf(element);
      return before.flatMap((text) => after.map((more) => text + more));
    },
    [''],
  );
}

/**
 * Returns every text that an element can produce. A placeholder becomes a digit, so that it neither joins two
 * words nor counts as one.
 */
function textsOf(element: MessageFormatElement): string[] {
  if (isLiteralElement(element)) return [element.value];
  if (isPoundElement(element) || isArgumentElement(element)) return ['0'];
  if (isTagElement(element)) return texts(element.children);
  if (isPluralElement(element) || isSelectElement(element))
    return Object.values(element.options).flatMap(({ value }) => texts(value));
  return ['0'];
}

/** Returns recommended replacements for an English message; empty if it may ship. */
export function englishProblems(message: string): string[] {
  const variants = texts(parse(nameTags(message), { requiresOtherClause: true, captureLocation: false }));
  return rules.flatMap(({ pattern, instead }) => {
    const found = variants.map((text) => pattern.exec(text)?.[0]).find((part) => part !== undefined);
    return found === undefined ? [] : [`"${found}": use ${instead}`];
  });
}

async function main(catalogue: string): Promise<void> {
  const { items } = parsePo(await readFile(catalogue, 'utf8'));
  const messages = [...new Set(items.map(({ msgid }) => msgid))].filter((msgid) => msgid !== '');
  const findings = messages.flatMap((message) =>
    englishProblems(message).map((problem) => `${problem} (${message})`),
  );
  for (const finding of findings) console.error(finding);
  console.log(`${messages.length} English messages, ${findings.length} findings (see docs/voice.md)`);
  if (findings.length > 0) process.exitCode = 1;
}

if (import.meta.main) await main(join(import.meta.dirname, '..', '..', 'locales', 'en.po'));
