import type { ReactNode } from 'react';
import { Trans } from '@lingui/react/macro';
import { minute } from '#base/duration.ts';
import type { Fact, ServerStatus } from '#contract/server-status-api.ts';
import { useFormat } from '#web/i18n/use-format.ts';
import { SettingsItem, SettingsList, Section } from '#web/features/accounts/parts/section.tsx';
import styles from '#web/features/accounts/parts/settings.module.css';

type ValueOf<Name extends keyof ServerStatus> =
  ServerStatus[Name] extends Fact<infer Value> ? NonNullable<Value> : never;
type Node = ValueOf<'nodes'>['items'][number];

/** A technical name, which no language translates. */
export const Technical = ({ children }: { children: ReactNode }) => (
  <bdi dir="ltr" translate="no">
    {children}
  </bdi>
);

/** A moment relative to now, with the exact one as its tooltip. */
function When({ at }: { at: string }) {
  const { relativeTime, dateTime } = useFormat();
  return (
    <time dateTime={at} title={dateTime(at)}>
      {relativeTime(at)}
    </time>
  );
}

/** A fact, or why it is not known, which `unknown` may put into a section. */
export function KnownFact<Value>({
  of: { value, problem },
  unknown = (reason) => reason,
  children,
}: {
  of: Fact<Value>;
  unknown?: (reason: ReactNode) => ReactNode;
  children: (value: Value) => ReactNode;
}) {
  if (value !== null) return children(value);
  return unknown(
    problem === 'timed-out' ? (
      <Trans>Not known: no answer in time</Trans>
    ) : (
      <Trans>Not known: the check failed</Trans>
    ),
  );
}

/** A time since something, in minutes once it is one. */
export const roughMs = (ms: number): number => (ms < minute ? ms : Math.floor(ms / minute) * minute);

const Line = ({ children }: { children: ReactNode }) => <span className={styles.fact}>{children}</span>;

function NodeRole({ role }: Pick<Node, 'role'>) {
  if (role === 'all') return <Trans>Web and jobs</Trans>;
  return role === 'web' ? <Trans>Web only</Trans> : <Trans>Jobs only</Trans>;
}

function NodeState({ state, heartbeatAgeMs }: Node) {
  const { duration } = useFormat();
  const length = duration(roughMs(heartbeatAgeMs));
  if (state === 'silent') return <Trans>No heartbeat for {length}</Trans>;
  return state === 'draining' ? <Trans>Shutting down</Trans> : <Trans>Running</Trans>;
}

/** Free space, and the difference of the clocks, unless the database has the clock of its node. */
function Measurements({ node, hasOtherClock }: { node: Node; hasOtherClock: boolean }) {
  const { fileSize, duration } = useFormat();
  const { disk, clockAheadMs } = node;
  const [free, total] = [fileSize(disk?.freeBytes ?? 0), fileSize(disk?.totalBytes ?? 0)];
  const difference = duration(Math.abs(clockAheadMs ?? 0));
  return (
    <>
      <Line>
        {disk === null ? (
          <Trans>Free space: not known</Trans>
        ) : (
          <Trans>
            Free space: {free} of {total}
          </Trans>
        )}
      </Line>
      {hasOtherClock && (
        <Line>
          {clockAheadMs === null ? (
            <Trans>Clock difference: not known</Trans>
          ) : (
            <Trans>Clock difference: {difference}</Trans>
          )}
        </Line>
      )}
    </>
  );
}

function NodeItem({ node, hasOtherClock }: { node: Node; hasOtherClock: boolean }) {
  const { duration } = useFormat();
  const age = duration(node.heartbeatAgeMs);
  return (
    <SettingsItem
      title={
        <>
          <Technical>{node.host}</Technical>
          <span className={styles.badge}>
            <NodeState {...node} />
          </span>
          {node.isThis && (
            <span className={styles.badge}>
              <Trans>This node</Trans>
            </span>
          )}
        </>
      }
    >
      <Line>
        <span>
          <NodeRole role={node.role} /> ·{' '}
          <Technical>
            {node.version} ({node.build})
          </Technical>
        </span>
      </Line>
      <Line>
        <span>
          <Trans>
            Started: <When at={node.startedAt} />
          </Trans>
        </span>
      </Line>
      {node.state !== 'silent' && (
        <Line>
          <Trans>Time since the last heartbeat: {age}</Trans>
        </Line>
      )}
      <Measurements node={node} hasOtherClock={hasOtherClock} />
    </SettingsItem>
  );
}

/** The servers of this installation. */
export function NodesSection({
  nodes,
  hasOtherClock,
}: {
  nodes: ServerStatus['nodes'];
  hasOtherClock: boolean;
}) {
  const { number } = useFormat();
  return (
    <Section
      title={<Trans>Nodes</Trans>}
      hint={<Trans>Older versions that don’t report their state aren’t listed.</Trans>}
    >
      <KnownFact of={nodes}>
        {({ items, totalCount }) => {
          const [count, total] = [number(items.length), number(totalCount)];
          return (
            <>
              <SettingsList>
                {items.map((node) => (
                  <NodeItem key={node.id} node={node} hasOtherClock={hasOtherClock} />
                ))}
              </SettingsList>
              {totalCount > items.length && (
                <p>
                  <Trans>
                    Listed nodes: {count} of {total}
                  </Trans>
                </p>
              )}
            </>
          );
        }}
      </KnownFact>
    </Section>
  );
}

function ResponseTime({ latencyMs }: { latencyMs: number }) {
  const length = useFormat().number(latencyMs, { style: 'unit', unit: 'millisecond' });
  return <Trans>Response time: {length}</Trans>;
}

function Size({ bytes }: { bytes: number }) {
  const size = useFormat().fileSize(bytes);
  return <Trans>Size: {size}</Trans>;
}

/** How much waits in the database to be moved to the object store. */
export function HotBytes({ usedBytes, limitBytes }: { usedBytes: number; limitBytes: number }) {
  const { fileSize } = useFormat();
  const [used, limit] = [fileSize(usedBytes), fileSize(limitBytes)];
  return (
    <Trans>
      Waiting to be moved to the object store: {used} of {limit}
    </Trans>
  );
}

/** The database and the store of the recordings. */
export function StoresSection({ database, store }: Pick<ServerStatus, 'database' | 'store'>) {
  const name = database.kind === 'sqlite' ? 'SQLite' : 'PostgreSQL';
  return (
    <Section title={<Trans>Database and storage</Trans>}>
      <SettingsList>
        <SettingsItem title={<Technical>{[name, database.server.value?.version].join(' ')}</Technical>}>
          <Line>
            <KnownFact of={database.server}>
              {({ latencyMs }) => <ResponseTime latencyMs={latencyMs} />}
            </KnownFact>
          </Line>
          <Line>
            <KnownFact of={database.sizeBytes}>{(bytes) => <Size bytes={bytes} />}</KnownFact>
          </Line>
        </SettingsItem>
        <SettingsItem
          title={store.place === null ? <Trans>Disk</Trans> : <Technical>{store.place}</Technical>}
        >
          <Line>
            <KnownFact of={store.reach}>
              {({ latencyMs }) => <ResponseTime latencyMs={latencyMs} />}
            </KnownFact>
          </Line>
          {store.hot && (
            <Line>
              <KnownFact of={store.hot}>{(hot) => <HotBytes {...hot} />}</KnownFact>
            </Line>
          )}
        </SettingsItem>
      </SettingsList>
    </Section>
  );
}

function JobCounts({ waiting, running, later, failed }: ValueOf<'queue'>['kinds'][number]) {
  const { number } = useFormat();
  const [due, active, postponed, given] = [waiting, running, later, failed].map((count) => number(count));
  return (
    <Trans>
      Waiting: {due} · Running: {active} · Later: {postponed} · Failed: {given}
    </Trans>
  );
}

/** The jobs that are not done, by kind. */
export function QueueSection({ queue }: Pick<ServerStatus, 'queue'>) {
  const { duration } = useFormat();
  const oldest = duration(roughMs(queue.value?.oldestWaitingMs ?? 0));
  return (
    <Section
      title={<Trans>Jobs</Trans>}
      hint={
        queue.value !== null &&
        queue.value.oldestWaitingMs !== null && <Trans>The oldest job has been waiting for {oldest}.</Trans>
      }
    >
      <KnownFact of={queue}>
        {({ kinds }) =>
          kinds.length === 0 ? (
            <p>
              <Trans>No jobs are waiting, running or failed.</Trans>
            </p>
          ) : (
            <SettingsList>
              {kinds.map((counts) => (
                <SettingsItem key={counts.kind} title={<Technical>{counts.kind}</Technical>}>
                  <JobCounts {...counts} />
                </SettingsItem>
              ))}
            </SettingsList>
          )
        }
      </KnownFact>
    </Section>
  );
}

/** When the stored recordings were last compared with their receipts. */
export function VerificationSection({ verification }: Pick<ServerStatus, 'verification'>) {
  const { number } = useFormat();
  const damaged = number(verification.value?.damagedCount ?? 0);
  return (
    <Section title={<Trans>Verification</Trans>}>
      <SettingsList>
        <SettingsItem
          title={
            <KnownFact of={verification}>
              {({ completedAt }) =>
                completedAt === null ? (
                  <Trans>No complete verification yet</Trans>
                ) : (
                  <span>
                    <Trans>
                      Last complete verification: <When at={completedAt} />
                    </Trans>
                  </span>
                )
              }
            </KnownFact>
          }
        >
          {verification.value !== null && <Trans>Damaged files of recordings: {damaged}</Trans>}
        </SettingsItem>
      </SettingsList>
    </Section>
  );
}
