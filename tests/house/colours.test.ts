/**
 * app.css defines the dark colours twice: for the dark theme, and for areas that are dark in every theme. The two
 * definitions must be equal.
 */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const css = readFileSync('src/styles/app.css', 'utf8')

/** Returns the colour variables of the first rule that starts with `selector`. */
function readColours(selector: string): Record<string, string> {
  const startIndex = css.indexOf(selector)
  const ruleText = css.slice(startIndex, css.indexOf('\n}', startIndex)).split(/\n {2}\}/)[0] ?? ''
  return Object.fromEntries(
    [...ruleText.matchAll(/(--color-[\w-]+): (#\w+)/g)].map(([, name, colour]) => [name, colour]),
  )
}

test('areas that are dark in every theme have the colours of the dark theme', () => {
  const darkThemeColours = readColours('@theme')
  const alwaysDarkColours = readColours('  .theatre,\n  .on-picture,')
  const lightThemeColours = readColours('  :root[data-theme="light"],')
  expect(Object.keys(lightThemeColours).length).toBeGreaterThan(10)
  expect(Object.keys(alwaysDarkColours)).toEqual(Object.keys(lightThemeColours))
  for (const [name, colour] of Object.entries(alwaysDarkColours))
    expect([name, darkThemeColours[name]]).toEqual([name, colour])
})
