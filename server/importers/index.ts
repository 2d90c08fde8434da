/** All catalogue importers, by their name on the command line and in jobs. */
import { demoImporter } from './demo-importer.ts'
import { imdbImporter } from './imdb/import.ts'
import type { CatalogueImporter } from './importer.ts'
import { tmdbImporter } from './tmdb/import.ts'

export const CATALOGUE_IMPORTERS: Readonly<Record<string, CatalogueImporter>> = {
  demo: demoImporter,
  imdb: imdbImporter,
  tmdb: tmdbImporter,
}
