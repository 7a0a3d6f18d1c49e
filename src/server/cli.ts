#!/usr/bin/env node
import { inspect, parseArgs } from 'node:util';
import { idSchema } from '#contract/values.ts';
import { admin } from './commands/admin.ts';
import { backup } from './commands/backup.ts';
import { backups } from './commands/backups.ts';
import { checkInstallation } from './commands/check-installation.ts';
import { disable } from './commands/disable.ts';
import { doctor } from './commands/doctor.ts';
import { migrateDatabase } from './commands/migrate.ts';
import { models } from './commands/models.ts';
import { move } from './commands/move.ts';
import { reindex } from './commands/reindex.ts';
import { restore } from './commands/restore.ts';
import { twoStepOff } from './commands/two-step-off.ts';
import { verify } from './commands/verify.ts';
import { ConfigError, readConfig } from './config.ts';
import { BackupError } from './features/backups/format/backup-error.ts';
import { StartError } from './start-error.ts';

const usage = `Usage: earshot [serve]
       earshot backup PLACE [--with-key] [--adopt]
       earshot backups PLACE [--verify] [--snapshot ID] [--json]
       earshot restore PLACE [--snapshot ID] [--verify] [--skip-damaged]
       earshot move FILE [--finish]
       earshot verify [RECORDING_ID] [--json]
       earshot models list | add NAME|FOLDER | remove NAME | verify [NAME]
       earshot admin EMAIL [--off]
       earshot disable EMAIL
       earshot enable EMAIL
       earshot two-step-off EMAIL
       earshot reindex
       earshot migrate
       earshot doctor [--storage]

serve        Starts the server, also if no command is given. The web app must have been built.
backup       Backs up the database and the recordings to PLACE, a folder or s3://bucket/prefix.
             The server may be running. Files that an earlier backup has are not copied again.
             --with-key also copies the secret key.
             --adopt adds the first backup of a restored copy to PLACE, beside those of the original.
backups      Lists the backups in PLACE with their age, size and origin.
             --verify reads the newest backup, or the one of --snapshot, and checks every file.
restore      Restores the newest backup, or the one of --snapshot, into an empty DATA_DIR and database.
             --verify compares every file with the backup afterwards.
             --skip-damaged continues without files that are missing or damaged.
move         Copies the recordings from the disk to the object store that FILE configures
             (STORAGE_URL, DATABASE_URL, SECRET_KEY …). The server may be running.
             --finish copies the rest and the database, once the server has been stopped.
             Run the command again to continue after an interruption.
verify       Reads every stored stream, or those of one recording, and compares its hash with the receipt.
             Prints those that are missing or changed.
models       list prints the speech models that Earshot knows, and what is stored of them.
             add downloads one, or stores the files of a folder. verify reads and hashes every stored byte.
             On a disk, stop the server before you add a folder or remove a model; the settings page needs no stop.
admin        Makes the account with this e-mail address an administrator; --off takes the role away.
disable      Ends the sessions, event streams and uploads of an account, and prevents sign-in.
             Nothing is deleted.
enable       Allows a disabled account to sign in again.
two-step-off Turns off two-step sign-in for a user who has lost the authenticator and the recovery codes.
reindex      Rebuilds the search index. The server may be running.
migrate      Migrates the database, before servers of this version start with MIGRATE=never.
doctor       Checks proxy, disk, ffmpeg, secret key, clock, backup and verification. Exits with 1 for a problem.
             --storage checks what the configured storage supports instead, and prints what it lacks.
             Exits with 1 if Earshot needs any of it.

Exit codes: 0 for success, 1 if files are missing or damaged or no account was changed, 2 if the command could not run.`;

const help = (): number => {
  process.stdout.write(`${usage}\n`);
  return 0;
};

/** The line of the usage with a command. */
const usageOf = (command: string): string | undefined =>
  usage
    .split('\n')
    .map((line) => line.replace('Usage:', '').trim())
    .find(
      (line) =>
        line === `earshot ${command}` ||
        line === `earshot [${command}]` ||
        line.startsWith(`earshot ${command} `),
    );

/** Says what is wrong in a few lines: the whole usage would scroll the cause off the screen. */
const misused = (): number => {
  const [command = '', ...rest] = process.argv.slice(2);
  const line = usageOf(command);
  const problem =
    line === undefined
      ? `There is no command "${command}".`
      : `"${command}" ${rest.length === 0 ? 'needs other arguments' : `does not have these arguments: ${rest.join(' ')}`}`;
  process.stderr.write(
    `${problem}\n${line === undefined ? '' : `Usage: ${line}\n`}"earshot help" explains all commands.\n`,
  );
  return 2;
};

const options = {
  help: { type: 'boolean', short: 'h', default: false },
  json: { type: 'boolean', default: false },
  off: { type: 'boolean', default: false },
  'with-key': { type: 'boolean', default: false },
  adopt: { type: 'boolean', default: false },
  verify: { type: 'boolean', default: false },
  'skip-damaged': { type: 'boolean', default: false },
  snapshot: { type: 'string' },
  storage: { type: 'boolean', default: false },
  finish: { type: 'boolean', default: false },
} as const;
const parsedArguments = () =>
  parseArgs({
    args: process.argv.length === 2 ? ['serve'] : process.argv.slice(2),
    allowPositionals: true,
    options,
  });
type Values = ReturnType<typeof parsedArguments>['values'];

/** Runs a command that takes a folder or a file. Null: it is another command. */
function aboutFolder(
  command: string | undefined,
  folder: string,
  {
    'with-key': withKey,
    adopt: adopts,
    'skip-damaged': skipDamaged,
    verify: verifies,
    snapshot,
    json: asJson,
    finish,
  }: Values,
): Promise<number> | null {
  if (command === 'backup') return backup(readConfig(process.env), { to: folder, withKey, adopts });
  if (command === 'backups')
    return backups(readConfig(process.env), { in: folder, verifies, snapshot, asJson });
  if (command === 'restore')
    return restore(readConfig(process.env), { from: folder, snapshot, verifies, skipDamaged });
  if (command === 'move') return move(process.env, { settings: folder, finishes: finish });
  return null;
}

/** Runs a command that takes one account. */
async function aboutAccount(command: string | undefined, email: string, { off }: Values): Promise<number> {
  if (command === 'admin') return admin(readConfig(process.env), { email, isAdmin: !off });
  if (command === 'disable' || command === 'enable')
    return disable(readConfig(process.env), { email, isDisabled: command === 'disable' });
  return command === 'two-step-off' ? twoStepOff(readConfig(process.env), { email }) : misused();
}

/** The commands that take no folder, account or recording. */
const plainCommands = new Map<string, (options: { storage: boolean }) => Promise<number>>([
  [
    'serve',
    async () => {
      // It runs, and ends the process, by itself.
      await import('./main.ts');
      return 0;
    },
  ],
  ['help', async () => help()],
  ['reindex', () => reindex(readConfig(process.env))],
  ['migrate', () => migrateDatabase(readConfig(process.env))],
  ['doctor', async ({ storage }) => (storage ? doctor : checkInstallation)(readConfig(process.env))],
]);

/** The commands whose own words follow them. Null: the words are wrong. */
const commandsWithWords = new Map<string, (words: readonly string[]) => Promise<number | null>>([
  ['models', (words) => models(readConfig(process.env), words)],
]);

/** Runs a command with at most one word after it. */
async function runWithSubject(
  values: Values,
  [command, subject, ...rest]: readonly string[],
): Promise<number> {
  if (rest.length > 0) return misused();
  const plain = subject === undefined ? plainCommands.get(command ?? '') : undefined;
  if (plain !== undefined) return plain(values);
  if (command === 'verify' && (subject === undefined || idSchema.safeParse(subject).success))
    return verify(readConfig(process.env), { recordingId: subject?.toLowerCase(), asJson: values.json });
  if (subject === undefined) return misused();
  return aboutFolder(command, subject, values) ?? aboutAccount(command, subject, values);
}

async function run(): Promise<number> {
  const { values, positionals } = parsedArguments();
  if (values.help) return help();
  const [command = '', ...words] = positionals;
  const withWords = commandsWithWords.get(command);
  if (withWords === undefined) return runWithSubject(values, positionals);
  return (await withWords(words)) ?? misused();
}

// As in main.ts: a command may create files of the database.
process.umask(0o077);

try {
  process.exitCode = await run();
} catch (error) {
  const isMistake =
    error instanceof ConfigError ||
    error instanceof StartError ||
    error instanceof BackupError ||
    (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'));
  process.stderr.write(`${isMistake ? error.message : inspect(error)}\n`);
  process.exitCode = 2;
}
