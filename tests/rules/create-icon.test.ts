/** The copied icons are those that the site uses, and have the same shapes and attributes as the icons of lucide. */
import { globSync } from 'node:fs'
import * as originalIcons from 'lucide-react'
import { type ComponentType, createElement, type SVGProps } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { listImportedIcons } from '../../scripts/icons.ts'
import * as icons from '../../src/icons/index.ts'

type IconComponent = ComponentType<SVGProps<SVGSVGElement> & { size?: number }>

/** Props that the components of this site pass to icons. */
const PROPS_EXAMPLES = [
  {},
  { size: 20 },
  { size: 16, className: 'text-muted' },
  { fill: 'currentColor', strokeWidth: 3 },
]

/** Returns the shapes and attributes of an icon, and separately its classes. */
function renderIcon(Icon: IconComponent, props: object): { attributes: string[]; classNames: string[] } {
  const markup = renderToStaticMarkup(createElement(Icon, props))
  const [, className = ''] = /class="([^"]*)"/.exec(markup) ?? []
  const attributes = [...markup.replace(/class="[^"]*"/, '').matchAll(/<\w+|[\w-]+="[^"]*"/g)]
  return { attributes: attributes.map(([attribute]) => attribute).sort(), classNames: className.split(' ') }
}

it('src/icons contains the icons that the site imports and no others (run `npm run icons`)', () => {
  expect(Object.keys(icons).sort()).toEqual(listImportedIcons())
  const helperFiles = ['create-icon.ts', 'index.ts']
  expect(globSync('src/icons/*.ts')).toHaveLength(new Set(Object.values(icons)).size + helperFiles.length)
})

const originalIconsByName = new Map<string, unknown>(Object.entries(originalIcons))

it.each(Object.entries(icons))('%s has the attributes and shapes of the original icon', (name, icon) => {
  const originalIcon = originalIconsByName.get(name) as IconComponent
  for (const props of PROPS_EXAMPLES) {
    const { attributes, classNames } = renderIcon(icon, props)
    const original = renderIcon(originalIcon, props)
    expect(attributes).toEqual(original.attributes)
    // The original icon also has classes for its other names. The copied icon also has `shrink-0`, because a flex item
    // without this class becomes narrower beside a long text.
    expect([...original.classNames, 'shrink-0']).toEqual(expect.arrayContaining(classNames))
    expect(classNames).toContain('shrink-0')
  }
})
