/** Budgets of what a first visit loads (issue: home at most 90 kB of JavaScript and 12 kB of CSS, brotli). */
import { pageWeight } from './scripts/page-weight.ts'

const files = (page, ending) =>
  pageWeight(page)
    .files.filter((file) => file.endsWith(ending))
    .map((file) => `dist${file}.br`)
const budget = (name, page, ending, limit) => ({
  name,
  path: files(page, ending),
  brotli: false,
  gzip: false,
  limit,
})

export default [
  budget('home: JavaScript', 'index.html', '.js', '90 kB'),
  budget('home: CSS', 'index.html', '.css', '12 kB'),
  budget('detail: JavaScript', 'tvshows/detail/index.html', '.js', '96 kB'),
  budget('watch: JavaScript', 'watch/index.html', '.js', '130 kB'),
  budget('dashboard: JavaScript', 'dashboard/index.html', '.js', '95 kB'),
]
