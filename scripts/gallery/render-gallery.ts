/** Renders the gallery page: one row of screenshots per state, and checkboxes that filter them. */
import type { GalleryScreenshot } from './capture.ts'

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

function renderScreenshot({ name, locale, size, theme, file, error }: GalleryScreenshot): string {
  const label = `${locale} · ${size} · ${theme}`
  const screenshotHtml = error
    ? `<p class="failed">${escapeHtml(error)}</p>`
    : `<a href="${file}"><img src="${file}" alt="${escapeHtml(`${name}, ${label}`)}" loading="lazy"></a>`
  return `<figure data-locale="${locale}" data-size="${size}" data-theme="${theme}">${screenshotHtml}<figcaption>${label}</figcaption></figure>`
}

function renderFilter(property: 'locale' | 'size' | 'theme', screenshots: GalleryScreenshot[]): string {
  const propertyValues = [...new Set(screenshots.map((screenshot) => screenshot[property]))]
  const checkboxesHtml = propertyValues.map(
    (value) => `<label><input type="checkbox" checked name="${property}" value="${value}"> ${value}</label>`,
  )
  return `<fieldset>${checkboxesHtml.join('')}</fieldset>`
}

/** Returns the HTML document. */
export function renderGallery(screenshots: GalleryScreenshot[]): string {
  const screenshotNames = [...new Set(screenshots.map(({ name }) => name))]
  const sectionsHtml = screenshotNames.map(
    (name) =>
      `<section id="${name}"><h2>${name}</h2><div>${screenshots
        .filter((screenshot) => screenshot.name === name)
        .map(renderScreenshot)
        .join('')}</div></section>`,
  )
  const linksHtml = screenshotNames.map((name) => `<a href="#${name}">${name}</a>`).join(' ')
  const properties = ['locale', 'size', 'theme'] as const
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Gallery</title><style>${STYLE_SHEET}</style>
<header>${properties.map((property) => renderFilter(property, screenshots)).join('')}</header><nav>${linksHtml}</nav>${sectionsHtml.join('\n')}
<script>${FILTER_SCRIPT}</script></html>`
}

const STYLE_SHEET = `
body { margin: 0; font: 14px system-ui; background: #777; color: #fff }
header { position: sticky; top: 0; display: flex; gap: 1rem; padding: .5rem 1rem; background: #333; z-index: 1 }
fieldset { border: 0; display: flex; gap: .5rem } nav { padding: 1rem; line-height: 2 } a { color: #fff }
section { padding: 0 1rem 2rem; scroll-margin-top: 4rem } section div { display: flex; gap: 1rem; overflow-x: auto }
figure { margin: 0; flex: none } img { height: 480px; width: auto; display: block }
.failed { width: 300px; height: 480px; margin: 0; background: #a00; overflow: auto } figure[hidden] { display: none }`

const FILTER_SCRIPT = `
const boxes = [...document.querySelectorAll('input')]
const applyFilters = () => {
  const unchecked = boxes.filter((box) => !box.checked)
  for (const figure of document.querySelectorAll('figure'))
    figure.hidden = unchecked.some((box) => figure.dataset[box.name] === box.value)
}
addEventListener('change', applyFilters)`
