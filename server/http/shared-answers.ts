/**
 * Answers that are the same for everybody who may see the same: kept as they go out, for all processes where there is Redis.
 * Who asks has been identified before, from the primary database, each time; only then is a kept answer looked for.
 */
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Deps } from '../deps.ts'
import { titleLanguage } from '../services/cards.ts'
import type { Viewer } from './caller.ts'
import type { Route } from './route.ts'

/** Processes of two releases must not read each other's answers: they may have another shape. */
let code: string | undefined
const running = new WeakMap<Deps, Map<string, Promise<string>>>()

function codeVersion(): string {
  const root = join(import.meta.dirname, '..', '..')
  const hash = createHash('sha256')
  for (const file of globSync(['server/**/*.ts', 'src/lib/**/*.ts'], { cwd: root }).sort())
    hash.update(readFileSync(join(root, file)))
  return hash.digest('base64url').slice(0, 12)
}

interface Asked {
  route: Route
  caller: Viewer
  params: unknown
  query: unknown
}

/** The JSON of the answer. `make` is asked when none is kept, once for all who ask in this process meanwhile. */
export async function sharedAnswer(deps: Deps, asked: Asked, make: () => Promise<string>): Promise<string> {
  const key = keyOf(deps, asked)
  const kept = await deps.cache.get(key)
  if (kept !== undefined) return kept
  const mine = running.get(deps) ?? new Map<string, Promise<string>>()
  running.set(deps, mine)
  const made =
    mine.get(key) ??
    make()
      .then((text) => {
        deps.cache.put(key, text, asked.route.sharedMs ?? 0)
        return text
      })
      .finally(() => mine.delete(key))
  mine.set(key, made)
  return made
}

/** Everything that the answer depends on. Days matter: ages, and what has aired. */
function keyOf(deps: Deps, { route, caller, params, query }: Asked): string {
  const { method, base, path } = route.endpoint
  const { audience, acting, account, catalogueVersion } = caller
  code ??= codeVersion()
  const parts = [
    code,
    catalogueVersion,
    Math.floor(deps.now() / 86_400_000),
    `${method} ${base}${path}`,
    audience.kids,
    titleLanguage(caller),
    acting?.language ?? account.interface_language,
    params,
    query,
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}
