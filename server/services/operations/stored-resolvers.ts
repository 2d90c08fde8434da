/**
 * Encodes and decodes the stream resolvers of the dashboard. All of them are stored in one row of the table `setting`.
 * The value of the row is encrypted, because the addresses can contain secrets.
 */
import * as z from 'zod/mini'
import type { InstallationKeys } from '../../providers/keys.ts'
import { sealText } from '../auth/sealed-text.ts'
import type { ResolverAddress } from '../playback/stream-sources.ts'
import { parseStoredList } from './stored-lists.ts'

/**
 * Key of the row in the table `setting`. The key is not in setting-definitions.ts, because resolvers have their
 * own endpoints.
 */
export const RESOLVERS_KEY = 'stream_resolvers'

const storedResolversSchema = z.array(
  z.object({
    id: z.string(),
    address: z.string(),
    mediaOrigins: z.array(z.string()),
    allowsPublicHosts: z.boolean(),
  }),
)

export const formatStoredResolvers = (keys: InstallationKeys, resolvers: ResolverAddress[]): string =>
  JSON.stringify(sealText(keys, JSON.stringify(resolvers)))

/** Returns the resolvers of a row (`parseStoredList`). */
export const parseStoredResolvers = (
  keys: InstallationKeys,
  storedText: string | undefined,
): ResolverAddress[] => parseStoredList(keys, storedText, storedResolversSchema)
