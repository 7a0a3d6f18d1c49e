/** Where the objects of an installation are: `s3://bucket/prefix?endpoint=&region=&pathStyle=`. */
export interface S3Location {
  bucket: string;
  /** Precedes every object's name: empty, or ends in `/`. */
  prefix: string;
  /** The address of the store; null for Amazon's of the region. */
  endpoint: string | null;
  region: string;
  /** Puts the bucket into the path instead of the host name. Most stores other than Amazon's need it. */
  isPathStyle: boolean;
}

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
const bucketPattern = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const prefixPattern = /^(?:[A-Za-z0-9._-]+\/)*$/;
const parameters = new Set(['endpoint', 'region', 'pathStyle']);
const defaultRegion = 'us-east-1';

const prefixOf = (pathname: string): string => {
  const path = pathname.replaceAll(/^\/+|\/+$/g, '');
  return path === '' ? '' : `${path}/`;
};

function endpointMistake(text: string): string | null {
  const endpoint = URL.parse(text);
  if (endpoint === null || !['http:', 'https:'].includes(endpoint.protocol) || endpoint.search !== '')
    return 'must have an endpoint that begins with https:// (or http://)';
  return endpoint.username === '' && endpoint.password === ''
    ? null
    : 'must not contain credentials: set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY';
}

function mistakeIn(url: URL): string | null {
  if (url.username !== '' || url.password !== '')
    return 'must not contain credentials: set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY';
  if (!bucketPattern.test(url.hostname)) return 'must name a bucket: s3://bucket/prefix';
  if (!prefixPattern.test(prefixOf(url.pathname)))
    return 'must have a prefix of letters, digits, ".", "_", "-" and "/"';
  const unknown = [...url.searchParams.keys()].find((name) => !parameters.has(name));
  if (unknown !== undefined)
    return `has an unknown parameter "${unknown}": use endpoint, region and pathStyle`;
  const pathStyle = url.searchParams.get('pathStyle') ?? '';
  if (!['', 'true', 'false'].includes(pathStyle)) return 'must have pathStyle=true or pathStyle=false';
  const endpoint = url.searchParams.get('endpoint') ?? '';
  return endpoint === '' ? null : endpointMistake(endpoint);
}

/** Returns what is wrong with a value of STORAGE_URL, to follow the variable's name; null if nothing is. */
export function storageUrlMistake(text: string): string | null {
  if (text === 'disk:') return null;
  const url = URL.parse(text);
  return url?.protocol === 's3:'
    ? mistakeIn(url)
    : 'must be disk: or s3://bucket/prefix?endpoint=https://…&region=…';
}

/** Parses a valid STORAGE_URL. Returns null for `disk:`. */
export function parseStorageUrl(text: string): S3Location | null {
  if (text === 'disk:') return null;
  const url = new URL(text);
  const endpoint = url.searchParams.get('endpoint') ?? '';
  const pathStyle = url.searchParams.get('pathStyle') ?? '';
  return {
    bucket: url.hostname,
    prefix: prefixOf(url.pathname),
    endpoint: endpoint === '' ? null : endpoint,
    region: url.searchParams.get('region') ?? defaultRegion,
    // A store of one's own rarely has a host name for each bucket.
    isPathStyle: pathStyle === '' ? endpoint !== '' : pathStyle === 'true',
  };
}
