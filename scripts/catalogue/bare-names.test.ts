import { expect, test } from 'vitest';
import { findBareNames } from './bare-names.ts';

const lines = (source: string) => findBareNames(source).map(({ line }) => line);

test.each([
  ['a title in a message', 'const words = t`${title} deleted`;'],
  ['a name of an object in a message', 'const words = t`Hello, ${user.displayName}`;'],
  [
    'a title in a sentence with elements',
    'const part = <Trans>Delete <strong>{item.title}</strong>?</Trans>;',
  ],
  [
    'a title in the plural',
    'const part = <Trans>{label} has <Plural value={count} one="# marker" other="# markers" /></Trans>;',
  ],
])('finds %s', (_, source) => {
  expect(lines(source)).toEqual([1]);
});

test.each([
  ['one that was wrapped', 'const label = iso(marker.label);\nconst words = t`Marker ${label}`;'],
  ['one in an element of its own', 'const part = <Trans>Delete <UserText>{title}</UserText>?</Trans>;'],
  ['one in a bdi', 'const part = <Trans>Delete <bdi>{title}</bdi>?</Trans>;'],
  ['what nobody typed', 'const words = t`${count} of ${total}`;'],
  ['a title that stands alone', 'const part = <h1>{title}</h1>;'],
])('lets %s pass', (_, source) => {
  expect(lines(source)).toEqual([]);
});
