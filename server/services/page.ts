import type { PageRequest } from '../queries/page.ts'

/** Returns a page of a list in the format of the API. `total` is the number of results on all pages. */
export function toPage<Result>({ page, limit }: PageRequest, total: number, results: Result[]) {
  return { page, limit, total_results: total, total_pages: Math.ceil(total / limit), results }
}
