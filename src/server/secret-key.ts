import { randomBytes } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from './start-error.ts';

const fileName = 'secret.key';
const keyBytes = 32;

/** The path of the secret key unless SECRET_KEY is set. */
export const secretKeyPathOf = (dataDir: string): string => join(dataDir, fileName);

/** A key that was generated into `secret.key`, for installations that have it in a variable. */
const fileKeyPattern = /^base64:([A-Za-z0-9+/]{43}=)$/;

/** Returns the bytes of SECRET_KEY: its text, or those of a key file as `base64:…`. */
export function configuredKey(text: string): Uint8Array {
  const encoded = fileKeyPattern.exec(text)?.[1];
  return encoded === undefined ? Buffer.from(text) : Buffer.from(encoded, 'base64');
}

/** Returns the secret key of an installation; null if there is none here, or this user may not read it. */
export async function findSecretKey(options: {
  secretKey: string;
  dataDir: string;
}): Promise<Uint8Array | null> {
  if (options.secretKey !== '') return configuredKey(options.secretKey);
  return readFile(secretKeyPathOf(options.dataDir)).catch(() => null);
}

async function readKey(path: string): Promise<Uint8Array | null> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (bytes !== null && bytes.length !== keyBytes)
    throw new StartError(
      `${path} is damaged (it must have ${keyBytes} bytes): put your copy of it there; without it two-step sign-in and links in mails stop working.`,
    );
  return bytes;
}

/**
 * Loads the secret key of this installation: the configured one, else the file `secret.key` in the data directory,
 * which is created at the first start and readable only by this user. Servers that share a database need the same
 * key.
 */
export async function loadSecretKey(options: { configured: string; dataDir: string }): Promise<Uint8Array> {
  if (options.configured !== '') return configuredKey(options.configured);
  const path = secretKeyPathOf(options.dataDir);
  const known = await readKey(path);
  if (known) return known;
  const made = randomBytes(keyBytes);
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(made);
    await file.sync();
    await file.close();
    return made;
  } catch (error) {
    // Another process created it at the same moment.
    const theirs = await readKey(path);
    if (theirs) return theirs;
    throw error;
  }
}
