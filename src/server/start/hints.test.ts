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
  ['SHAREURL', 'SHARE_URL'],
  ['BACKUPS_TO', 'BACKUP_TO'],
])('reports a variable %s as a misspelled %s', (name, meant) => {
  expect(misspelledVariables({ [name]: 'x' })).toEqual([
    `The variable ${name} is unknown to Earshot: did you mean ${meant}?`,
  ]);
});

test('gives no hint for variables of other programs or correct ones', () => {
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
  ).toEqual(['The variable LOG_LEVELS is unknown to Earshot: did you mean LOG_LEVEL?']);
});

test.each(['192.0.2.7', '2001:db8::7'])(
  'points out that a server at only %s, without PUBLIC_URL, cannot be reached',
  (HOST) => {
    expect(reachHints(readConfig({ HOST }))).toEqual([
      `Earshot listens on HOST=${HOST}, but only accepts requests for http://localhost:3000, because PUBLIC_URL is not set: set it to the address that users open (https://…).`,
    ]);
  },
);

test.each([
  ['0.0.0.0', ''],
  ['::', ''],
  ['127.0.0.1', ''],
  ['::1', ''],
  ['192.0.2.7', 'https://ear.example'],
])('gives no hint for HOST=%s with PUBLIC_URL=%s, which can be reached', (HOST, PUBLIC_URL) => {
  expect(reachHints(readConfig({ HOST, PUBLIC_URL }))).toEqual([]);
});
