import { expect, test } from 'vitest';
import { parsePeople } from './parse-people.ts';

test('splits names at the commas of their script, without duplicates', () => {
  expect(parsePeople('Ada Lovelace,  Björk ;Ada Lovelace,')).toEqual(['Ada Lovelace', 'Björk']);
  expect(parsePeople('نور، ليلى')).toEqual(['نور', 'ليلى']);
  expect(parsePeople('山田、鈴木，王')).toEqual(['山田', '鈴木', '王']);
  expect(parsePeople(' , ')).toEqual([]);
});

test('keeps every name, even above the limit, so that the form can show an error', () => {
  expect(parsePeople(Array.from({ length: 50 }, (_, index) => `Person ${index}`).join(','))).toHaveLength(50);
});
