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
    /* Televisions say so; nothing else tells them from a large screen on a desk. */
    if (/\b(TV|SmartTV|Tizen|Web0S|BRAVIA|AFT\w+)\b/i.test(navigator.userAgent))
      document.documentElement.dataset.tv = ''
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
  /* Other tabs may do the same at this moment: the server gives each of them one and the same successor. */
  boot.refresh = fetch('/api/auth/refresh', { method: 'POST', credentials: 'include' })
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
  /* For inline scripts that follow, such as the player's (early-picture.js). */
  Object.assign(boot, { token, profile, read })
  /* `{kids:name}` becomes what a kids profile adds to the address: src/lib/stores/media.ts, in the same order. */
  const kids = store('localStorage', 'marquee-kids') === profile
  const safe = (_, name) => (kids ? ['&kids=true', 10751, 10762, 16].join(`&${name}=`) : '')
  const today = Math.floor(Date.now() / 86_400_000)
  for (const template of reads) {
    if (/\{(profile|slug)\}/.test(template) && !profile) continue
    const slug = decodeURIComponent(location.pathname.split('/').filter(Boolean).at(-1) ?? '')
    const url = template
      .replace('{profile}', profile ?? '')
      .replace('{slug}', encodeURIComponent(slug))
      .replace(/\{kids:([\w-]+)\}/, safe)
    read(url)
    if (/^\/api\/(movies\/featured|(movies|series)\/slug\/)/.test(url))
      boot.reads[url].then(showFirst).catch(() => {})
  }

  /* The large picture and title stand before any island's code is there; the islands draw the same in the same place. */
  async function showFirst(answer) {
    if (!answer.ok) return
    const body = await answer.clone().json()
    const { results } = body
    if (results) boot.hero = results
    boot.show(results ? results[today % Math.min(5, results.length || 1)] : body, document)
  }
  /* Today's picture of this profile's home was kept when it was there last (stores/first-picture.ts). */
  boot.early = () => {
    const kept = JSON.parse(store('localStorage', 'marquee-first') || 'null')
    if (boot.hero || kept?.profile !== profile || kept.kids !== kids || kept.day !== today) return
    boot.hero = [kept.media]
    boot.show(kept.media, document)
  }
  /* Also for a page that is about to be swapped in (instant.ts). */
  boot.show = (media, page) => {
    const frame = page.querySelector('[data-early-hero]')
    const base = document.querySelector('meta[name=image-base]').content
    if (!(media && frame)) return
    const [picture, fade, title] = frame.querySelectorAll('[data-early]')
    const own = media.backdrop_path?.startsWith('/drawn/')
    if (media.backdrop_path) picture.src = `${own || !base ? '/images' : base}/w1280${media.backdrop_path}`
    title.firstElementChild.textContent = media.title
    for (const part of [picture, fade, title]) part.hidden = false
    title.nextElementSibling.hidden = true
  }
})()
