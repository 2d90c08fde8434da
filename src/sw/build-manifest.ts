/**
 * The files and pages of this build. scripts/worker-file.ts writes `BUILD_MANIFEST` at the start of the worker file.
 */
interface BuildManifest {
  /** Hash of the code of the worker, the files in `files` and the shells. */
  version: string
  /**
   * Paths of the files that the worker caches when it is installed: icons, avatars, web app manifests, and all hashed
   * files except the subtitle renderers.
   */
  files: string[]
  /**
   * For each page except the embedded player: a pattern that matches the paths of the page, and one of these paths. The
   * first capture group of the pattern is the locale prefix.
   */
  pages: { pattern: string; examplePath: string }[]
  /** Path of the page that is shown offline if a page is not cached. */
  offline: string
  /** Name of the site (`SITE_NAME`). */
  siteName: string
}

declare const BUILD_MANIFEST: BuildManifest

export const buildManifest = BUILD_MANIFEST
