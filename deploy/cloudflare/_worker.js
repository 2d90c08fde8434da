// Cloudflare Pages: forwards /api, /proxy and /images to API_ORIGIN. _routes.json limits this worker to these paths.
export default {
  async fetch(request, env) {
    const url = new URL(request.url)
    if (!/^\/(api|proxy|images)(\/|$)/.test(url.pathname)) return env.ASSETS.fetch(request)
    const apiUrl = URL.parse(env.API_ORIGIN)
    if (apiUrl?.href !== `${apiUrl?.origin}/`) {
      const message = 'API_ORIGIN must be only a scheme, a host and a port, without a path.'
      return Response.json({ type: 'server_error', status_code: 500, message, errors: {} }, { status: 500 })
    }
    const target = new URL(url.pathname + url.search, apiUrl)
    const headers = new Headers(request.headers)
    headers.set('X-Forwarded-For', request.headers.get('CF-Connecting-IP') ?? '')
    try {
      return await fetch(new Request(target, new Request(request, { headers, redirect: 'manual' })))
    } catch {
      const body = {
        type: 'overloaded',
        status_code: 503,
        message: 'The server is busy. Try again shortly.',
        errors: {},
      }
      return Response.json(body, { status: 503, headers: { 'Retry-After': '1' } })
    }
  },
}
