/**
 * Types of those parts of the service worker API that the worker uses. TypeScript is configured for pages, so it does
 * not declare this API.
 */
import type { CacheShellsMessage } from './messages.ts'

interface ExtendableEvent extends Event {
  waitUntil(task: Promise<unknown>): void
}
export interface FetchEvent extends ExtendableEvent {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}
interface WorkerMessageEvent extends ExtendableEvent {
  readonly data: Partial<CacheShellsMessage> | null
}
export interface PushEvent extends ExtendableEvent {
  readonly data: { json(): unknown } | null
}
interface NotificationClickEvent extends ExtendableEvent {
  readonly notification: { readonly data: unknown; close(): void }
}
interface WindowClient {
  readonly url: string
  focus(): Promise<unknown>
  navigate(url: string): Promise<unknown>
}
interface WorkerScope {
  readonly registration: {
    readonly navigationPreload?: { disable(): Promise<void> }
    showNotification(title: string, options: object): Promise<void>
  }
  readonly clients: {
    claim(): Promise<void>
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly WindowClient[]>
    openWindow(url: string): Promise<unknown>
  }
  skipWaiting(): Promise<void>
  addEventListener(kind: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void
  addEventListener(kind: 'fetch', listener: (event: FetchEvent) => void): void
  addEventListener(kind: 'push', listener: (event: PushEvent) => void): void
  addEventListener(kind: 'notificationclick', listener: (event: NotificationClickEvent) => void): void
  addEventListener(kind: 'message', listener: (event: WorkerMessageEvent) => void): void
}

export const workerScope = globalThis as unknown as WorkerScope
