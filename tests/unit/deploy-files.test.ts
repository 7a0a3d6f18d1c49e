import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { routes } from '#contract/routes.ts';
import { variableNames } from '#server/config.ts';
import { createMetrics } from '#server/features/maintenance/metrics.ts';
import { exitCodes } from '#server/start/exit-code.ts';
import { findProgram } from '#server/processes/limited-command.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The metrics that a query can name, with one sample of each that has labels. */
async function exposed(): Promise<Set<string>> {
  const metrics = createMetrics({
    openStreams: () => 1,
    takes: { figures: () => ({ count: 1, maxSilenceMs: 1 }) },
  });
  metrics.requestEnded({ method: 'GET', route: '/', status: 200, durationMs: 1 });
  metrics.appended(1);
  metrics.jobEnded('kind', 'done');
  metrics.remuxed('kept');
  metrics.verified(1);
  metrics.stores({
    isDatabaseUp: true,
    damagedSegments: 0,
    disk: { freeBytes: 2, reserveBytes: 1, isTouched: false },
    backups: {
      everyMs: null,
      isRunning: false,
      newest: {
        startedAtMs: 0,
        place: '/backup',
        sizeBytes: 1,
        copiedBytes: 1,
        damagedCount: 0,
        verifiedAtMs: null,
        problem: null,
      },
      failure: null,
      isOverdue: false,
    },
    queue: { kinds: [], oldestWaitingMs: null },
    verifiedAtMs: 0,
    nodes: 1,
    moving: {
      tailBytes: 1,
      oldestTailAtMs: 0,
      appendCommits: 1,
      waitingForConnection: 0,
      requests: [{ operation: 'PutObject', outcome: 'ok', count: 1 }],
    },
    waitingForConnection: 0,
    nowMs: 1,
  });
  const { text } = await metrics.render();
  return new Set(text.split('\n').flatMap((line) => /^([a-z]\w+)[ {]/.exec(line)?.[1] ?? []));
}

const queriesIn = {
  dashboard: [...read('deploy/grafana/earshot.json').matchAll(/"(?:expr|query|definition)": "(.+)"/g)].map(
    ([, query = '']) => query,
  ),
  alerts: [read('deploy/prometheus/alerts.yaml').replaceAll(/^\s*(?:#|summary|description).*$/gm, '')],
};

describe.each(Object.entries(queriesIn))('the queries of the %s', (_name, queries) => {
  test('name only metrics that the server has', async () => {
    const named = queries.join('\n').match(/\b(?:earshot|nodejs|process)_\w+/g) ?? [];
    expect(named.length).toBeGreaterThan(5);
    const known = await exposed();
    expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([]);
  });

  test('name only routes that the server has', () => {
    const append = `PATCH ${/route=\\?"([^"\\]+)/.exec(queries.join('\n'))?.[1]}`;
    expect(append).toBe(routes.appendUpload);
  });
});

test('docs/operations.md explains every metric of Earshot', async () => {
  const page = read('docs/operations.md');
  const names = [...(await exposed())]
    .filter((name) => name.startsWith('earshot_'))
    .map((name) => name.replace(/_(?:bucket|sum|count)$/, ''));
  expect(names.filter((name) => !page.includes(`\`${name}`))).toEqual([]);
});

const promtool = findProgram('promtool', process.env['PATH'] ?? '');

test.skipIf(promtool === null)('the alerts fire, and stay silent, as their tests say (promtool)', () => {
  const { status, stdout, stderr } = spawnSync(promtool ?? '', ['test', 'rules', 'alerts.test.yaml'], {
    cwd: join(root, 'deploy/prometheus'),
    encoding: 'utf8',
  });
  expect({ status, output: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, output: '' });
});

test('the unit starts the server again, however often, unless only its operator can mend the reason', () => {
  const settings = new Map(
    read('deploy/earshot.service')
      .split('\n')
      .flatMap((line) => (/^[A-Z]/.test(line) ? [line.split('=', 2) as [string, string]] : [])),
  );
  expect(settings.get('Restart')).toBe('on-failure');
  expect(settings.get('RestartPreventExitStatus')).toBe(String(exitCodes.configuration));
  expect(settings.get('StartLimitIntervalSec')).toBe('0');
});

/** Variables of the containers and programs that the files start beside Earshot. */
const ofOthers = new Set(['DOMAIN', 'EARSHOT', 'NODE_ENV', 'UV_THREADPOOL_SIZE', 'TMPDIR']);

test('the files set only variables that the server reads', () => {
  const unknown = readdirSync(join(root, 'deploy'), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap(({ name }) => {
      const text = read(`deploy/${name}`).replaceAll(/^\s*#.*$/gm, '');
      const variables =
        text.match(/(?<=^\s+(?:- (?:\{ )?name: )?|^(?:ENV|Environment=).*)\b[A-Z][A-Z_\d]+(?=: |=|$|,)/gm) ??
        [];
      return variables.map((variable) => ({ name, variable: variable.replace(/_FILE$/, '') }));
    })
    .filter(
      ({ variable }) =>
        !ofOthers.has(variable) && !/^(?:POSTGRES|ROOT)_/.test(variable) && !variableNames.includes(variable),
    );
  expect(unknown).toEqual([]);
});

test('docs/self-hosting/reference.md lists every variable that the server reads, in the order of its schema', () => {
  const rows = read('docs/self-hosting/reference.md').matchAll(
    /^\| (`[A-Z][A-Z\d_]*`(?:, `[A-Z][A-Z\d_]*`)*) \|/gm,
  );
  const listed = [...rows].flatMap(([, names = '']) => names.match(/[A-Z\d_]+/g) ?? []);
  const from = listed.indexOf('HOST');
  // `PATH` belongs to the row of `FFMPEG_PATH`.
  const wanted = variableNames.filter((name) => name !== 'PATH');
  expect(listed.slice(from, from + wanted.length)).toEqual(wanted);
});
