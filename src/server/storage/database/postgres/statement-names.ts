import { createHash } from 'node:crypto';
import { Client, type ClientBase, type QueryConfig } from 'pg';
import { codeOf } from '#base/errors/code-of.ts';
import { preparedMark } from '#server/storage/database/prepared.ts';

/** More than there are statements to name. One with another text for each call would fill the memory of PostgreSQL. */
const maxNames = 256;

/** Names by text. The same text has the same name on every connection. */
const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= maxNames) return known;
  const name = createHash('sha256').update(text).digest('hex').slice(0, 32);
  names.set(text, name);
  return name;
}

/** Which statements get a name: those that are marked with `prepared`, or all that have parameters. */
export type NamedStatements = 'marked' | 'all';

type Send = (statement: unknown, values: unknown, callback: unknown) => unknown;

const isConfig = (statement: unknown): statement is QueryConfig =>
  typeof statement === 'object' && statement !== null && 'text' in statement && !('submit' in statement);

/** `feature_not_supported`: among others "cached plan must not change result type". */
const changedResultCode = '0A000';

/**
 * Names the statements of one connection, so that PostgreSQL prepares each once. It is off until it is turned on for a
 * direct connection: a pooler may send the next statement to a process of the server that does not know the name.
 * While it is off, names that callers give are left out as well.
 */
export class StatementNaming {
  readonly #which: NamedStatements;
  #isOn = false;

  constructor(client: ClientBase, which: NamedStatements) {
    this.#which = which;
    const send = client.query.bind(client) as Send;
    const named: Send = (statement, values, callback) =>
      send(this.#named(statement, values), values, callback);
    client.query = named as ClientBase['query'];
    // After a migration by a newer server, a prepared statement may have other columns, and would fail every time.
    if (client instanceof Client)
      client.connection.on('errorMessage', (error: unknown) => {
        if (codeOf(error) === changedResultCode) this.#isOn = false;
      });
  }

  turnOn(): void {
    this.#isOn = true;
  }

  #named(statement: unknown, values: unknown): unknown {
    if (typeof statement === 'string') {
      const name = this.#nameOf(statement, values);
      return name === undefined ? statement : { text: statement, name };
    }
    if (!isConfig(statement)) return statement;
    const { name = this.#nameOf(statement.text, statement.values), ...unnamed } = statement;
    return this.#isOn && name !== undefined ? { ...unnamed, name } : unnamed;
  }

  #nameOf(text: string, values: unknown): string | undefined {
    if (!this.#isOn || !Array.isArray(values) || values.length === 0) return undefined;
    return this.#which === 'all' || text.endsWith(preparedMark) ? nameOf(text) : undefined;
  }
}
