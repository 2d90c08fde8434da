/**
 * The image of the review: an SVG in the colours of the page, which the browser converts to a PNG. No data
 * leaves the device.
 */
import { getCurrentDirection } from '../../lib/i18n/t.ts'

export interface PictureContent {
  siteName: string
  heading: string
  /** Pairs of a name and its value, the most important first. */
  facts: readonly (readonly [name: string, value: string])[]
  /** Heading and lines of a list. */
  listHeading: string
  listItems: readonly string[]
  /** Minutes per month or per year, drawn as columns. */
  minutesPerPeriod: readonly number[]
}

export const PICTURE_WIDTH_PX = 1080
export const PICTURE_HEIGHT_PX = 1350
const MARGIN_PX = 80
const MAX_LINE_LETTER_COUNT = 34
const CHART_BOTTOM_PX = 1230
const CHART_HEIGHT_PX = 170

const COLOUR_NAMES = ['ground', 'raised', 'ink', 'muted', 'accent'] as const
type PictureColours = Record<(typeof COLOUR_NAMES)[number], string>

/** Reads the colours of the current theme. */
export function readPictureColours(): PictureColours {
  const rootStyle = getComputedStyle(document.documentElement)
  return Object.fromEntries(
    COLOUR_NAMES.map((name) => [name, rootStyle.getPropertyValue(`--color-${name}`).trim()]),
  ) as PictureColours
}

const escapeXml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)

/** Shortens a text so that it fits into a line. */
function shortenToLine(text: string): string {
  const letters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment)
  return letters.length > MAX_LINE_LETTER_COUNT
    ? `${letters.slice(0, MAX_LINE_LETTER_COUNT - 1).join('')}…`
    : text
}

/**
 * Returns the SVG of the image. Text and columns start at the left in languages written from left to right, and at
 * the right in the others.
 */
export function renderPicture(pictureContent: PictureContent, colours: PictureColours): string {
  const isRightToLeft = getCurrentDirection() === 'rtl'
  const startXPx = isRightToLeft ? PICTURE_WIDTH_PX - MARGIN_PX : MARGIN_PX
  const halfWidthPx = (PICTURE_WIDTH_PX - 2 * MARGIN_PX) / 2
  const renderText = (
    text: string,
    yPx: number,
    fontSizePx: number,
    { colour = colours.ink, column = 0, weight = 400 } = {},
  ) => {
    const xPx = startXPx + (isRightToLeft ? -1 : 1) * column * halfWidthPx
    return `<text x="${xPx}" y="${yPx}" font-size="${fontSizePx}" font-weight="${weight}" fill="${colour}">${escapeXml(shortenToLine(text))}</text>`
  }
  const renderedFacts = pictureContent.facts.slice(0, 6).map(([name, value], index) => {
    const yPx = 330 + Math.floor(index / 2) * 150
    const column = index % 2
    return (
      renderText(value, yPx, 76, { weight: 800, column }) +
      renderText(name, yPx + 42, 30, { colour: colours.muted, column })
    )
  })
  const renderedListItems = pictureContent.listItems
    .slice(0, 4)
    .map((text, index) => renderText(text, 850 + index * 52, 36, { weight: 600 }))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${PICTURE_WIDTH_PX}" height="${PICTURE_HEIGHT_PX}" viewBox="0 0 ${PICTURE_WIDTH_PX} ${PICTURE_HEIGHT_PX}" direction="${isRightToLeft ? 'rtl' : 'ltr'}" font-family="system-ui, sans-serif">`,
    `<rect width="100%" height="100%" fill="${colours.ground}"/>`,
    `<rect width="100%" height="14" fill="${colours.accent}"/>`,
    renderText(pictureContent.heading, 170, 72, { weight: 900 }),
    ...renderedFacts,
    renderText(pictureContent.listHeading, 786, 30, { colour: colours.muted }),
    ...renderedListItems,
    renderColumnChart(pictureContent.minutesPerPeriod, colours, isRightToLeft),
    renderText(pictureContent.siteName, 1300, 30, { colour: colours.muted, weight: 700 }),
    '</svg>',
  ].join('')
}

function renderColumnChart(
  values: readonly number[],
  colours: PictureColours,
  isRightToLeft: boolean,
): string {
  const maxValue = Math.max(1, ...values)
  const columnStepPx = (PICTURE_WIDTH_PX - 2 * MARGIN_PX) / Math.max(1, values.length)
  const columnWidthPx = Math.min(columnStepPx * 0.7, 60)
  return values
    .map((value, index) => {
      const columnHeightPx = Math.max(6, (CHART_HEIGHT_PX * value) / maxValue)
      const columnOffsetPx = (isRightToLeft ? values.length - 1 - index : index) * columnStepPx
      const colour = value > 0 ? colours.accent : colours.raised
      return `<rect x="${MARGIN_PX + columnOffsetPx + (columnStepPx - columnWidthPx) / 2}" y="${CHART_BOTTOM_PX - columnHeightPx}" width="${columnWidthPx}" height="${columnHeightPx}" rx="6" fill="${colour}"/>`
    })
    .join('')
}

export const toDataUrl = (svg: string) => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`

/** Converts an SVG to a PNG. Throws if the browser cannot draw the SVG. */
export async function drawPng(svg: string): Promise<Blob> {
  const image = new Image(PICTURE_WIDTH_PX, PICTURE_HEIGHT_PX)
  image.src = toDataUrl(svg)
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = PICTURE_WIDTH_PX
  canvas.height = PICTURE_HEIGHT_PX
  canvas.getContext('2d')?.drawImage(image, 0, 0)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png')
  })
}
