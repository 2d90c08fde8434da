/**
 * Import rules (docs/architecture.md): a list of what is allowed. Every layer lists the layers and the packages that
 * its files may import; all other imports are errors. Add an entry when a file needs it, and remove it when no file
 * needs it any more. The files of one folder may import each other, except for those of `server/routes/`.
 */
const LAYERS = {
  // Server, from top to bottom.
  start: {
    path: '^server/(main|create-deps|database-start|first-run|first-import-process|periodic-tasks|preflight|welcome|cluster-supervisor|shutdown-signals)\\.ts$',
    layers: ['app', 'http', 'services', 'importers', 'queries', 'db', 'providers', 'core'],
    packages: ['hono', 'node'],
  },
  app: {
    path: '^server/app\\.ts$',
    layers: ['routes', 'mediaRoutes', 'http', 'services'],
    packages: ['hono', 'node'],
  },
  routes: {
    path: '^server/routes/[^/]+\\.ts$',
    layers: ['http', 'services', 'core', 'contract', 'locales'],
    packages: ['hono', 'node'],
    hasSeparateFiles: true,
  },
  mediaRoutes: {
    path: '^server/routes/media/',
    layers: ['http', 'services', 'providers', 'core', 'rules'],
    packages: ['hono', '@hono/node-server', 'node'],
  },
  http: {
    path: '^server/http/',
    layers: ['auth', 'deps', 'core', 'contract', 'siteRoutes'],
    packages: ['hono', '@hono/node-server', 'zod', 'node'],
  },
  services: {
    path: '^server/services/',
    layers: [
      'importers',
      'recommend',
      'browse',
      'search',
      'images',
      'queries',
      'db',
      'providers',
      'core',
      'contract',
      'rules',
      'locales',
      'siteRoutes',
      'texts',
    ],
    packages: ['@simplewebauthn/server', 'ical-generator', 'otpauth', 'zod', 'yauzl', 'node'],
  },
  importers: {
    path: '^server/importers/',
    layers: ['queries', 'db', 'core', 'rules', 'locales'],
    packages: ['zod', 'node'],
  },
  queries: {
    path: '^server/queries/',
    layers: ['db', 'browse', 'core', 'rules', 'locales'],
    packages: ['kysely', 'zod'],
  },
  // Migrations compute the values of new columns with functions of `src/lib/rules`, which server and site share.
  db: {
    path: '^server/db/',
    layers: ['core', 'rules'],
    packages: ['kysely', 'pg', 'pg-copy-streams', 'node'],
  },
  providers: {
    path: '^server/providers/',
    layers: ['core', 'rules'],
    packages: ['@redis/client', 'nodemailer', 'openid-client', 'sharp', 'web-push', 'zod', 'node'],
  },
  search: { path: '^server/search/', layers: ['core', 'rules'], packages: ['node'] },
  browse: { path: '^server/browse/', layers: ['core', 'rules'], packages: [] },
  recommend: { path: '^server/recommend/', layers: ['core'], packages: ['node'] },
  images: { path: '^server/images/', layers: ['core'], packages: [] },
  core: { path: '^server/core/', layers: [], packages: ['node'] },
  // The files of `services` that `http` may import: authentication, authorization, and `deps.ts` with the type `Deps`.
  auth: {
    path: '^server/services/auth/(api-key-access|authenticate|authorize|caller|denied-calls|proof|step-up)\\.ts$',
    partOf: 'services',
  },
  deps: { path: '^server/services/deps\\.ts$', partOf: 'services' },

  // Site, from top to bottom. Astro files are not read by dependency-cruiser.
  layouts: {
    path: '^src/layouts/',
    layers: ['islands', 'siteRoutes', 'i18n', 'pageScripts'],
    packages: ['node'],
  },
  pageScripts: {
    path: '^src/page-scripts/',
    layers: [
      'islands',
      'serviceWorker',
      'contract',
      'rules',
      'i18n',
      'siteRoutes',
      'siteLibrary',
      'imagePaths',
      'clientNavigation',
      'paint',
    ],
    packages: ['astro:transitions'],
  },
  serviceWorker: { path: '^src/sw/', layers: ['i18n', 'siteRoutes', 'siteLibrary'], packages: [] },
  islands: {
    path: '^src/islands/',
    layers: [
      'ui',
      'icons',
      'stores',
      'client',
      'contract',
      'rules',
      'i18n',
      'siteRoutes',
      'siteLibrary',
      'imagePaths',
      'clientNavigation',
      'paint',
    ],
    packages: [
      '@nanostores/query',
      '@nanostores/react',
      'astro:transitions',
      'hls.js',
      'jassub',
      'libpgs',
      'nanostores',
      'react',
      'react-dom',
    ],
  },
  ui: { path: '^src/ui/', layers: ['icons', 'paint'], packages: ['react', 'uqr'] },
  icons: { path: '^src/icons/', layers: [], packages: ['react'] },
  stores: {
    path: '^src/lib/stores/',
    layers: ['client', 'clientNavigation', 'contract', 'rules', 'i18n', 'siteRoutes', 'siteLibrary', 'paint'],
    packages: ['@nanostores/query', '@simplewebauthn/browser', 'astro:transitions', 'nanostores'],
  },
  client: { path: '^src/lib/client/', layers: ['contract', 'siteLibrary'], packages: [] },
  contract: { path: '^src/lib/contract/', layers: ['rules', 'locales'], packages: ['zod'] },
  rules: { path: '^src/lib/rules/', layers: ['locales'], packages: [] },
  siteRoutes: {
    path: '^src/lib/(embed-policy|file-policies|routes)\\.ts$',
    layers: ['i18n', 'siteLibrary'],
    packages: [],
  },
  siteLibrary: {
    path: '^src/lib/(storage|storage-keys|dashboard-storage-keys|single-key-shortcuts|stored-volume|display-attributes|playback-environment|endpoint-url|history-entry|refresh-timeout|time-zone|decode-uri-component)\\.ts$',
    layers: ['contract', 'i18n', 'rules'],
    packages: [],
  },
  imagePaths: { path: '^src/lib/images\\.ts$', layers: [], packages: [] },
  clientNavigation: { path: '^src/lib/client-navigation\\.ts$', layers: [], packages: ['astro:transitions'] },
  paint: { path: '^src/lib/(wait-for-paint|next-page-event|page-direction)\\.ts$', layers: [], packages: [] },
  locales: { path: '^src/lib/i18n/locales\\.ts$', partOf: 'i18n' },
  i18n: { path: '^src/lib/i18n/', layers: ['texts'], packages: [] },
  texts: { path: '^src/i18n/', layers: [], packages: [] },

  // Commands.
  scripts: {
    path: '^scripts/[^/]+$',
    layers: [
      'gallery',
      'icons',
      'start',
      'services',
      'importers',
      'queries',
      'db',
      'providers',
      'core',
      'contract',
      'i18n',
      'siteRoutes',
    ],
    packages: ['playwright', 'vite', 'node'],
  },
  gallery: {
    path: '^scripts/gallery/',
    layers: ['contract', 'rules', 'i18n', 'siteLibrary'],
    packages: ['playwright', 'node'],
  },
}

/**
 * Returns the condition that matches the imports of a package. `node` stands for the modules of Node.js. The build
 * provides the modules whose names begin with `astro:`.
 */
function toPackageRule(name) {
  if (name === 'node') return { dependencyTypes: ['core'] }
  return { path: name.startsWith('astro:') ? `^${name}/` : `^node_modules/${name}/` }
}

function toAllowedRules({ path, layers, packages, hasSeparateFiles = false }) {
  const files = layers.map((name) => LAYERS[name].path)
  if (!hasSeparateFiles) files.push(path)
  return [
    ...(files.length > 0 ? [{ from: { path }, to: { path: files.join('|') } }] : []),
    ...packages.map((name) => ({ from: { path }, to: toPackageRule(name) })),
  ]
}

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Cycles of type-only imports are forbidden too: a type belongs to one file.',
      severity: 'error',
      from: { path: '^server/|^src/(icons|lib|ui|islands)/' },
      to: { circular: true },
    },
    {
      name: 'inline-scripts-without-packages',
      comment: 'Every byte of an inline script is in every page.',
      severity: 'error',
      from: { path: '^src/page-scripts/inline/' },
      to: { path: '^src/islands/|^node_modules/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'optional-packages-are-loaded-by-their-first-use',
      comment: 'Most servers never use these packages, and loaded modules take memory (decision record 54).',
      severity: 'error',
      from: { path: '^server/', pathNot: '^server/providers/redis\\.ts$' },
      to: {
        path: '^server/providers/redis\\.ts$|^node_modules/(@redis/client|nodemailer|web-push)/',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
  ],
  allowed: Object.values(LAYERS)
    .filter(({ partOf }) => !partOf)
    .flatMap(toAllowedRules),
  allowedSeverity: 'error',
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'node', 'default'],
    },
  },
}
