/* Runs before anything is drawn: theme, language, and the first requests, while the islands' code still loads. */
;(() => {
  const store = (kind, key, value) => {
    try {
      return value === undefined ? window[kind].getItem(key) : window[kind].setItem(key, value)
    } catch {
      return null
    }
  }
  const theme = () => {
    const chosen = store('localStorage', 'marquee-theme')
    const light =
      chosen === 'light' || (chosen !== 'dark' && matchMedia('(prefers-color-scheme: light)').matches)
    document.documentElement.dataset.theme = light ? 'light' : 'dark'
    const lite = store('localStorage', 'marquee-lite')
    if (lite === '1' || (lite !== '0' && navigator.connection?.saveData))
      document.documentElement.dataset.lite = ''
  }
  theme()
  if (window.__boot) return
  document.addEventListener('astro:after-swap', theme)
  matchMedia('(prefers-color-scheme: light)').addEventListener('change', theme)

  /* Language (Spec, section 9): query, cookie, local storage, session storage, browser. A page with a locale in its address was asked for. */
  const known = ['en', 'fr', 'ar']
  const here = document.documentElement.lang
  const asked = new URLSearchParams(location.search).get('lng')
  const cookie = /(?:^|; )i18next=(\w+)/.exec(document.cookie)?.[1]
  const stored = [cookie, store('localStorage', 'i18nextLng'), store('sessionStorage', 'i18nextLng')]
  const browser = navigator.languages.map((one) => one.slice(0, 2))
  const wanted =
    [asked, ...(here === 'en' ? [...stored, ...browser] : [])].find((one) => known.includes(one)) ?? here
  store('localStorage', 'i18nextLng', wanted)
  if (wanted !== here) {
    const path = location.pathname.replace(/^\/(fr|ar)(?=\/|$)/, '') || '/'
    const query = new URLSearchParams(location.search)
    query.delete('lng')
    const rest = query.size > 0 ? `?${query}` : ''
    const target = (wanted === 'en' ? '' : `/${wanted}`) + path + rest + location.hash
    /* An address that has no page in that language (not found) stays as it is. */
    if (target !== location.pathname + location.search + location.hash) {
      location.replace(target)
      return
    }
  }

  const boot = { reads: {} }
  window.__boot = boot
  const reads = JSON.parse(document.querySelector('meta[name=boot-reads]').content)
  const profile = store('sessionStorage', 'marquee-profile') ?? store('localStorage', 'marquee-profile')
  const lock = (work) => (navigator.locks ? navigator.locks.request('marquee-refresh', work) : work())
  boot.refresh = lock(() => fetch('/api/auth/refresh', { method: 'POST', credentials: 'include' }))
  const token = boot.refresh.then((answer) => (answer.ok ? answer.clone().json() : null)).catch(() => null)
  const read = (url) => {
    boot.reads[url] = token.then((tokens) => {
      if (!tokens) throw new Error('signed out')
      const headers = { Authorization: `Bearer ${tokens.access_token}` }
      if (profile) headers['X-Profile-Id'] = profile
      return fetch(url, { headers, credentials: 'include' })
    })
    boot.reads[url].catch(() => {})
    return boot.reads[url]
  }
  Object.assign(boot, { token, profile, read })
  for (const template of reads) {
    if (template.includes('{') && !profile) continue
    const slug = decodeURIComponent(location.pathname.split('/').filter(Boolean).at(-1) ?? '')
    read(template.replace('{profile}', profile ?? '').replace('{slug}', encodeURIComponent(slug)))
  }
})()
