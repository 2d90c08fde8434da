/** The block list: titles, actors and keywords that are hidden from everybody. */

import { computed } from 'nanostores'
import { call } from '../../client/call.ts'
import type { Block } from '../../contract/admin.ts'
import * as admin from '../../contract/admin.ts'
import type { BodyOf } from '../../contract/endpoint.ts'
import { type SearchHit, search } from '../../contract/search.ts'
import { isolate } from '../../i18n/isolate.ts'
import type { Key } from '../../i18n/keys.ts'
import { read, refetch } from '../query.ts'
import { act, submit } from './act.ts'
import { choiceOf, filtersIn, pageOf } from './view.ts'

export const BLOCK_TYPES = ['movie', 'tv', 'actor', 'keyword'] as const
export type BlockType = Block['type']
export const $blocks = read(
  admin.listBlocks,
  computed(filtersIn('blocklist'), (filters) => {
    if (!filters) return null
    const type = choiceOf(filters, 'type', BLOCK_TYPES)
    return {
      query: {
        page: pageOf(filters),
        ...(type && { type }),
        ...(filters['search'] && { search: filters['search'] }),
      },
    }
  }),
)

type BlockInput = BodyOf<typeof admin.createBlock>
const createAndRefetch = async (body: BlockInput) => {
  const block = await call(admin.createBlock, { body })
  refetch(admin.listBlocks)
  return block
}
const deleteAndRefetch = async (id: string) => {
  await call(admin.deleteBlock, { params: { id } })
  refetch(admin.listBlocks)
}

export async function addBlock(body: BlockInput): Promise<Key | null> {
  let added: Block | null = null
  return submit(
    'dashboardlibrary:blockAdded',
    async () => {
      added = await createAndRefetch(body)
    },
    { undo: () => void act('dashboard:undone', () => deleteAndRefetch(added?.id ?? '')) },
  )
}

export function removeBlock({ id, type, media_id, value, reason, label }: Block): Promise<void> {
  const sameBlock = {
    type,
    ...(media_id !== null && { media_id }),
    ...(value !== null && { value }),
    ...(reason !== null && { reason }),
  }
  return act('dashboardlibrary:blockRemoved', () => deleteAndRefetch(id), {
    values: { name: isolate(label) },
    undo: () => void act('dashboard:undone', () => createAndRefetch(sameBlock)),
  })
}

export interface Found {
  id: string
  name: string
  year: number | null
}

/** Searches titles or people by name, to choose one to block. */
export async function findToBlock(type: Exclude<BlockType, 'keyword'>, q: string): Promise<Found[]> {
  const { results } = await call(search, { query: { q, type, limit: 8 } })
  return results.map(toCandidate)
}

function toCandidate(hit: SearchHit): Found {
  return hit.kind === 'actor'
    ? { id: hit.actor.id, name: hit.actor.name, year: null }
    : { id: hit.media.id, name: hit.media.title, year: hit.media.year }
}
