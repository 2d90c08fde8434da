import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { flag, whole } from './parts.ts'
import { watchWanted } from './watch.ts'

/**
 * The bytes that the player begins with before it has a session: for the cookie alone, as the profile that acted last.
 * 204 where that is another one, and where the player has to choose for itself or to go on from a place.
 */
export const watchBegin = endpoint({
  access: 'public',
  method: 'GET',
  base: '/proxy',
  path: '/torrent-streamer/begin',
  query: z.extend(watchWanted, {
    profile: z.string().check(z.maxLength(100)),
    /** What rules/player-quality.ts chooses by: physical pixels of the screen's shorter side, and the line. */
    screen: whole(1, 100_000),
    save_data: z._default(flag, false),
    line: z.optional(z.string().check(z.maxLength(20))),
  }),
  status: 307,
  summary: 'Where the bytes are that the player begins with (a redirect; by cookie)',
})
