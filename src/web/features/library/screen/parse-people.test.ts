import { expect, test } from 'vitest';
import { parsePeople } from './parse-people.ts';

test('names are told apart by the commas of their script, each once', () => {
  expect(parsePeople('Ada Lovelace,  Björk ;Ada Lovelace,')).toEqual(['Ada Lovelace', 'Björk']);
  expect(parsePeople('نور، ليلى')).toEqual(['نور', 'ليلى']);
  expect(parsePeople('山田、鈴木，王')).toEqual(['山田', '鈴木', '王']);
  expect(parsePeople(' , ')).toEqual([]);
});

test('no name is left out, also where there are more than a recording may have: whoever typed them is told', () => {
  expect(parsePeople(Array.from({ length: 50 }, (_, index) => `Person ${index}`).join(','))).toHaveLength(50);
});
