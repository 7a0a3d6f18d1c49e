import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openApiDocument } from './openapi.ts';

/** Keywords of JSON Schema and OpenAPI that do not name what stands below them. */
const isKeyword = (key: string): boolean =>
  /^(?:anyOf|oneOf|allOf|items|schema|properties|content|\d+)$/.test(key);

const wordsOf = (schema: object): string[] => {
  const words: unknown[] = 'enum' in schema && Array.isArray(schema.enum) ? [...schema.enum] : [];
  if ('const' in schema) words.push(schema.const);
  return words.filter((word) => typeof word === 'string');
};

/** The words that a field may have, one per line: `role admin`. */
function choicesIn(document: object): string[] {
  const found = new Set<string>();
  const visit = (schema: unknown, name: string): void => {
    if (typeof schema !== 'object' || schema === null) return;
    for (const word of wordsOf(schema)) found.add(`${name} ${word}`);
    for (const [key, below] of Object.entries(schema)) visit(below, isKeyword(key) ? name : key);
  };
  visit(document, '');
  return [...found].toSorted();
}

/**
 * More people read the words of the public API than any other text of this project, and it can't change them at once.
 * A new word is added to the file by hand, so that a reviewer reads it as prose.
 */
test('every word that a field of the API may have stands in choices.txt', () => {
  const document = openApiDocument({ version: '1.2.3', cookieName: 'sid' });
  const listed = readFileSync(new URL('choices.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  expect(choicesIn(document)).toEqual(listed);
});
