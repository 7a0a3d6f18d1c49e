/** The PostgreSQL server of the tests that need one; empty without it. `npm run test:unit` starts it if it is installed. */
export const testPostgresUrl: string = process.env['TEST_POSTGRES_URL'] ?? '';

/** Whether the tests that need PostgreSQL can run here. */
export const hasPostgres: boolean = testPostgresUrl !== '';
