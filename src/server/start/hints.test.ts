import { expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { misspelledVariables, reachHints } from './hints.ts';

test.each([
  ['DATADIR', 'DATA_DIR'],
  ['data_dir', 'DATA_DIR'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['TRUSTED_PROXY_HOP', 'TRUSTED_PROXY_HOPS'],
  ['PUBLIC-URL', 'PUBLIC_URL'],
  ['SECRETKEY_FILE', 'SECRET_KEY'],
  ['SIGNUPS', 'SIGN_UP'],
])('a variable %s is taken for a misspelled %s', (name, meant) => {
  expect(misspelledVariables({ [name]: 'x' })).toEqual([
    `The variable ${name} means nothing to Earshot: did you mean ${meant}?`,
  ]);
});

test('variables of others, and ours as they are, give no hint', () => {
  expect(
    misspelledVariables({
      HOSTNAME: 'a',
      PWD: '/',
      PATH: '/bin',
      HOME: '/',
      LOGNAME: 'x',
      MAIL: '/var/mail',
      NODE_ENV: 'production',
      npm_config_cache: '/c',
      DATA_DIR: '/d',
      SIGN_UP: 'closed',
      TZ: 'UTC',
      DATABASE_HOST: 'db',
      LOG_LEVELS: 'x',
      SECRET: 'x',
    }),
  ).toEqual(['The variable LOG_LEVELS means nothing to Earshot: did you mean LOG_LEVEL?']);
});

test.each(['192.0.2.7', '2001:db8::7'])(
  'a server that listens at %s alone, and has no PUBLIC_URL, is pointed out: nobody can reach it',
  (HOST) => {
    expect(reachHints(readConfig({ HOST }))).toEqual([
      `Earshot listens at HOST=${HOST}, but answers only under http://localhost:3000, because PUBLIC_URL is not set: set it to the address that people use (https://…).`,
    ]);
  },
);

test.each([
  ['0.0.0.0', ''],
  ['::', ''],
  ['127.0.0.1', ''],
  ['::1', ''],
  ['192.0.2.7', 'https://ear.example'],
])('a server at HOST=%s with PUBLIC_URL=%s can be reached and gives no hint', (HOST, PUBLIC_URL) => {
  expect(reachHints(readConfig({ HOST, PUBLIC_URL }))).toEqual([]);
});
