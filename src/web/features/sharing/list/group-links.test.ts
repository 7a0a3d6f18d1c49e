import { expect, test } from 'vitest';
import { shareFor } from '#web/features/sharing/terms/share.suite.ts';
import { groupLinks } from './group-links.ts';

const links = [
  shareFor({ id: 'a', recordingId: 'one', recipientLabel: 'Eve', createdAt: '2026-11-01T00:00:00.000Z' }),
  shareFor({ id: 'b', recordingId: 'two', recipientLabel: '', createdAt: '2026-11-02T00:00:00.000Z' }),
  shareFor({
    id: 'c',
    recordingId: 'one',
    recipientLabel: 'Eve',
    state: 'revoked',
    createdAt: '2026-11-03T00:00:00.000Z',
  }),
];
const shown = (by: 'recording' | 'recipient') =>
  groupLinks(links, by).map(({ key, links: group }) => `${key}: ${group.map(({ id }) => id).join('')}`);

test('recordings follow their newest link, and links that work come first', () => {
  expect(shown('recording')).toEqual(['one: ac', 'two: b']);
});

test('links without a recipient come last', () => {
  expect(shown('recipient')).toEqual(['Eve: ac', ': b']);
});
