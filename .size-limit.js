/**
 * Size budgets of a first visit, measured after brotli compression. The home page may load at most 85 kB of JavaScript
 * and 12 kB of CSS.
 */
import { listPageFiles } from './scripts/page-weight.ts'

const listAssets = (page, extension) =>
  listPageFiles(page)
    .filter((file) => file.endsWith(extension))
    .map((file) => `dist${file}.br`)
const createBudget = (name, page, extension, limit) => ({
  name,
  path: listAssets(page, extension),
  brotli: false,
  gzip: false,
  limit,
})

export default [
  createBudget('home: JavaScript', 'index.html', '.js', '85 kB'),
  createBudget('home: CSS', 'index.html', '.css', '12 kB'),
  createBudget('detail: JavaScript', 'tvshows/detail/index.html', '.js', '92.8 kB'),
  createBudget('watch: JavaScript', 'watch/index.html', '.js', '125.7 kB'),
  createBudget('dashboard: JavaScript', 'dashboard/index.html', '.js', '89.3 kB'),
]
