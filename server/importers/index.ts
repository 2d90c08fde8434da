/** All catalogue importers, by their name on the command line and in jobs. */
import { demo } from './demo-source.ts'
import { imdb } from './imdb/import.ts'
import type { Importer } from './source.ts'
import { tmdb } from './tmdb/import.ts'

export const IMPORTERS: Readonly<Record<string, Importer>> = { demo: demo, imdb: imdb, tmdb: tmdb }
