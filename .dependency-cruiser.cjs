const { existsSync } = require('node:fs');

// The architecture of ARCHITECTURE.md as a table: what each part may import.
const mayImport = {
  base: [],
  audio: ['base'],
  contract: ['base'],
  playback: ['base', 'contract'],
  device: ['base', 'audio', 'contract'],
  workers: ['base', 'audio', 'contract', 'device'],
  web: ['base', 'audio', 'contract', 'playback', 'device', 'workers'],
  listen: ['base', 'audio', 'contract', 'playback'],
  server: ['base', 'audio', 'contract'],
};

const mayImportInside = {
  web: {
    ui: [],
    shortcuts: ['ui'],
    i18n: [],
    api: [],
    'recordings/time': ['ui', 'i18n', 'api'],
    'recordings/state': ['ui'],
    'recordings/notes': ['ui'],
    'recordings/favourites': ['ui', 'api', 'outbox'],
    outbox: ['ui', 'api'],
    'request-states': ['ui', 'i18n', 'api'],
    features: ['ui', 'shortcuts', 'i18n', 'api', 'outbox', 'recordings', 'request-states'],
  },
  server: {
    logs: [],
    storage: [],
    jobs: ['storage', 'logs'],
    i18n: [],
    mail: [],
    processes: [],
    http: ['i18n', 'logs'],
    transcribers: ['processes'],
    features: ['storage', 'jobs', 'i18n', 'mail', 'http', 'processes', 'transcribers'],
  },
};

const libraryFolders = {
  'react|react-dom|react-aria|react-aria-components|wouter|lucide-react': 'src/web/',
  '@tanstack': 'src/web/',
  kysely: 'src/server/(storage/(database|rows|search|tables)|features|jobs)/',
  pg: 'src/server/storage/(database|blobs/tiered)/',
  '@aws-sdk': 'src/server/storage/(blobs/objects|backups/s3)/',
  'fastify|@fastify': 'src/server/(http|features)/',
  '@noble': 'src/workers/',
  idb: 'src/(device|workers/import)/',
};

// A rule about a folder that does not exist would check nothing.
for (const [runtime, folders] of Object.entries(mayImportInside)) {
  for (const [folder, allowed] of Object.entries(folders)) {
    for (const name of [folder, ...allowed]) {
      if (!existsSync(`${__dirname}/src/${runtime}/${name}`))
        throw new Error(`.dependency-cruiser.cjs names src/${runtime}/${name}, which does not exist`);
    }
  }
}

const error = (name, from, to) => ({ name, severity: 'error', from, to });

module.exports = {
  forbidden: [
    error('everything-resolves', {}, { couldNotResolve: true, pathNot: '\\?(worker|url|worker&url)$' }),
    error('no-cycles', {}, { circular: true }),
    ...Object.entries(mayImport).map(([runtime, allowed]) =>
      error(
        `${runtime}-imports-only-${allowed.join('-') || 'itself'}`,
        { path: `^src/${runtime}/` },
        { path: '^src/', pathNot: `^src/(${[runtime, ...allowed].join('|')})/` },
      ),
    ),
    ...Object.entries(mayImportInside).flatMap(([runtime, folders]) =>
      Object.entries(folders).map(([folder, allowed]) =>
        error(
          `${runtime}-${folder}-imports-only-${allowed.join('-') || 'itself'}`,
          { path: `^src/${runtime}/${folder}/`, pathNot: '\\.test\\.tsx?$' },
          { path: `^src/${runtime}/`, pathNot: `^src/${runtime}/(${[folder, ...allowed].join('|')})/` },
        ),
      ),
    ),
    error(
      'ui-knows-no-domain',
      { path: '^src/web/ui/' },
      { path: '^src/(contract|audio|device|workers)/', pathNot: '^src/device/site-data/' },
    ),
    error(
      'web-features-stand-alone',
      { path: '^src/web/features/([^/]+)/' },
      { path: '^src/web/(features|app)/', pathNot: '^src/web/features/$1/' },
    ),
    error(
      'server-features-share-only-types',
      { path: '^src/server/features/([^/]+)/', pathNot: '\\.test\\.ts$' },
      {
        path: '^src/server/features/',
        pathNot: '^src/server/features/$1/',
        dependencyTypesNot: ['type-only'],
      },
    ),
    error(
      'share-grants-come-from-identification',
      { path: '^src/server/', pathNot: '^src/server/http/pipeline/identify-caller\\.ts$|\\.test\\.ts$' },
      { path: '^src/server/http/share-grant\\.ts$', dependencyTypesNot: ['type-only'] },
    ),
    error(
      'adapters-are-chosen-in-main',
      {
        path: '^src/server/(?!(main|server|start/(stores|open-hub|backup-targets|tiered-blobs|check-storage))\\.ts|storage/)',
        pathNot: '\\.(test|suite)\\.ts$',
      },
      { path: '^src/server/storage/[^/]+/[^/]+/', pathNot: '^src/server/storage/database/migrations/' },
    ),
    error(
      'nothing-imports-the-style-page',
      { path: '^src/', pathNot: '^src/web/dev/' },
      { path: '^src/web/dev/' },
    ),
    error(
      'nothing-imports-main',
      { path: '^src/server/(?!(main|cli)\\.ts)', pathNot: '\\.test\\.ts$' },
      { path: '^src/server/main\\.ts$' },
    ),
    error(
      'contract-needs-only-zod',
      { path: '^src/contract/', pathNot: '\\.test\\.ts$' },
      { dependencyTypes: ['npm', 'core'], pathNot: 'node_modules/zod/' },
    ),
    error(
      'server-runs-without-dev-dependencies',
      // Scripts of `npm start`. Only the process that they start to build the app needs development dependencies.
      {
        path: '^(src/(base|audio|contract|server)/|scripts/(start|node-version|build-web|build-progress|web-build-state)\\.)',
        pathNot: '\\.(test|suite)\\.ts$',
      },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    ),
    error(
      'tests-support-stays-in-tests',
      { path: '^src/', pathNot: '\\.(test|suite)\\.tsx?$' },
      { path: '^tests/' },
    ),
    ...Object.entries(libraryFolders).map(([library, home]) =>
      error(
        `${library}-stays-home`,
        { path: '^src/', pathNot: `^${home}|\\.(test|suite)\\.tsx?$` },
        { path: `node_modules/(${library})/` },
      ),
    ),
  ],
  options: {
    tsPreCompilationDeps: 'specify',
    tsConfig: { fileName: 'tsconfig.base.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
  },
};
