/** The dark colours stand twice in the styles, for the page and for what is dark in every theme: they are the same. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const css = readFileSync('src/styles/app.css', 'utf8')

/** The colours of the first rule that begins so. */
function coloursOf(beginning: string): Record<string, string> {
  const from = css.indexOf(beginning)
  const rule = css.slice(from, css.indexOf('\n}', from)).split(/\n {2}\}/)[0] ?? ''
  return Object.fromEntries(
    [...rule.matchAll(/(--color-[\w-]+): (#\w+)/g)].map(([, name, value]) => [name, value]),
  )
}

test('what is dark in every theme has the colours of the dark theme', () => {
  const theme = coloursOf('@theme')
  const always = coloursOf('  .theatre,\n  .on-picture,')
  const light = coloursOf('  :root[data-theme="light"] {')
  expect(Object.keys(light).length).toBeGreaterThan(10)
  expect(Object.keys(always)).toEqual(Object.keys(light))
  for (const [name, value] of Object.entries(always)) expect([name, theme[name]]).toEqual([name, value])
})
