/**
 * Shows the image and the title of the hero before the code of the islands is loaded. The islands then render the same
 * content in the same place.
 */
import type { MediaCard } from '../../lib/contract/media.ts'
import { getImageUrl } from '../../lib/images.ts'
import { getCurrentDayNumber, getTitleOfTheDay, type StoredHero } from '../../lib/rules/home-hero.ts'
import { readActingProfileId, readStoredJson } from '../../lib/storage.ts'
import { HOME_HERO_KEY } from '../../lib/storage-keys.ts'
import { drawFirstRow } from './first-row.ts'

/** Shows a title in `page`: the current document, or the one that will replace it (islands/media/open-title.ts). */
export function showHero(title: HeroTitle | undefined, page: Document): void {
  const hero = page.querySelector('[data-early-hero]')
  const elements = [...(hero?.querySelectorAll<HTMLElement>('[data-early]') ?? [])]
  const [imageElement, , nameElement] = elements
  if (!title || !nameElement?.firstElementChild) return
  const imageUrl = getImageUrl(title.backdrop_path, 'w1280')
  if (imageUrl) (imageElement as HTMLImageElement).src = imageUrl
  nameElement.firstElementChild.textContent = title.title
  for (const element of elements) element.hidden = false
  ;(nameElement.nextElementSibling as HTMLElement).hidden = true
}

/**
 * Shows the title of a response. `reads` is the value of `boot.reads` at the time of the request. If another profile
 * was selected since then (src/lib/client/profile-session.ts), `boot.reads` is another object and nothing is shown.
 */
export async function showHeroOfResponse(
  boot: BootData,
  reads: BootData['reads'],
  response: Response,
): Promise<void> {
  if (!response.ok) return
  const title = (await response.clone().json()) as HeroTitle
  if (boot.reads === reads) showHero(title, document)
}

/** Chooses the title of the day from the featured titles and shows it. */
export function showHeroOfTitles(
  boot: BootData,
  reads: BootData['reads'],
  titles: readonly MediaCard[],
): void {
  if (boot.reads !== reads) return
  boot.heroTitles = [...titles]
  showHero(getTitleOfTheDay(titles), document)
}

/** Shows the hero and the row that stores/home-hero.ts stored today for this profile, unless a newer hero is shown. */
export function showStoredHero(boot: BootData, isKids: boolean): void {
  const storedHero = readStoredJson(HOME_HERO_KEY) as StoredHero<MediaCard> | null
  if (boot.heroTitles || storedHero?.profile !== readActingProfileId()) return
  if (storedHero.kids !== isKids || storedHero.day !== getCurrentDayNumber()) return
  boot.heroTitles = [storedHero.media]
  showHero(storedHero.media, document)
  if (storedHero.row) drawFirstRow(boot, storedHero.row)
}
