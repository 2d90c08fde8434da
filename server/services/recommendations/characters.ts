/** Lists the characters of popular titles, so that children find titles by their characters. */

import type { listCharacters as listCharactersCall } from '../../../src/lib/contract/characters.ts'
import type { ReplyOf } from '../../../src/lib/contract/endpoint.ts'
import { parseCharacterName } from '../../../src/lib/rules/character-name.ts'
import { selectMainCharacters } from '../../queries/character.ts'
import { selectTitlesByIds, type TitleType } from '../../queries/title.ts'
import { getTitleLanguage } from '../auth/caller.ts'
import { loadCardsById } from '../catalogue/cards.ts'
import { loadDislikedTitleIds } from '../catalogue/featured-titles.ts'
import type { ProfileContext } from '../context.ts'

/** Number of titles of each type whose characters are considered. */
const POPULAR_TITLES_PER_TYPE = 100
const MAX_LISTED_CHARACTERS = 20

export async function listCharacters({
  deps,
  caller,
}: ProfileContext): Promise<ReplyOf<typeof listCharactersCall>> {
  const { audience } = caller
  const { reader } = deps.database
  const excludedIds = await loadDislikedTitleIds(deps, caller)
  const loadPopularIds = async (type: TitleType) => {
    const pageRequest = {
      audience,
      filters: {},
      order: 'popularity.desc' as const,
      offset: 0,
      limit: POPULAR_TITLES_PER_TYPE,
      excludedIds,
    }
    return (await deps.browseIndex.loadPage(type, pageRequest)).ids
  }
  const [movieIds, seriesIds] = await Promise.all([loadPopularIds('movie'), loadPopularIds('tv')])
  const rows = await selectTitlesByIds(reader, audience, [...movieIds, ...seriesIds])
  const titles = rows.sort((a, b) => b.popularity - a.popularity || a.title_id - b.title_id)
  const characters = groupCharacters(
    titles.map((row) => row.title_id),
    await selectMainCharacters(
      reader,
      titles.map((row) => row.title_id),
    ),
  )
  const shownTitleIds = new Set(characters.map(({ titleId }) => titleId))
  const cardsById = await loadCardsById(
    deps,
    titles.filter((row) => shownTitleIds.has(row.title_id)),
    getTitleLanguage(caller),
  )
  return {
    results: characters.flatMap(({ name, titleId, titleCount }) => {
      const card = cardsById.get(titleId)
      return card ? [{ name, media: card, title_count: titleCount }] : []
    }),
  }
}

interface Character {
  name: string
  /** Title whose picture represents the character. */
  titleId: number
  titleCount: number
}

/**
 * Returns characters in the order of the titles. For each title, chooses the character that is in the largest number of
 * titles. Other titles with this character are then skipped, so that each picture shows a different story.
 */
function groupCharacters(
  titleIds: readonly number[],
  credits: readonly { title_id: number; character: string }[],
): Character[] {
  const namesByTitleId = new Map<number, string[]>()
  const titleIdsByName = new Map<string, number[]>()
  for (const { title_id, character } of credits) {
    const name = parseCharacterName(character)
    if (name === null) continue
    namesByTitleId.set(title_id, [...(namesByTitleId.get(title_id) ?? []), name])
    titleIdsByName.set(name, [...(titleIdsByName.get(name) ?? []), title_id])
  }
  const countTitles = (name: string) => titleIdsByName.get(name)?.length ?? 0
  const representedTitleIds = new Set<number>()
  const characters: Character[] = []
  for (const titleId of titleIds) {
    const [name] = (namesByTitleId.get(titleId) ?? []).toSorted((a, b) => countTitles(b) - countTitles(a))
    if (name === undefined || representedTitleIds.has(titleId)) continue
    for (const id of titleIdsByName.get(name) ?? []) representedTitleIds.add(id)
    characters.push({ name, titleId, titleCount: countTitles(name) })
    if (characters.length === MAX_LISTED_CHARACTERS) break
  }
  return characters
}
