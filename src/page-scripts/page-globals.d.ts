/** Global declarations of the data and functions that inline scripts provide to the code that loads later. */
import type { MediaCard } from '../lib/contract/media.ts'
import type { StoredHomeRow } from '../lib/rules/home-hero.ts'

declare global {
  /** Data that inline/boot.ts provides on every page. Client-side navigation keeps this data. */
  interface BootData {
    /** The response to POST /api/auth/refresh. The code that uses the response deletes this property. */
    refreshResponse?: Promise<Response>
    /** Responses to the first reads of the page, by URL. The code that uses a response deletes its entry. */
    reads: Record<string, Promise<Response>>
    /** The titles from which the hero of the home page was chosen. */
    heroTitles?: MediaCard[]
    /** The first row of the home page that inline/first-row.ts has drawn, and its element. */
    firstRow?: { content: StoredHomeRow; element: HTMLElement }
    /** Loads the scripts and preload links that the build moved into the template `#modules`. */
    loadScripts: () => void
    /** Shows the hero and the first row that the home page of this profile had earlier today. */
    showStoredHero: () => void
    /** Shows the backdrop and the name of a title where `page` will render them. */
    showHero: (title: HeroTitle, page: Document) => void
  }

  /**
   * Data that inline/early-playback.ts provides on the watch page as `__early`, which is null when no early playback
   * starts.
   */
  interface EarlyPlayback {
    /** The response to POST /api/auth/refresh; resolves after `scriptPermission`. */
    refreshResponse: Promise<Response>
    /** Maps the URL of each read of the player to its response. */
    reads: Record<string, Promise<Response>>
    /** Resolves with the first video frame, or after a timeout; the scripts of the page run after that. */
    scriptPermission: Promise<unknown>
  }

  type HeroTitle = Pick<MediaCard, 'title' | 'backdrop_path'>

  var __boot: BootData | undefined
  var __early: EarlyPlayback | null | undefined

  interface Window {
    /** Astro's loaders of islands by directive; Astro reads `only` for each `client:only` island. */
    Astro?: { only: IslandLoader | undefined }
  }
  type IslandLoader = (...islandArguments: unknown[]) => Promise<unknown>
}
