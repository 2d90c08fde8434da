/** Settings, environment variables and job kinds are documented, and the dashboard has texts for them and for audit actions. */
import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { JOB_HANDLERS } from '../../server/services/jobs/job-handlers.ts'
import { SETTINGS } from '../../server/services/operations/settings.ts'

const operatingGuide = readFileSync('docs/operating.md', 'utf8')
const readTexts = (name: string) => JSON.parse(readFileSync(`src/i18n/en/${name}.json`, 'utf8')) as object
const variables = [
  ...readFileSync('server/core/config.ts', 'utf8').matchAll(/read\w+\(env, '([A-Z_]+)'/g),
].map(([, name = '']) => name)

test('the search of this test finds environment variables in config.ts', () => {
  expect(variables).toContain('TRUSTED_PROXIES')
  expect(variables).toContain('KEYS_SECRET')
})

test.each(variables)('docs/operating.md documents %s', (name) => {
  expect(operatingGuide).toContain(`\`${name}\``)
})

const { engines, dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  engines: { node: string }
  dependencies: { node: string }
}

test.each(['README.md', 'CONTRIBUTING.md', 'docs/first-import.md', 'scripts/install.mjs'])(
  '%s names no Node versions other than those of package.json',
  (file) => {
    const text = readFileSync(file, 'utf8')
    const oldestVersion = /^>=(\d+)$/.exec(engines.node)?.[1]
    const namedVersions = [...text.matchAll(/Node \(?(\d+)/g)].map(([, version]) => version)
    const pinnedVersion = dependencies.node.split('.')[0]
    expect(namedVersions).toContain(oldestVersion)
    expect(namedVersions.filter((version) => version !== oldestVersion && version !== pinnedVersion)).toEqual(
      [],
    )
  },
)

describe.each(Object.keys(SETTINGS))('the setting %s', (key) => {
  test('the setting is documented in docs/operating.md', () => {
    expect(operatingGuide).toContain(`| \`${key}\``)
  })

  test('the setting has a name and a hint on the dashboard', () => {
    expect(Object.keys(readTexts('dashboardsystem'))).toEqual(
      expect.arrayContaining([`setting_${key}`, `settingHint_${key}`]),
    )
  })
})

describe.each(Object.keys(JOB_HANDLERS))('the job kind %s', (kind) => {
  test('the job kind has a name on the dashboard', () => {
    expect(Object.keys(readTexts('dashboard'))).toContain(`job_${kind}`)
  })

  test('the job kind is an option of the job filter', () => {
    expect(readFileSync('src/lib/stores/admin/jobs.ts', 'utf8')).toContain(`  '${kind}',`)
  })
})

/** Actions of the audit log, as services write them in the code. */
const auditActions = globSync('server/services/**/*.ts').flatMap((file) => {
  const code = readFileSync(file, 'utf8')
  if (!/record(?:Audit|Caller|Profile)\w*\(/.test(code)) return []
  return [...code.matchAll(/\baction: (?:[^,'\n]*\? )?'([a-z]+_[a-z_]+)'(?: : '([a-z_]+)')?/g)].flatMap(
    ([, action, otherAction]) => [action, otherAction].filter((name) => name !== undefined),
  )
})

test('the search of this test finds actions of the audit log in the services', () => {
  expect(auditActions).toEqual(expect.arrayContaining(['exit_pin_set', 'exit_pin_remove', 'viewing_limits']))
})

test.each(auditActions)('the audit action %s has a name on the dashboard', (action) => {
  const texts = [...Object.keys(readTexts('activity')), ...Object.keys(readTexts('dashboardsystem'))]
  expect(texts.includes(action) || texts.includes(`action_${action}`)).toBe(true)
})
