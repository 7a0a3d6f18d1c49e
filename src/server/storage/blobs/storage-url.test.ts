import { expect, test } from 'vitest';
import { parseStorageUrl, storageUrlMistake } from './storage-url.ts';

test.for([
  [
    's3://earshot',
    { bucket: 'earshot', prefix: '', endpoint: null, region: 'us-east-1', isPathStyle: false },
  ],
  [
    's3://earshot/one/two/?region=eu-central-1',
    { bucket: 'earshot', prefix: 'one/two/', endpoint: null, region: 'eu-central-1', isPathStyle: false },
  ],
  [
    's3://earshot?endpoint=http://127.0.0.1:7070',
    {
      bucket: 'earshot',
      prefix: '',
      endpoint: 'http://127.0.0.1:7070',
      region: 'us-east-1',
      isPathStyle: true,
    },
  ],
  [
    's3://my.bucket/p?endpoint=https://s3.example&region=auto&pathStyle=false',
    { bucket: 'my.bucket', prefix: 'p/', endpoint: 'https://s3.example', region: 'auto', isPathStyle: false },
  ],
  ['disk:', null],
] as const)('reads %s', ([text, expected]) => {
  expect(storageUrlMistake(text)).toBeNull();
  expect(parseStorageUrl(text)).toEqual(expected);
});

test.for([
  ['earshot', 'must be disk: or s3://'],
  ['https://s3.example/earshot', 'must be disk: or s3://'],
  ['s3://', 'must name a bucket'],
  ['s3://UPPER_case', 'must name a bucket'],
  ['s3://key:secret@earshot', 'must not contain credentials'],
  ['s3://earshot?endpoint=s3.example', 'must have an endpoint'],
  ['s3://earshot?endpoint=https://key:secret@s3.example', 'must not contain credentials'],
  ['s3://earshot?end=x', 'has an unknown parameter "end"'],
  ['s3://earshot?pathStyle=yes', 'must have pathStyle=true'],
  ['s3://earshot/a%20b', 'must have a prefix of'],
] as const)('rejects %s: it %s', ([text, message]) => {
  expect(storageUrlMistake(text)).toContain(message);
});
