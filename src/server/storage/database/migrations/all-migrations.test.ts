import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { migrations } from './all-migrations.ts';

const numberedFiles = readdirSync(import.meta.dirname)
  .filter((name) => /^\d{4}-.*(?<!\.test)\.ts$/.test(name))
  .sort();

test('lists every numbered file of the folder by name, in numeric order', () => {
  expect(migrations.map(({ name }) => `${name}.ts`)).toEqual(numberedFiles);
});

test('has no two migrations with the same number', () => {
  expect(new Set(migrations.map(({ name }) => name.slice(0, 4))).size).toBe(migrations.length);
});
