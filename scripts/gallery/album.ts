/** One HTML page to look through: a line per state, its pictures side by side, and buttons that narrow them down. */
import type { Shot } from './shoot.ts'

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

function figure({ name, locale, size, theme, file, failed }: Shot): string {
  const words = `${locale} · ${size} · ${theme}`
  const picture = failed
    ? `<p class="failed">${escaped(failed)}</p>`
    : `<a href="${file}"><img src="${file}" alt="${escaped(`${name}, ${words}`)}" loading="lazy"></a>`
  return `<figure data-locale="${locale}" data-size="${size}" data-theme="${theme}">${picture}<figcaption>${words}</figcaption></figure>`
}

function choices(kind: 'locale' | 'size' | 'theme', shots: Shot[]): string {
  const values = [...new Set(shots.map((shot) => shot[kind]))]
  const boxes = values.map(
    (value) => `<label><input type="checkbox" checked name="${kind}" value="${value}"> ${value}</label>`,
  )
  return `<fieldset>${boxes.join('')}</fieldset>`
}

export function album(shots: Shot[]): string {
  const names = [...new Set(shots.map(({ name }) => name))]
  const sections = names.map(
    (name) =>
      `<section id="${name}"><h2>${name}</h2><div>${shots
        .filter((shot) => shot.name === name)
        .map(figure)
        .join('')}</div></section>`,
  )
  const index = names.map((name) => `<a href="#${name}">${name}</a>`).join(' ')
  const kinds = ['locale', 'size', 'theme'] as const
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Gallery</title><style>${STYLE}</style>
<header>${kinds.map((kind) => choices(kind, shots)).join('')}</header><nav>${index}</nav>${sections.join('\n')}
<script>${SCRIPT}</script></html>`
}

const STYLE = `
body { margin: 0; font: 14px system-ui; background: #777; color: #fff }
header { position: sticky; top: 0; display: flex; gap: 1rem; padding: .5rem 1rem; background: #333; z-index: 1 }
fieldset { border: 0; display: flex; gap: .5rem } nav { padding: 1rem; line-height: 2 } a { color: #fff }
section { padding: 0 1rem 2rem; scroll-margin-top: 4rem } section div { display: flex; gap: 1rem; overflow-x: auto }
figure { margin: 0; flex: none } img { height: 480px; width: auto; display: block }
.failed { width: 300px; height: 480px; margin: 0; background: #a00; overflow: auto } figure[hidden] { display: none }`

const SCRIPT = `
const boxes = [...document.querySelectorAll('input')]
const draw = () => {
  const off = boxes.filter((box) => !box.checked)
  for (const figure of document.querySelectorAll('figure'))
    figure.hidden = off.some((box) => figure.dataset[box.name] === box.value)
}
addEventListener('change', draw)`
