import { userScope } from '#web/api/user-scope.ts';

/**
 * The takes whose links play what is recorded after they were continued, because their owner said so. The server ends
 * the links of all others where the recording ended.
 */
export const linksThatContinue = userScope.createStore<ReadonlySet<string>>(new Set());
