/** This file is a CommonJS module, because astro-i18next silently ignores a configuration in an ES module. */
const { readdirSync } = require('node:fs')
const { FALLBACK_LOCALE, LOCALES } = require('./src/lib/i18n/locales.ts')

module.exports = {
  defaultLocale: FALLBACK_LOCALE,
  locales: [...LOCALES],
  namespaces: readdirSync(`${__dirname}/src/i18n/${FALLBACK_LOCALE}`)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -5)),
  defaultNamespace: 'common',
  load: ['server'],
  i18nextServer: {
    initAsync: false,
    preload: [...LOCALES],
    backend: { loadPath: './src/i18n/{{lng}}/{{ns}}.json' },
  },
}
