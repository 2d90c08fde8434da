/** app.css defines the dark colours twice: for the dark theme, and for areas that are dark in every theme. */
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
  const darkTheme = readColours('@theme')
  const alwaysDark = readColours('  .theatre,\n  .on-picture,')
  const lightTheme = readColours('  :root[data-theme="light"],')
  expect(Object.keys(lightTheme).length).toBeGreaterThan(10)
  expect(Object.keys(alwaysDark)).toEqual(Object.keys(lightTheme))
  for (const [name, colour] of Object.entries(alwaysDark))
    expect([name, darkTheme[name]]).toEqual([name, colour])
})
