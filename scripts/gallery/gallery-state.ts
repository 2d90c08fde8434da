/** The description of a route or state that the gallery shows. */
import type { GalleryViewer, GalleryWindow } from './window.ts'

export interface GalleryState {
  /** Name of the route, or of the route and the state, such as `movie-pending`. The option `--routes` accepts both. */
  name: string
  /** Path without the locale prefix. */
  path: string | ((galleryWindow: GalleryWindow) => string)
  /** Who views the page; `main` by default. */
  viewer?: GalleryViewer
  /** Runs before the page is opened, for example to mock API responses. */
  prepare?: (galleryWindow: GalleryWindow) => Promise<void>
  /** Runs after the page is opened, for example to open a dialog. */
  interact?: (galleryWindow: GalleryWindow) => Promise<void>
  /** True to scroll down and take a second screenshot. */
  shouldCaptureBelow?: boolean
}
