/** Browser APIs that the DOM types of TypeScript (lib.dom) do not declare, because not all browsers have these APIs. */
interface Navigator {
  /** Network Information API. */
  readonly connection?: { readonly saveData?: boolean; readonly effectiveType?: string }
  /** Device Memory API: memory in GiB, rounded. */
  readonly deviceMemory?: number
}

/** Close Watcher API: reports when the user asks to close something, for example with the Back gesture of Android. */
declare class CloseWatcher {
  onclose: (() => void) | null
  destroy(): void
}

interface Window {
  readonly CloseWatcher?: typeof CloseWatcher
}
