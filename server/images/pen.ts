/** Small words for SVG. Numbers keep one decimal, attributes are presentation attributes only (no style: CSP). */

export const n = (value: number): string => {
  const text = String(Math.round(value * 10) / 10)
  return text.startsWith('0.') ? text.slice(1) : text.startsWith('-0.') ? `-${text.slice(2)}` : text
}

/** Numbers separated the shortest way SVG understands. */
export const points = (values: readonly number[]): string => values.map(n).join(' ')

const attrs = (fill: string, more: string) => `fill="${fill}"${more && ` ${more}`}`

export const rect = (x: number, y: number, w: number, h: number, fill: string, more = ''): string =>
  `<rect x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}" ${attrs(fill, more)}/>`

export const circle = (x: number, y: number, r: number, fill: string, more = ''): string =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" ${attrs(fill, more)}/>`

export const ellipse = (x: number, y: number, rx: number, ry: number, fill: string, more = ''): string =>
  `<ellipse cx="${n(x)}" cy="${n(y)}" rx="${n(rx)}" ry="${n(ry)}" ${attrs(fill, more)}/>`

export const path = (d: string, fill: string, more = ''): string => `<path d="${d}" ${attrs(fill, more)}/>`

export const line = (d: string, stroke: string, width: number, more = ''): string =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${n(width)}"${more && ` ${more}`}/>`

export const poly = (values: readonly number[], fill: string, more = ''): string =>
  path(`M${points(values)}Z`, fill, more)

export const group = (transform: string, inner: string, more = ''): string =>
  `<g transform="${transform}"${more && ` ${more}`}>${inner}</g>`

/** Dots drawn as one path: round caps on strokes of no length. */
export const dots = (at: readonly (readonly [number, number])[], stroke: string, width: number, more = '') =>
  line(
    at.map(([x, y]) => `M${n(x)} ${n(y)}h0`).join(''),
    stroke,
    width,
    `stroke-linecap="round"${more && ` ${more}`}`,
  )
