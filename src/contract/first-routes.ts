/**
 * Method and path of every endpoint that the code of the first screen calls itself, by name. The rest of the table
 * loads with the code that calls it (`routes.ts`).
 */
export const firstRoutes = {
  logOut: 'POST /auth/logout',
  getSession: 'GET /auth/session',
  changeProfile: 'PATCH /api/profile',
} as const;
