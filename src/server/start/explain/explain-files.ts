import { accessSync, constants, existsSync, lstatSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '#base/errors/code-of.ts';
import type { Explain } from '#server/start-error.ts';

/** Names this user with the uid that `ls -n` shows. */
const user = (): string =>
  process.getuid === undefined ? 'this user' : `this user (uid ${process.getuid()})`;

/** Returns the nearest existing folder at or above a path. */
function existingFolder(path: string): string {
  const above = dirname(path);
  return existsSync(path) || above === path ? path : existingFolder(above);
}

/** Returns how many bytes this user may still write below a path; null if the system does not report it. */
export function freeBytes(path: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(existingFolder(path));
    return bavail * bsize;
  } catch {
    return null;
  }
}

const kib = 1024;

/** Returns whether this user may read and write a file or a folder. */
export function isAllowed(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** @param next what to do once there is space */
export function fullSentence(dataDir: string, next = ', then start again'): string {
  const free = freeBytes(dataDir);
  return `The disk under DATA_DIR=${dataDir} is full${free === null ? '' : ` (${Math.floor(free / kib)} KiB are free)`}: delete or move other files on that disk${next}.`;
}

export const notAllowedSentence = (path: string, dataDir: string): string =>
  `${path} cannot be written by ${user()}: make this user the owner of DATA_DIR=${dataDir} and everything in it, or set DATA_DIR to another folder.`;

const isFile = (path: string): boolean => existsSync(path) && !statSync(path).isDirectory();

type Sentence = (path: string, dataDir: string) => string;

const full: Sentence = (_path, dataDir) => fullSentence(dataDir);
const blocked: Sentence = (path, dataDir) =>
  `${isFile(path) ? path : existingFolder(path)} is a file, but a folder is needed: set DATA_DIR to a folder (it is ${dataDir}), or move the file away.`;
const tooFewFiles: Sentence = () =>
  'The limit on open files is too low: raise it ("ulimit -n", LimitNOFILE in a systemd unit).';

const sentences: Readonly<Record<string, Sentence>> = {
  EACCES: notAllowedSentence,
  EPERM: notAllowedSentence,
  EROFS: (path, dataDir) =>
    `${path} is on a file system that is mounted read-only: set DATA_DIR to a writable folder (it is ${dataDir}).`,
  EEXIST: blocked,
  ENOTDIR: blocked,
  ENOSPC: full,
  EDQUOT: full,
  ENAMETOOLONG: () => 'DATA_DIR is too long for this system: set it to a shorter path.',
  EMFILE: tooFewFiles,
  ENFILE: tooFewFiles,
};

/** Returns the part of a path that is a link to nothing; null if there is none. */
function brokenLinkIn(path: string): string | null {
  const above = dirname(path);
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (isLink && !existsSync(path)) return path;
  return above === path ? null : brokenLinkIn(above);
}

/** Explains why a folder that is missing could not be created either; null if the error has another reason. */
export function explainMissingFolder(error: unknown): string | null {
  if (!(error instanceof Error) || codeOf(error) !== 'ENOENT') return null;
  if (!('path' in error) || typeof error.path !== 'string') return null;
  const link = brokenLinkIn(error.path);
  if (link !== null) return `${link} is a link to a missing folder: mount its disk, or create the folder.`;
  return 'syscall' in error && error.syscall === 'mkdir'
    ? `The folder ${error.path} cannot be created: a folder above it belongs to the system, or was deleted while it was mounted. Use another folder.`
    : null;
}

/** Explains why files below `DATA_DIR` cannot be created or written. */
export function explainFiles(dataDir: string): Explain {
  return (error) => {
    const path =
      error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : dataDir;
    return sentences[codeOf(error)]?.(path, dataDir) ?? explainMissingFolder(error);
  };
}
