import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import {
  CompiledQuery,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type Driver,
  type SqliteDatabase,
  type SqliteDialectConfig,
  type SqliteStatement,
} from 'kysely';
import { BoundedMap } from '#base/bounded-map.ts';
import { numberOf } from '#server/storage/database/number-of.ts';
import { EventLoopTurn } from './event-loop-turn.ts';

const cachedStatements = 256;
/** The longest run of consecutive statements before other requests get a turn. */
const maxTurnMs = 5;

/**
 * Starts transactions with `begin immediate`: plain `begin` takes no lock until the first write, and a transaction
 * that read before it could then fail as busy.
 */
class ImmediateSqliteDriver extends SqliteDriver {
  readonly #turn = new EventLoopTurn(maxTurnMs);
  readonly #connection: DatabaseSync;

  constructor(config: SqliteDialectConfig, connection: DatabaseSync) {
    super(config);
    this.#connection = connection;
  }

  /** Every transaction, and every statement outside one, starts here. */
  override async acquireConnection(): Promise<DatabaseConnection> {
    await this.#turn.yieldIfLong();
    return super.acquireConnection();
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  /**
   * When the disk is full, SQLite rolls back automatically. A second rollback would fail and hide the cause:
   * https://sqlite.org/lang_transaction.html
   */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#connection.isTransaction) await super.rollbackTransaction(connection);
  }
}

class ImmediateSqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;
  readonly #connection: DatabaseSync;

  constructor(connection: DatabaseSync) {
    const config = { database: asKyselyDatabase(connection) };
    super(config);
    this.#config = config;
    this.#connection = connection;
  }

  override createDriver(): Driver {
    return new ImmediateSqliteDriver(this.#config, this.#connection);
  }
}

const isInputValue = (value: unknown): value is SQLInputValue =>
  value === null ||
  typeof value === 'string' ||
  typeof value === 'number' ||
  typeof value === 'bigint' ||
  value instanceof Uint8Array;

function inputValues(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters.map((value, index) => {
    if (!isInputValue(value))
      throw new TypeError(
        `parameter ${index + 1} must be text, a number, bytes or null, received ${typeof value}`,
      );
    // SQLite stores Infinity above all integers and NaN as null: a condition with an unreadable number would match
    // unrelated rows.
    if (typeof value === 'number' && !Number.isFinite(value))
      throw new TypeError(`parameter ${index + 1} is not a finite number: ${value}`);
    return value;
  });
}

/** Only statements that change nothing may run a second time. */
const onlyReads = (statement: StatementSync): boolean =>
  /^\s*(?:select|with)\b/i.test(statement.sourceSQL) &&
  !/\b(?:insert|update|delete|returning)\b/i.test(statement.sourceSQL);

const isTooLarge = (error: unknown): boolean =>
  error instanceof RangeError && 'code' in error && error.code === 'ERR_OUT_OF_RANGE';

const withNumbers = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      typeof value === 'bigint' ? numberOf(value) : value,
    ]),
  );

/**
 * Runs a reading statement. node:sqlite throws if any row contains a number beyond 2^53; the rows are then read
 * again as bigints.
 */
function allRows(database: DatabaseSync, statement: StatementSync, values: SQLInputValue[]): unknown[] {
  try {
    return statement.all(...values);
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    const again = database.prepare(statement.sourceSQL);
    again.setReadBigInts(true);
    return again.all(...values).map(withNumbers);
  }
}

function asKyselyStatement(database: DatabaseSync, statement: StatementSync): SqliteStatement {
  const reads = onlyReads(statement);
  // Rows returned by a write are read as bigints the first time, because the statement cannot run again.
  if (!reads) statement.setReadBigInts(true);
  return {
    reader: statement.columns().length > 0,
    all: (parameters) =>
      reads
        ? allRows(database, statement, inputValues(parameters))
        : statement.all(...inputValues(parameters)).map(withNumbers),
    run: (parameters) => statement.run(...inputValues(parameters)),
    // An open iterator keeps its statement busy, so each iteration prepares a separate one.
    iterate: (parameters) => database.prepare(statement.sourceSQL).iterate(...inputValues(parameters)),
  };
}

/** Adapts node:sqlite to Kysely's interface and caches prepared statements. */
function asKyselyDatabase(database: DatabaseSync): SqliteDatabase {
  const statements = new BoundedMap<string, SqliteStatement>(cachedStatements);
  return {
    close: () => database.close(),
    prepare(sql) {
      const known = statements.get(sql);
      if (known) return known;
      const statement = asKyselyStatement(database, database.prepare(sql));
      statements.set(sql, statement);
      return statement;
    },
  };
}

/** Kysely's dialect over one node:sqlite connection. Transactions take the write lock immediately. */
export const nodeSqliteDialect = (database: DatabaseSync): SqliteDialect =>
  new ImmediateSqliteDialect(database);
