import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { minute } from '#base/duration.ts';
import { bundleServer } from '#scripts/package/bundle-server.ts';
import { elfMachine } from '#scripts/package/elf-machine.ts';
import { hasDpkgDeb, makeDeb } from '#scripts/package/make-deb.ts';
import { makePackage, type MadePackage, writeChecksums } from '#scripts/package/make-package.ts';
import { architectures } from '#scripts/package/platform-packages.ts';
import { sendImport, settledRecording } from '#tests/abuse/attack.ts';
import { type ApiClient, playedBytes, startTake } from '#tests/support/api-client.ts';
import { makeWav } from '#tests/support/made-wav.ts';
import { recordingsOf, storeSpeechAs, userOf } from '#tests/support/recorded-server.ts';
import { RunningTake } from '#tests/support/running-take.ts';
import { BareMachine } from './bare-machine.ts';

const versions = ['0.0.1', '0.0.2'] as const;
const architecture = architectures.find((each) => each === process.arch);
if (BareMachine.limitation !== null) console.log(`The package runs ${BareMachine.limitation}.`);

let folder: string;
const packages = new Map<string, MadePackage>();
const nameOf = (version: string): string => basename(packages.get(version)?.directory ?? '');

beforeAll(async () => {
  if (architecture === undefined) return;
  folder = mkdtempSync(join(tmpdir(), 'earshot-package-'));
  const bundle = join(folder, 'bundle');
  await bundleServer(bundle);
  for (const [index, version] of versions.entries())
    packages.set(
      version,
      await makePackage({
        bundle,
        outDir: folder,
        architecture,
        version,
        compression: 1,
        modifiedAtSeconds: 1_700_000_000 + index,
      }),
    );
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** A machine with both versions, which runs the first, or with none. */
function newMachine({ isEmpty = false } = {}): BareMachine {
  const machine = new BareMachine();
  onTestFinished(() => machine.dispose());
  if (!isEmpty) for (const version of versions) machine.unpack(packages.get(version)?.path ?? '');
  const { binaries = [], directory = '' } = packages.get(versions[0]) ?? {};
  machine.prepare(binaries.map((path) => join(directory, path)));
  if (!isEmpty) machine.use(nameOf(versions[0]));
  return machine;
}

async function versionOf(client: ApiClient): Promise<unknown> {
  const { body } = await client.send({ method: 'GET', path: '/healthz' });
  return (JSON.parse(body.toString()) as { version?: unknown }).version;
}

test.skipIf(architecture === undefined)(
  'runs on a bare machine: records, imports, backs up, is updated and rolled back',
  async () => {
    const machine = newMachine();
    await machine.start();
    const { client } = await userOf(machine);
    expect(await versionOf(client)).toBe(versions[0]);

    const speech = await storeSpeechAs(client, 'In the first version');
    const page = await client.send({
      method: 'GET',
      path: '/',
      headers: { accept: 'text/html', 'accept-language': 'de' },
    });
    expect([page.status, page.body.toString()]).toEqual([
      200,
      expect.stringMatching(/lang="de"[\s\S]*\/assets\//),
    ]);
    // The server's own catalogue.
    const noLink = await client.send({
      method: 'GET',
      path: '/s/no-such-link',
      headers: { accept: 'text/html', 'accept-language': 'de' },
    });
    expect([noLink.status, noLink.body.toString()]).toEqual([404, expect.stringContaining('lang="de"')]);
    // Child processes judge and measure it.
    const imported = await sendImport(client, { bytes: makeWav({ seconds: 2 }), name: 'made.wav' });
    expect(await settledRecording(client, imported)).toMatchObject({ state: 'ready', durationMs: 2000 });

    expect(await machine.run(['backup', '/backup'], {})).toMatchObject({ code: 0 });
    expect(await machine.run(['backups', '/backup', '--verify'])).toMatchObject({ code: 0 });
    const doctor = await machine.run(['doctor']);
    expect(doctor.output).toMatch(/ffmpeg/);
    expect(doctor.output).not.toMatch(/\n\s+at /);

    const take = new RunningTake(client, await startTake(client, 'Across versions'), { seesRestart: true });
    for (const version of [versions[1], versions[0], versions[1]]) {
      machine.use(nameOf(version));
      expect(await machine.stop()).toBe(0);
      await machine.start();
      expect(await versionOf(client)).toBe(version);
      expect((await playedBytes(client, speech.id)).equals(speech.audio)).toBe(true);
    }
    await take.end();
    expect(take.failures).toEqual([]);
    expect((await recordingsOf(client)).map(({ title }) => title).sort()).toEqual([
      'Across versions',
      'In the first version',
      'made.wav',
    ]);
    expect(existsSync(join(machine.root, 'data', 'compile-cache'))).toBe(true);
    expect(await machine.stop()).toBe(0);
    expect(machine.output).not.toMatch(/ENOENT|ERR_MODULE_NOT_FOUND|Cannot find|\n\s+at /);

    for (const words of [['verify'], ['reindex'], ['migrate'], ['help']])
      expect([words, await machine.run(words)]).toMatchObject([words, { code: 0 }]);
    const restored = { DATA_DIR: '/restored', FORGET_SECRET_KEY: '' };
    execFileSync('install', [
      '-D',
      '-m',
      '600',
      join(machine.root, 'data', 'secret.key'),
      join(machine.root, 'restored', 'secret.key'),
    ]);
    expect(await machine.run(['restore', '/backup', '--verify'], restored)).toMatchObject({ code: 0 });
    expect(await machine.run(['verify'], restored)).toMatchObject({ code: 0 });
  },
  5 * minute,
);

/** Whether dpkg can install into another root here, with the user that the package needs. */
const canInstall = hasDpkgDeb() && existsSync('/usr/bin/systemd-sysusers') && BareMachine.limitation === null;
if (!canInstall) console.log('The Debian package is not tried: that takes root, dpkg and systemd-sysusers.');

test.skipIf(architecture === undefined || !canInstall)(
  'is installed, updated, put back and removed by dpkg, and its recordings stay',
  async () => {
    const debs: string[] = [];
    for (const version of versions) {
      const made = packages.get(version);
      if (made === undefined || architecture === undefined) throw new Error('no package was made');
      debs.push(
        await makeDeb({
          made,
          outDir: folder,
          architecture,
          version,
          description: 'A recorder',
          compression: 'none',
          modifiedAtSeconds: 1_700_000_000,
        }),
      );
    }
    const machine = newMachine({ isEmpty: true });
    for (const folder of ['info', 'updates', 'triggers'])
      mkdirSync(join(machine.root, 'var', 'lib', 'dpkg', folder), { recursive: true });
    for (const name of ['status', 'available'])
      writeFileSync(join(machine.root, 'var', 'lib', 'dpkg', name), '');
    const dpkg = (...words: string[]): string =>
      execFileSync(
        'dpkg',
        [`--root=${machine.root}`, '--force-depends', '--force-script-chrootless', ...words],
        {
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'pipe'],
        },
      );
    const [first = '', second = ''] = debs;
    let speech: Awaited<ReturnType<typeof storeSpeechAs>> | null = null;
    let client: ApiClient | null = null;
    for (const [deb, version] of [
      [first, versions[0]],
      [second, versions[1]],
      [first, versions[0]],
    ] as const) {
      dpkg('--install', deb);
      expect(readdirSync(join(machine.root, 'opt', 'earshot')).toSorted()).toEqual([
        'current',
        nameOf(version),
      ]);
      await machine.start();
      client ??= (await userOf(machine)).client;
      expect(await versionOf(client)).toBe(version);
      speech ??= await storeSpeechAs(client, 'In the first version');
      expect((await playedBytes(client, speech.id)).equals(speech.audio)).toBe(true);
      expect(await machine.stop()).toBe(0);
    }
    expect(readFileSync(join(machine.root, 'etc', 'passwd'), 'utf8')).toContain('earshot');
    dpkg('--remove', 'earshot');
    expect(dpkg('--purge', 'earshot')).toContain('The recordings are still in /var/lib/earshot');
    expect(existsSync(join(machine.root, 'opt', 'earshot'))).toBe(false);
    expect(existsSync(join(machine.root, 'data', 'earshot.db'))).toBe(true);
  },
  5 * minute,
);

test.skipIf(architecture === undefined)(
  'has binaries for its processor alone, and a list of checksums',
  async () => {
    const made = packages.get(versions[0]);
    if (made === undefined || architecture === undefined) throw new Error('no package was made');
    expect(made.binaries).toHaveLength(2);
    expect(await elfMachine(join(made.directory, 'runtime', 'node'))).toBe(architecture);
    expect(await elfMachine(join(made.directory, 'package.json'))).toBeNull();
    await writeChecksums(folder, [made.path]);
    expect(execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: folder, encoding: 'utf8' })).toBe(
      `${basename(made.path)}: OK\n`,
    );
    expect(readdirSync(join(made.directory, 'locales')).every((name) => name.endsWith('.po'))).toBe(true);
  },
);
