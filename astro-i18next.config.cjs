/** CommonJS, because astro-i18next silently ignores an ES module. */
module.exports = {
  defaultLocale: 'en',
  locales: ['en', 'fr', 'ar'],
  namespaces: require('node:fs')
    .readdirSync(`${__dirname}/src/i18n/en`)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -5)),
  defaultNamespace: 'common',
  load: ['server'],
  i18nextServer: {
    initAsync: false,
    preload: ['en', 'fr', 'ar'],
    backend: { loadPath: './src/i18n/{{lng}}/{{ns}}.json' },
  },
}
