const segment = '[a-z0-9][a-z0-9-]*';
const keyPattern = new RegExp(`^${segment}(?:/${segment})*$`);
const longestKey = 255;

/**
 * A key, or TypeError: nothing but the port's alphabet ever becomes a path, so no key leaves the directory.
 */
export function parseBlobKey(key: string): string {
  if (key.length > longestKey || !keyPattern.test(key))
    throw new TypeError(
      `a blob key is lower-case path segments, received ${JSON.stringify(key.slice(0, 80))}`,
    );
  return key;
}
