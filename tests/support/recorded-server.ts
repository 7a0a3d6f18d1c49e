import { randomBytes } from 'node:crypto';
import { describe, onTestFinished } from 'vitest';
import { z } from 'zod';
import { shortRecording } from '#scripts/demo/demo-recordings.ts';
import { storeSampleRecording } from '#scripts/demo/store-recording.ts';
import { ApiClient, playedBytes } from './api-client.ts';
import { copyPostgresTemplate } from './database-templates.ts';
import { addressOf, onPostgres } from './on-postgres.ts';
import { EarshotServer } from './earshot-server.ts';
import { hasPostgres, testPostgresUrl as url } from './test-postgres.ts';

/** Launches a server in its own process, which ends with the test. */
export async function launchOn(
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<EarshotServer> {
  const server = await EarshotServer.launch(environment, dataDir);
  onTestFinished(async () => {
    await server.end('SIGKILL');
  });
  return server;
}

/** A client of this server, signed in as a new user or as one who signed up before its data was copied. */
export async function userOf(
  server: Pick<EarshotServer, 'url'>,
  known?: { email: string; password: string },
): Promise<{ client: ApiClient; user: { email: string; password: string } }> {
  const client = new ApiClient(server.url);
  onTestFinished(() => {
    client.close();
  });
  if (known === undefined) return { client, user: await client.signUp() };
  await client.json('POST', '/auth/login', { body: known });
  return { client, user: known };
}

const listSchema = z.object({ items: z.array(z.object({ id: z.string(), title: z.string() })) });

export async function recordingsOf(client: ApiClient): Promise<{ id: string; title: string }[]> {
  return listSchema.parse(await client.json('GET', '/api/recordings')).items;
}

/** Stores two seconds of speech. Returns the recording's id and the bytes that a player gets. */
export async function storeSpeechAs(
  client: ApiClient,
  title: string,
): Promise<{ id: string; audio: Buffer }> {
  const id = await storeSampleRecording(client, await shortRecording(title));
  return { id, audio: await playedBytes(client, id) };
}

/** Creates a database that is deleted after the test. Returns its name. */
async function temporaryPostgres(url: string, create: (name: string) => Promise<unknown>): Promise<string> {
  const name = `start_${randomBytes(8).toString('hex')}`;
  await create(name);
  onTestFinished(async () => {
    await onPostgres(url, (client) => client.query(`drop database ${name} with (force)`));
  });
  return name;
}

/** The URL of a new PostgreSQL database without tables, on the server of `TEST_POSTGRES_URL`. */
export async function emptyPostgres(): Promise<string> {
  const name = await temporaryPostgres(url, (named) =>
    onPostgres(url, (client) => client.query(`create database ${named}`)),
  );
  return addressOf(url, name);
}

/**
 * Declares tests on SQLite and, if `TEST_POSTGRES_URL` is set, on PostgreSQL. `environment` creates an empty
 * database and returns the variables that name it.
 */
export function onBothDatabases(declare: (environment: () => Promise<Record<string, string>>) => void): void {
  describe('on SQLite', () => {
    declare(() => Promise.resolve({}));
  });
  describe.skipIf(!hasPostgres)('on PostgreSQL', () => {
    declare(async () => {
      const name = await temporaryPostgres(url, (named) => copyPostgresTemplate(url, named));
      return { DATABASE_URL: addressOf(url, name) };
    });
  });
}
