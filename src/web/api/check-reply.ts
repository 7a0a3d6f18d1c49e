import { api } from '#contract/api.ts';

/**
 * In development every reply is held against its schema; the built app leaves this file and the schemas out.
 */
export async function checkReply(name: string, reply: unknown): Promise<void> {
  const checked = await api[name]?.reply?.safeParseAsync(reply);
  if (checked && !checked.success)
    throw new RangeError(`the reply to ${name} is not what the contract says: ${checked.error.message}`);
}
