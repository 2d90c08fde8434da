/**
 * Draws the first row of the home page before the code of the islands is loaded, in the place where the islands then
 * render it. The row often contains the largest pictures of the first screen. Its cards can be used once the islands
 * have rendered them.
 */
import type { HomeStart } from '../../lib/contract/home-start.ts'
import type { MediaCard } from '../../lib/contract/media.ts'
import { getImageUrl } from '../../lib/images.ts'
import type { StoredHomeRow } from '../../lib/rules/home-hero.ts'

/** No screen shows more cards than this. More cards would delay the visible ones. */
const MAX_CARD_COUNT = 8

const convertToStoredCards = (titles: readonly MediaCard[]): StoredHomeRow['cards'] =>
  titles.slice(0, MAX_CARD_COUNT).map(({ title, poster_path: imagePath }) => ({ title, imagePath }))

/**
 * Returns the first row of the home page that has cards. Stops before the first row that is not `continue`, `picks` or
 * `movies`, because the data of such a row is requested later. Returns undefined if no row before that row has cards.
 * `loadPicks` loads the recommended titles.
 */
export async function findFirstRow(
  { rows, featured, continue_watching: continueWatching }: HomeStart,
  loadPicks: () => Promise<readonly MediaCard[]>,
): Promise<StoredHomeRow | undefined> {
  for (const row of rows) {
    if (row !== 'continue' && row !== 'picks' && row !== 'movies') return undefined
    const cards =
      row === 'continue'
        ? continueWatching.results.slice(0, MAX_CARD_COUNT).map(({ media, next_episode: episode }) => ({
            title: media.title,
            imagePath: episode?.still_path ?? media.backdrop_path,
          }))
        : convertToStoredCards(row === 'picks' ? await loadPicks() : featured.results)
    if (cards.length > 0) return { row, cards }
  }
  return undefined
}

/** Draws a row in the skeleton of the home page (layouts/Pending.astro), unless the same row is drawn already. */
export function drawFirstRow(boot: BootData, storedRow: StoredHomeRow): void {
  const element = boot.firstRow?.element ?? document.querySelector<HTMLElement>('[data-early-row]')
  const [heading] = element?.getElementsByTagName('h2') ?? []
  const [track] = element?.getElementsByTagName('ul') ?? []
  if (!element || !heading || !track) return
  if (JSON.stringify(boot.firstRow?.content) === JSON.stringify(storedRow)) return
  boot.firstRow = { content: storedRow, element }
  const isWide = storedRow.row === 'continue'
  const [wideCardTemplate, posterCardTemplate] = element.getElementsByTagName('template')
  const template = isWide ? wideCardTemplate : posterCardTemplate
  const listItems = storedRow.cards.map(({ title, imagePath }) => {
    const listItem = template?.content.cloneNode(true) as DocumentFragment
    const imageElement = listItem.querySelector('img')
    const imageUrl = getImageUrl(imagePath, isWide ? 'w500' : 'w342')
    if (imageElement && imageUrl) imageElement.src = imageUrl
    const nameElement = listItem.querySelector('bdi')
    if (nameElement) nameElement.textContent = title
    return listItem
  })
  heading.textContent = element.dataset[storedRow.row] ?? ''
  track.classList.toggle('row-wide', isWide)
  track.replaceChildren(...listItems)
}
