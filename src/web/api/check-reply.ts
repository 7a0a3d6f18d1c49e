import { api } from '#contract/api.ts';

/**
 * Checks every reply against its schema in development. The production build leaves out this file and the schemas.
 */
export async function checkReply(name: string, reply: unknown): Promise<void> {
  const checked = await api[name]?.reply?.safeParseAsync(reply);
  if (checked && !checked.success)
    throw new RangeError(`the reply to ${name} does not match the contract: ${checked.error.message}`);
}
