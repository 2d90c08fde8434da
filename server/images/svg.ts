/** SVG elements as strings. Only presentation attributes are used, because the CSP forbids inline styles. */

/** Formats a number with at most one decimal, in the shortest form that SVG understands. */
export const formatNumber = (number: number): string => {
  const numberText = String(Math.round(number * 10) / 10)
  return numberText.startsWith('0.')
    ? numberText.slice(1)
    : numberText.startsWith('-0.')
      ? `-${numberText.slice(2)}`
      : numberText
}

/** Formats a list of numbers for path data. */
export const formatPoints = (coordinates: readonly number[]): string =>
  coordinates.map(formatNumber).join(' ')

const formatPaint = (fill: string, attributes: string) => `fill="${fill}"${attributes && ` ${attributes}`}`

export const createRect = (
  x: number,
  y: number,
  width: number,
  height: number,
  fill: string,
  attributes = '',
): string =>
  `<rect x="${formatNumber(x)}" y="${formatNumber(y)}" width="${formatNumber(width)}" height="${formatNumber(height)}" ${formatPaint(fill, attributes)}/>`

export const createCircle = (x: number, y: number, radius: number, fill: string, attributes = ''): string =>
  `<circle cx="${formatNumber(x)}" cy="${formatNumber(y)}" r="${formatNumber(radius)}" ${formatPaint(fill, attributes)}/>`

export const createEllipse = (
  x: number,
  y: number,
  rx: number,
  ry: number,
  fill: string,
  attributes = '',
): string =>
  `<ellipse cx="${formatNumber(x)}" cy="${formatNumber(y)}" rx="${formatNumber(rx)}" ry="${formatNumber(ry)}" ${formatPaint(fill, attributes)}/>`

export const createPath = (pathData: string, fill: string, attributes = ''): string =>
  `<path d="${pathData}" ${formatPaint(fill, attributes)}/>`

export const createLine = (pathData: string, stroke: string, width: number, attributes = ''): string =>
  `<path d="${pathData}" fill="none" stroke="${stroke}" stroke-width="${formatNumber(width)}"${attributes && ` ${attributes}`}/>`

export const createPolygon = (coordinates: readonly number[], fill: string, attributes = ''): string =>
  createPath(`M${formatPoints(coordinates)}Z`, fill, attributes)

export const createGroup = (transform: string, innerMarkup: string, attributes = ''): string =>
  `<g transform="${transform}"${attributes && ` ${attributes}`}>${innerMarkup}</g>`

/** Returns dots of diameter `width` as one path of zero-length strokes with round caps. */
export const createDots = (
  centres: readonly (readonly [number, number])[],
  stroke: string,
  width: number,
  attributes = '',
) =>
  createLine(
    centres.map(([x, y]) => `M${formatNumber(x)} ${formatNumber(y)}h0`).join(''),
    stroke,
    width,
    `stroke-linecap="round"${attributes && ` ${attributes}`}`,
  )
