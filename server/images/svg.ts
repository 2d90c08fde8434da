/** SVG elements as strings. Only presentation attributes are used, because the CSP forbids inline styles. */

/** Formats a number with at most one decimal, in the shortest form that SVG understands. */
export const fmt = (value: number): string => {
  const text = String(Math.round(value * 10) / 10)
  return text.startsWith('0.') ? text.slice(1) : text.startsWith('-0.') ? `-${text.slice(2)}` : text
}

/** Formats a list of numbers for path data. */
export const formatPoints = (values: readonly number[]): string => values.map(fmt).join(' ')

const formatPaint = (fill: string, attributes: string) => `fill="${fill}"${attributes && ` ${attributes}`}`

export const rect = (x: number, y: number, w: number, h: number, fill: string, attributes = ''): string =>
  `<rect x="${fmt(x)}" y="${fmt(y)}" width="${fmt(w)}" height="${fmt(h)}" ${formatPaint(fill, attributes)}/>`

export const circle = (x: number, y: number, r: number, fill: string, attributes = ''): string =>
  `<circle cx="${fmt(x)}" cy="${fmt(y)}" r="${fmt(r)}" ${formatPaint(fill, attributes)}/>`

export const ellipse = (
  x: number,
  y: number,
  rx: number,
  ry: number,
  fill: string,
  attributes = '',
): string =>
  `<ellipse cx="${fmt(x)}" cy="${fmt(y)}" rx="${fmt(rx)}" ry="${fmt(ry)}" ${formatPaint(fill, attributes)}/>`

export const path = (d: string, fill: string, attributes = ''): string =>
  `<path d="${d}" ${formatPaint(fill, attributes)}/>`

export const line = (d: string, stroke: string, width: number, attributes = ''): string =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${fmt(width)}"${attributes && ` ${attributes}`}/>`

export const poly = (values: readonly number[], fill: string, attributes = ''): string =>
  path(`M${formatPoints(values)}Z`, fill, attributes)

export const group = (transform: string, innerMarkup: string, attributes = ''): string =>
  `<g transform="${transform}"${attributes && ` ${attributes}`}>${innerMarkup}</g>`

/** Returns dots as one path of zero-length strokes with round caps. */
export const dots = (
  centres: readonly (readonly [number, number])[],
  stroke: string,
  width: number,
  attributes = '',
) =>
  line(
    centres.map(([x, y]) => `M${fmt(x)} ${fmt(y)}h0`).join(''),
    stroke,
    width,
    `stroke-linecap="round"${attributes && ` ${attributes}`}`,
  )
