import { spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { shortRecording } from '#scripts/demo/demo-recordings.ts';
import { storeSampleRecording } from '#scripts/demo/store-recording.ts';
import { locales } from '#contract/locales.ts';
import { ApiClient, newId, playedBytes, startTake } from '#tests/support/api-client.ts';
import { EarshotServer } from '#tests/support/earshot-server.ts';
import { makeBuild } from '#tests/support/made-up-build.ts';
import { copyProduct } from '#tests/support/product-copy.ts';
import { userOf } from '#tests/support/recorded-server.ts';
import { RunningTake } from '#tests/support/running-take.ts';
import { newFolder } from '#tests/support/start-server.ts';

// Updates change or delete the files of a server that runs.

const guide = readFileSync(
  join(import.meta.dirname, '..', '..', 'docs', 'self-hosting', 'systemd.md'),
  'utf8',
);
const deployFolder = join(import.meta.dirname, '..', '..', 'deploy');
const commonPassword = 'password1234567';

/** A build whose page loads three scripts, each named by the version. */
const buildOf = (version: string): string => {
  const directory = makeBuild({
    [`first-${version}.js`]: `export const from = "${version}";`,
    [`library-${version}.js`]: 'export const page = "library";',
    [`language/de-rest-${version}.js`]: 'export const language = "de";',
  });
  writeFileSync(join(directory, 'service.worker.js'), `self.version = "${version}";`);
  return directory;
};
const scriptsOf = (version: string): string[] =>
  ['first', 'library', 'language/de-rest'].map((name) => `/assets/${name}-${version}.js`);

async function launch(script: string, environment: Record<string, string> = {}): Promise<EarshotServer> {
  const server = await EarshotServer.launch({ LOG_LEVEL: 'info', ...environment }, newFolder(), { script });
  onTestFinished(async () => {
    await server.end('SIGKILL');
  });
  return server;
}

const untilLoaded = (server: EarshotServer): Promise<void> =>
  vi.waitFor(
    () => {
      expect(server.output).toContain('everything is loaded');
    },
    { timeout: 120_000, interval: 250 },
  );

/** A browser that was never here. Returns the page's version, and each answer that is not a success. */
async function strangersVisit(url: string): Promise<{ version: string; failures: string[] }> {
  const failures: string[] = [];
  const get = async (path: string): Promise<string> => {
    const response = await fetch(url + path, { headers: { accept: 'text/html, */*' } });
    if (response.status !== 200) failures.push(`${path}: ${response.status}`);
    return response.text();
  };
  const version = /first-(\w+)\.js/.exec(await get('/'))?.[1] ?? '';
  for (const path of [...scriptsOf(version), '/service.worker.js', '/manifest.webmanifest', '/library'])
    await get(path);
  return { version, failures };
}

test('a server whose files are all gone serves strangers, new accounts and everything that it defers', async () => {
  const directory = copyProduct({ packages: 'production', isBuilt: false });
  cpSync(buildOf('aaaaaaaa'), join(directory, 'dist', 'web'), { recursive: true });
  const server = await launch(join(directory, 'src', 'server', 'main.ts'));
  await untilLoaded(server);
  for (const name of ['node_modules', 'src', 'locales', 'dist', 'package.json'])
    renameSync(join(directory, name), join(directory, `${name}.gone`));

  expect(await strangersVisit(server.url)).toEqual({ version: 'aaaaaaaa', failures: [] });
  const { client } = await userOf(server);
  const statusOf = async (
    method: string,
    path: string,
    { body, language = 'en' }: { body?: unknown; language?: string } = {},
  ): Promise<string> => {
    const reply = await client.send({
      method,
      path,
      headers: {
        cookie: client.cookie,
        accept: 'text/html, */*',
        'accept-language': language,
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        'x-requested-with': 'earshot',
      },
      body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
    });
    return `${path}: ${reply.status}`;
  };
  const weak = { email: 'someone@example.org', password: commonPassword };
  expect(await statusOf('POST', '/auth/signup', { body: weak })).toBe('/auth/signup: 422');
  for (const path of ['/api/openapi.json', '/api/docs', '/api/recordings', '/healthz', '/readyz'])
    expect(await statusOf('GET', path)).toBe(`${path}: 200`);
  const recordingId = await storeSampleRecording(client, await shortRecording('After the update'));
  expect((await playedBytes(client, recordingId)).byteLength).toBeGreaterThan(0);
  const share = await client.json('POST', `/api/recordings/${recordingId}/shares`, { body: { id: newId() } });
  const linkPath = /\/s\/[^"]+/.exec(JSON.stringify(share))?.[0] ?? '';
  for (const { tag } of locales)
    expect(await statusOf('GET', linkPath, { language: tag })).toBe(`${linkPath}: 200`);
  expect(await statusOf('GET', '/s/no-such-link', { language: 'de' })).toBe('/s/no-such-link: 404');
  expect(await server.end('SIGTERM')).toBe(0);
  expect(server.output).not.toMatch(/ENOENT|ERR_MODULE_NOT_FOUND|Cannot find/);
});

/** The commands of a section of the guide. */
function commandsOf(section: string): string {
  const [, commands = ''] =
    new RegExp(`^## ${section}\\n[\\s\\S]*?\`\`\`sh\\n([\\s\\S]*?)\`\`\``, 'm').exec(guide) ?? [];
  expect(commands).not.toBe('');
  return commands;
}

/** A machine in a folder: its root, and substitutes for commands that need the real root, or minutes. */
class GuidedMachine {
  readonly root = newFolder();
  readonly current = join(this.root, 'opt', 'earshot', 'current');
  readonly #programs = newFolder();

  constructor(directory: string) {
    const programs: Record<string, string> = {
      sudo: 'exec "$@"',
      'apt-get': '',
      adduser: '',
      journalctl: '',
      systemctl: `echo "$@" >> ${join(this.root, 'systemctl.log')}`,
      // Without the group, which only the real machine has.
      install:
        'args=(); while (($#)); do if [[ $1 == -g ]]; then shift 2; else args+=("$1"); shift; fi; done\nexec /usr/bin/install "${args[@]}"',
      git: `mkdir "\${@: -1}" && cp -r ${deployFolder} "\${@: -1}/deploy" && cd ${directory} && cp -rl package.json src locales "\${@: -1}"`,
      npm: `case "$1 $2" in\n"ci "*) ln -sfn ${directory}/node_modules node_modules ;;\n*) sleep 1; rm -rf dist; mkdir dist; cp -r "$BUILD" dist/web ;;\nesac`,
    };
    for (const [name, text] of Object.entries(programs)) {
      writeFileSync(join(this.#programs, name), `#!/bin/bash\n${text}\n`);
      chmodSync(join(this.#programs, name), 0o755);
    }
    mkdirSync(join(this.root, 'etc', 'systemd', 'system'), { recursive: true });
  }

  /** Runs the commands of a section as they stand there, with this folder as the root of all absolute paths. */
  async run(section: string, build: string): Promise<void> {
    const commands = commandsOf(section).replaceAll(/(?<![\w./])\/(opt|etc)\//g, `${this.root}/$1/`);
    const child = spawn('bash', ['-e', '-c', commands], {
      cwd: this.root,
      env: { PATH: [this.#programs, process.env['PATH']].join(delimiter), BUILD: build },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += String(chunk);
    });
    const code = await new Promise((resolve) => {
      child.once('exit', resolve);
    });
    if (code !== 0 || said !== '') throw new Error(`${section} ended with ${String(code)}: ${said}`);
  }

  /** The commands that systemd got. */
  get commandsOfSystemd(): string[] {
    return readFileSync(join(this.root, 'systemctl.log'), 'utf8').trim().split('\n');
  }

  /** What the installed unit starts, in which folder. */
  get unit(): { command: string; folder: string } {
    const text = readFileSync(join(this.root, 'etc', 'systemd', 'system', 'earshot.service'), 'utf8');
    return {
      command: /^ExecStart=(.*)$/m.exec(text)?.[1] ?? '',
      folder: /^WorkingDirectory=(.*)$/m.exec(text)?.[1] ?? '',
    };
  }
}

test('updates by the documented commands while a take runs and strangers visit', async () => {
  const machine = new GuidedMachine(copyProduct({ packages: 'all', isBuilt: false }));
  await machine.run('Install', buildOf('oldoldol'));
  expect(machine.unit).toEqual({
    command: '/opt/earshot/current/bin/earshot serve',
    folder: '/opt/earshot/current',
  });
  const server = await launch(join(machine.current, 'src', 'server', 'main.ts'));
  const { client } = await userOf(server);
  const take = new RunningTake(client, await startTake(client, 'Across an update'), { seesRestart: true });

  const failures: string[] = [];
  const versions = new Set<string>();
  let unansweredCount = 0;
  const done = new AbortController();
  const visits = (async () => {
    while (!done.signal.aborted) {
      try {
        const visit = await strangersVisit(server.url);
        versions.add(visit.version);
        failures.push(...visit.failures);
        const newcomer = new ApiClient(server.url);
        await newcomer.signUp().finally(() => newcomer.close());
      } catch (error) {
        // Only while nothing listens.
        if (!(error instanceof Error) || !/fetch failed|ECONN|socket hang up/.test(error.message))
          failures.push(String(error));
        unansweredCount += 1;
      }
      await delay(200);
    }
  })();
  onTestFinished(() => {
    done.abort();
  });

  await machine.run('Update', buildOf('newnewne'));
  expect(machine.commandsOfSystemd.at(-1)).toBe('restart earshot');
  expect(failures).toEqual([]);
  expect(unansweredCount).toBe(0);
  expect([...versions]).toEqual(['oldoldol']);
  await server.end('SIGTERM');
  await server.start();
  await vi.waitFor(
    () => {
      expect([...versions]).toEqual(['oldoldol', 'newnewne']);
    },
    { timeout: 60_000, interval: 100 },
  );
  // A tab of the version before is still open.
  for (const path of scriptsOf('oldoldol')) expect((await fetch(server.url + path)).status).toBe(200);
  done.abort();
  await visits;
  expect(failures).toEqual([]);
  expect(take.failures).toEqual([]);
  await take.end();
});
