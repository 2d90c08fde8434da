/** The description of a route or state that the gallery shows. */
import type { GalleryViewer, GalleryWindow } from './window.ts'

export interface GalleryState {
  /** `route` or `route-state`; `--routes` accepts both. */
  name: string
  /** Path without the locale prefix. */
  path: string | ((galleryWindow: GalleryWindow) => string)
  /** `main` by default. */
  viewer?: GalleryViewer
  /** Runs before the page is opened, for example to mock API responses. */
  prepare?: (galleryWindow: GalleryWindow) => Promise<void>
  /** Interacts with the opened page. */
  act?: (galleryWindow: GalleryWindow) => Promise<void>
  /** Takes a second screenshot, scrolled down. */
  shouldCaptureBelow?: boolean
}
