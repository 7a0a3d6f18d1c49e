import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Mailer } from '#server/mail/mailer.ts';
import type { Database } from '#server/storage/database/database.ts';
import { tablesHere } from '#server/storage/database/tables-here.ts';

/** The shapes of all secrets that the server gives out. */
const shapes: readonly RegExp[] = [
  // 256 random bits: sessions, flows, capabilities, tickets, visits, links in mails, states.
  /(?<![\w-])[pr]?([\w-]{43})(?![\w-])/g,
  // Addresses of links.
  /\/s\/([1-9A-HJ-NP-Za-km-z]{22})(?!\w)/g,
  // Recovery codes, and secrets of authenticator apps.
  /\b((?:[A-Z2-7]{4}-){5}[A-Z2-7]{4})\b/g,
  /"secret":"([A-Z2-7]{16,})"/g,
  // Codes in mails.
  /^(\d{8})$/gm,
];

/** The loudness of a recording in base64, which may be as long as a secret. */
const overviews = /"overview":"[^"]*"/g;

const bitsOfToken = /^[\w-]{43}$/;
const base64Of = (bytes: Buffer): Buffer[] =>
  (['base64', 'base64url'] as const).flatMap((encoding) =>
    // The text of these bytes depends on what stands in front of them.
    [0, 1, 2].map((before) => {
      const text = Buffer.concat([Buffer.alloc(before), bytes])
        .toString(encoding)
        .replaceAll('=', '');
      const trailing = (before + bytes.length) % 3 === 0 ? 0 : 1;
      return Buffer.from(text.slice(before === 0 ? 0 : before + 1, text.length - trailing));
    }),
  );
const hexOf = (bytes: Buffer): Buffer => Buffer.from(bytes.toString('hex'));

/** A token as it could be stored without being hashed or encrypted. */
function formsOf(token: string): Buffer[] {
  const text = Buffer.from(token);
  // Eight digits are part of many numbers in other encodings.
  if (/^\d+$/.test(token)) return [text];
  const forms = [text, hexOf(text), ...base64Of(text)];
  if (token.includes('-') && !bitsOfToken.test(token)) forms.push(Buffer.from(token.replaceAll('-', '')));
  if (!bitsOfToken.test(token)) return forms;
  const bytes = Buffer.from(token, 'base64url');
  return [...forms, bytes, hexOf(bytes), ...base64Of(bytes)];
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : Buffer.isBuffer(value) ? value.toString('latin1') : '';

/** Every secret that a server gave out, to search for them where none may be stored. */
export class GivenTokens {
  readonly #given = new Set<string>();
  readonly #public = new Set<string>();

  /** Remembers what a client stated first, such as the id of a passkey: it is no secret of the server. */
  seeRequest(text: string): void {
    for (const token of this.#tokensIn(text)) if (!this.#given.has(token)) this.#public.add(token);
  }

  /** Remembers the secrets in a response, a cookie or a mail. */
  see(text: string): void {
    const withoutOverviews = text.replaceAll(overviews, '');
    for (const token of this.#tokensIn(withoutOverviews))
      if (!this.#public.has(token)) this.#given.add(token);
  }

  get all(): ReadonlySet<string> {
    return this.#given;
  }

  /** The given tokens that these bytes contain in any encoding. */
  tracesIn(bytes: Buffer): string[] {
    return [...this.#given].filter((token) =>
      formsOf(token).some((form) => {
        const at = bytes.indexOf(form);
        return at >= 0 && !(/^\d+$/.test(token) && isPartOfNumber(bytes, at, form.length));
      }),
    );
  }

  /** The columns of a database that contain a given token in any encoding, as `table.column: token`. */
  async tracesInDatabase(database: Database): Promise<string[]> {
    if (this.#given.size === 0) return [];
    const columns = await columnsOf(database);
    // Searching everything at once is quicker, and nearly always finds nothing.
    if (this.tracesIn(Buffer.concat(columns.map(({ bytes }) => bytes))).length === 0) return [];
    return columns.flatMap(({ name, bytes }) => this.tracesIn(bytes).map((token) => `${name}: ${token}`));
  }

  *#tokensIn(text: string): Generator<string> {
    for (const shape of shapes)
      for (const { 1: token } of text.matchAll(shape)) if (token !== undefined) yield token;
  }
}

/** Asking a database for its tables takes longer than reading them. */
const tableNames = new Map<Database['dialect'], readonly string[]>();

async function tableNamesOf({ queries, dialect }: Database): Promise<readonly string[]> {
  const names =
    tableNames.get(dialect) ?? (await tablesHere(queries, dialect)).map(({ name }) => name).toSorted();
  tableNames.set(dialect, names);
  return names;
}

/** Every column of every table that has rows, with all its values. */
async function columnsOf(database: Database): Promise<{ name: string; bytes: Buffer }[]> {
  const columns = new Map<string, Buffer[]>();
  for (const table of await tableNamesOf(database)) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(
      database.queries,
    );
    for (const row of rows)
      for (const [column, value] of Object.entries(row)) {
        const name = `${table}.${column}`;
        const values = columns.get(name) ?? [];
        columns.set(name, values);
        values.push(bytesOf(value), Buffer.from('\0'));
      }
  }
  return [...columns].map(([name, values]) => ({ name, bytes: Buffer.concat(values) }));
}

const isPartOfNumber = (bytes: Buffer, at: number, length: number): boolean =>
  [bytes[at - 1], bytes[at + length]].some((byte) => byte !== undefined && byte >= 0x30 && byte <= 0x39);

const bytesOf = (value: unknown): Buffer =>
  Buffer.from(
    value instanceof Uint8Array || typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
  );

/** Records what this server gives out in responses, cookies and redirects. */
export function recordTokens(app: FastifyInstance, tokens: GivenTokens): void {
  app.addHook('onSend', async (request, reply, payload) => {
    tokens.seeRequest(`${request.url}\n${textOf(request.body)}`);
    const { 'set-cookie': cookies, location } = reply.getHeaders();
    tokens.see([cookies ?? [], location ?? ''].flat().join('\n'));
    if (/json|html/.test(String(reply.getHeader('content-type')))) tokens.see(textOf(payload));
  });
}

/** Records the secrets in mails. */
export const recordingMailer = (mailer: Mailer, tokens: GivenTokens): Mailer => ({
  send(message) {
    tokens.see(message.text);
    return mailer.send(message);
  },
  close: () => mailer.close(),
});

/**
 * Expects that none of these secrets is in the database, for the end of a test. It reads SQLite only, because the columns
 * of both databases are the same. A test may have closed or damaged its database: nothing is read then.
 */
export async function expectNoTraces(tokens: GivenTokens, database: Database): Promise<void> {
  if (database.dialect !== 'sqlite') return;
  expect(await tokens.tracesInDatabase(database).catch(() => [])).toEqual([]);
}
