const segment = '[a-z0-9][a-z0-9-]*';
const keyPattern = new RegExp(`^${segment}(?:/${segment})*$`);
const maxKeyLength = 255;

/**
 * Validates a key. Only the port's alphabet ever becomes a path, so no key can leave the directory.
 * @throws TypeError for any other key
 */
export function parseBlobKey(key: string): string {
  if (key.length > maxKeyLength || !keyPattern.test(key))
    throw new TypeError(
      `a blob key is lower-case path segments, received ${JSON.stringify(key.slice(0, 80))}`,
    );
  return key;
}
