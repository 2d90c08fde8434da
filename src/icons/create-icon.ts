/**
 * Creates the icon components. It replaces the function `createLucideIcon` of lucide-react, whose options this site
 * does not use and which would add 1 kB to every page. Both functions render the same icons.
 */
import { createElement, type JSX, type SVGProps } from 'react'

export interface IconData {
  name: string
  node: [tag: string, attributes: Record<string, string>][]
}
interface IconProps extends SVGProps<SVGSVGElement> {
  /** Width and height in pixels. */
  size?: number
}

const SVG_ATTRIBUTES = {
  xmlns: 'http://www.w3.org/2000/svg',
  viewBox: '0 0 24 24',
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
  'aria-hidden': true,
} as const

export default function createIcon({ name, node }: IconData): (props: IconProps) => JSX.Element {
  return ({ size = 24, className = '', ...svgProps }) =>
    createElement(
      'svg',
      {
        ...SVG_ATTRIBUTES,
        width: size,
        height: size,
        className: `lucide shrink-0 lucide-${name} ${className}`.trimEnd(),
        ...svgProps,
      },
      node.map(([tag, attributes]) => createElement(tag, attributes)),
    )
}
