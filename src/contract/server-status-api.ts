import { z } from 'zod';
import { backupsSchema, proxyFindingSchema } from './administration-api.ts';
import { endpoint } from './endpoint.ts';
import { idSchema, instantSchema } from './values.ts';

const countSchema = z.int().min(0);

/** The most nodes that a reply lists. */
export const maxListedNodes = 100;

/** A fact that a check established, or why it is not known. Each check has a time limit of its own. */
const factOf = <Value extends z.ZodType>(value: Value) =>
  z.object({
    value: value.nullable().describe('Null if it is not known.'),
    problem: z.enum(['timed-out', 'failed']).nullable().describe('Why it is not known.'),
  });

/** A fact as the server and the screen pass it on. */
export interface Fact<Value> {
  value: Value | null;
  problem: 'timed-out' | 'failed' | null;
}

const nodeSchema = z
  .object({
    id: idSchema,
    host: z.string(),
    isThis: z.boolean().describe('Whether this node answered the request.'),
    role: z.enum(['all', 'web', 'worker']),
    version: z.string(),
    build: z.string().describe('A hash of the code. Nodes of one version can have different builds.'),
    state: z.enum(['running', 'draining', 'silent']).describe('`silent`: no heartbeat for a minute.'),
    startedAt: instantSchema,
    heartbeatAgeMs: countSchema.describe('The time since the last heartbeat, by the clock of the database.'),
    disk: z
      .object({ freeBytes: countSchema, totalBytes: countSchema })
      .nullable()
      .describe('The disk of its data directory; null if it could not be measured.'),
    clockAheadMs: z
      .int()
      .nullable()
      .describe(
        'By how much its clock is ahead of the database’s; null on SQLite, which uses the same clock.',
      ),
  })
  .describe('A server process of this installation. Versions without heartbeats are not listed.');

const jobKindSchema = z.object({
  kind: z.string(),
  waiting: countSchema.describe('Jobs that are due.'),
  later: countSchema.describe('Jobs that are scheduled or repeated later.'),
  running: countSchema,
  failed: countSchema.describe('Jobs that are not retried automatically.'),
});

const hostSchema = z.string();

const warningSchema = z
  .discriminatedUnion('code', [
    z.object({ code: z.literal('database-unreachable') }),
    z.object({ code: z.literal('store-unreachable') }),
    z.object({ code: z.literal('recordings-damaged'), count: countSchema }),
    z.object({ code: z.literal('disk-reserve-used'), freeBytes: countSchema, reserveBytes: countSchema }),
    z.object({ code: z.literal('disk-nearly-full'), host: hostSchema, freeBytes: countSchema }),
    z.object({ code: z.literal('hot-nearly-full'), usedBytes: countSchema, limitBytes: countSchema }),
    z.object({ code: z.literal('node-silent'), host: hostSchema, silentMs: countSchema }),
    z.object({ code: z.literal('versions-differ'), versions: z.array(z.string()) }),
    z.object({ code: z.literal('clock-differs'), host: hostSchema, differenceMs: countSchema }),
    z.object({ code: z.literal('backup-failed'), at: instantSchema, reason: z.string() }),
    z.object({ code: z.literal('backup-overdue') }),
    z.object({ code: z.literal('backup-incomplete'), count: countSchema, reason: z.string().nullable() }),
    z.object({
      code: z.literal('backup-missing'),
      isScheduled: z.boolean().describe('Whether backups are scheduled, and none is complete yet.'),
    }),
    z.object({ code: z.literal('verification-missing') }),
    z.object({ code: z.literal('jobs-failed'), count: countSchema }),
    z.object({ code: z.literal('jobs-waiting'), waitingMs: countSchema }),
    z.object({ code: z.literal('proxy-mismatch'), ...proxyFindingSchema.shape }),
  ])
  .describe('Something that needs the operator, most urgent first. Later versions add codes.');
export type StatusWarning = z.output<typeof warningSchema>;

const serverStatusSchema = z.object({
  warnings: z.array(warningSchema),
  isComplete: z.boolean().describe('Whether every fact is known. Otherwise there may be more to warn of.'),
  nodes: factOf(
    z.object({
      items: z.array(nodeSchema).describe(`At most ${maxListedNodes}, in order of host.`),
      totalCount: countSchema,
    }),
  ),
  database: z.object({
    kind: z.enum(['sqlite', 'postgres']),
    server: factOf(z.object({ version: z.string(), latencyMs: countSchema })),
    sizeBytes: factOf(countSchema),
  }),
  store: z.object({
    kind: z.enum(['disk', 's3']),
    place: z.string().nullable().describe('`s3://bucket/prefix`; null for the disk of the node.'),
    reach: factOf(z.object({ latencyMs: countSchema })),
    hot: factOf(z.object({ usedBytes: countSchema, limitBytes: countSchema }))
      .nullable()
      .describe('Bytes that wait in the database to be moved to the object store; null for a disk.'),
  }),
  queue: factOf(
    z.object({
      kinds: z.array(jobKindSchema),
      oldestWaitingMs: countSchema
        .nullable()
        .describe('How long the oldest job has been due; null if none is.'),
    }),
  ),
  backups: factOf(backupsSchema),
  verification: factOf(
    z.object({
      completedAt: instantSchema
        .nullable()
        .describe('When every stored stream was last verified; null if no pass has completed yet.'),
      damagedCount: countSchema,
    }),
  ),
});
export type ServerStatus = z.output<typeof serverStatusSchema>;

export const getServerStatus = endpoint('getServerStatus', {
  access: 'session',
  summary: 'For admins: what runs, and what needs attention, the same from every node.',
  reply: serverStatusSchema,
  statuses: [200],
  errors: ['forbidden'],
});
