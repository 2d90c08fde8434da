/** Conventions that all calls of the API share, in Markdown, for the OpenAPI document and the page `/api/docs`. */
export const API_CONVENTIONS = [
  'Lists return `page`, `limit`, `total_results`, `total_pages`, `results`; errors `type`, `status_code`, `message`, `errors` (codes by field).',
  'After 429 and 503, wait for the seconds of `Retry-After`.',
  'A method that an address does not accept gets 405 with `Allow`.',
  'Paths of images, such as `poster_path`, follow `/images/w` and a width in pixels: `/images/w342/drawn/poster/…`. They need no authentication.',
  'Later releases can add fields, error types and kinds of events.',
].join(' ')
