/** Browser interfaces that not all browsers have, and that the DOM library therefore does not declare. */
interface Navigator {
  /** Network Information API. */
  readonly connection?: { readonly saveData?: boolean; readonly effectiveType?: string }
  /** Device Memory API: GiB, rounded. */
  readonly deviceMemory?: number
}
