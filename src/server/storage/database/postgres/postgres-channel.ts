import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { z } from 'zod';
import { BackOff } from '#base/back-off.ts';
import { second } from '#base/duration.ts';

/** PostgreSQL rejects a payload of 8,000 bytes. */
const maxPayloadBytes = 7900;
const gatheredForMs = 200;
/** More than a broken connection gathers until others have to be told that something is missing. */
const maxWaiting = 10_000;
const pingEveryMs = 10 * second;
const maxAnswerMs = 5 * second;

const batchSchema = z.object({ from: z.string(), messages: z.array(z.unknown()).nullable() });

export interface PostgresChannelOptions {
  /** `postgres://user:password@host:port/database`; a direct connection, because a pooler loses LISTEN. */
  url: string;
  /** The name of the channel, a lower-case identifier. */
  name: string;
  /** Called for each message of another server. */
  onMessage: (message: unknown) => void;
  /** Called when messages of other servers may have been missed: after a connection was lost, here or there. */
  onMissed: () => void;
  onError: (error: unknown) => void;
}

/** Splits messages into batches whose JSON fits into one payload. A message that alone is too long is left out. */
function batchesOf(from: string, messages: readonly unknown[]): string[] {
  const envelopeBytes = Buffer.byteLength(JSON.stringify({ from, messages: [] }));
  const batches: string[][] = [];
  let [batch, sizeBytes]: [string[], number] = [[], Infinity];
  for (const message of messages) {
    const text = JSON.stringify(message);
    const messageBytes = Buffer.byteLength(text) + 1;
    if (envelopeBytes + messageBytes > maxPayloadBytes) continue;
    if (sizeBytes + messageBytes > maxPayloadBytes) {
      batch = [];
      sizeBytes = envelopeBytes;
      batches.push(batch);
    }
    batch.push(text);
    sizeBytes += messageBytes;
  }
  return batches.map((texts) => `{"from":${JSON.stringify(from)},"messages":[${texts.join(',')}]}`);
}

/**
 * Sends short messages to the other servers of one PostgreSQL database, with NOTIFY on a connection of its own.
 * Messages are hints: they are gathered for 200 ms, never part of a transaction of the product (a commit with NOTIFY
 * holds a lock of the whole instance), and may be missed, which both sides report.
 */
export class PostgresChannel {
  readonly #options: PostgresChannelOptions;
  readonly #id = randomUUID();
  readonly #backOff = new BackOff();
  readonly #stopped = new AbortController();
  #waiting: unknown[] = [];
  #hasLost = false;
  #flush: NodeJS.Timeout | null = null;
  #client: Client | null = null;
  /** Rejects when the channel is stopped. */
  readonly #whenStopped: Promise<never>;
  #running: Promise<void> = Promise.resolve();
  /** The statements of the connection so far. */
  #statements: Promise<unknown> = Promise.resolve();

  constructor(options: PostgresChannelOptions) {
    this.#options = options;
    this.#whenStopped = new Promise((_, reject) => {
      this.#stopped.signal.addEventListener('abort', () => reject(new Error('the channel was stopped')));
    });
    this.#whenStopped.catch(() => undefined);
  }

  /** Connects, and connects again whenever the connection is lost. */
  start(): void {
    this.#running = this.#run();
  }

  /** Sends a message soon, or once there is a connection again. */
  send(message: unknown): void {
    if (this.#waiting.length >= maxWaiting) this.#hasLost = true;
    else this.#waiting.push(message);
    this.#flush ??= setTimeout(() => {
      this.#flush = null;
      void this.#sendWaiting();
    }, gatheredForMs).unref();
  }

  /** Sends what waits and disconnects. */
  async stop(): Promise<void> {
    if (this.#flush) clearTimeout(this.#flush);
    await this.#sendWaiting();
    // Also ends a connection that is still being made.
    this.#stopped.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let connections = 0; !this.#stopped.signal.aborted;) {
      try {
        await this.#listen(() => {
          connections += 1;
          if (connections > 1) this.#options.onMissed();
        });
      } catch (error) {
        if (!this.#stopped.signal.aborted) this.#options.onError(error);
      }
      await delay(this.#backOff.nextMs(), undefined, { signal: this.#stopped.signal, ref: false }).catch(
        () => undefined,
      );
    }
  }

  /** Resolves or rejects when the connection has ended, and rejects when the channel was stopped. */
  async #listen(onConnected: () => void): Promise<void> {
    const client = new Client({
      connectionString: this.#options.url,
      connectionTimeoutMillis: 10 * second,
      query_timeout: maxAnswerMs,
      keepAlive: true,
    });
    const ended = new Promise<void>((resolve, reject) => {
      // A client may report several errors; without a listener the second one would end the process.
      client.on('error', reject);
      client.once('end', resolve);
    });
    // Read below, after the connection was set up.
    ended.catch(() => undefined);
    client.on('notification', ({ payload }) => {
      this.#receive(payload ?? '');
    });
    // A connection that a firewall dropped answers nothing, and ends here.
    const pinging = setInterval(() => {
      if (this.#client === client)
        this.#query(client, 'select 1').catch(() => client.end().catch(() => undefined));
    }, pingEveryMs).unref();
    try {
      // A client that is ended while it connects settles neither: only the stop ends the wait for it.
      await Promise.race([this.#connect(client).then(onConnected), this.#whenStopped]);
      await this.#sendWaiting();
      await Promise.race([ended, this.#whenStopped]);
    } finally {
      this.#client = null;
      clearInterval(pinging);
      void client.end().catch(() => undefined);
    }
  }

  async #connect(client: Client): Promise<void> {
    await client.connect();
    // Nothing waits for the disk: a message lost in a crash is one that no server was there to receive.
    await client.query('set synchronous_commit = off');
    await client.query(`listen ${this.#options.name}`);
    this.#statements = Promise.resolve();
    this.#client = client;
    this.#backOff.reset();
  }

  /** Runs a statement after the earlier ones: a connection runs one at a time, and pg no longer queues the others. */
  #query(client: Client, text: string, values: unknown[] = []): Promise<unknown> {
    const result = this.#statements.then(() => client.query(text, values));
    this.#statements = result.catch(() => undefined);
    return result;
  }

  #receive(payload: string): void {
    const batch = batchSchema.safeParse(jsonOf(payload));
    if (!batch.success || batch.data.from === this.#id) return;
    if (batch.data.messages === null) this.#options.onMissed();
    else for (const message of batch.data.messages) this.#options.onMessage(message);
  }

  async #sendWaiting(): Promise<void> {
    const client = this.#client;
    if (client === null || (this.#waiting.length === 0 && !this.#hasLost)) return;
    const [messages, hasLost] = [this.#waiting, this.#hasLost];
    [this.#waiting, this.#hasLost] = [[], false];
    try {
      const payloads = batchesOf(this.#id, messages);
      if (hasLost) payloads.push(JSON.stringify({ from: this.#id, messages: null }));
      for (const payload of payloads)
        await this.#query(client, 'select pg_notify($1, $2)', [this.#options.name, payload]);
    } catch {
      // The connection is lost. Some of the messages may have been sent, so the others read everything again.
      this.#hasLost = true;
    }
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
