import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { MadePackage } from './make-package.ts';
import type { Architecture } from './platform-packages.ts';

const deployed = join(import.meta.dirname, '..', '..', 'deploy');
const maintainerScripts = ['postinst', 'prerm', 'postrm'] as const;
const debianArchitectures: Readonly<Record<Architecture, string>> = { x64: 'amd64', arm64: 'arm64' };

/** Whether this machine has the program that makes Debian packages. */
export const hasDpkgDeb = (): boolean =>
  spawnSync('dpkg-deb', ['--version'], { stdio: 'ignore' }).status === 0;

/** The version as Debian compares it: 0.1.0-rc.1 comes before 0.1.0 (deb-version(7)). */
const debianVersion = (version: string): string => version.replace('-', '~');

export interface DebOptions {
  /** The archive that it installs to `/opt/earshot`. */
  made: MadePackage;
  outDir: string;
  architecture: Architecture;
  version: string;
  description: string;
  /** How its content is compressed. */
  compression?: 'xz' | 'none';
  /** When its files were changed, in seconds since 1970. */
  modifiedAtSeconds: number;
}

const control = ({ architecture, version, description }: DebOptions): string =>
  `Package: earshot
Version: ${debianVersion(version)}
Architecture: ${debianArchitectures[architecture]}
Maintainer: Earshot
Section: sound
Priority: optional
Depends: libc6 (>= 2.28), libstdc++6, systemd
Recommends: ffmpeg
Description: ${description}
`;

/**
 * Makes a Debian package of the content of an archive, with the unit of systemd and the user that it runs as
 * (deb(5), deb-postinst(5)). Returns its path.
 * @throws Error if `dpkg-deb` or `tar` fails
 */
export async function makeDeb(options: DebOptions): Promise<string> {
  const { made, outDir, architecture, version, compression = 'xz', modifiedAtSeconds } = options;
  const stage = join(outDir, `deb-${architecture}-${version}`);
  await rm(stage, { recursive: true, force: true });
  for (const folder of ['DEBIAN', 'opt/earshot', 'usr/bin', 'usr/lib/systemd/system', 'usr/lib/sysusers.d'])
    await mkdir(join(stage, folder), { recursive: true });
  execFileSync('tar', ['-xzf', made.path, '-C', join(stage, 'opt/earshot')]);
  await symlink('/opt/earshot/current/bin/earshot', join(stage, 'usr/bin/earshot'));
  await cp(join(deployed, 'earshot.service'), join(stage, 'usr/lib/systemd/system/earshot.service'));
  await cp(join(deployed, 'debian/sysusers.conf'), join(stage, 'usr/lib/sysusers.d/earshot.conf'));
  await writeFile(join(stage, 'DEBIAN/control'), control(options));
  for (const name of maintainerScripts) {
    const text = await readFile(join(deployed, 'debian', name), 'utf8');
    const path = join(stage, 'DEBIAN', name);
    await writeFile(path, text.replaceAll('@folder@', basename(made.directory)));
    await chmod(path, 0o755);
  }
  const path = join(outDir, `earshot_${debianVersion(version)}_${debianArchitectures[architecture]}.deb`);
  execFileSync('dpkg-deb', ['--root-owner-group', `-Z${compression}`, '--build', stage, path], {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(modifiedAtSeconds) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await rm(stage, { recursive: true });
  return path;
}
