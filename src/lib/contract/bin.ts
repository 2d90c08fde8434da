/**
 * The bin: items that were deleted in the last 30 days and can be restored. Profiles belong to the account. Lists,
 * removed viewings and undone imports belong to the profile in the path.
 */
import * as z from 'zod/mini'
import { adultProofFields, idParamsSchema, idSchema } from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'

const binKindSchema = z.enum(['profile', 'list', 'history', 'import'])
const binItemSchema = z.object({
  kind: binKindSchema,
  item_id: z.string(),
  /**
   * Name of the profile, list or import file. For removed viewings, the name of their title; for viewings of several
   * titles, such as a cleared history, the name of one of these titles. Null when the title is not visible.
   */
  name: z.nullable(z.string()),
  /**
   * Number of titles in a list, number of removed viewings, or number of undone import rows; null for a profile, and
   * for progress without viewings.
   */
  count: z.nullable(z.number()),
  deleted_at: z.string(),
  /** Time at which the item is deleted permanently. */
  restorable_until: z.string(),
})
export type BinItem = z.infer<typeof binItemSchema>

const BIN_PATH = '/profile/{id}/bin'
const BIN_ITEM_PATH = `${BIN_PATH}/{kind}/{itemId}`
const binItemParamsSchema = z.extend(idParamsSchema, { kind: binKindSchema, itemId: idSchema })

export const listBin = defineEndpoint({
  access: 'profile',
  method: 'GET',
  path: BIN_PATH,
  params: idParamsSchema,
  reply: z.object({ results: z.array(binItemSchema) }),
  summary:
    'Lists deleted profiles of the account (not for kids profiles), and deleted lists, viewings and imports of the profile',
})
export const restoreBinItem = defineEndpoint({
  access: 'profile',
  proof: 'adult',
  method: 'POST',
  path: `${BIN_ITEM_PATH}/restore`,
  params: binItemParamsSchema,
  body: z.strictObject(adultProofFields),
  errorStatuses: [409],
  summary:
    'Restores an item of the bin; 409 when a change since then is in the way. An import is restored in the background',
})
export const eraseBinItem = defineEndpoint({
  access: 'profile',
  proof: 'adult',
  method: 'DELETE',
  path: BIN_ITEM_PATH,
  params: binItemParamsSchema,
  body: z.strictObject(adultProofFields),
  summary: 'Deletes an item of the bin for good; a profile with a PIN needs the account password',
})
