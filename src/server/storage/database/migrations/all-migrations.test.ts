import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { migrations } from './all-migrations.ts';

const numberedFiles = readdirSync(import.meta.dirname)
  .filter((name) => /^\d{4}-.*(?<!\.test)\.ts$/.test(name))
  .sort();

test('every numbered file of the folder is a step of that name, in the order of the numbers', () => {
  expect(migrations.map(({ name }) => `${name}.ts`)).toEqual(numberedFiles);
});

test('no two steps have one number', () => {
  expect(new Set(migrations.map(({ name }) => name.slice(0, 4))).size).toBe(migrations.length);
});
