import { personSchema } from './credentials-api.ts';
import { endpoint } from './endpoint.ts';

export const disableUser = endpoint({
  method: 'POST', path: '/api/admin/users/:userId/disable', access: 'session',
  summary: 'For admins: disable an account. Its sessions, event streams and uploads end within a second, and nobody can sign in to it; nothing is deleted. Idempotent.',
  reply: personSchema, statuses: [200], errors: ['not-found', 'forbidden', 'last-admin', 'own-account', 'reauthentication-required'],
});

export const enableUser = endpoint({
  method: 'POST', path: '/api/admin/users/:userId/enable', access: 'session', summary: 'For admins: let the person of a disabled account sign in again. Idempotent.',
  reply: personSchema, statuses: [200], errors: ['not-found', 'forbidden', 'reauthentication-required'],
});
