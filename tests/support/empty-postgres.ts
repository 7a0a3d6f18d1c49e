import type { Client } from 'pg';

// Copying a PostgreSQL database takes ten times as long as emptying one. A template therefore brings a function that
// puts its copies back into the state in which they were created.

/**
 * Everything by which a test could have changed the schema of its database. A changed database is dropped instead of
 * emptied.
 */
const schemaFingerprint = `
  select md5(string_agg(line, chr(10) order by line)) from (
    select concat_ws(' ', 'relation', relname, relkind, reloptions::text, relpersistence) as line
      from pg_class where relnamespace = 'public'::regnamespace
    union all
    select concat_ws(' ', 'column', attrelid::regclass::text, attname, atttypid::text, attnotnull::text, atthasdef::text)
      from pg_attribute join pg_class on pg_class.oid = attrelid
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'm', 'p') and not attisdropped
    union all
    select concat_ws(' ', 'constraint', conrelid::regclass::text, conname, convalidated::text, pg_get_constraintdef(oid))
      from pg_constraint where connamespace = 'public'::regnamespace
    union all
    select concat_ws(' ', 'trigger', tgrelid::regclass::text, tgname, tgenabled::text) from pg_trigger where not tgisinternal
    union all
    select concat_ws(' ', 'function', proname, md5(prosrc)) from pg_proc where pronamespace = 'public'::regnamespace
    union all
    select concat_ws(' ', 'extension', extname, extversion) from pg_extension
    union all
    select concat_ws(' ', 'setting', setconfig::text) from pg_db_role_setting
      where setdatabase = (select oid from pg_database where datname = current_database())
  ) as lines`;

/**
 * Adds to a template what its copies need to be emptied: `test_support.empty()`, which also brings back the rows that the
 * migrations inserted. It adds no tables, which tests of the schema would find.
 */
export async function prepareTemplate(client: Client): Promise<void> {
  await client.query('create schema test_support');
  const { rows: tables } = await client.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const inserts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await client.query<{ rows: string | null }>(
      `select json_agg(t)::text as rows from "${name}" t`,
    );
    const content = rows[0]?.rows ?? null;
    if (content !== null)
      inserts.push(
        `insert into public."${name}" overriding system value select * from json_populate_recordset(null::public."${name}", ${client.escapeLiteral(content)});`,
      );
  }
  await client.query(
    `create function test_support.fingerprint() returns text language sql as $$${schemaFingerprint}$$`,
  );
  const { rows: expected } = await client.query<{ value: string }>(
    'select test_support.fingerprint() as value',
  );
  await client.query(`comment on schema test_support is '${expected[0]?.value ?? ''}'`);
  await client.query(`
    create function test_support.empty() returns void language plpgsql as $body$
    declare name text;
    begin
      perform pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend';
      -- Neither triggers nor foreign keys run.
      perform set_config('session_replication_role', 'replica', true);
      for name in select tablename from pg_tables where schemaname = 'public' loop
        execute format('delete from public.%I', name);
      end loop;
      ${inserts.join('\n      ')}
      for name in select sequencename from pg_sequences where schemaname = 'public' loop
        execute format('alter sequence public.%I restart', name);
      end loop;
    end $body$`);
}
