import type { Transaction } from 'kysely';
import { z } from 'zod';
import { day } from '#base/duration.ts';
import { limits } from '#contract/limits.ts';
import {
  type ShareEmbed,
  shareEmbedSchema,
  type SharePreview,
  sharingPolicySchema,
  type SharingPolicy,
} from '#contract/shares.ts';
import type { Queries } from '#server/storage/database/database.ts';
import type { Schema } from '#server/storage/database/schema.ts';
import type { ShareRow } from '#server/storage/database/share-tables.ts';

/** What an installation allows whose administrators changed nothing. */
const defaultPolicy: SharingPolicy = {
  links: 'on',
  longestDays: limits.share.longestDays,
  defaultDays: limits.share.defaultDays,
  isPasswordRequired: false,
  mayDownload: true,
  mayDownloadOriginal: true,
  mayEmbed: true,
  mayPreview: true,
  mayGoLive: true,
};

const storedName = 'sharing-policy';

/** A stored policy of another version takes the usual value of each rule that it lacks or that cannot be read. */
function policyIn(json: string): SharingPolicy {
  const rules = z.record(z.string(), z.unknown()).catch({}).parse(JSON.parse(json));
  const policy: Record<string, unknown> = { ...defaultPolicy };
  for (const [name, schema] of Object.entries(sharingPolicySchema.shape)) {
    const rule = schema.safeParse(rules[name]);
    if (rule.success) policy[name] = rule.data;
  }
  return sharingPolicySchema.parse(policy);
}

/** What users of this installation may share. */
export async function readPolicy(queries: Queries): Promise<SharingPolicy> {
  const row = await queries
    .selectFrom('installation')
    .select('value')
    .where('name', '=', storedName)
    .executeTakeFirst();
  return row === undefined ? defaultPolicy : policyIn(row.value);
}

/**
 * Changes some of the rules. Changes that are made at the same time wait for each other, so that none is lost.
 * @returns all rules
 */
export async function changePolicy(
  transaction: Transaction<Schema>,
  rules: { [Rule in keyof SharingPolicy]?: SharingPolicy[Rule] | undefined },
): Promise<SharingPolicy> {
  // Locks the row, also if it does not exist yet.
  await transaction
    .insertInto('installation')
    .values({ name: storedName, value: '{}' })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((eb) => ({ value: eb.ref('installation.value') })),
    )
    .execute();
  const policy = sharingPolicySchema.parse({ ...(await readPolicy(transaction)), ...rules });
  await transaction
    .updateTable('installation')
    .set({ value: JSON.stringify(policy) })
    .where('name', '=', storedName)
    .execute();
  return policy;
}

type Setting = Pick<
  ShareRow,
  | 'audience'
  | 'password_hash'
  | 'max_listens'
  | 'live_delay_ms'
  | 'embed'
  | 'preview'
  | 'download'
  | 'expires_at'
  | 'expiry_set_at'
>;

/** Whether everybody with the address may open a link at once. */
const isOpen = ({ audience, password_hash: hash }: Pick<Setting, 'audience' | 'password_hash'>): boolean =>
  audience === 'anyone' && hash === null;

/**
 * Which pages may embed a link. None if it needs a cookie or a click that counts: other pages could trick their
 * visitors into giving it.
 */
export function embedOf(share: Setting): ShareEmbed | null {
  if (share.embed === null || !isOpen(share) || share.max_listens !== null) return null;
  return shareEmbedSchema.nullable().catch(null).parse(JSON.parse(share.embed));
}

/** What previews of a link show. Messengers store them, so they show nothing of what not everybody may open. */
export const previewOf = (share: Setting): SharePreview =>
  isOpen(share) && share.live_delay_ms === null ? share.preview : 'none';

/** The settings of a link that break a rule, as JSON pointers to the fields of the contract. */
export function breachesOf(share: Setting, policy: SharingPolicy): string[] {
  const { longestDays } = policy;
  const isTooLong =
    longestDays !== null &&
    (share.expires_at === null || share.expires_at - share.expiry_set_at > longestDays * day);
  const broken: readonly [pointer: string, isBroken: boolean][] = [
    ['/audience', policy.links === 'off' || (policy.links === 'users' && share.audience === 'anyone')],
    ['/expiresAt', isTooLong],
    // A link for signed-in users needs a sign-in already.
    ['/password', policy.isPasswordRequired && isOpen(share)],
    [
      '/download',
      (!policy.mayDownload && share.download !== 'off') ||
        (!policy.mayDownloadOriginal && share.download === 'original'),
    ],
    ['/embed', !policy.mayEmbed && embedOf(share) !== null],
    ['/preview', !policy.mayPreview && previewOf(share) !== 'none'],
    ['/live', !policy.mayGoLive && share.live_delay_ms !== null],
  ];
  return broken.filter(([, isBroken]) => isBroken).map(([pointer]) => pointer);
}
