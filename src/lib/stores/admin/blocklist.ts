/** The block list: titles, actors and keywords that are never shown. */

import { computed } from 'nanostores'
import { callApi } from '../../client/call.ts'
import type { BlockEntry } from '../../contract/admin.ts'
import * as admin from '../../contract/admin.ts'
import * as catalogue from '../../contract/catalogue.ts'
import type { BodyOf } from '../../contract/endpoint.ts'
import { searchCatalogue } from '../../contract/search.ts'
import { isolateBidi } from '../../i18n/isolate-bidi.ts'
import type { TranslationKey } from '../../i18n/keys.ts'
import { LIMITS } from '../../rules/limits.ts'
import { createReadStore, refetch } from '../query.ts'
import { createFiltersStore, parseFilterChoice, parsePaging } from './dashboard-view.ts'
import { runAdminAction, submitAdminForm } from './run-action.ts'

export const BLOCK_TYPES = ['movie', 'tv', 'actor', 'keyword'] as const
export type BlockType = BlockEntry['type']
export const $blockEntries = createReadStore(
  admin.listBlockEntries,
  computed(createFiltersStore('blocklist'), (filters) => {
    if (!filters) return null
    const type = parseFilterChoice(filters, 'type', BLOCK_TYPES)
    return {
      query: {
        ...parsePaging(filters),
        ...(type && { type }),
        ...(filters['search'] && { search: filters['search'] }),
      },
    }
  }),
)

type BlockEntryInput = BodyOf<typeof admin.createBlockEntry>
const createEntryAndRefetch = async (entryInput: BlockEntryInput) => {
  const createdEntry = await callApi(admin.createBlockEntry, { body: entryInput })
  refetch(admin.listBlockEntries)
  return createdEntry
}
const deleteEntryAndRefetch = async (entryId: string) => {
  await callApi(admin.deleteBlockEntry, { params: { id: entryId } })
  refetch(admin.listBlockEntries)
}

export async function addBlockEntry(entryInput: BlockEntryInput): Promise<TranslationKey | null> {
  let addedEntry: BlockEntry | null = null
  return submitAdminForm(
    'dashboardlibrary:blockAdded',
    async () => {
      addedEntry = await createEntryAndRefetch(entryInput)
    },
    {
      undo: () => void runAdminAction('dashboard:undone', () => deleteEntryAndRefetch(addedEntry?.id ?? '')),
    },
  )
}

export function removeBlockEntry({ id, type, media_id, value, reason, label }: BlockEntry): Promise<void> {
  const entryInput = {
    type,
    ...(media_id !== null && { media_id }),
    ...(value !== null && { value }),
    ...(reason !== null && { reason }),
  }
  return runAdminAction('dashboardlibrary:blockRemoved', () => deleteEntryAndRefetch(id), {
    values: { name: isolateBidi(label) },
    undo: () => void runAdminAction('dashboard:undone', () => createEntryAndRefetch(entryInput)),
  })
}

export interface BlockCandidate {
  id: string
  name: string
  year: number | null
}

const MAX_CANDIDATES = 8

/**
 * Searches titles or people by name, so that an administrator can choose one. The matches of the search come first,
 * because the search ranks whole names first and finds misspelt names. The search omits hidden and blocked titles, and
 * titles that the acting profile may not see. A search for titles therefore also returns up to `MAX_CANDIDATES` further
 * matches of the title list, hidden titles first. Throws `ApiError`.
 */
export async function searchBlockCandidates(
  type: Exclude<BlockType, 'keyword'>,
  query: string,
): Promise<BlockCandidate[]> {
  const { results: hits } = await callApi(searchCatalogue, {
    query: { q: query, type, limit: MAX_CANDIDATES },
  })
  const candidates = hits.map((hit) =>
    hit.kind === 'actor'
      ? { id: hit.actor.id, name: hit.actor.name, year: null }
      : { id: hit.media.id, name: hit.media.title, year: hit.media.year },
  )
  if (type === 'actor') return candidates
  const { results: cards } = await callApi(type === 'movie' ? catalogue.listMovies : catalogue.listSeries, {
    query: {
      admin: true,
      search: query,
      limit: LIMITS.maxPageSize,
      sort: 'popularity.desc',
    },
  })
  const candidateIds = new Set(candidates.map(({ id }) => id))
  const furtherCards = cards
    .filter(({ id }) => !candidateIds.has(id))
    .sort((a, b) => Number(a.published) - Number(b.published))
    .slice(0, MAX_CANDIDATES)
  return [...candidates, ...furtherCards.map(({ id, title, year }) => ({ id, name: title, year }))]
}
