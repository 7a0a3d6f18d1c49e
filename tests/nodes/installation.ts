import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { join } from 'node:path';
import { afterAll, beforeAll, vi } from 'vitest';
import { findPostgres, startPostgres, type TestPostgres } from '#scripts/postgres-for-tests.ts';
import { findS3Server, startS3Server, type TestS3 } from '#scripts/s3-for-tests.ts';
import { ApiClient, newId } from '#tests/support/api-client.ts';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import { RoundRobinProxy } from '#tests/support/round-robin-proxy.ts';
import { bucket, bucketEnvironment, createBucket, onBucket } from '#tests/support/s3-bucket.ts';

const defaultNodeCount = 3;
/** The nodes of these tests have more connections than usual, for moving tails often. */
export const postgresSettings = ['max_connections=200'];

/** Whether this machine has the programs of an installation with several nodes. */
export const hasPrograms = findPostgres() !== null && findS3Server() !== null;
if (!hasPrograms)
  // oxlint-disable-next-line no-console
  console.log(
    'The tests of several nodes are skipped: they need PostgreSQL 15 and an S3 server, which "npm run test:nodes" builds with Go.',
  );

/** Passes a polled condition that waits for other processes on a busy machine. */
export const patient = { timeout: 120_000, interval: 100 };

/** Three nodes as users run them, on one PostgreSQL server and one bucket, behind a proxy without stickiness. */
export interface Installation {
  /** The address for users, which is the proxy's. */
  url: string;
  nodes: readonly EarshotServer[];
  proxy: RoundRobinProxy;
  postgres: TestPostgres;
  s3: TestS3;
  /** A new client in a network of its own, signed in as a new user, through the proxy. */
  newUser(): Promise<{ client: ApiClient; user: { email: string; password: string } }>;
  /** A client at the proxy or at one node, in a network of its own unless an address is given. */
  clientAt(url: string, address?: string): ApiClient;
  /** Waits until the proxy sends requests to every node. */
  untilAllReady(): Promise<void>;
  /** The names of the objects in the bucket. */
  objectNames(): Promise<string[]>;
}

export interface InstallationOptions {
  /** The address for users, if it is not the proxy's. */
  publicUrl?: string;
  /** Moves tails to objects after some seconds of sound. */
  movesOften?: boolean;
  nodeCount?: number;
  /** Returns the address of the database for the nodes, if it is not that of the server. */
  databaseUrl?: (postgres: TestPostgres) => Promise<string>;
}

class StartedInstallation implements Installation {
  readonly url: string;
  readonly nodes: EarshotServer[] = [];
  readonly proxy: RoundRobinProxy;
  readonly postgres: TestPostgres;
  readonly s3: TestS3;
  readonly #clients: ApiClient[] = [];

  constructor(parts: { proxy: RoundRobinProxy; postgres: TestPostgres; s3: TestS3 }) {
    this.proxy = parts.proxy;
    this.postgres = parts.postgres;
    this.s3 = parts.s3;
    this.url = parts.proxy.url;
  }

  clientAt(url: string, address = `198.18.0.${this.#clients.length + 1}`): ApiClient {
    const client = new ApiClient(url, { address });
    this.#clients.push(client);
    return client;
  }

  async newUser(): Promise<{ client: ApiClient; user: { email: string; password: string } }> {
    const client = this.clientAt(this.url);
    const user = { email: `${newId()}@example.org`, password: 'a quiet harbour at dusk 7' };
    const setUpCode = /\b[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}\b/.exec(this.nodes[0]?.output ?? '')?.[0];
    const isFirst = this.#clients.length === 1;
    await client.json('POST', '/auth/signup', {
      body: { ...user, ...(isFirst && setUpCode !== undefined ? { setUpCode } : {}) },
    });
    return { client, user };
  }

  async untilAllReady(): Promise<void> {
    await vi.waitFor(() => {
      const ended = this.nodes.filter(({ isRunning }) => !isRunning).map(({ output }) => output);
      if (this.proxy.readyCount < this.nodes.length)
        throw new Error(
          `only ${this.proxy.readyCount} nodes became ready, and these ended:\n${ended.join('\n')}`,
        );
    }, patient);
  }

  async objectNames(): Promise<string[]> {
    const names: string[] = [];
    let next: string | undefined;
    do {
      const page = await onBucket(this.s3, (client) =>
        client.send(new ListObjectsV2Command({ Bucket: bucket, ContinuationToken: next })),
      );
      names.push(...(page.Contents ?? []).map(({ Key = '' }) => Key));
      next = page.NextContinuationToken;
    } while (next !== undefined);
    return names;
  }

  async startNodes({
    publicUrl = this.url,
    movesOften = false,
    nodeCount = defaultNodeCount,
    databaseUrl = async ({ url }) => url,
  }: InstallationOptions): Promise<void> {
    const environment = {
      PUBLIC_URL: publicUrl,
      DATABASE_URL: await databaseUrl(this.postgres),
      ...bucketEnvironment(this.s3, 'test'),
      SECRET_KEY: 'the same key on every node of these tests',
      TRUSTED_PROXY_HOPS: '1',
    };
    const script = movesOften ? { script: join(import.meta.dirname, 'moving-node.process.ts') } : {};
    for (let index = 0; index < nodeCount; index += 1) {
      const node = await EarshotServer.launch(environment, undefined, script);
      this.nodes.push(node);
      this.proxy.add(node.url);
    }
    await this.untilAllReady();
  }

  async dispose(): Promise<void> {
    for (const client of this.#clients) client.close();
    await this.proxy.close();
    // Draining is for proxies; this one is closed.
    for (const node of this.nodes) await node.end('SIGKILL');
    for (const node of this.nodes) await node.dispose();
    await this.s3.dispose();
    await this.postgres.stop();
  }
}

async function startPrograms(): Promise<StartedInstallation> {
  const postgres = await startPostgres(findPostgres() ?? '', { isDurable: true, settings: postgresSettings });
  const s3 = await startS3Server(findS3Server() ?? '');
  await createBucket(s3);
  return new StartedInstallation({ proxy: await RoundRobinProxy.open(), postgres, s3 });
}

/** Provides an installation for the tests of one file. Call it in a `describe` that needs `hasPrograms`. */
export function installationUnderTest(options: InstallationOptions = {}): () => Installation {
  let started: StartedInstallation | null = null;
  beforeAll(async () => {
    started = await startPrograms();
    await started.startNodes(options);
  });
  afterAll(() => started?.dispose());
  return () => {
    if (started === null) throw new Error('the installation has not started');
    return started;
  };
}
