import { userScope } from '#web/api/user-scope.ts';

/**
 * Whether the user has switched the level check on. It holds the microphone open, so it is off at each visit of the
 * recorder, after a reload and for the next user.
 */
export const levelCheckSwitch = userScope.createStore(false);
