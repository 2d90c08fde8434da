/** Icons have the same shapes and attributes as the icons of lucide. */
import { Play, Search } from 'lucide-react'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import createIcon from '../../src/ui/create-icon.ts'

const ICONS = [
  {
    original: Play,
    data: {
      name: 'play',
      node: [
        ['path', { d: 'M5 5a2 2 0 0 1 3.008-1.728l11.997 6.998a2 2 0 0 1 .003 3.458l-12 7A2 2 0 0 1 5 19z' }],
      ] as [string, Record<string, string>][],
    },
  },
  {
    original: Search,
    data: {
      name: 'search',
      node: [
        ['path', { d: 'm21 21-4.34-4.34' }],
        ['circle', { cx: '11', cy: '11', r: '8' }],
      ] as [string, Record<string, string>][],
    },
  },
]
/** Props that the components of this site pass to icons. */
const PROPS_EXAMPLES = [
  {},
  { size: 20 },
  { size: 16, className: 'text-muted' },
  { fill: 'currentColor', strokeWidth: 3 },
]

function listAttributes(markup: string): string[] {
  return [...markup.matchAll(/[\w-]+="[^"]*"/g)].map(([attribute]) => attribute).sort()
}

it.each(ICONS)(
  '$data.name has the attributes and shapes of the original icon',
  ({ original: OriginalIcon, data }) => {
    const Icon = createIcon(data)
    for (const props of PROPS_EXAMPLES) {
      const expectedMarkup = renderToStaticMarkup(createElement(OriginalIcon, props))
      expect(listAttributes(renderToStaticMarkup(createElement(Icon, props)))).toEqual(
        listAttributes(expectedMarkup),
      )
    }
  },
)
