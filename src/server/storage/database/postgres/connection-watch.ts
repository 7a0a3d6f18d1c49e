import { Client, type ClientBase, type Pool, type QueryConfig } from 'pg';
import { second } from '#base/duration.ts';
import { codeOf } from '#base/errors/code-of.ts';

/** When a connection counts as one that may have broken silently, in milliseconds. */
export interface WatchLimits {
  /** How long a connection may be in use before the server is asked about it. Most statements take milliseconds. */
  busyMs: number;
  checkEveryMs: number;
  /** How long the server may take to answer the question. */
  answerMs: number;
}

const defaultLimits: WatchLimits = { busyMs: 10 * second, checkEveryMs: 5 * second, answerMs: 10 * second };

/** One question without an answer may be a hiccup of the network. */
const unansweredAtMost = 2;

/** An error of PostgreSQL itself, such as "too many connections", is an answer. */
const sqlState = /^[0-9A-Z]{5}$/;

/** The server process behind a connection. After a failover, no process of the new server is the same one. */
const processQuery = `select pid::text || ' ' || backend_start::text as process from pg_stat_activity`;

/**
 * Ends connections that broke without being closed, as after the failure of a whole machine: the system would wait a
 * quarter of an hour for an answer. Once a connection has been in use for long, the server that has the address now is
 * asked over a new connection whether its process runs there. A statement that takes long is not ended.
 */
export class ConnectionWatch {
  readonly #url: string;
  readonly #limits: WatchLimits;
  readonly #processes = new Map<ClientBase, string>();
  readonly #busySinceMs = new Map<ClientBase, number>();
  #timer: NodeJS.Timeout | null = null;
  #isChecking = false;
  #unanswered = 0;

  constructor(url: string, limits: Partial<WatchLimits> = {}) {
    this.#url = url;
    this.#limits = { ...defaultLimits, ...limits };
  }

  /** Watches the connections of a pool that are identified. */
  watch(pool: Pool): void {
    pool.on('acquire', (client) => {
      if (!this.#processes.has(client)) return;
      this.#busySinceMs.set(client, performance.now());
      this.#timer ??= setInterval(() => void this.#check(), this.#limits.checkEveryMs).unref();
    });
    pool.on('release', (_, client) => {
      this.#busySinceMs.delete(client);
    });
    pool.on('remove', (client) => {
      this.#busySinceMs.delete(client);
      this.#processes.delete(client);
      if (this.#processes.size === 0) this.#stopTimer();
    });
  }

  /**
   * Learns which process serves a new connection. A pooler in between, such as PgBouncer, may change it at any time:
   * its connections are not watched.
   * @returns whether no pooler is in between
   * @throws Error when the server does not answer in time
   */
  async identify(client: ClientBase): Promise<boolean> {
    const statement: QueryConfig & { query_timeout: number } = {
      text: `select pid, process from (${processQuery} where pid = pg_backend_pid()) as own, pg_backend_pid() as pid`,
      query_timeout: this.#limits.answerMs,
    };
    const { rows } = await client.query<{ pid: number; process: string }>(statement);
    const [own] = rows;
    if (own === undefined) return false;
    const isDirect = 'processID' in client && client.processID === own.pid;
    if (isDirect) this.#processes.set(client, own.process);
    return isDirect;
  }

  async #check(): Promise<void> {
    if (this.#busySinceMs.size === 0) this.#stopTimer();
    const [first] = this.#busySinceMs.values();
    // The map has the order of acquisition.
    if (this.#isChecking || first === undefined || performance.now() - first < this.#limits.busyMs) return;
    this.#isChecking = true;
    try {
      await this.#endBroken();
    } finally {
      this.#isChecking = false;
    }
  }

  async #endBroken(): Promise<void> {
    const asked = [...this.#processes];
    const answer = await this.#askServer();
    this.#unanswered = answer === 'none' ? this.#unanswered + 1 : 0;
    if (answer === 'unknown' || (answer === 'none' && this.#unanswered < unansweredAtMost)) return;
    const running = answer === 'none' ? new Set<string>() : answer;
    for (const [client, process] of asked) if (!running.has(process)) endAtOnce(client);
  }

  /** Returns the processes that run, 'unknown' if the server answers otherwise, and 'none' without an answer. */
  async #askServer(): Promise<ReadonlySet<string> | 'unknown' | 'none'> {
    const { answerMs } = this.#limits;
    const client = new Client({
      connectionString: this.#url,
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ process: string }>(
        `${processQuery} where usename = current_user`,
      );
      client.end().catch(() => undefined);
      return new Set(rows.map(({ process }) => process));
    } catch (error) {
      endAtOnce(client);
      return sqlState.test(codeOf(error)) ? 'unknown' : 'none';
    }
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }
}

/** Ends a connection without waiting for the server. Its statements are rejected. */
function endAtOnce(client: ClientBase): void {
  if (client instanceof Client) client.connection.stream.destroy();
}
