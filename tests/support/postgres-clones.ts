import { randomBytes } from 'node:crypto';
import { copyPostgresTemplate } from './database-templates.ts';
import { addressOf, onPostgres } from './on-postgres.ts';

/** The databases that the tests of one file use, one after the other. */
export class PostgresClones {
  readonly #url: string;
  readonly #empty: string[] = [];

  constructor(url: string) {
    this.#url = url;
  }

  /** The name of a database as the migrations leave it. */
  async take(): Promise<string> {
    const name = this.#empty.pop();
    if (name !== undefined) return name;
    const created = `test_${randomBytes(8).toString('hex')}`;
    await copyPostgresTemplate(this.#url, created);
    return created;
  }

  /** Empties a database for the next test, or drops it if the test has changed its schema. */
  async giveBack(name: string): Promise<void> {
    const isReusable = await onPostgres(addressOf(this.#url, name), async (client) => {
      const { rowCount } = await client.query(
        `select 1 where test_support.fingerprint() = obj_description('test_support'::regnamespace)`,
      );
      if (rowCount === 1) await client.query('select test_support.empty()');
      return rowCount === 1;
    }).catch(() => false);
    if (isReusable) this.#empty.push(name);
    else await this.#drop(name);
  }

  async dropAll(): Promise<void> {
    for (const name of this.#empty.splice(0)) await this.#drop(name);
  }

  async #drop(name: string): Promise<void> {
    await onPostgres(this.#url, (client) => client.query(`drop database if exists ${name} with (force)`));
  }
}
