import { expect, test } from 'vitest';
import { ConfigError } from '#server/config.ts';
import { exitCodeOf } from './exit-code.ts';
import { StartError } from '#server/start-error.ts';

const coded = (code: string): Error => Object.assign(new Error(code), { code });
const because = (cause: Error): StartError => new StartError('a sentence', { cause });

test.each([
  ['a database that does not respond', because(coded('ECONNREFUSED'))],
  [
    'each of several addresses of it',
    because(Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })),
  ],
  ['a database that starts', because(coded('57P03'))],
  ['a name server that does not respond yet', because(coded('EAI_AGAIN'))],
  ['no connection left', because(coded('53300'))],
  ['a full disk', because(coded('ENOSPC'))],
  ['a port that the server before still has', because(coded('EADDRINUSE'))],
  ['a folder that it still has', new StartError('a sentence', { isTemporary: true })],
])('a server starts again after 75: %s', (_, error) => {
  expect(exitCodeOf(error)).toBe(75);
});

test.each([
  ['a wrong password', because(coded('28P01'))],
  ['a missing database', because(coded('3D000'))],
  ['a folder of another user', because(coded('EACCES'))],
  ['a lost database', new StartError('a sentence')],
  ['a wrong setting', new ConfigError(['a mistake'])],
])('a server waits for its operator after 78: %s', (_, error) => {
  expect(exitCodeOf(error)).toBe(78);
});

test('an unknown failure is 1', () => {
  expect(exitCodeOf(new TypeError('a fault'))).toBe(1);
});
