import type { Route } from '#server/http/route.ts';
import { accountHistoryRoutes } from './administration/account-history.ts';
import { peopleRoutes } from './administration/people-routes.ts';
import { emailRoutes } from './credentials/change-email.ts';
import { deleteAccountRoutes } from './deletion/delete-account.ts';
import { passkeyRoutes } from './credentials/passkey-routes.ts';
import { passkeySignInRoutes } from './sign-in/passkey-sign-in.ts';
import { changePasswordRoute } from './credentials/change-password.ts';
import { resetPasswordRoutes } from './credentials/reset-password.ts';
import type { AccountsRoutesDeps } from './present.ts';
import { deviceRoutes } from './sessions/device-routes.ts';
import { reauthenticateRoutes } from './sign-in/reauthenticate.ts';
import { totpRoutes } from './credentials/totp-routes.ts';

/** Everything a person can do about how their account is protected, and an admin about people. */
export const credentialRoutes = (deps: AccountsRoutesDeps): Route[] => [
  ...deviceRoutes(deps),
  ...reauthenticateRoutes(deps),
  changePasswordRoute(deps),
  ...resetPasswordRoutes(deps),
  ...emailRoutes(deps),
  ...totpRoutes(deps),
  ...passkeyRoutes(deps),
  ...passkeySignInRoutes(deps),
  ...deleteAccountRoutes(deps),
  ...accountHistoryRoutes(deps),
  ...peopleRoutes(deps),
];
